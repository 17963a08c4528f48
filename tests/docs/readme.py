#!/usr/bin/env python3
"""readme.py SQUINT | --installed: README's commands, as a new person types them, do what
README says; TAP. SQUINT is a build, which gets a home folder of its own. With
--installed, README's lines of "Install" were run by this person before, in a fresh
system: see scripts/prove-readme.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT / "tests/docs")]

# pylint: disable=wrong-import-position
import examples
from cases import expect, expect_in, expect_true, run_case
from phone_clock import within_a_minute
from squint_server import Server, clean_environment

README = (ROOT / "README.md").read_text()
CODE = re.findall(r"^ *```sh\n(.*?)^ *```$|`([^`]+)`", README,
                  re.MULTILINE | re.DOTALL)
COMMANDS = [" ".join(line.partition("  #")[0].split())
            for block, words in CODE for line in [*block.splitlines(), words]]
MOST_SCREEN_LINES = 24
TOOLS = {"ui", "rtfm", "list_screenshots", "get_screenshot", "crop_screenshot",
         "save_screenshot", "contact_sheet", "search_screenshots"}
DOC = pathlib.Path("/usr/local/share/doc/squint")


class Person:
    """Types commands of README in a home folder."""

    def __init__(self, home, env):
        self.home, self.env = pathlib.Path(home), env

    def types(self, command, more="", folder=""):
        """The output of a command that README has, with what more is typed."""
        expect_true(f"README does not have {command}", command in COMMANDS)
        done = subprocess.run(["bash", "-c", f"{command} {more}"],
                              cwd=self.home / folder, env=self.env,
                              stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=600, check=False)
        expect(f"status of {command} ({done.stderr[-500:]})", done.returncode, 0)
        return done.stdout

    def path_of(self, name):
        """The program that the shell would start."""
        return shutil.which(name, path=self.env["PATH"])

    def entry(self):
        """What README's client has to start."""
        config = json.loads((self.home / ".claude.json").read_text())
        return config["mcpServers"]["squint"], config


def the_program_is_installed(person):
    """With its licences and its manual."""
    expect("place", person.path_of("squint"), "/usr/local/bin/squint")
    names = {path.name for path in DOC.iterdir()}
    expect_true(f"licences in {names}",
                sum("licen" in name.lower() for name in names) >= 2)


