#!/usr/bin/env python3
"""Asks again for every name that answers print: paths, documentation ids and ids of random members of a repository.

paths.py PROGRAM REPOSITORY [--members N] [--seed N] [--operations resolve,outline,source,usages,history]

Each of them has to mean the symbol that it was printed for. Symbols that files of several assemblies declare alike may
be told as ambiguous: their documentation ids do not say which is meant."""
import argparse
import collections
import json
import random
import subprocess
import sys

NAMES = ("docId", "typeId", "path")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("repository")
    parser.add_argument("--members", type=int, default=300)
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--operations", default="resolve,outline,source,usages,history")
    options = parser.parse_args()

    def ask(*arguments):
        done = subprocess.run([options.program, *arguments], cwd=options.repository, capture_output=True)
        return done.returncode, done.stdout.decode()

    def answer(operation, symbol):
        arguments = [operation, symbol, "--format", "json"]
        if operation != "history":
            arguments += ["--at", "HEAD"]
        status, out = ask(*arguments)
        found = json.loads(out) if out.strip() else {}
        return status, found

    def symbol_of(found):
        found = found.get("answer", {})
        return found.get("symbol") or found.get("subject", {}).get("symbol", {})

    status, exported = ask("export", "--format", "jsonl", "--at", "HEAD")
    if status != 0:
        sys.exit("export failed")
    records = map(json.loads, exported.splitlines())
    ids = sorted({record["id"] for record in records if record["k"] == "member"})
    random.Random(options.seed).shuffle(ids)
    failures = collections.defaultdict(list)
    n_ambiguous = n_asked = 0
    for doc_id in ids[: options.members]:
        status, found = answer("resolve", doc_id)
        if found.get("error", {}).get("code") == "AmbiguousSymbol":
            n_ambiguous += 1
            continue
        symbol = symbol_of(found)
        if status != 0 or symbol.get("docId", doc_id) not in (doc_id, "T:" + doc_id[2:].split("(")[0].rsplit(".", 1)[0]):
            failures["resolve docId"].append((doc_id, found))
            continue
        names = {name: symbol[name] for name in NAMES if symbol.get(name)}
        if symbol.get("memberId"):
            names["id"] = f"{symbol['typeId']}_{symbol['memberId']}"
        for kind, name in names.items():
            for operation in options.operations.split(","):
                n_asked += 1
                status, found = answer(operation, name)
                again = symbol_of(found)
                is_same = again.get("typeId") == symbol.get("typeId") and (
                    kind == "typeId" or again.get("path") == symbol.get("path")
                )
                if status != 0 or not is_same:
                    failures[f"{operation} {kind}"].append((doc_id, name, again or found))
    print(f"{options.repository}: {n_asked} questions, {n_ambiguous} members of several assemblies")
    for what, all_of_it in sorted(failures.items()):
        print(f"  {what}: {len(all_of_it)}")
        for failure in all_of_it[:5]:
            print("   ", *failure)
    sys.exit(1 if failures else 0)


main()
