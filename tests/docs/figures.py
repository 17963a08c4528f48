#!/usr/bin/env python3
"""figures.py SQUINT ROOT: the figures of README and docs/figures.md that squint can
count itself, and the animation's calls, are those of this program, and README is
short; TAP. Text is counted by an
estimate, and a few answers contain times, so small differences are allowed."""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

LIST = re.compile(r"^\| list of tools, o200k tokens \| ([\d,]+) \|", re.MULTILINE)
MOST_LINES = 150  # of README
STEP = re.compile(r"^\*\*About ([\d,]+) tokens", re.MULTILINE)
ALLOWED_LIST = 0.02     # of the list of tools, which doctor estimates
ALLOWED_STEPS = 0.02    # of all steps
MOST_BYTES = 600000     # of each animation
HOW_TO_DRAW = "see \"The picture of README\" in docs/release.md"


def number(match):
    """The number that README has, without commas; None if it has none."""
    return int(match[1].replace(",", "")) if match else None


def wrong_list(squint, page):
    """What is wrong with the tokens of the list of tools, or None."""
    done = subprocess.run([squint, "doctor", "--json"], capture_output=True,
                          check=False, stdin=subprocess.DEVNULL)
    findings = json.loads(done.stdout)["findings"]
    text = next(f["text"] for f in findings if f["about"] == "tools")
    counted = int(re.search(r"about (\d+) o200k tokens", text)[1])
    written = number(LIST.search(page))
    if written is None or abs(written - counted) > ALLOWED_LIST * counted:
        return f"figures.md says {written}, squint doctor {counted}"
    return None


def total(steps):
    """The tokens of all steps."""
    return sum(s["pictureTokens"] + s["textTokens"] for s in steps)


def wrong_steps(steps, readme):
    """What is wrong with README's tokens of a step, or None."""
    counted = total(steps) / len(steps)
    written = number(STEP.search(readme))
    if written is None or round(counted, -1) != written:
        return f"README says {written}, squint demo {counted:.1f}"
    return None


def wrong_length(readme):
    """What is wrong with the length of README, or None."""
    lines = readme.count("\n")
    return None if lines <= MOST_LINES else f"README has {lines} lines"


def wrong_animation(steps, images):
    """What is wrong with the animation, or None."""
    facts = json.loads((images / "loop.json").read_text())
    for name in ("loop-light.webp", "loop-dark.webp"):
        data = (images / name).read_bytes()
        if hashlib.sha256(data).hexdigest() != facts["sha256"][name]:
            return f"loop.json does not describe {name}"
        if len(data) > MOST_BYTES:
            return f"{name} has {len(data)} bytes, more than {MOST_BYTES}"

    def shape(step):
        return step["call"], step["pictureTokens"]
    if [shape(s) for s in steps] != [shape(s) for s in facts["steps"]]:
        return f"the animation does not show the calls of squint demo; {HOW_TO_DRAW}"
    if abs(total(steps) - total(facts["steps"])) > ALLOWED_STEPS * total(steps):
        return (f"the animation shows {total(facts['steps'])} tokens, squint demo "
                f"counts {total(steps)}; {HOW_TO_DRAW}")
    return None


def played(squint, folder):
    """The steps of the demo."""
    subprocess.run([squint, "demo", "-o", folder], check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return json.loads(pathlib.Path(folder, "steps.json").read_text())


def main(squint, root):
    """Compare all of it; returns the exit status."""
    readme = pathlib.Path(root, "README.md").read_text()
    figures = pathlib.Path(root, "docs/figures.md").read_text()
    with tempfile.TemporaryDirectory(prefix="squint-figures-") as folder:
        os.chdir(folder)
        os.environ["XDG_RUNTIME_DIR"] = folder
        steps = played(squint, "tour")
        results = {
            "the list of tools": wrong_list(squint, figures),
            "tokens of a step": wrong_steps(steps, readme),
            "the length of README": wrong_length(readme),
            "the animation": wrong_animation(
                steps, pathlib.Path(root, "docs", "images"))}
    print(f"1..{len(results)}")
    for count, (name, wrong) in enumerate(results.items(), 1):
        if wrong:
            print(f"# {wrong}")
        print(f"{'not ok' if wrong else 'ok'} {count} {name}")
    return 1 if any(results.values()) else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])))
