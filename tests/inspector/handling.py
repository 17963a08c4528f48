"""Keys, long presses, copying, and steps that are held while paused."""
import base64
import json
import math
import os
import tempfile
import time

import demo_phone
from page import Agent, Page, Server, click_label, label_point, served, wait_label
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


def allow_clipboard(page):
    """Let the page read and write the clipboard."""
    session, page.session = page.session, None
    page.ask("Browser.grantPermissions", permissions=[
        "clipboardReadWrite", "clipboardSanitizedWrite"])
    page.session = session


def copied(page):
    """The text in the clipboard."""
    page.ask("Page.bringToFront")
    return page.evaluate("navigator.clipboard.readText()")


WINDOWS = ((1400, 1000, 1), (1000, 640, 1.4), (760, 900, 1), (500, 800, 2))


# Finds the middle of the pixels of a picture that have the colour of the mark.
FIND_MARK = """(async data => {
  const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(data),
    letter => letter.charCodeAt(0))], { type: "image/png" }));
  const context = new OffscreenCanvas(bitmap.width, bitmap.height)
    .getContext("2d");
  context.drawImage(bitmap, 0, 0);
  const { data: bytes } = context.getImageData(0, 0, bitmap.width,
    bitmap.height);
  let [count, across, down] = [0, 0, 0];
  for (let i = 0; i < bytes.length; i += 4) {
    if (bytes[i] > 247 && bytes[i + 1] < 8 && bytes[i + 2] > 247) {
      count++;
      across += i / 4 % bitmap.width + 0.5;
      down += Math.floor(i / 4 / bitmap.width) + 0.5;
    }
  }
  return [across / count / devicePixelRatio, down / count / devicePixelRatio];
})"""


def drawn_at(page, x, y):
    """Draw a mark into the shown picture; where on the page it is to be seen."""
    page.box("#picture")
    page.evaluate("(() => { const context = document.getElementById('picture')"
                  f".getContext('2d'); const at = [{x - 3}, {y - 3}]; window.old"
                  " = () => context.putImageData(saved, ...at); const saved = "
                  "context.getImageData(...at, 7, 7); context.fillStyle = "
                  "'#f0f'; context.fillRect(...at, 7, 7); })()")
    found = page.evaluate(FIND_MARK + "(" + json.dumps(
        base64.b64encode(page.picture()).decode()) + ")")
    page.evaluate("old()")
    return found


def check_mapping(test):
    """A click acts at the pixel that is shown there, in every window."""
    cases, page = test.cases, test.page
    agent = Agent(test.server, "turner")
    page.show("live")
    page.evaluate("import('./live.js').then(({live}) => { window.live = live; "
                  "window.acts = []; live.act = (name, given) => "
                  "acts.push([given.x, given.y]); })")
    for turn, sides in enumerate(("width < height", "width > height") * 2):
        agent.call(operation="rotate", orientation=(
            "portrait", "landscape", "portraitReversed",
            "landscapeReversed")[turn])
        for width, height, scale in WINDOWS:
            page.resize(width, height, scale)
            page.wait(f"(({{width, height}}) => {sides})(live.frame.image)")
            page.evaluate("document.getElementById('freeze').click()")
            wide, high = page.evaluate("[picture.width, picture.height]")
            for across, down in ((0.1, 0.2), (0.9, 0.85)):
                x, y = int(wide * across), int(high * down)
                at = drawn_at(page, x, y)
                page.mouse("mousePressed", at)
                page.mouse("mouseReleased", at, buttons=0)
                got = page.wait("acts.pop()")
                factor = page.evaluate("live.frame.screen.width") / wide
                cases.check(math.dist(got, (x * factor, y * factor))
                            <= 2 * factor + 1,
                            f"turn {turn}, {width}x{height}: {across},{down}",
                            [got, x * factor, y * factor])
            page.evaluate("document.getElementById('freeze').click()")
    agent.call(operation="rotate", orientation="portrait")
    page.resize(1400, 1000)
    page.evaluate("delete live.act")


def check_gives_way(test):
    """A page that shows a slow phone waits while an agent uses it."""
    cases = test.cases
    if not demo_phone.find_adb():
        cases.check(True, "an agent comes first # SKIP no adb")
        return
    with tempfile.NamedTemporaryFile() as log, demo_phone.Phone(
            test.squint, "--delay", "uiautomator=400", "--log",
            log.name) as phone, demo_phone.Adb() as adb:
        adb.connect(phone)
        server = Server(test.squint, "--adb-server", f"127.0.0.1:{adb.port}")
        server.ask_api("elements")  # now it knows that this takes long
        size = os.path.getsize(log.name)
        wait = Agent(server, "waiting").start(
            operation="wait", text="Nowhere", timeoutMs=1000)
        while os.path.getsize(log.name) == size:
            time.sleep(0.01)
        server.ask_api("elements")
        cases.check(not wait.thread.is_alive(), "an agent comes first")
        wait()
        server.stop()


