"""Recording, replaying and exporting journals in the page."""
import json
import os
import re
import stat
import subprocess
import time

from page import Agent, Page, click_label, served

PASSWORD = "lovelace"


def journals_of(server):
    """The journals in the state folder of the server."""
    folder = server.env["XDG_STATE_HOME"] + "/squint/journals"
    return sorted(os.path.join(folder, name) for name in os.listdir(folder))


def start_recording(test):
    """Press Record and wait for it."""
    test.page.click("#record")
    test.page.wait_text("#record", "Stop recording")


def stop_recording(test):
    """Press it again; returns the path of the new journal."""
    test.page.click("#record")
    test.page.wait("document.querySelector('#record').textContent === 'Record'")
    return journals_of(test.server)[-1]


def choose_journal(test, path):
    """Open a journal in the page."""
    page = test.page
    name = os.path.basename(path)
    page.show("journals")
    page.click(f'#journals [data-journal="{name}"]')
    page.wait_text(f'#journal[data-journal="{name}"]', "Replay on the device")


def play(test):
    """Replay the chosen journal; returns the results and the last words."""
    page = test.page
    page.click("#play")
    page.wait("/good|bad/.test(document.querySelector('#replay-status')"
              ".className)")
    results = page.evaluate("[...document.querySelectorAll('#replay tbody tr')]"
                            ".map(row => row.querySelector('.result').textContent)")
    return results, page.text("#replay-status")


def log_in(agent):
    """What the agent does: looks, taps, types a name and a password."""
    agent.call(operation="key", name="home")
    agent.call(operation="screenshot")
    agent.call(operation="tap", selector={"text": "Login"})
    agent.call(operation="input", text=PASSWORD,
               selector={"text": "Password"})
    agent.call(operation="find", selector={"text": "Sign in"})
    agent.call(operation="key", name="home")


def read_download(path):
    """What the browser saves there."""
    end = time.monotonic() + served.PATIENCE
    while ((not os.path.exists(path) or os.path.getsize(path) == 0)
           and time.monotonic() < end):
        time.sleep(0.02)
    with open(path, encoding="utf-8") as file:
        return file.read()


def check_download(test, path):
    """The exported script is saved, and is that of squint replay --export."""
    page = test.page
    folder = test.server.folder.name + "/downloads"
    page.ask("Page.setDownloadBehavior", behavior="allow", downloadPath=folder)
    for form, ending in (("sh", "sh"), ("maestro", "yaml")):
        page.click(f"[data-export={form}]")
        text = read_download(os.path.join(
            folder, os.path.basename(path).replace(".jsonl", "." + ending)))
        wanted = subprocess.run([test.squint, "replay", path, "--export", form],
                                env=test.server.env, capture_output=True,
                                stdin=subprocess.DEVNULL, text=True, check=True)
        test.cases.check(text == wanted.stdout and len(text) > 200,
                         f"the export for {form} is downloaded", text)


