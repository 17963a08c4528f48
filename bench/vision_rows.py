"""The rows of reading text and finding images.

Words and CPU time: the pages of BENCH_SCREENS, next to Tesseract's own layout
(PSM 3). One label: a server on the demo phone; the first search for a label on
a screen that it has not read. Templates: next to OpenCV, if Debian's
python3-opencv is installed.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys

import vision

HERE = pathlib.Path(__file__).parent
SCREENS = pathlib.Path(os.environ.get(
    "BENCH_SCREENS", HERE.parent.parent / "shared/data/screens"))
PHONES = ("settings", "shop", "small")
LABELS = (("settings", "Mobile data"), ("settings", "Bluetooth"), ("shop", "Audio"),
          ("shop", "Desk lamp"), ("login", "Sign in"), ("game", "Score"))
DEBIAN_PYTHON = "/usr/bin/python3"


class Server:
    """squint on its demo phone, over stdio."""

    def __init__(self, squint):
        environment = {**os.environ, "SQUINT_ANDROID_ADB_SERVER": "off"}
        self.process = subprocess.Popen(
            [squint, "mcp", "--ocr-enabled"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, env=environment)
        self.last = 0
        self.ask("initialize", {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"}})
        self.send({"method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message})
                                 + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.last:
                return answer["result"]

    def ui(self, **arguments):
        result = self.ask("tools/call", {"name": "ui", "arguments": arguments})
        return json.loads(result["content"][-1]["text"])

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def measure_words(squint):
    """Sums over all pages: true, exact and reported words, CPU; by reader."""
    sums = {name: [0, 0, 0, 0.0, 0.0] for name in vision.READERS}
    worse = []
    for truth_path in sorted(SCREENS.glob("*.truth.json")):
        stem = truth_path.name.removesuffix(".truth.json")
        truth = vision.read_truth(truth_path, False)
        for picture in sorted(SCREENS.glob(stem + ".*")):
            if picture.suffix not in (".png", ".jpg", ".webp"):
                continue
            exact = {}
            for name, read in vision.READERS.items():
                words, cpu = read(squint, str(picture))
                exact[name] = vision.count_exact(truth, words)
                is_phone = stem.split("_")[0] in PHONES
                for i, value in enumerate((len(truth), exact[name], len(words),
                                           cpu, cpu if is_phone else 0)):
                    sums[name][i] += value
            if exact["squint"] < exact["tesseract"]:
                worse.append(picture.name)
    return sums, worse


def word_rows(squint, verdict):
    sums, worse = measure_words(squint)
    own, peer = sums["squint"], sums["tesseract"]
    if not own[0]:
        return []
    share, peer_share = (100 * s[1] / s[0] for s in (own, peer))
    precision = 100 * own[1] / own[2]
    ratio = own[4] / peer[4]
    return [
        {"id": "vision-words", "what": "words read exactly, all pages",
         "figure": f"{share:.1f} %, precision {precision:.1f} %",
         "beside": f"Tesseract PSM 3 {peer_share:.1f} %",
         "target": "at least 95 and 97 %, no page below PSM 3",
         "verdict": verdict(share >= 95 and precision >= 97 and not worse)},
        {"id": "vision-cpu", "what": "CPU time to read phone screens",
         "figure": f"{own[4]:.2f} s", "beside": f"PSM 3 {peer[4]:.2f} s",
         "target": f"at most 0.7 times ({ratio:.2f})",
         "verdict": verdict(ratio <= 0.7)},
    ]


def label_row(squint, verdict):
    times = []
    for app, label in LABELS:
        server = Server(squint)
        server.ui(operation="ocr", region={"x": 0, "y": 0, "width": 450,
                                           "height": 30})  # starts a worker
        server.ui(operation="launch", receipt="none",
                  packageName=f"com.squint.demo.{app}")
        server.ui(operation="wait")
        begin = os.times().elapsed
        found = server.ui(operation="visual-find-text", text=label, limit=1)
        times.append(1000 * (os.times().elapsed - begin))
        if not found["count"]:
            print(f"vision: {label} was not found", file=sys.stderr)
        server.close()
    median = statistics.median(times)
    return {"id": "vision-label", "what": "find one label on a new screen",
            "figure": f"{median:.0f} ms", "beside": "",
            "target": "at most 150 ms", "verdict": verdict(median <= 150)}


def template_rows(squint, verdict):
    pages = [SCREENS / f"{name}_1080x2400.rgba.png" for name in PHONES[:2]]
    if not all(page.exists() for page in pages):
        return []
    done = subprocess.run(
        [DEBIAN_PYTHON, "-B", HERE / "vision_templates.py", squint, *pages,
         "--count", "10", "--absent", "500", "--json"],
        capture_output=True, text=True, check=False)
    if done.returncode:
        print("vision: python3-opencv is missing, no rows of templates",
              file=sys.stderr)
        return []
    kinds = json.loads(done.stdout)
    medians = {name: statistics.median(ms for _, ms in runs)
               for name, runs in kinds.items()}
    base, peer = medians["decode"], medians["OpenCV, same size"]
    sizes = [name for name in kinds if name.startswith("size ")]
    scaled = max(medians[name] for name in sizes) - base
    hits = sum(found for found, _ in kinds["absent"])

    def row(name, what, figure, target, good):
        return {"id": name, "what": what, "figure": figure,
                "beside": f"OpenCV, same size, {peer:.0f} ms",
                "target": target, "verdict": verdict(good)}
    return [
        row("vision-exact", "template 96x96 in 1080x2400, exact",
            f"{medians['exact'] - base:.1f} ms", "at most 3 ms",
            medians["exact"] - base <= 3),
        row("vision-jpeg", "... recompressed",
            f"{medians['JPEG'] - base:.0f} ms", "at most 30 ms",
            medians["JPEG"] - base <= 30),
        row("vision-scaled", "... in the slowest of four other sizes",
            f"{scaled:.0f} ms", "at most 100 ms", scaled <= 100),
        row("vision-absent", "hits of 500 absent templates", str(hits), "0",
            hits == 0),
    ]


def measure(squint, verdict):
    return [*word_rows(squint, verdict), label_row(squint, verdict),
            *template_rows(squint, verdict)]
