#!/usr/bin/env python3
"""Walk commits of a repository with committed outlines, and compare each verdict with a fresh export byte by byte.

    xtask/scripts/walk_context.py PROGRAM REPOSITORY SCRATCH [--commits 300] [--empty-every 50]

The outlines of all public types of the oldest commit are committed; each later commit of the first-parent line gets a
tree of its sources with the context as it was, so that it becomes staler on the way; every few commits it is mended.
`check --at` of that commit must list just the files in which the context differs from an export into an empty
`.context`, rendered with an index of its own; every --empty-every commits that index is empty.
"""

import argparse, json, os, shutil, subprocess, sys, time
from pathlib import Path

arguments = argparse.ArgumentParser()
arguments.add_argument("program")
arguments.add_argument("repository")
arguments.add_argument("scratch")
arguments.add_argument("--commits", type=int, default=300)
arguments.add_argument("--empty-every", type=int, default=50)
arguments.add_argument("--mend-every", type=int, default=7)
options = arguments.parse_args()

scratch = Path(options.scratch)
clone, oracle = scratch / "clone", scratch / "oracle"
STORES = {clone: scratch / "store-check", oracle: scratch / "store-oracle"}


def git(folder, *words, text=None):
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-C", str(folder), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True, input=text).stdout.strip()


def cortex(folder, *words):
    variables = {**os.environ, "GIT_CORTEX_DIR": str(STORES[folder])}
    start = time.monotonic()
    done = subprocess.run([options.program, "-C", str(folder), *words], capture_output=True, text=True, env=variables)
    return done, time.monotonic() - start


def outlines(folder):
    """The committed outlines of a work tree, by path."""
    types = folder / ".context" / "types"
    return {f".context/types/{it.name}": it.read_bytes() for it in types.iterdir()} if types.is_dir() else {}


def fresh(commit):
    """All outlines of the sources of a commit, rendered anew."""
    git(oracle, "checkout", "-q", "-f", commit)
    shutil.rmtree(oracle / ".context", ignore_errors=True)
    done, seconds = cortex(oracle, "export-context", "--public", "--quiet")
    if done.returncode != 0:
        sys.exit(f"{commit}: export failed: {done.stderr}")
    return outlines(oracle), seconds


if not clone.exists():
    scratch.mkdir(parents=True, exist_ok=True)
    for folder in (clone, oracle):
        git(scratch, "clone", "-q", "--shared", "--no-checkout", options.repository, str(folder))
    # Other files decide nothing, and a partial clone may lack some.
    git(oracle, "sparse-checkout", "set", "--no-cone", "/*", "!*.sql")
line = git(clone, "rev-list", "--first-parent", f"--max-count={options.commits + 1}", "HEAD").split()[::-1]

context, _ = fresh(line[0])
tree_of_context = None


def store_context(files):
    """The tree of a context with these outlines and their selection."""
    global tree_of_context
    index = scratch / "context.index"
    index.unlink(missing_ok=True)
    variables = {**os.environ, "GIT_INDEX_FILE": str(index)}
    rows = []
    blobs = subprocess.run(["git", "-C", str(clone), "hash-object", "-w", "--stdin-paths"], check=True, text=True,
                           capture_output=True, input="".join(f"{oracle / it}\n" for it in [*sorted(files), ".context/outlines.json"])).stdout.split()
    for path, blob in zip([*sorted(files), ".context/outlines.json"], blobs):
        rows.append(f"100644 {blob}\t{path.removeprefix('.context/')}\n")
    subprocess.run(["git", "-C", str(clone), "update-index", "--index-info"], check=True, text=True, env=variables, input="".join(rows))
    tree_of_context = subprocess.run(["git", "-C", str(clone), "write-tree"], check=True, text=True, capture_output=True, env=variables).stdout.strip()


store_context(context)
parent, totals, wrong = None, {"checked": 0, "stale": 0, "seconds": 0.0, "based": 0.0}, []
for number, commit in enumerate(line):
    if number % options.empty_every == 0:
        shutil.rmtree(STORES[oracle], ignore_errors=True)
    expected, _ = fresh(commit)
    rows = [it for it in git(clone, "ls-tree", commit).split("\n") if it and not it.endswith("\t.context")]
    tree = git(clone, "mktree", text="\n".join([*rows, f"040000 tree {tree_of_context}\t.context"]) + "\n")
    parents = ["-p", parent] if parent else []
    with_context = git(clone, "commit-tree", *parents, "-m", f"with context: {commit}", tree)
    done, seconds = cortex(clone, "check", "--at", with_context, "--format", "json", "--quiet")
    answer = json.loads(done.stdout)["answer"]
    told = {it["file"] for it in answer["problems"] if it["rule"].startswith("outline-")}
    truth = {path for path in context.keys() | expected.keys() if context.get(path) != expected.get(path)}
    if told != truth or (done.returncode == 0) != (not truth):
        wrong.append(commit)
        print(f"WRONG {commit}: told {sorted(told - truth)[:5]}, truth {sorted(truth - told)[:5]}", flush=True)
    based_words = ""
    if parent:
        done, based = cortex(clone, "check", "--at", with_context, "--base", parent, "--format", "json", "--quiet")
        shown = {it["file"] for it in json.loads(done.stdout)["answer"]["problems"] if it["rule"].startswith("outline-")}
        made = {path for path in truth if before.get(path) != expected.get(path)} if not mended else truth
        if shown != made:
            wrong.append(commit)
            print(f"WRONG base {commit}: shown {sorted(shown - made)[:5]}, made {sorted(made - shown)[:5]}", flush=True)
        totals["based"] += based
    totals["checked"] += 1
    totals["stale"] += bool(truth)
    totals["seconds"] += seconds
    if number % 10 == 0:
        print(f"{number} {commit[:10]} {len(expected)} outlines, {len(truth)} stale, {seconds:.2f} s", flush=True)
    parent, before, mended = with_context, expected, False
    if number % options.mend_every == 0:
        context, mended = expected, True
        store_context(expected)
print(f"{totals['checked']} commits, {totals['stale']} stale, {len(wrong)} wrong; "
      f"check {totals['seconds'] / totals['checked']:.3f} s each, with --base {totals['based'] / max(1, totals['checked'] - 1):.3f} s")
sys.exit(1 if wrong else 0)
