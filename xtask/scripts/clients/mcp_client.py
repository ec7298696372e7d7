"""Every tool, resource and prompt of `git cortex mcp` through the official Python SDK.

Usage: mcp_client.py PROGRAM REPOSITORY    (the demonstration repository; needs the package `mcp`)

The SDK checks what it receives against the protocol; this script checks that every tool answers or says why not, in each
revision that the SDK speaks, over standard input and output and over HTTP, with progress, a cancellation in the middle of a call, and a resource that changes under
its subscription. Exits with 1 where something is wrong.
"""

import asyncio
import sys

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

CALLS = [
    ("map", {}, "types"),
    ("symbol", {"symbol": "FiringQueue"}, "FiringQueue"),
    ("symbol", {"symbol": "FiringQueue", "show": "source"}, "class FiringQueue"),
    ("usages", {"symbol": "FiringQueue"}, "uses"),
    ("search", {"query": "FQ"}, "FiringQueue"),
    ("context", {"range": "HEAD~3..HEAD"}, "What changed"),
    ("api", {"range": "HEAD~5..HEAD"}, "api"),
    ("tests", {"of": ["HEAD~3..HEAD"]}, "tests"),
    ("check", {}, "[check at"),
    ("edit_plan", {"edits": [{"edit": "rename", "symbol": "FiringQueue", "to": "FiringLine"}]}, "FiringLine"),
    ("edit_status", {}, "FiringLine"),
]


def expect(condition, message):
    if not condition:
        raise AssertionError(message)


def text_of(result):
    return "".join(block.text for block in result.content if block.type == "text")


async def call_every_tool(client):
    listed = (await client.list_tools()).tools
    names = {tool.name for tool in listed}
    expect(len(names) <= 12, f"{len(names)} tools")
    for name, arguments, expected in CALLS:
        result = await client.call_tool(name, arguments)
        expect(not result.is_error, f"{name}: {text_of(result)}")
        expect(expected in text_of(result), f"{name} has no `{expected}`: {text_of(result)}")
    result = await client.call_tool("usages", {"symbol": "FiringQueue", "format": "json"})
    expect(result.structured_content["answer"]["total"] > 0, "structured content")
    op = (await client.call_tool("edit_plan", {**CALLS[-2][1], "format": "json", "budget": 50000})).structured_content
    refused = await client.call_tool("edit_apply", {"op": op["answer"]["op"]})
    expect(refused.is_error and "NotReviewed" in text_of(refused), text_of(refused))
    called = {name for name, _, _ in CALLS} | {"edit_apply"}
    expect(called == names, f"not called: {names - called}")


async def read_everything(client):
    for resource in (await client.list_resources()).resources:
        expect((await client.read_resource(resource.uri)).contents, resource.uri)
    for template in (await client.list_resource_templates()).resource_templates:
        uri = template.uri_template.replace("{symbol}", "FiringQueue")
        if "{" not in uri:
            expect((await client.read_resource(uri)).contents, uri)
    for prompt in (await client.list_prompts()).prompts:
        arguments = {argument.name: "HEAD~1" for argument in prompt.arguments or []}
        expect((await client.get_prompt(prompt.name, arguments)).messages, prompt.name)


async def cancel_in_the_middle(client):
    call = asyncio.create_task(client.call_tool("context", {"range": "HEAD~5..HEAD"}))
    await asyncio.sleep(0.02)
    call.cancel()
    try:
        await call
    except asyncio.CancelledError:
        pass
    result = await client.call_tool("map", {})
    expect(not result.is_error, "the server is at work after a cancellation")


async def try_everything(server, mode):
    """Returns the revision."""
    progress = []

    async def heard(done, total, message):
        progress.append(done)

    async with Client(server, mode=mode) as client:
        await client.call_tool("map", {}, progress_callback=heard)
        expect(progress == sorted(progress), f"progress goes back: {progress}")
        await call_every_tool(client)
        await read_everything(client)
        await cancel_in_the_middle(client)
        return str(client.protocol_version)


async def over_http(program, repository, modes):
    arguments = ["-C", repository, "mcp", "--http"]
    serving = await asyncio.create_subprocess_exec(program, *arguments, stdout=asyncio.subprocess.PIPE)
    try:
        url = (await serving.stdout.readline()).decode().strip()
        token_file = (await serving.stdout.readline()).decode().strip().split(" token in ")[1]
        with open(token_file) as file:
            headers = {"Authorization": f"Bearer {file.read()}"}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http_client:
            return {await try_everything(streamable_http_client(url, http_client=http_client), it) for it in modes}
    finally:
        serving.kill()
        await serving.wait()


async def main(program, repository):
    modes = ["auto", "legacy"]
    server = StdioServerParameters(command=program, args=["-C", repository, "mcp"])
    seen = {await try_everything(server, mode) for mode in modes}
    expect(await over_http(program, repository, modes) == seen, "HTTP speaks other revisions")
    print(f"every tool, resource and prompt answers, over both transports; revisions {', '.join(sorted(seen))}")


asyncio.run(main(*sys.argv[1:3]))