def check_two_phones(test):
    """With two phones the live view asks which, and then shows that one."""
    cases = test.cases
    if not demo_phone.find_adb():
        cases.check(True, "it asks which phone # SKIP no adb")
        return
    with demo_phone.Phone(test.squint) as first, demo_phone.Phone(
            test.squint) as second, demo_phone.Adb() as adb:
        adb.connect(first)
        adb.connect(second)
        server = Server(test.squint, "--adb-server", f"127.0.0.1:{adb.port}")
        page = test.page
        page.ask("Page.navigate", url=server.link)
        page.wait_text("#choose-device", "Which device?")
        name = page.wait("document.querySelector('#choose-device "
                         "button:last-child')?.dataset.device")
        offered = page.text("#choose-device")
        page.click("#choose-device button:last-child")
        page.wait("document.getElementById('picture')?.width > 300")
        shown = page.evaluate("import('./live.js').then(({live}) => "
                              "live.frame.device)")
        cases.check(shown == name and not page.text("#choose-device"),
                    "with two phones it asks which", name, shown, offered)
        page.wait("!document.getElementById('beside').parentElement.hidden")
        page.click("#beside")
        other = page.wait("document.querySelector('#others button')?.dataset"
                          ".device")
        page.wait("document.querySelector('#others canvas').width !== 300")
        test.keep_picture("devices")
        page.click("#others button")
        page.evaluate("import('./live.js').then(({live}) => { window.live = "
                      "live; })")
        page.wait(f"live.frame.device === {json.dumps(other)}")
        page.wait("[...document.querySelectorAll('#others button')].some(item "
                  f"=> item.dataset.device === {json.dumps(name)})")
        cases.check(other != name, "the others are beside it, and a click "
                    "exchanges them", name, other)
        server.stop()
    base = test.server.link[:test.server.link.index("/inspect")]
    page.open(base + test.server.inspector_path())


def check_copy(test):
    """The buttons that copy put the text into the clipboard."""
    cases, page = test.cases, test.page
    allow_clipboard(page)
    agent = Agent(test.server, "copied")
    agent.call(operation="find", selector={"text": "Copy me"})
    page.show("calls")
    page.fill("#call-search", "copied find")
    page.wait("document.querySelectorAll('.calls li').length === 1")
    page.click(".calls .row")
    page.wait_text("#call-detail", "Copy me")
    page.click("#call-detail .raw summary")
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


def check_typing(test):
    """Composed and pasted text, keys with and without Ctrl, a pinch, the tools."""
    cases, page = test.cases, test.page
    allow_clipboard(page)
    Agent(test.server).call(operation="stop", packageName="Login")
    page.show("live")
    press(page, "Home")
    click_label(page, "Login")
    click_label(page, "Username")
    page.wait_text("#act-status", "tap: done")
    page.ask("Input.imeSetComposition", text="にほ", selectionStart=2, selectionEnd=2)
    page.evaluate("new Promise(done => setTimeout(done, 600))")
    cases.check(page.evaluate("document.getElementById('typing').value") == "にほ"
                and page.text("#act-status") == "tap: done",
                "a text that is composed waits", page.text("#act-status"))
    page.ask("Input.insertText", text="日本")
    wait_label(page, "日本")
    page.evaluate("navigator.clipboard.writeText(' and 12 €')")
    page.ask("Input.dispatchKeyEvent", type="keyDown", key="v", code="KeyV",
             modifiers=2, commands=["paste"])
    wait_label(page, "日本 and 12 €")
    cases.check(True, "composed and pasted text arrives once")
    page.evaluate("import('./live.js').then(({live}) => { window.live = live; "
                  "window.acts = []; live.act = (name, given) => acts.push(["
                  "name, given.name ?? given.text ?? given.scale ?? given.orientation]); })")

    def sent(count):
        return page.wait(f"acts.length >= {count} && acts.splice(0)")
    keys = {"ArrowLeft": "left", "Delete": "forward_del", "Home": "move_home",
            "Tab": "tab", "PageDown": "page_down"}
    for key in keys:
        page.press(key)
    got = sent(len(keys))
    cases.check(got == [["key", name] for name in keys.values()],
                "keys without a letter are keys of the device", got)
    page.type("ab")
    page.press("Enter")
    page.press("c", modifiers=2)
    got = sent(3)
    cases.check(got == [["input", "ab"], ["key", "enter"], ["key", "copy"]],
                "text, Enter and a shortcut stay in order", got)
    for delta, scale in ((-100, 1.6), (100, 0.6)):
        page.ask("Input.dispatchMouseEvent", type="mouseWheel", deltaX=0, deltaY=delta,
                 x=page.point("#picture")[0], y=page.point("#picture")[1], modifiers=2)
        got = sent(1)
        cases.check(got == [["pinch", scale]], "the wheel with Ctrl pinches", got)
    before = page.box("#picture")[2]
    page.click("[title='Larger']")
    page.wait(f"picture.getBoundingClientRect().width > {before} * 1.3")
    page.click("[title='Smaller']")
    page.wait(f"Math.abs(picture.getBoundingClientRect().width - {before}) < 2")
    page.click("[title='Rotate the device']")
    got = sent(1)
    cases.check(got == [["rotate", "landscape"]], "the picture is zoomed, the device turned",
                got)
    page.click("[title='Copy the picture']")
    page.wait_text("#act-status", "in the clipboard")
    size = page.evaluate(
        "navigator.clipboard.read().then(async ([item]) => { const bitmap = await "
        "createImageBitmap(await item.getType('image/png')); return [bitmap.width, "
        "bitmap.height, picture.width, picture.height]; })")
    cases.check(size[:2] == size[2:], "the picture is copied as it is", size)
    page.evaluate("delete live.act")


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
    page.evaluate("import('./gate.js').then(({gate}) => { window.gate = gate; "
                  "window.before = gate.version; })")
    page.click("#gate [data-action=step]")
    page.show("live")
    # The call was released, left the gate and waits again.
    page.wait("gate.version >= before + 3 && gate.waiting.length === 1")
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


