"""Keys, long presses, copying, and steps that are held while paused."""
import base64
import json
import math
import time

from page import Agent, label_point, served, wait_label
from picture_size import of_jpeg


def is_black(page):
    """Whether the shown picture is black."""
    return page.wait(
        "(() => { const p = document.getElementById('picture'); return "
        "p.getContext('2d').getImageData(0, 0, p.width, p.height).data"
        ".every((value, index) => index % 4 === 3 || value < 8); })()")


def press(page, name):
    """Press one of the hardware keys of the page."""
    page.evaluate("document.getElementById('act-status').textContent = ''")
    at = page.evaluate("[...document.querySelectorAll('#keys button')]"
                       f".findIndex(item => item.textContent === '{name}')")
    page.click(f"#keys button:nth-child({at + 1})")


def check_keys(test):
    """Long press, power and volume."""
    cases, page = test.cases, test.page
    press(page, "Home")
    wait_label(page, "Clock")
    at = page.point("#picture", *label_point(page, "Clock"))
    page.mouse("mouseMoved", at, button="none", buttons=0)
    page.mouse("mousePressed", at)
    page.evaluate("new Promise(done => setTimeout(done, 800))")
    page.mouse("mouseReleased", at, buttons=0)
    page.wait("document.querySelector('#tree').textContent.includes("
              "'com.squint.demo.clock')")
    cases.check(True, "a long press holds: the phone shows the package")
    press(page, "Power")
    page.wait_text("#act-status", "key: done")
    cases.check(is_black(page), "Power switches the display off")
    press(page, "Power")
    page.wait_text("#act-status", "key: done")
    press(page, "Home")
    wait_label(page, "Clock")
    cases.check(True, "and on again")
    for name in ("Volume +", "Volume −"):
        press(page, name)
        page.wait_text("#act-status", "no key \"volume_")
    cases.check("Choose from" in page.text("#act-status"),
                "a key that the phone lacks is explained",
                page.text("#act-status"))
    page.show("calls")
    page.wait_text(".calls", "volume_down")
    cases.check("volume_up" in page.text(".calls"),
                "both volume keys were sent")
    page.show("live")


def copied(page):
    """The text in the clipboard."""
    page.ask("Page.bringToFront")
    return page.evaluate("navigator.clipboard.readText()")


def check_copy(test):
    """The buttons that copy put the text into the clipboard."""
    cases, page = test.cases, test.page
    session, page.session = page.session, None
    page.ask("Browser.grantPermissions", permissions=[
        "clipboardReadWrite", "clipboardSanitizedWrite"])
    page.session = session
    agent = Agent(test.server, "copied")
    agent.call(operation="find", selector={"text": "Copy me"})
    page.show("calls")
    page.fill("#call-search", "copied find")
    page.wait("document.querySelectorAll('.calls li').length === 1")
    page.click(".calls .row")
    page.wait_text("#call-detail", "Copy me")
    page.wait("[...document.querySelectorAll('#call-detail button')].some("
              "item => item.textContent === 'Copy as JSON' && (item.id = "
              "'copy-call'))")
    page.click("#copy-call")
    page.wait_text("#copy-call", "Copied")
    cases.check(json.loads(copied(page)) == {"name": "ui", "arguments": {
        "operation": "find", "selector": {"text": "Copy me"}}},
                "a call is copied as JSON", copied(page))
    page.fill("#call-search", "")
    page.show("live")
    press(page, "Home")
    wait_label(page, "Login")
    page.click("#picture", *label_point(page, "Login"), modifiers=8)
    page.wait_text("#card", "Selectors")
    for at, wanted in ((1, '"selector": {'), (2, "squint tap --selector.text")):
        page.click(f".selectors li button:nth-of-type({at})")
        page.wait("document.querySelector('.selectors li button:nth-of-type("
                  f"{at})').textContent === 'Copied'")
        cases.check(wanted in copied(page), f"{wanted} is copied",
                    copied(page))