def check_recording(test):
    """Record an agent and a person, replay it, see where it differed."""
    cases, page, server = test.cases, test.page, test.server
    agent = Agent(server, "recorded")
    agent.call(operation="stop", packageName="Login")
    agent.call(operation="key", name="home")
    page.show("live")
    start_recording(test)
    log_in(agent)
    page.wait_text("#recording", "6 calls recorded")
    cases.check(True, "the page counts what is recorded")
    click_label(page, "Clock")
    page.wait_text("#recording", "7 calls recorded")
    path = stop_recording(test)
    with open(path, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    calls = [line for line in lines if "call" in line]
    mode = stat.S_IMODE(os.stat(path).st_mode)
    cases.check([call["operation"] for call in calls] == [
        "key", "screenshot", "tap", "input", "find", "key", "tap"]
                and mode == 0o600 and PASSWORD not in json.dumps(lines),
                "the journal has the calls of both, without the password",
                calls)
    tapped = json.loads(calls[-1]["content"][-1]["text"])
    cases.check(tapped.get("element", {}).get("label") == "Clock",
                "a click of a person names its element", tapped,
                calls[-1].get("arguments"))
    size = os.path.getsize(path)
    agent.call(operation="screenshot")
    cases.check(journals_of(server) == [path] and os.path.getsize(path) == size,
                "nothing is recorded afterwards")
    choose_journal(test, path)
    cases.check("7 calls" in page.text("#journal"), "the journal is described",
                page.text("#journal"))
    page.fill("[id^=secret-]", PASSWORD)
    agent.call(operation="stop", packageName="Login")
    agent.call(operation="key", name="home")
    results, words = play(test)
    unknown = "done, not compared"
    cases.check(results == ["same", unknown] + ["same"] * 5
                and "As recorded" in words,
                "it is replayed as recorded", results, words,
                page.text("#replay tbody"), calls)
    cases.check("tapLoginsame" in page.text("#replay tbody"),
                "the report names the targets", page.text("#replay tbody"))
    cases.check(page.evaluate("document.querySelector('#replay progress')"
                              ".value") == 7, "with its progress")
    test.keep_picture("replay")
    check_download(test, path)


def check_bad_names(cases, server, path):
    """Only journals of the folder can be read, played and deleted."""
    name = os.path.basename(path)
    with open(server.folder.name + "/state/secret.jsonl", "w",
              encoding="ascii") as file:
        file.write("{}\n")
    os.symlink(server.folder.name + "/state/secret.jsonl",
               os.path.dirname(path) + "/link.jsonl")
    for bad in ("../../secret.jsonl", "/etc/passwd", "..", ".hidden.jsonl", "",
                "link.jsonl", name, 7):
        for request in ("journal", "export", "replay"):
            answer = server.ask_api(request, journal=bad, form="sh")
            cases.check("error" in answer, f"{request} refuses {bad!r}",
                        answer)
    server.ask_api("delete-journal", journal="../../secret.jsonl")
    cases.check(os.path.exists(server.folder.name + "/state/secret.jsonl"),
                "nothing outside the folder is deleted")
    os.remove(os.path.dirname(path) + "/link.jsonl")


def check_replay_trouble(test):
    """A replay that differs says where; it can be stopped; journals go."""
    cases, page, server = test.cases, test.page, test.server
    agent = Agent(server, "troubled")
    agent.call(operation="stop", packageName="Login")
    agent.call(operation="launch", packageName="Login")
    start_recording(test)
    agent.call(operation="input", text="ada", selector={"text": "Username"})
    agent.call(operation="wait", selector={"text": "nowhere"}, timeoutMs=1500)
    path = stop_recording(test)
    name = os.path.basename(path)
    choose_journal(test, path)
    results, words = play(test)
    cases.check(results[0] == "differs" and "Something differs" in words,
                "a difference is reported", results, words)
    cases.check("adaada" in page.text("#replay tbody"),
                "it says what differed", page.text("#replay tbody"))
    page.click("#play")
    page.wait_text("#replay-status", "1 of 2 actions")
    page.click("#stop-replay")
    page.wait_text("#replay-status", "Stopped.")
    cases.check(True, "a replay can be stopped")
    page.show("live")
    page.click("#look-only")
    page.show("journals")
    results, words = play(test)
    cases.check(results == [] and "Look only is on" in words,
                "with look only nothing is played", words)
    page.show("live")
    page.click("#look-only")
    page.show("journals")
    page.click("#delete-journal")
    page.wait_text("#delete-journal", "Click again to delete")
    page.click("#delete-journal")
    page.wait("!document.querySelector('#journals [data-journal="
              f"\"{name}\"]')")
    cases.check(path not in journals_of(server), "a journal can be deleted")
    check_bad_names(cases, server, path)


def check_saved_page(test, path):
    """The page opens from its file, with the pictures, and loads nothing."""
    page = Page(test.program)
    page.ask("Page.navigate", url="file://" + path)
    page.wait("document.querySelectorAll('.calls li').length === 4")
    page.evaluate("document.querySelector('.timeline').focus()")
    page.press("End")
    page.wait_text("#call-detail", "Type “[secret ")
    page.wait("document.querySelector('.stage canvas')?.width === 450")
    test.cases.check(not page.troubles() and not [
        url for url in page.other_hosts() if not url.startswith("file:")],
                     "the saved page needs no server", page.troubles())
    page.close()


def check_script(test, path):
    """The saved script does the same, and fails if its assertion does."""
    text = read_download(path)
    env = {**test.server.env, "SQUINT": test.squint,
           **dict.fromkeys(re.findall(r"SQUINT_SECRET_\d+", text), PASSWORD)}
    ends = []
    for script in (text, text.replace("Sign in", "Not there")):
        ends.append(subprocess.run(["sh"], input=script, env=env, text=True,
                                   cwd=test.server.folder.name, check=False,
                                   capture_output=True))
    test.cases.check(ends[0].returncode == 0 and ends[1].returncode != 0,
                     "the saved script runs", text, ends)


def check_export(test):
    """Calls of the trace are saved as a page, a journal and a test."""
    cases, page = test.cases, test.page
    agent = Agent(test.server, "exporter")
    agent.call(operation="launch", packageName="Login")
    agent.call(operation="dump")
    agent.call(operation="screenshot")
    agent.call(operation="input", text=PASSWORD, selector={"text": "Password"})
    page.show("calls")
    page.fill("#call-search", "exporter")
    page.wait("document.querySelectorAll('.calls li').length === 4")
    page.click(".calls li:nth-child(2) .row")
    page.wait_text("#call-detail", "Elements (")
    page.click("#call-detail [aria-label='Assert that “Sign in” is here']")
    page.wait_text(".asserted", "“Sign in” is here")
    folder = test.server.folder.name + "/traces"
    page.ask("Page.setDownloadBehavior", behavior="allow", downloadPath=folder)
    texts = {}
    for form in ("journal", "sh", "html"):
        page.evaluate("document.getElementById('export-status')"
                      ".replaceChildren()")
        page.click(f"[data-form={form}]")
        page.wait_text("#export-status", "Saved by the browser as")
        name = page.text("#export-status .good").split()[-1]
        texts[form] = read_download(os.path.join(folder, name))
        if form == "journal":
            journal = os.path.join(folder, name)
        elif form == "sh":
            check_script(test, os.path.join(folder, name))
    cases.check(not any(PASSWORD in text for text in texts.values()),
                "no export has the password")
    wanted = subprocess.run([test.squint, "replay", journal, "--export", "sh"],
                            env=test.server.env, capture_output=True,
                            stdin=subprocess.DEVNULL, text=True, check=True)
    cases.check(texts["sh"] == wanted.stdout and "find" in texts["sh"]
                and "Sign in" in texts["sh"], "the test has the assertion",
                texts["sh"])
    check_saved_page(test, os.path.join(folder, name))
    page.fill("#call-search", "")
