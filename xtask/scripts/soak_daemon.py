#!/usr/bin/env python3
"""Ask a daemon many things while its repository changes, and compare samples of its answers with a fresh process.

    xtask/scripts/soak_daemon.py PROGRAM REPOSITORY SCRATCH [--minutes 60] [--clients 4] [--seed 1]

A clone of the repository in SCRATCH is edited, committed to, switched between branches and collected (`gc`), while
clients ask about symbols that `search symbols` names. Between two changes, one question in twenty is asked again of a
process without a daemon; both must print the same bytes. Prints memory, open files and latencies each minute; exits with
1 where an answer differs or a request fails.
"""

import argparse, json, os, random, socket, subprocess, sys, threading, time
from pathlib import Path

arguments = argparse.ArgumentParser()
arguments.add_argument("program")
arguments.add_argument("repository")
arguments.add_argument("scratch")
arguments.add_argument("--minutes", type=float, default=60)
arguments.add_argument("--clients", type=int, default=4)
arguments.add_argument("--seed", type=int, default=1)
options = arguments.parse_args()

scratch = Path(options.scratch).absolute()
clone = scratch / "clone"
environment = {**os.environ, "GIT_CORTEX_DIR": str(scratch / "store")}
OPERATIONS = ["resolve", "outline", "usages", "callers", "deps", "hierarchy", "source", "implementations"]
# Two projects may have a type of one name; a switch may remove one.
EXPECTED = ["AmbiguousSymbol", "SymbolNotFound", "InvalidRequest"]


def git(*words):
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-C", str(clone), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def cortex(*words, daemon="off"):
    command = [options.program, "-C", str(clone), *words]
    return subprocess.run(command, capture_output=True, text=True, env={**environment, "GIT_CORTEX_DAEMON": daemon})


class Client:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.file, self.id = self.socket.makefile("rb"), 0

    def ask(self, method, params):
        self.id += 1
        body = json.dumps({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}).encode()
        self.socket.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        length = 0
        while (line := self.file.readline()) not in (b"\r\n", b""):
            if line.lower().startswith(b"content-length"):
                length = int(line.split(b":")[1])
        return json.loads(self.file.read(length))


if not clone.exists():
    scratch.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "clone", "-q", "--shared", options.repository, str(clone)], check=True)
git("checkout", "-q", "-B", "soak")
git("branch", "-f", "other", "HEAD~3")
found = json.loads(cortex("search", "symbols", "e", "--limit", "400", "--format", "json").stdout)
symbols = [hit["docId"] for hit in found["answer"]["items"]]
sources = [line for line in git("ls-files", "*.cs").splitlines() if (clone / line).stat().st_size < 100_000]
cortex("daemon", "start")
status = cortex("daemon", "status").stdout.splitlines()
pid = int(status[0].split()[1])
path = next(line for line in status if line.startswith("at "))[3:]

changing = threading.Lock()
is_over = threading.Event()
latencies, wrong, compared = [], [], [0]


def serve(seed):
    chance, client = random.Random(seed), Client(path)
    while not is_over.is_set():
        request = (chance.choice(OPERATIONS), chance.choice(symbols))
        is_sample = chance.random() < 0.05
        if is_sample:
            changing.acquire()
        start = time.monotonic()
        reply = client.ask(request[0], {"symbol": request[1]})
        latencies.append((time.monotonic() - start, request[0]))
        if "error" in reply and reply["error"]["data"]["code"] not in EXPECTED:
            wrong.append((request, reply["error"]))
        if is_sample:
            with_daemon = cortex(*request, "--format", "json", daemon="on").stdout
            without = cortex(*request, "--format", "json").stdout
            compared[0] += 1
            if with_daemon != without:
                wrong.append((request, with_daemon[:400], without[:400]))
            changing.release()


def change(chance, n):
    """Changes the repository as a person would, then lets the clients ask."""
    with changing:
        kind = chance.choices(["edit", "commit", "switch", "collect", "undo"], [60, 15, 5, 5, 15])[0]
        if kind == "edit":
            file = clone / chance.choice(sources)
            if file.exists():
                text = file.read_bytes()
                at = text.rfind(b"}")
                file.write_bytes(text[:at] + b"class Soak%d { }\n" % n + text[at:])
        elif kind == "commit":
            git("commit", "-q", "-a", "--allow-empty", "-m", f"change {n}")
        elif kind == "switch":
            git("checkout", "-q", "-f", chance.choice(["soak", "other"]))
        elif kind == "collect":
            cortex("gc")
        else:
            git("checkout", "-q", "-f", ".")


def state():
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    memory = next(line for line in status if line.startswith("VmRSS")).split()[1]
    return f"{int(memory) // 1024} MB, {len(os.listdir(f'/proc/{pid}/fd'))} open files"


threads = [threading.Thread(target=serve, args=(options.seed * 1000 + n,), daemon=True) for n in range(options.clients)]
for thread in threads:
    thread.start()
begin, minute, chance, n = time.monotonic(), 0, random.Random(options.seed), 0
while time.monotonic() - begin < options.minutes * 60 and not wrong:
    time.sleep(chance.uniform(0.1, 3))
    n += 1
    change(chance, n)
    if (time.monotonic() - begin) // 60 > minute:
        minute += 1
        times = sorted(it for it, _ in latencies) or [0]
        print(f"{minute} min: {len(times)} requests, p50 {times[len(times) // 2] * 1000:.1f} ms, "
              f"p99 {times[len(times) * 99 // 100] * 1000:.0f} ms, {n} changes, {compared[0]} compared, {state()}", flush=True)
is_over.set()
for thread in threads:
    thread.join(timeout=120)
print(f"{len(latencies)} requests, {n} changes, {compared[0]} compared, {len(wrong)} wrong; {state()}")
cortex("daemon", "stop")
for it in wrong[:5]:
    print(it, file=sys.stderr)
sys.exit(1 if wrong else 0)