def check_steps(test):
    """While paused, each further acting step of a running call waits."""
    cases, page = test.cases, test.page
    agent = Agent(test.server, "stepper")
    agent.call(operation="key", name="home")
    page.show("calls")
    page.click("#gate [data-action=hold]")
    page.wait("document.querySelector('#gate [data-action=hold]')"
              ".ariaPressed === 'true'")
    wait = agent.start(operation="steps", steps=[
        {"operation": "key", "name": "home"},
        {"operation": "find", "selector": {"text": "Clock"}},
        {"operation": "tap", "selector": {"text": "Clock"}},
        {"operation": "key", "name": "home"}])
    page.wait_text("#gate", "1 call waiting")
    page.click("#gate [data-action=step]")
    page.show("live")
    wait_label(page, "Settings")
    page.click("#picture", *label_point(page, "Settings"))
    page.wait_text("#act-status", "tap: done")
    cases.check(True, "the person may act between two steps")
    press(page, "Home")
    wait_label(page, "Clock")
    page.wait_text("#gate", "1 call waiting")
    page.click("#gate [data-action=step]")
    wait_label(page, "Clock face")
    page.wait_text("#gate", "1 call waiting")
    cases.check(True, "Step does one step, then the next one waits")
    page.click("#gate [data-action=run]")
    result = wait()
    cases.check(not result["isError"]
                and json.loads(result["content"][-1]["text"])["done"] == 4,
                "Run does the rest", result)


def wait_for_call(server):
    """Wait until a call is held; returns its number."""
    end = time.monotonic() + served.PATIENCE
    while time.monotonic() < end:
        waiting = server.ask_api("gate", action="hold")["gate"]["waiting"]
        if waiting:
            return waiting[0]
        time.sleep(0.02)
    raise TimeoutError("no call is held")


def check_refused_step(cases, server):
    """A step that is refused says what was done before it."""
    agent = Agent(server, "refused")
    server.ask_api("gate", action="hold")
    wait = agent.start(operation="steps", steps=[
        {"operation": "key", "name": "home"},
        {"operation": "find", "selector": {"text": "Clock"}},
        {"operation": "tap", "selector": {"text": "Clock"}}])
    call = wait_for_call(server)
    server.ask_api("gate", action="release", id=call)
    cases.check(wait_for_call(server) == call, "the third step waits")
    other = Agent(server, "other")
    cases.check(not other.call(operation="screenshot")["isError"],
                "another client may use the device meanwhile")
    server.ask_api("gate", action="refuse", id=call, reason="not now")
    result = wait()
    text = json.loads(result["content"][0]["text"])
    cases.check(result["isError"] and "step 3" in text["message"]
                and "not now" in text["message"]
                and len(text["details"]["done"]) == 2,
                "a refused step says what was done before it", text)
    server.ask_api("gate", action="run")


def area(parts):
    """How many pixels parts of a picture have."""
    return sum(math.prod(of_jpeg(base64.b64decode(part["data"])))
               for part in parts)


def check_changed_parts(cases, server):
    """After the first picture only what changed is sent."""
    agent = Agent(server, "typist")
    agent.call(operation="launch", packageName="Login")
    first = server.ask_api("screen", viewer="one", sequence=0)
    size = first["image"]["width"] * first["image"]["height"]
    cases.check(area(first["parts"]) == size, "the first picture is whole",
                first["image"])
    sequence = first["sequence"]
    agent.call(operation="input", text="ada", selector={"text": "Username"})
    found = server.ask_api("screen", viewer="one", sequence=sequence)
    cases.check(0 < area(found["parts"]) < size / 2,
                "then only the changed parts are sent",
                [area(found["parts"]), size])
    other = server.ask_api("screen", viewer="two", sequence=sequence)
    cases.check(area(other["parts"]) == size,
                "another page gets the whole picture")
