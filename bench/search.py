"""The rows about searching the text of past screenshots."""
import json
import os
import resource
import subprocess

PAGES = int(os.environ.get("BENCH_SEARCH_PAGES", "100000"))
PICTURES = int(os.environ.get("BENCH_SEARCH_PICTURES", "100"))
QUERIES = ["invoice", "voic", "12345", "acme report", "in", "nosuchword",
           "tion al re"]
TARGETS = {"picturesPerSecond": 5, "queryMs": 20}


def ask(program, *arguments):
    done = subprocess.run([program, *arguments], check=True,
                          stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def index_pictures(squint, program, folder):
    """Reads an archive of neighbouring screens; pictures per CPU second."""
    archive = os.path.join(folder, "search-archive")
    ask(program, "draw", archive, str(PICTURES))
    environment = dict(os.environ, HOME=os.path.join(folder, "home"),
                       XDG_CACHE_HOME=os.path.join(folder, "cache"))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [squint, "archive", "index", "--archive", archive, "--json"],
        stdout=subprocess.PIPE, env=environment, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        return None
    seconds = (after.ru_utime + after.ru_stime
               - before.ru_utime - before.ru_stime)
    return {**json.loads(done.stdout), "cpuSeconds": seconds,
            "perSecond": PICTURES / seconds}


def measure(squint, program, folder):
    """All figures."""
    path = os.path.join(folder, "text.db")
    filled = ask(program, "fill", path, str(PAGES))
    return {"fill": filled, "queries": ask(program, "query", path, *QUERIES),
            "index": index_pictures(squint, program, folder)}


def verdict(held):
    return "met" if held else "missed"


def rows(figures):
    """The figures compared with their targets, in the format of report.py."""
    index, worst = figures["index"], max(query["medianMs"]
                                         for query in figures["queries"])
    queries = ", ".join(f"{query['text']} {query['medianMs']:.1f}"
                        for query in figures["queries"])
    result = [
        {"id": "search-query",
         "what": f"a query over {figures['fill']['pages']} pictures, median",
         "figure": f"{worst:.1f} ms at most ({queries})", "beside": "-",
         "target": f"at most {TARGETS['queryMs']} ms",
         "verdict": verdict(worst <= TARGETS["queryMs"])},
        {"id": "search-size", "what": "the index file, per picture",
         "figure": f"{figures['fill']['bytes'] / figures['fill']['pages']:.0f}"
                   " bytes", "beside": "-", "target": "-", "verdict": "-"},
    ]
    if index is None:
        return [*result, {"id": "search-index", "what": "reading pictures",
                          "figure": "Tesseract is not installed",
                          "beside": "-", "target": "-", "verdict": "-"}]
    reused = index["linesKnown"] / max(
        1, index["linesKnown"] + index["linesRead"])
    return [*result, {
        "id": "search-index",
        "what": "pictures of 1920x1080 read, per second of one core",
        "figure": f"{index['perSecond']:.1f} ({100 * reused:.0f} % of the "
                  "lines known from neighbours)", "beside": "-",
        "target": f"at least {TARGETS['picturesPerSecond']}",
        "verdict": verdict(
            index["perSecond"] >= TARGETS["picturesPerSecond"])}]