def is_marked(page, x, y):
    """Whether the picture of the held call has the colour of marks at a point."""
    return page.wait(
        "(() => { const [r, g, b] = document.querySelector('#held canvas')"
        f".getContext('2d').getImageData({round(x)}, {round(y)}, 1, 1).data; "
        "return r + g + b > 0 ? [r > 180 && g < 90 && b > 200] : null; })()")[0]


def decide(page, action):
    """Press a button of the call that waits, as soon as it can be pressed."""
    page.wait(f"document.querySelector('#held .{action}:not(:disabled)')")
    page.click(f"#held .{action}")
    page.wait("document.getElementById('held').hidden")


def check_held(test):
    """A held call shows what the model saw, where it acts, and in words."""
    cases, page = test.cases, test.page
    agent = Agent(test.server, "held")
    agent.call(operation="key", name="home")
    agent.call(operation="screenshot")
    icon = agent.call(operation="find", selector={"text": "Clock"})
    icon = json.loads(icon["content"][0]["text"])["elements"][0]
    x, y, box = icon["centerX"], icon["centerY"], icon["bounds"]
    page.click("#gate [data-action=approve]")
    page.wait("document.querySelector('#gate [data-action=approve]')"
              ".ariaPressed === 'true'")
    radius = 5 * 1000 / 250
    for name, arguments, words, marks in (
            ("point", {"operation": "tap", "x": x, "y": y}, f"Tap at {x}, {y}",
             [(x + radius, y), (x - radius, y), (x, y + radius)]),
            ("path", {"operation": "swipe", "from": {"x": 40, "y": 300},
                      "to": {"x": 240, "y": 500}},
             "Swipe from 40, 300 to 240, 500", [(140, 400), (90, 350)]),
            ("element", {"operation": "tap", "selector": {"text": "Clock"}},
             "Tap the element with text “Clock”",
             [(box["left"], y), (box["right"] - 1, y), (x, box["top"]),
              (x, box["bottom"] - 1)])):
        wait = agent.start(**arguments)
        page.wait_text("#held .words", words)
        page.wait_text("#held figcaption", "What the model saw")
        title = page.evaluate("document.title")
        cases.check(title.startswith(f"(1) {arguments['operation']} waits"),
                    f"{name}: the title says what waits", title)
        found = [is_marked(page, *mark) for mark in marks]
        cases.check(all(found) and not is_marked(page, 5, 5),
                    f"{name}: it is drawn on the picture", found)
        if name == "point":
            test.keep_picture("approve")
            page.evaluate("import('./gate.js').then(({gate}) => gate.set({"
                          "version: 0, mode: 'run', waiting: [], grants: []}))")
            cases.check("Tap" in page.text("#held"),
                        "an answer that is late hides no call")
        decide(page, "release" if name == "element" else "refuse")
        result = wait()
        cases.check(result["isError"] == (name != "element"),
                    f"{name}: the button decides", result)
    seen = agent.call(operation="find", selector={"text": "Honolulu"})
    cases.check("Honolulu" in json.dumps(seen) and not seen["isError"],
                "the approved tap, and no other, was done", seen)
    check_kind(test, agent)
    page.click("#gate [data-action=run]")
    page.wait("document.title === 'squint inspector'")


