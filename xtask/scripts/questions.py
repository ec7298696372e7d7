#!/usr/bin/env python3
"""Asks `git cortex` questions about symbols that are drawn from what the C# compiler says, and scores the answers.

Usage: questions.py PROGRAM TRUTH.jsonl[.zst] REPOSITORY COMMIT [N [SEED]] [--show]

The truth has the records of `git cortex export --format jsonl` (docs/export.md) as the compiler's semantic model has
them. A third of the N questions each asks for

  usages           of a type or member: every `ref` and `use` of it, positions compared
  implementations  of a member: every `impl` of it and what overrides these, documentation ids compared
  hierarchy        of a type: every type in which an `impl` of one of its members is found must be below it, and every
                   type that is said to be directly below another must have a structural `edge` to it
"""
import collections, json, random, subprocess, sys


def lines(path):
    if path.endswith(".zst"):
        p = subprocess.Popen(["zstd", "-dcq", path], stdout=subprocess.PIPE, text=True, encoding="utf-8")
        yield from p.stdout
        if p.wait():
            sys.exit(f"cannot decompress {path}")
    else:
        with open(path, encoding="utf-8") as f:
            yield from f


def owner(member):
    """The type of a member's id."""
    path = member[2:].split("(")[0].split("~")[0]
    return "T:" + path.rsplit(".", 1)[0]


def load(path):
    t = collections.defaultdict(lambda: collections.defaultdict(set))
    for line in lines(path):
        r = json.loads(line)
        k = r["k"]
        if k in ("ref", "use"):
            at = (r["f"], r["l"], r["c"])
            t["doubt" if r.get("sure") is False else "used"][r["to"]].add(at)
        elif k == "unres":
            t["unres"][""].add((r["f"], r["l"], r["c"]))
        elif k == "impl":
            t["impl"][r["of"]].add(r["id"])
            t["in"][owner(r["of"])].add(r["type"])
        elif k == "edge" and r.get("s"):
            t["edge"][r["from"]].add(r["to"])
        elif k == "type":
            t["type"][r["id"]].add(r["asm"])
        elif k == "member" and not r.get("synth"):
            t["member"][r["id"]].add(r["asm"])
        elif k == "project":
            t["files"][""].update(r["files"])
    return t


def main():
    args = [a for a in sys.argv[1:] if a != "--show"]
    show = "--show" in sys.argv
    program, truth, repository, commit = args[:4]
    n = int(args[4]) if len(args) > 4 else 200
    rng = random.Random(int(args[5]) if len(args) > 5 else 1)
    t = load(truth)
    files, unres = t["files"][""], t["unres"][""]

    def ask(command, symbol):
        p = subprocess.run(
            [program, command, symbol, "--at", commit, "--format", "json", "--limit", "1000000", "-q"],
            cwd=repository, capture_output=True, text=True, encoding="utf-8")
        answer = json.loads(p.stdout)
        if "error" in answer:
            print("  no answer:", command, symbol, answer["error"]["code"])
            return None
        return answer

    def usages(symbol):
        a = ask("usages", symbol)
        skip = ("doc", "dispose", "other")
        got = {(i["file"], i["line"], i["column"]) for i in a["items"] if i["context"] not in skip} if a else set()
        want = t["used"][symbol]
        got = {g for g in got if g[0] in files and (g in want or g not in unres and g not in t["doubt"][symbol])}
        return want, got

    def below(of):
        seen, todo = set(), [of]
        while todo:
            for i in t["impl"].get(todo.pop(), ()):
                if i not in seen and i != of:
                    seen.add(i)
                    todo.append(i)
        return seen

    def implementations(symbol):
        a = ask("implementations", symbol)
        return below(symbol), {i["docId"] for i in a["down"]} if a else set()

    def hierarchy(symbol):
        a = ask("hierarchy", symbol)
        if not a:
            return t["in"][symbol], set()
        down = {i["docId"] for i in a["down"]}
        wrong = {("not a base", i["docId"], i["nearer"]) for i in a["down"]
                 if i["docId"] in t["type"] and i["nearer"] not in t["edge"].get(i["docId"], ())}
        wrong |= {("not a base", symbol, i["docId"]) for i in a["up"]
                  if i["depth"] == 1 and i["docId"] not in t["edge"].get(symbol, ())
                  and i["docId"] not in ("T:System.Object",) and i["kind"] != "external"}
        want = {d for d in t["in"][symbol] if d in t["type"] and d != symbol}
        # What no member tells of is not known from the truth's side.
        return want, {d for d in down if d in want} | wrong

    used = sorted(s for s in t["used"] if s in t["type"] or s in t["member"])
    questions = {
        usages: used,
        implementations: sorted(s for s in t["impl"] if s in t["member"]),
        hierarchy: sorted(s for s in t["in"] if s in t["type"]),
    }
    all_hit = all_got = all_want = asked = 0
    for number, (kind, symbols) in enumerate(questions.items()):
        chosen = rng.sample(symbols, min(len(symbols), (n + number) // 3))
        hit = got = want = perfect = 0
        for symbol in chosen:
            w, g = kind(symbol)
            hit, got, want = hit + len(w & g), got + len(g), want + len(w)
            perfect += w == g
            if show and w != g:
                print("  ", kind.__name__, symbol, "wrong", sorted(g - w)[:3], "missed", sorted(w - g)[:3])
        p, r = hit / got if got else 1, hit / want if want else 1
        print(f"{kind.__name__:16} {len(chosen):4} questions, {perfect:4} without a fault: precision {p:.4f} recall {r:.4f} of {want}")
        all_hit, all_got, all_want, asked = all_hit + hit, all_got + got, all_want + want, asked + len(chosen)
    print(f"{'all':16} {asked:4} questions: precision {all_hit / max(all_got, 1):.4f} recall {all_hit / max(all_want, 1):.4f}")


main()
