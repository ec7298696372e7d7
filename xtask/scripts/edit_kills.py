#!/usr/bin/env python3
"""Kills `git cortex apply` and `undo` at random instants: afterwards, every file is as before or as after.

usage: edit_kills.py BINARY [--kills N] [--seconds S] [--seed SEED] [--files N]

A repository of its own gets a rename that changes all of its files and moves one. Its operation is applied and undone
again and again, and the process is killed (SIGKILL) at a random instant of what the command takes. The next command is
`ops list`; once it ends, the work tree must be wholly before or wholly after, must agree with the state of the operation,
and have no file that was not there. Prints counts; exit status 1 where one kill broke the law.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=24)
    options = parser.parse_args()
    random.seed(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        return Check(options, pathlib.Path(folder)).run()


class Check:
    def __init__(self, options, folder):
        self.options = options
        self.work = folder / "work"
        self.work.mkdir()
        config = folder / "gitconfig"
        config.write_text("[user]\nname=A\nemail=a@example.com\n[cortex]\nrequireReview=never\n")
        self.environment = {
            **os.environ,
            "GIT_CONFIG_GLOBAL": str(config),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CORTEX_DIR": str(folder / "index"),
            "HOME": str(folder),
            "GIT_CORTEX_DAEMON": "off",
        }
        self.git("init", "-q", "-b", "main")
        (self.work / "Order.cs").write_text("public class Order { public Order Next; }\n")
        for at in range(options.files):
            text = f"class Use{at} {{ Order a; Order b; /* {'x' * 4000} */ }}\n"
            (self.work / f"Use{at}.cs").write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x")
        planned = json.loads(self.cortex("edit", "--format", "json", "rename", "Order", "Purchase"))
        self.op = planned["answer"]["op"]
        self.before = self.files()
        self.seconds = {"apply": self.timed("apply"), "undo": None}
        self.after = self.files()
        self.seconds["undo"] = self.timed("undo")
        assert self.files() == self.before and self.after != self.before

    def run(self):
        counts = {(verb, end): 0 for verb in ("apply", "undo") for end in ("before", "after")}
        n_killed = n_ended = n_wrong = 0
        start = time.monotonic()
        state = "before"
        while n_killed < self.options.kills and time.monotonic() - start < self.options.seconds:
            verb = "apply" if state == "before" else "undo"
            if self.killed(verb):
                n_killed += 1
            else:
                n_ended += 1
            listed = json.loads(self.cortex("ops", "list", "--format", "json"))
            shown = next(op for op in listed["answer"]["ops"] if op["op"] == self.op)
            files = self.files()
            found = "before" if files == self.before else "after" if files == self.after else None
            expected = "after" if shown["state"] == "applied" else "before"
            if found is None or found != expected:
                n_wrong += 1
                differing = {path for path in files.keys() | self.before.keys()
                             if files.get(path) != self.before.get(path)}
                print(f"{verb}: {shown['state']}, but {len(differing)} files differ: {sorted(differing)[:5]}")
                return 1
            counts[verb, found] += 1
            state = found
        seconds = time.monotonic() - start
        print(f"{n_killed} kills and {n_ended} commands that ended first, in {seconds:.0f} s: {n_wrong} wrong")
        for (verb, end), n in counts.items():
            print(f"{verb}: {n} wholly {end}")
        return 0

    def killed(self, verb):
        """Runs a command and kills it; whether it was still running."""
        process = subprocess.Popen([self.options.binary, verb, self.op], cwd=self.work, env=self.environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.random() * self.seconds[verb] * 1.1)
        is_running = process.poll() is None
        process.kill()
        process.wait()
        return is_running

    def timed(self, verb):
        start = time.monotonic()
        self.cortex(verb, self.op)
        return time.monotonic() - start

    def files(self):
        found = {}
        for path in self.work.rglob("*"):
            if ".git" not in path.parts and path.is_file():
                found[str(path.relative_to(self.work))] = path.read_bytes()
        return found

    def cortex(self, *arguments):
        done = subprocess.run([self.options.binary, *arguments], cwd=self.work, env=self.environment,
                              capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{arguments}: {done.stderr}")
        return done.stdout

    def git(self, *arguments):
        subprocess.run(["git", *arguments], cwd=self.work, env=self.environment, check=True)


if __name__ == "__main__":
    sys.exit(main())