def check_kind(test, agent):
    """Approval of a kind is for one operation of one client, and can end."""
    cases, page = test.cases, test.page
    wait = agent.start(operation="key", name="home")
    decide(page, "release-kind")
    cases.check(not wait()["isError"]
                and not agent.call(operation="key", name="back")["isError"],
                "calls of an approved kind pass")
    page.wait_text("#grants", "for 10 min")
    other = Agent(test.server, "other")
    for name, client, call in (
            ("another client", other, {"operation": "key", "name": "home"}),
            ("another operation", agent, {"operation": "tap", "x": 5, "y": 9})):
        wait = client.start(**call)
        decide(page, "refuse")
        cases.check(wait()["isError"], f"but not those of {name}")
    page.click("#grants button")
    page.wait("!document.querySelector('#grants').textContent")
    wait = agent.start(operation="key", name="home")
    decide(page, "refuse")
    cases.check(wait()["isError"], "End ends it")


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


def hide(page):
    """Show another tab in front of the page."""
    own, page.session = page.session, None
    page.ask("Browser.grantPermissions", permissions=["notifications"])
    other = page.ask("Target.createTarget", url="about:blank")["targetId"]
    page.session = own
    page.wait("document.hidden")
    return other


def check_hidden(test):
    """While another tab is shown, calls are recorded, and one that waits is told."""
    cases, server = test.cases, Server(test.squint)
    page, agent = Page(test.program), Agent(server, "unseen")
    page.open(server.link)
    page.show("calls")
    page.evaluate("(() => { window.told = []; const Real = Notification; "
                  "window.Notification = class extends Real { constructor(title, more) {"
                  " super(title, more); told.push(title + ': ' + more.body); } }; })()")
    other = hide(page)
    seen = agent.call(operation="screenshot")
    page.evaluate("import('./gate.js').then(({gate}) => gate.act('approve'))")
    page.wait("document.querySelector('#gate [data-action=approve]').ariaPressed === 'true'")
    wait = agent.start(operation="tap", x=69, y=788)
    page.wait("document.title.startsWith('(1) tap waits')")
    told = page.wait("told.length > 0 && told")
    cases.check("a call waits for you" in told[0] and "69" in told[0],
                "a hidden page tells that a call waits", told)
    page.session, own = None, page.session
    page.ask("Target.closeTarget", targetId=other)
    page.session = own
    page.ask("Page.bringToFront")
    page.wait("!document.hidden")
    page.wait_text("#held figcaption", "with the point")
    cases.check(is_marked(page, 69 + 5 * 1000 / 250, 788), "then it shows what the model saw, and the point",
                seen)
    decide(page, "release")
    cases.check(not wait()["isError"], "and can be approved")
    page.wait("document.querySelectorAll('.calls li').length === 2")
    page.close()
    server.stop()


def check_many_calls(test, count=2000):
    """Each call is counted, and its tokens as they were sent."""
    cases, server = test.cases, Server(test.squint)
    page, agent = Page(test.program), Agent(server, "busy")
    page.open(server.link)
    page.evaluate("import('./calls.js').then(({calls}) => { window.calls = calls; })")

    def total(calls):
        return page.wait(f"calls.totals[0]?.calls === {calls} && calls.totals")[0]
    agent.call(operation="info")  # with a note that the next do not have
    noted = total(1)["textTokens"]
    agent.call(operation="info")
    text = total(2)["textTokens"] - noted
    agent.call(operation="screenshot")
    first = total(3)
    look = first["textTokens"] - text - noted
    for number in range(3, count):
        agent.call(operation="screenshot" if number % 10 == 0 else "info")
    last = total(count)
    looks = len(range(10, count, 10))
    want = {"calls": count, "pictures": 1 + looks,
            "pictureTokens": (1 + looks) * first["pictureTokens"]}
    words = noted + (count - 2 - looks) * text + (1 + looks) * look
    cases.check({name: last[name] for name in want} == want
                and abs(last["textTokens"] - words) <= 2 * looks  # the numbers of pictures
                and page.evaluate("calls.totals.length") == 1,
                f"{count} calls are counted, and none of the page", last, want, words)
    page.close()
    server.stop()