def the_demo_runs_without_installation(person):
    """`make demo` in the folder of the sources; of a build, what that runs."""
    sources = person.home / "squint"
    if sources.exists():
        person.types("make demo", folder="squint")
    else:
        (sources / "build").mkdir(parents=True)
        (sources / "build/squint").symlink_to(person.path_of("squint"))
        shutil.copytree(ROOT / "scripts", sources / "scripts")
        subprocess.run([sources / "scripts/demo"], env=person.env, check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    expect_true("page", (sources / "squint-demo/index.html").exists())


def adb_is_found_once_it_is_installed(person):
    """And no phone is attached."""
    person.types("sudo apt install adb")
    expect_true("adb", person.path_of("adb"))
    expect_in("squint demo phone", person.types("squint devices"))


def a_client_gets_an_entry(person):
    """Its other settings and a copy of the old file are kept."""
    old = '{"theme": "dark"}\n'
    (person.home / ".claude.json").write_text(old)
    person.types("squint install claude-code")
    entry, config = person.entry()
    expect("setting", config["theme"], "dark")
    expect("program", os.path.basename(entry["command"]), "squint")
    expect("first argument", entry["args"][0], "mcp")
    copies = [path for path in person.home.glob(".claude.json*")
              if path.name != ".claude.json"]
    expect("copies", [path.read_text() for path in copies], [old])


def other_clients_are_listed(person):
    """With the files of their configuration."""
    out = person.types("squint install")
    for name in ("claude-desktop", "cursor", "vscode", ".claude.json"):
        expect_in(name, out)


def start(person, *more):
    """The server, as the client starts it."""
    entry, _ = person.entry()
    server = Server([person.path_of(entry["command"]) or entry["command"],
                     *entry["args"], *more])
    server.initialize()
    return server


def the_client_gets_eight_tools(person):
    """As README counts them: six only once a folder of past screenshots is named."""
    for more, wanted in (((), {"ui", "rtfm"}), (("--archive", "."), TOOLS)):
        with start(person, *more) as server:
            tools = server.request("tools/list")["result"]["tools"]
            expect("tools", {tool["name"] for tool in tools}, wanted)


def two_things_are_put_into_the_cart(person):
    """What README lets a person ask the agent for."""
    with start(person) as server:
        server.ui("launch", packageName="Shop")
        for _ in range(2):
            server.ui("tap", selector={"contentDesc": "Add headphones to cart"})
        answer = server.ui("tap", selector={"contentDesc": "Cart"})
        expect_in("2 in your cart", json.dumps(answer))


def read_only_lets_the_agent_look(person):
    """But not act: README's `--read-only` after `mcp`."""
    expect_true("README does not have --read-only", "--read-only" in COMMANDS)
    with start(person, "--read-only") as server:
        expect("picture", server.call("ui", operation="screenshot")
               .get("isError", False), False)
        expect("tap", server.call("ui", operation="tap", x=200, y=500)
               .get("isError"), True)


def devices_are_listed(person):
    """Without a phone, the one that is built in."""
    expect_in("squint demo phone", person.types("squint devices"))


def the_demo_leaves_a_page(person):
    """With a picture of the screen."""
    person.types("squint demo")
    page = person.home / "squint-demo"
    expect_true("page", (page / "index.html").stat().st_size > 10000)
    expect_true("steps", len(json.loads((page / "steps.json").read_text())) > 9)


def tokens_are_those_of_the_table(person):
    """17 ways of counting, with README's figures."""
    rows = json.loads(person.types("squint tokens 1080x2400", "--json"))
    expect("ways", len(rows), 17)
    counted = {f"{row['tokens']:,}" for row in rows}
    written = set(re.findall(r"^\| (?:Claude|GPT|Gemini)[^|]* \| ([\d,]+) \|",
                             README, re.MULTILINE))
    expect("figures", written - counted, set())
    expect_true("rows of the table", len(written) >= 5)


def help_fits_one_screen(person):
    """And names the commands of the first minute."""
    out = person.types("squint help")
    expect_true(f"{out.count(chr(10))} lines",
                out.count("\n") <= MOST_SCREEN_LINES)
    for name in ("demo", "install", "screenshot", "tap", "find"):
        expect_true(name, re.search(rf"^  {name} ", out, re.MULTILINE))


def sections_by_hand_hold(person):
    """README's examples print what stands below them."""
    squint = pathlib.Path(person.path_of("squint"))
    shown = [shell for _, _, shell in examples.blocks(README)]
    expect_true("examples", len(shown) >= 2)
    for shell in shown:
        wrong = within_a_minute(lambda block=shell: examples.run_block(
            block, squint, examples.screen_png()))
        expect("problems", wrong, [])


ALWAYS = (the_demo_runs_without_installation, a_client_gets_an_entry,
          other_clients_are_listed,
          the_client_gets_eight_tools, two_things_are_put_into_the_cart,
          read_only_lets_the_agent_look, devices_are_listed,
          the_demo_leaves_a_page, tokens_are_those_of_the_table,
          help_fits_one_screen, sections_by_hand_hold)
INSTALLED = (the_program_is_installed, adb_is_found_once_it_is_installed)


def main(squint):
    """Calls the cases; returns the exit status."""
    cases = (*INSTALLED, *ALWAYS) if squint == "--installed" else ALWAYS
    with tempfile.TemporaryDirectory(prefix="squint-readme-") as folder:
        person = Person(os.environ.get("HOME"), dict(os.environ))
        if squint != "--installed":
            path = os.path.dirname(os.path.abspath(squint))
            env = clean_environment(folder)
            env["PATH"] = os.pathsep.join((path, env["PATH"]))
            person = Person(folder, env)
        print(f"1..{len(cases)}")
        passed = [run_case(number, case, person)
                  for number, case in enumerate(cases, 1)]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
