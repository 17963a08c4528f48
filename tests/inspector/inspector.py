#!/usr/bin/env python3
"""inspector.py SQUINT [sample|all|NAME,...] [PICTURES]: the inspector in a browser.

Agents use the demo phone while the page is clicked and typed at. Without a
Chromium only what needs none is tested. With PICTURES, the pictures of
docs/inspector.md are written to that folder.
"""
import glob
import json
import os
import socket
import sys
import tarfile
import tempfile
import threading
import time

import page as pages
from handling import (check_changed_parts, check_copy, check_gives_way, check_held,
                      check_hidden, check_keys, check_many_calls, check_mapping,
                      check_refused_step, check_steps, check_two_phones, check_typing,
                      wait_for_call)
from hub import (check_hub_calls, check_hub_death, check_hub_page, check_rules,
                 check_terminal, check_two_people)
from interleavings import check_interleavings
from looks import check_looks
from page import Agent, Page, Server, label_point, wait_label
from past import check_apps, check_search
from recording import check_export, check_recording, check_replay_trouble
from served import Cases

AXE = "axe-core@4.14.0"  # fetched from npm when the whole test runs


def link_path(server):
    """The path of the link."""
    return server.link[server.link.index("/inspect"):]


def check_access(cases, squint):
    """The link works once; the cookie, the header and the origin count."""
    server = Server(squint)
    plain = {"Authorization": None, "Content_Type": None}
    answer = server.ask("GET", "/inspect/", **plain)
    cases.check(answer.status == 401 and b"squint inspect" in answer.body,
                "without a cookie there is no page", answer.body)
    opened = server.ask("GET", link_path(server), **plain)
    cookie = opened.headers.get("set-cookie", "")
    cases.check(opened.status == 200 and "HttpOnly" in cookie
                and "SameSite=Strict" in cookie and "Path=/inspect" in cookie,
                "the link gives a cookie", opened.headers)
    again = server.ask("GET", link_path(server), **plain)
    cases.check(again.status == 403 and "set-cookie" not in again.headers,
                "the link works once", again.status)
    cookie = {"Cookie": cookie.split(";")[0]}
    found = server.ask("GET", "/inspect/", **plain, **cookie)
    policy = found.headers.get("content-security-policy", "")
    cases.check(found.status == 200 and "default-src 'none'" in policy
                and "unsafe" not in policy, "the cookie opens the page", policy)
    own = {"Authorization": None, "X-Squint-Inspector": "1", **cookie}
    about = {"path": "/inspect/api/about", "body": b"{}"}
    cases.check(server.ask(**about, **own).json()["version"],
                "the page may ask")
    for name, change in (
            ("no header", {"X-Squint-Inspector": None}),
            ("another site", {"Sec-Fetch-Site": "cross-site"}),
            ("another origin", {"Origin": "http://evil.example"}),
            ("another port", {"Origin": "http://127.0.0.1:1"}),
            ("another host", {"Host": "evil.example"})):
        answer = server.ask(**about, **{**own, **change})
        cases.check(answer.status == 403, f"refused: {name}", answer.status)
    forged = cookie["Cookie"][:-1] + ("0" if cookie["Cookie"][-1] != "0"
                                      else "1")
    cases.check(server.ask(**about, **{**own, "Cookie": forged}).status == 401,
                "a changed cookie is refused")
    late = cookie["Cookie"].replace("=1", "=9", 1)
    cases.check(server.ask(**about, **{**own, "Cookie": late}).status == 401,
                "a cookie cannot be prolonged")
    cases.check(server.ask("GET", "/inspect/api/about", **own).status == 405
                and server.ask("POST", "/inspect/main.js", body=b"{}",
                               **own).status == 405
                and server.ask("GET", "/inspect/../x", **own).status == 404,
                "other methods and paths are refused")
    answer = server.ask(path="/inspect/api/nothing", body=b"{}", **own)
    cases.check("no such request" in answer.json()["error"]["message"],
                "an unknown request is an error")
    answer = server.ask(path="/inspect/api/screen", body=b"[", **own)
    cases.check("error" in answer.json(), "bad JSON is an error", answer.body)
    check_links(cases, server)
    check_refused_step(cases, server)
    check_changed_parts(cases, server)
    check_person_session(cases, server, own)
    cases.check(server.stop() == 0, "it ends cleanly")


def check_links(cases, server):
    """A program with the secret gets links; agents, who have the token, not."""
    cases.check(server.ask("GET", server.inspector_path()).status == 200,
                "the secret gives links")
    cases.check(server.ask(path="/inspect/link", body=b"{}").status == 401,
                "the token of agents gives none")
    with open(server.token_file + ".inspector", encoding="ascii") as file:
        wrong = "Bearer " + file.read().strip()
    cases.check(server.ask(path="/inspect/link", body=b"{}",
                           Authorization=wrong).status == 401
                and server.ask(Authorization=wrong).status == 401,
                "the secret is no token")
    mode = os.stat(server.token_file + ".inspector").st_mode
    cases.check(mode & 0o777 == 0o600, "others cannot read it")
    paths = [server.inspector_path() for _ in range(9)]
    cases.check(server.ask("GET", paths[0]).status == 403
                and server.ask("GET", paths[8]).status == 200,
                "only the latest eight links are valid")


def check_kept_gate(cases, squint):
    """A pause outlives the server; a damaged file counts as a pause."""
    server = Server(squint, "--approve")
    file = server.env["XDG_STATE_HOME"] + "/squint/http-token.gate"
    for mode in ("started", "approve", "hold", "damaged", "run"):
        if mode in ("approve", "hold", "run"):
            server.ask_api("gate", action=mode)
        if mode != "started":
            server.kill()
            server.flags = ()
            server.start(0)
            server.cookie = None
        wait = Agent(server).start(operation="key", name="home")
        if mode != "run":
            server.ask_api("gate", action="release", id=wait_for_call(server))
        cases.check(not wait()["isError"], f"{mode} is in force after a start")
        kept = server.ask_api("call", sequence=1)
        cases.check(kept.get("operation") == "key"
                    and kept.get("state") == "succeeded",
                    f"{mode}: calls are recorded without a page", kept)
        if mode == "hold":
            with open(file, "ab") as damaged:
                damaged.write(b"ru")
    cases.check(os.stat(file).st_mode & 0o777 == 0o600, "others cannot write")
    server.stop()


def check_person_session(cases, server, own):
    """An agent cannot use the page's session, nor the page an agent's."""
    start = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "page", "version": "1"}}}
    session = server.ask(path="/inspect/mcp", body=json.dumps(start).encode(),
                         **own).headers["mcp-session-id"]
    cases.check(server.legacy(session, "ping").status == 404,
                "an agent cannot use the session of the page")
    agent = Agent(server)
    ping = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "ping"}).encode()
    answer = server.ask(path="/inspect/mcp", body=ping,
                        **{**own, "Mcp-Session-Id": agent.session})
    cases.check(answer.status == 404, "the page cannot use that of an agent")


def check_browser(cases, squint, server):
    """The link is passed to the program that opens addresses."""
    folder = server.folder.name
    seen = folder + "/opened"
    with open(folder + "/xdg-open", "w", encoding="ascii") as file:
        file.write(f'#!/bin/sh\necho "$1" >{seen}.new; mv {seen}.new {seen}\n')
    os.chmod(folder + "/xdg-open", 0o755)
    pages.subprocess.run(
        [squint, "inspect", "--token-file", server.token_file,
         "--listen", f"127.0.0.1:{server.address[1]}"],
        env=dict(server.env, PATH=folder + ":" + os.environ["PATH"]),
        stdin=pages.subprocess.DEVNULL, stderr=pages.subprocess.DEVNULL,
        check=True)
    end = time.monotonic() + pages.served.PATIENCE
    while not os.path.exists(seen) and time.monotonic() < end:
        time.sleep(0.02)
    with open(seen, encoding="ascii") as file:
        link = file.read()
    cases.check("/inspect/open?key=" in link, "a browser is opened", link)


def check_impostor(cases, squint, server):
    """Another program at the address does not get the token."""
    asked = []
    with socket.create_server(("127.0.0.1", 0)) as impostor:
        def answer():
            client, _ = impostor.accept()
            with client:
                asked.append(client.recv(65536))
                client.sendall(b"HTTP/1.1 401 No\r\n\r\n")
        thread = threading.Thread(target=answer)
        thread.start()
        done = pages.subprocess.run(
            [squint, "inspect", "--print-only", "--token-file",
             server.token_file, "--listen",
             f"127.0.0.1:{impostor.getsockname()[1]}"], env=server.env,
            stdin=pages.subprocess.DEVNULL, capture_output=True, text=True,
            check=False)
        thread.join()
    with open(server.token_file, encoding="ascii") as file:
        token = file.read().strip().encode()
    cases.check(done.returncode == 1 and b"POST /inspect/link" in asked[0]
                and token not in asked[0],
                "an impostor does not get the token", (done, asked))


def check_without_server(cases, squint):
    """squint inspect starts a server, and finds a running one."""
    server = Server(squint, command="inspect")
    cases.check(server.ask("GET", link_path(server)).status == 200,
                "squint inspect starts a server")
    other = pages.subprocess.run(
        [squint, "inspect", "--print-only", "--token-file", server.token_file,
         "--listen", f"127.0.0.1:{server.address[1]}"], env=server.env,
        stdin=pages.subprocess.DEVNULL, capture_output=True, text=True,
        check=False)
    cases.check(other.returncode == 0 and "/inspect/open?key=" in other.stdout
                and "key=" not in other.stderr,
                "a second one gives a link of the first", other)
    check_browser(cases, squint, server)
    check_impostor(cases, squint, server)
    server.stop()
    plain = pages.served.Server([squint])
    other = pages.subprocess.run(
        [squint, "inspect", "--print-only", "--token-file", plain.token_file,
         "--listen", f"127.0.0.1:{plain.address[1]}"], env=server.env,
        stdin=pages.subprocess.DEVNULL, capture_output=True, text=True,
        check=False)
    cases.check(other.returncode == 1 and "--inspect" in other.stderr,
                "a server without the inspector is reported", other)
    plain.stop()


class Test:
    """One server, one browser, and what the tests share."""

    def __init__(self, cases, squint, program, pictures):
        self.cases = cases
        self.squint = squint
        self.program = program
        self.pictures = pictures
        self.server = Server(squint)
        self.page = Page(program)
        self.page.open(self.server.link)

    def keep_picture(self, name, page=None):
        """Write pictures for the documentation, light and dark."""
        page = page or self.page
        for theme in ("light", "dark") if self.pictures else ():
            page.ask("Emulation.setEmulatedMedia", features=[
                {"name": "prefers-color-scheme", "value": theme}])
            page.evaluate("new Promise(done => setTimeout(done, 400))")
            with tempfile.NamedTemporaryFile(suffix=".png") as file:
                page.picture(file.name)
                pages.subprocess.run(
                    [self.squint, "scale", file.name, "--max-dimension", "1100",
                     "-o", f"{self.pictures}/inspector-{name}"
                           f"{'-dark' * (theme == 'dark')}.webp"], check=True,
                    stdin=pages.subprocess.DEVNULL,
                    stdout=pages.subprocess.DEVNULL)
        if self.pictures:
            page.ask("Emulation.setEmulatedMedia", features=[
                {"name": "prefers-color-scheme", "value": "light"}])

    def goto(self, name):
        """Open an app on the phone by its icon, as another client."""
        agent = Agent(self.server, "setup")
        agent.call(operation="key", name="home")
        agent.call(operation="tap", selector={"text": name})

    def close(self):
        """End both."""
        self.page.close()
        self.server.stop()


def check_live(test):
    """The picture is the phone's; the tree and the screen are linked."""
    cases, page = test.cases, test.page
    wait_label(page, "Settings")
    cases.check(page.text("#connection") == "Connected", "it says connected")
    shown = page.evaluate(
        "(() => { const {width, height} = document.getElementById('picture');"
        " return [width, height]; })()")
    cases.check(abs(shown[0] / shown[1] - 1080 / 2400) < 0.01,
                "the picture has the shape of the screen", shown)
    across, down = label_point(page, "Settings")
    page.move("#picture", across, down)
    page.wait("document.querySelector('#tree .hovered .label')?.textContent"
              " === '“Settings”'")
    cases.check(True, "hovering over the screen marks the row")
    page.move("#tree li:nth-child(7)")
    hovered = page.evaluate("import('./live.js').then(m => "
                            "m.live.hovered?.label)")
    cases.check(hovered == "Login", "hovering over a row marks the element",
                hovered)
    page.click("#boxes")
    cases.check(page.wait(
        "(() => { const o = document.getElementById('overlay'); const data = "
        "o.getContext('2d').getImageData(0, 0, o.width, o.height).data; "
        "return data.some(value => value); })()"), "all boxes are drawn")
    page.click("#boxes")


def check_card(test):
    """The card of an element: selectors with counts, call, problems."""
    cases, page = test.cases, test.page
    across, down = label_point(page, "Login")
    page.click("#picture", across, down, modifiers=8)  # with Shift
    page.wait_text("#card", "Selectors")
    card = page.text("#card")
    cases.check("TextView" in card and "Login" in card
                and "Bounds on the device" in card
                and "Bounds in this picture" in card, "the card has the facts",
                card)
    rows = page.evaluate("[...document.querySelectorAll('.selectors li')].map("
                         "item => item.textContent)")
    cases.check('{"text":"Login"}' in rows[0] and "1 match" in rows[0],
                "the best selector is first and matches once", rows)
    cases.check(any('{"resourceId":"icon"}' in row and "8 matches" in row
                    for row in rows), "a selector of all icons says so", rows)
    cases.check('"text": "Login"' in page.text(".call-json")
                and page.text(".call-line").startswith(
                    "squint tap --selector.text Login"),
                "the card has the call and the command",
                page.text(".call-line"))
    cases.check(page.evaluate(
        "document.querySelector('#tree [aria-selected=true]').textContent")
                .startswith("TextView “Login”"), "the row is selected")
    page.fill("#tree-filter", "clock")
    page.wait("document.querySelectorAll('#tree li').length === 2")
    cases.check(True, "the tree can be filtered")
    page.fill("#tree-filter", "")
    page.evaluate("document.querySelector('#tree [tabindex=\"0\"]').focus()")
    page.press("ArrowDown")
    page.press("ArrowDown")
    page.press("Enter")
    page.wait_text("#card", "clock")
    cases.check(True, "arrow keys and Enter choose an element")
    test.keep_picture("card")


def check_problems(test):
    """Elements that are hard to use are found."""
    cases, page = test.cases, test.page
    test.goto("Shop")
    wait_label(page, "Audio")
    found = page.evaluate(
        "import('./live.js').then(({live}) => { const node = live.nodes.find("
        "node => node.flags.includes('clickable') && (node.bounds[2] - "
        "node.bounds[0] < 126 || node.bounds[3] - node.bounds[1] < 126)); "
        "if (node) live.select(node); return Boolean(node); })")
    if found:
        page.wait_text("#card", "dp; fingers need")
    cases.check(found, "an element that is too small is reported")


def check_hands(test):
    """Click, drag, wheel, keys and hardware keys act on the phone."""
    cases, page = test.cases, test.page
    page.click("#keys button:nth-child(2)")  # Home
    wait_label(page, "Login")
    page.click("#picture", *label_point(page, "Login"))
    page.wait_text("#act-status", "tap: done")
    page.wait("[...document.querySelectorAll('#tree .role')].some(item => "
              "item.textContent === 'EditText')")
    cases.check(True, "a click taps")
    field = page.evaluate(
        "import('./live.js').then(({live}) => { const node = live.nodes.find("
        "node => node.role === 'EditText'); const [l, t, r, b] = node.bounds;"
        " const {width, height} = live.frame.screen; return [(l + r) / 2 / "
        "width, (t + b) / 2 / height]; })")
    page.click("#picture", *field)
    page.wait_text("#act-status", "tap: done")
    page.type("ada")
    page.wait_text("#act-status", "input: done")
    wait_label(page, "ada")
    cases.check(True, "keys type")
    page.press("Backspace")
    page.wait_text("#act-status", "key: done")
    wait_label(page, "ad")
    cases.check(True, "Backspace deletes")
    page.click("#keys button:nth-child(2)")
    wait_label(page, "Settings")
    page.click("#picture", *label_point(page, "Settings"))
    page.wait("!document.querySelector('#tree').textContent"
              ".includes('Animation')")
    before = page.text("#tree")
    page.wheel("#picture", 400)
    page.wait_text("#act-status", "swipe: done")
    page.wait(f"document.querySelector('#tree').textContent !== "
              f"{json.dumps(before)}")
    cases.check(True, "the wheel scrolls")
    page.wait("document.getElementById('rate').textContent === '0.0 fps'")
    before = page.text("#tree")
    page.drag(page.point("#picture", 0.5, 0.3), page.point("#picture", 0.5,
                                                          0.7))
    page.wait_text("#act-status", "swipe: done")
    page.wait(f"document.querySelector('#tree').textContent !== "
              f"{json.dumps(before)}")
    cases.check(True, "a drag swipes")
    page.press("Escape")
    page.wait_text("#act-status", "key: done")
    wait_label(page, "Settings")
    cases.check(True, "Escape goes back")


def check_look_only(test):
    """With look only, a click shows the card and nothing acts."""
    cases, page = test.cases, test.page
    page.click("#keys button:nth-child(2)")
    wait_label(page, "Game")
    page.click("#look-only")
    page.click("#picture", *label_point(page, "Game"))
    page.wait_text("#card", "Game")
    page.click("#keys button:nth-child(1)")
    page.wait_text("#act-status", "Look only is on")
    cases.check(True, "look only: nothing acts")
    page.click("#look-only")
    page.click("#freeze")
    page.wait_text("#rate", "frozen")
    test.goto("Clock")
    frozen = page.evaluate("document.getElementById('picture').toDataURL()")
    page.evaluate("new Promise(done => setTimeout(done, 800))")
    cases.check(frozen == page.evaluate(
        "document.getElementById('picture').toDataURL()"), "a frozen picture "
                "stays")
    page.click("#freeze")
    page.wait(f"document.getElementById('picture').toDataURL() !== "
              f"{json.dumps(frozen)}")
    cases.check(True, "without freeze it goes on")


def check_secure(test):
    """A screen that must not be captured is explained."""
    cases, page = test.cases, test.page
    page.show("live")
    test.goto("Vault")
    page.wait_text("#screen-status", "does not allow its screen")
    test.goto("Clock")
    page.wait("document.getElementById('screen-status').textContent === ''")
    cases.check(True, "a secure screen is explained, and left again")


def check_read_only(test):
    """With --read-only, look only is on and cannot be switched off."""
    server = Server(test.squint, "--read-only")
    page = Page(test.program)
    page.open(server.link)
    test.cases.check(page.wait("document.getElementById('look-only').checked "
                               "&& document.getElementById('look-only')"
                               ".disabled"), "--read-only means look only")
    page.close()
    server.stop()


def check_timeline(test):
    """All calls of two clients are shown, with what they saw and cost."""
    cases, page = test.cases, test.page
    page.show("calls")
    first, second = Agent(test.server, "first"), Agent(test.server, "second")
    first.call(operation="key", name="home")
    first.call(operation="screenshot")
    second.call(operation="screenshot")
    first.call(operation="tap", x=69, y=788)
    second.call(operation="tap", selector={"text": "no such thing"})
    page.wait_text(".calls", "ELEMENT_NOT_FOUND")
    rows = page.text(".calls")
    cases.check("first" in rows and "second" in rows and "Screenshot" in rows
                and "ELEMENT_NOT_FOUND" in rows, "calls of both are listed",
                rows)
    page.click(".calls .failed .row")
    page.wait_text("#call-detail", "ELEMENT_NOT_FOUND")
    cases.check("no element on the screen matches"
                in page.text("#call-detail .error"),
                "an error is shown with its hint")
    page.fill("#call-search", "first tap")
    page.wait("document.querySelectorAll('.calls li').length === 1")
    page.click(".calls .row")
    page.wait_text("#call-detail", "Tapped “Settings”")
    page.wait_text(".stage", "with the touched point")
    detail = page.text("#call-detail")
    cases.check("Changed: " in detail and '"x": 69' in detail,
                "a receipt is shown", detail[:500])
    cases.check(page.wait(
        "[...document.querySelectorAll('.stage figure canvas')].some("
        "canvas => { const {width, height} = canvas; const data = canvas"
        ".getContext('2d').getImageData(0, 0, width, height).data; for (let i "
        "= 0; i < data.length; i += 4) if (data[i] > 200 && data[i + 1] < 40 "
        "&& data[i + 2] > 200) return true; return false; })"),
                "the touched point is marked")
    page.fill("#call-search", "")
    page.wait("document.querySelectorAll('.calls li').length > 4")
    test.keep_picture("call")
    check_ledger(test)
    check_strip(test)


def check_ledger(test):
    """Tokens per session, and the budget."""
    cases, page = test.cases, test.page
    page.click(".ledger summary")
    table = page.text(".ledger table")
    cases.check("first" in table and "Picture tokens" in table,
                "the ledger has each session", table)
    page.fill("#call-budget", "500")
    page.wait("document.querySelector('.ledger .over')")
    rows = page.evaluate("[...document.querySelectorAll('.ledger tbody tr')]"
                         ".map(row => [row.className === 'over', "
                         "row.lastElementChild.textContent])")
    spent = [int(text.split(" of ")[0].replace(",", "")) for _, text in rows]
    cases.check([over for over, _ in rows] == [sum_ > 500 for sum_ in spent],
                "who exceeds the budget is marked", rows)
    page.fill("#call-budget", "")
    page.click(".ledger summary")
    page.evaluate("(() => { const c = document.getElementById('call-client'); "
                  "c.value = [...c.options].find(o => o.textContent.startsWith("
                  "'second')).value; c.dispatchEvent(new Event('change')); })"
                  "()")
    page.wait("document.querySelectorAll('.calls li').length === 2")
    cases.check("first" not in page.text(".calls"), "a session can be chosen")
    page.evaluate("(() => { const c = document.getElementById('call-client'); "
                  "c.value = ''; c.dispatchEvent(new Event('change')); })()")
    page.wait("document.querySelectorAll('.calls li').length > 2")


def check_strip(test):
    """The timeline goes through the calls, by keys and by a drag."""
    cases, page = test.cases, test.page
    page.evaluate("document.querySelector('.timeline').focus()")
    page.press("Home")
    first, second = page.evaluate("import('./calls.js').then(({calls}) => "
                                  "calls.list.map(call => call.sequence))")[:2]
    page.wait_text("#call-detail", f"Call {first}:")
    page.press("ArrowRight")
    page.wait_text("#call-detail", f"Call {second}:")
    now = page.evaluate("document.querySelector('.timeline').ariaValueText")
    cases.check(now.startswith(f"Call {second}: "),
                "arrow keys go through the calls", now)
    page.fill("#call-search", "screenshot")
    page.click(".calls .row")
    page.wait_text(".stage figcaption", "450×1000")
    figure = page.text(".stage figcaption")
    cases.check("as sent" in figure and "token" in figure,
                "the picture is shown as sent, with its tokens", figure)
    page.fill("#call-search", "")
    page.wait("document.querySelectorAll('.calls li').length > 4")
    page.drag(page.point(".timeline", 0.02), page.point(".timeline", 0.998))
    last = page.wait("document.querySelector('.calls li:last-child')?.dataset"
                     ".sequence")
    page.wait("document.querySelector('.calls [aria-pressed=true]')?.closest("
              "'li').ariaPosInSet === document.querySelector('.calls li')"
              ".ariaSetSize")
    cases.check(True, "a drag over the timeline chooses calls", last)
    page.wait(  # they are read one after the other
        "(() => { const c = document.querySelector('.timeline canvas'); const "
        "d = c.getContext('2d').getImageData(0, 20, c.width, 60).data; const "
        "colours = new Set(); for (let i = 0; i < d.length; i += 4) colours"
        ".add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]); return colours.size > 50; })()")
    cases.check(True, "the timeline has small pictures")
    check_differences(test)


def check_differences(test):
    """Before, after and what differs; and a text that only an answer has."""
    cases, page = test.cases, test.page
    agent = Agent(test.server, "differ")
    agent.call(operation="key", name="home")
    agent.call(operation="screenshot")
    agent.call(operation="tap", selector={"text": "Clock"})
    agent.call(operation="screenshot")
    page.fill("#call-search", "differ tap")
    page.wait("document.querySelectorAll('.calls li').length === 1")
    page.click(".calls .row")
    page.wait("document.querySelectorAll('.stage figure').length === 2")
    page.click("[data-mode=difference]")
    page.wait_text(".stage .bar", "of the pixels differ")
    cases.check(True, "before, after and the difference are shown")
    page.click("[data-mode=after]")
    page.click("[data-mode=both]")
    page.fill("#call-search", "no call has this")
    page.wait("document.querySelectorAll('.calls li').length === 0")
    page.fill("#call-search", "honolulu")
    page.wait_text(".calls", "differ")
    cases.check(True, "texts of answers are found")
    page.fill("#call-search", "")


def check_resend(test):
    """A call is edited and sent again."""
    cases, page = test.cases, test.page
    agent = Agent(test.server, "resender")
    agent.call(operation="key", name="home")
    agent.call(operation="tap", selector={"text": "Shop"})
    page.show("calls")
    page.fill("#call-search", "resender tap")
    page.wait("document.querySelectorAll('.calls li').length === 1")
    page.click(".calls .row")
    page.wait_text("#call-detail", "Edit and send again")
    agent.call(operation="key", name="home")
    page.click(".resend summary")
    page.fill("#resend-text", json.dumps({"name": "ui", "arguments": {
        "operation": "tap", "selector": {"text": "Clock"}}}))
    page.click("#resend")
    page.wait_text("#resend-answer", "Done.")
    answer = page.text("#resend-answer")
    cases.check('"label": "Clock"' in answer, "the edited call was sent",
                answer)
    found = agent.call(operation="find", selector={"text": "Stopwatch"})
    shown = json.dumps(found)
    cases.check("Stopwatch" in shown or "clock" in shown.lower(),
                "the phone shows the result", shown[:300])
    page.fill("#resend-text", "{")
    page.click("#resend")
    page.wait("document.querySelector('#resend-answer .bad')")
    cases.check(True, "a call that is no JSON is an error on the page")
    page.fill("#call-search", "")


def gate_mode(page):
    """The pressed button of the gate."""
    return page.evaluate("document.querySelector('#gate [aria-pressed=true]')"
                         ".dataset.action")


def check_gate(test):
    """Pause, step, approve, refuse; the person may act meanwhile."""
    cases, page = test.cases, test.page
    agent = Agent(test.server, "paused")
    agent.call(operation="key", name="home")
    page.show("calls")
    page.click("#gate [data-action=hold]")
    page.wait("document.querySelector('#gate [data-action=hold]')"
              ".ariaPressed === 'true'")
    looked = agent.call(operation="screenshot")
    cases.check(not looked["isError"], "a paused agent may look")
    wait = agent.start(operation="tap", selector={"text": "Game"})
    page.wait_text("#gate", "1 call waiting")
    page.wait("document.querySelector('.calls .held')")
    cases.check(True, "its tap is held")
    page.show("live")
    wait_label(page, "Clock")
    page.click("#picture", *label_point(page, "Clock"))
    page.wait_text("#act-status", "tap: done")
    cases.check(True, "the person may act meanwhile")
    page.wait("!document.querySelector('#tree').textContent.includes('Vault')")
    page.click("#keys button:nth-child(2)")
    wait_label(page, "Game")
    page.click("#gate [data-action=step]")
    result = wait()
    cases.check(not result["isError"] and gate_mode(page) == "hold",
                "step lets one call pass, the agent stays paused", result)
    page.click("#gate [data-action=approve]")
    page.wait("document.querySelector('#gate [data-action=approve]')"
              ".ariaPressed === 'true'")
    page.show("calls")
    wait = agent.start(operation="key", name="home")
    page.click(".calls .held .release")
    cases.check(not wait()["isError"], "approve lets it pass")
    page.wait("!document.querySelector('.calls .held')")
    wait = agent.start(operation="input", text="seen before it is typed")
    page.wait("document.querySelector('.calls .held .refuse')")
    page.wait_text(".calls .held strong", "seen before it is typed")
    cases.check(True, "the person sees the text that would be typed")
    page.click(".calls .held .refuse")
    wait()
    page.wait("!document.querySelector('.calls .held')")
    cases.check("seen before it is typed" not in
                page.text(".calls"), "it is hidden afterwards")
    wait = agent.start(operation="key", name="back")
    page.wait("document.querySelector('.calls .held .refuse')")
    page.click(".calls .held .refuse")
    result = wait()
    cases.check(result["isError"] and "refused in the inspector" in
                json.dumps(result), "a refused call says so", result)
    page.click("#gate [data-action=run]")
    page.wait("document.querySelector('#gate [data-action=run]')"
              ".ariaPressed === 'true'")
    cases.check(not agent.call(operation="key", name="home")["isError"],
                "then calls run again")


HOSTILE = "<img src=x onerror=window.hurt=1>\u202eevil\u202c\u0007"


def check_hostile(test):
    """Foreign text is text: markup, bidi characters, great length."""
    cases, page = test.cases, test.page
    agent = Agent(test.server, HOSTILE)
    agent.call(operation="find", selector={"text": HOSTILE})
    agent.call(operation="find", selector={"text": "long" + "ab" * 250})
    Agent(test.server, "N" * 10000).call(operation=HOSTILE + "x" * 10000)
    test.goto("Login")
    agent.call(operation="input", text="<img src=x onerror=hurt()>",
               selector={"className": "EditText", "nearestTo": "Username"})
    page.show("calls")
    page.wait_text(".calls", "onerror")
    for row in range(1, 5):
        page.click(f".calls li:nth-child({row}) .row")
        page.wait_text("#call-detail", "Arguments")
    page.show("live")
    page.evaluate("new Promise(done => setTimeout(done, 1200))")
    state = page.evaluate(
        "[window.hurt === undefined, document.images.length, "
        "document.documentElement.scrollWidth <= innerWidth, "
        "/[\\u202e\\u0007]/.test(document.body.textContent)]")
    cases.check(state == [True, 0, True, False],
                "hostile names, operations and texts do no harm", state)


def check_reconnect(test):
    """The page goes on when the server was killed and started again."""
    cases, page = test.cases, test.page
    port = test.server.address[1]
    test.server.kill()
    page.wait_text("#connection", "not reachable")
    cases.check(True, "a lost server is noticed")
    test.server.start(port)
    page.wait("document.getElementById('connection').textContent === "
              "'Connected'")
    page.show("live")
    wait_label(page, "Settings")
    page.click("#picture", *label_point(page, "Settings"))
    page.wait_text("#act-status", "tap: done")
    agent = Agent(test.server, "afterwards")
    agent.call(operation="screenshot")
    page.show("calls")
    page.wait_text(".calls", "afterwards")
    cases.check(True, "after a restart the page works again, with its cookie")


def check_slow(test):
    """A slow network gets fewer pictures, not older ones."""
    cases, page = test.cases, test.page
    page.show("live")
    page.ask("Network.emulateNetworkConditions", offline=False, latency=150,
             downloadThroughput=60000, uploadThroughput=60000)
    test.goto("Animation")
    page.wait("[...document.querySelectorAll('#tree .label')].some(item => "
              "item.textContent.includes('Spin') || item.textContent.includes("
              "'nimation'))")
    test.goto("Clock")
    page.wait("!document.querySelector('#tree').textContent"
              ".includes('nimation')")
    cases.check(True, "a slow network is enough")
    page.ask("Network.emulateNetworkConditions", offline=False, latency=0,
             downloadThroughput=-1, uploadThroughput=-1)


def check_archive(test):
    """Calendar, day, crop, search and contact sheet."""
    cases = test.cases
    import past_folders  # pylint: disable=import-outside-toplevel
    import pathlib  # pylint: disable=import-outside-toplevel
    folder = pathlib.Path(test.server.folder.name) / "past"
    for day, count in (("2026-01-14", 3), ("2026-01-15", 40)):
        past_folders.put_shots(test.squint, folder / day, f"{day}T09:00:00",
                               count, 300)
    server = Server(test.squint, "--archive", str(folder))
    page = Page(test.program)
    page.open(server.link)
    page.show("archive")
    page.wait("document.querySelector('[data-day=\"2026-01-15\"]')?.dataset"
              ".heat > 0")
    heat = page.evaluate("['2026-01-13', '2026-01-14', '2026-01-15'].map(day "
                         "=> Number(document.querySelector(`[data-day="
                         "\"${day}\"]`).dataset.heat))")
    cases.check(heat[0] == 0 < heat[1] < heat[2], "the calendar shows how much"
                " each day has", heat)
    page.click('[data-day="2026-01-14"]')
    page.wait("document.querySelectorAll('.shots canvas').length === 3 && "
              "[...document.querySelectorAll('.shots canvas')].every(c => "
              "c.width !== 300)")
    cases.check("3 of 3 screenshots" in page.text("#day"),
                "a day shows its pictures", page.text("#day"))
    page.click(".shots button")
    page.wait("document.querySelector('#shot canvas')?.width !== 300")
    page.drag(page.point("#shot", 0.1, 0.1), page.point("#shot", 0.5, 0.6))
    page.wait("document.querySelector('#crop')?.width > 100")
    size = page.evaluate("[document.querySelector('#crop').width, "
                         "document.querySelector('#crop').height]")
    cases.check(abs(size[0] - 256) <= 8 and abs(size[1] - 200) <= 8,
                "a drag shows the part in full detail", size)
    test.keep_picture("archive", page)
    page.click("#show-sheet")
    page.wait("document.querySelector('#sheet')?.width > 300")
    cases.check(True, "a contact sheet is shown")
    page.fill("#archive-search", "invoice")
    page.press("Enter", "\r")
    page.wait("document.querySelector('#day').textContent.length > 20 && "
              "!document.querySelector('#day').textContent.includes('Search')")
    cases.check("archive index" in page.text("#day")
                or "0 screenshots" in page.text("#day"),
                "a search without an index says what to do", page.text("#day"))
    cases.check(not page.troubles(), "no errors in the browser",
                page.troubles())
    page.close()
    server.stop()
    check_permission(test, folder)


def check_permission(test, folder):
    """Permissions apply to the page as to a client."""
    server = Server(test.squint, "--archive", f"{folder}=metadata")
    page = Page(test.program)
    page.open(server.link)
    page.show("archive")
    page.wait("document.querySelector('[data-day=\"2026-01-14\"]')?.dataset"
              ".heat > 0")
    page.click('[data-day="2026-01-14"]')
    page.wait("document.querySelectorAll('.shots li .hint').length === 3")
    test.cases.check(page.evaluate("document.querySelectorAll('.shots canvas')"
                                   ".length") == 0,
                     "without permission there are no pictures",
                     page.text("#day"))
    page.close()
    server.stop()


def check_health(test):
    """Devices and doctor's findings."""
    cases, page = test.cases, test.page
    page.show("health")
    page.wait_text("#health", "squint doctor")
    health = page.text("#health")
    cases.check("demo" in health and "online" in health and "version" in health,
                "devices and findings are shown", health[:300])
    test.keep_picture("health")
    cases.check("demo (online)" in page.text("#device"),
                "devices can be chosen", page.text("#device"))


def check_layout(test):
    """Narrow windows, dark colours, the size of the files, first paint."""
    cases, page = test.cases, test.page
    for view in ("live", "calls", "journals", "archive", "health"):
        page.resize(400, 800)
        page.show(view)
        page.evaluate("new Promise(done => setTimeout(done, 300))")
        wide = page.evaluate(
            "[...document.querySelectorAll('body *')].filter(item => item"
            ".getBoundingClientRect().right > 401 && !item.closest("
            "'.strip-row')).map(item => item.outerHTML.slice(0, 120))")
        cases.check(page.evaluate("document.documentElement.scrollWidth") <= 400
                    and not wide, f"{view} fits in 400 pixels", wide)
    page.show("live")
    page.resize(1400, 1000)
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.ask("Emulation.setEmulatedMedia", features=[
        {"name": "prefers-color-scheme", "value": "dark"}])
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    cases.check(light == "rgb(255, 255, 255)" and dark == "rgb(21, 23, 27)",
                "light and dark", light, dark)
    page.ask("Emulation.setEmulatedMedia", features=[
        {"name": "prefers-color-scheme", "value": "light"}])
    size = page.evaluate(
        "Promise.all([...new Set(performance.getEntriesByType('resource').map("
        "entry => entry.name))].filter(name => /[.](js|css)$/.test(name)).map("
        "async name => (await (await fetch(name)).blob()).size)).then(list => list.reduce((a, b) => "
        "a + b))")
    cases.check(30000 < size < 200000, "all files are smaller than 200 KB",
                size)


def read_axe():
    """The source of axe-core from npm; None where npm cannot be reached."""
    with tempfile.TemporaryDirectory(prefix="squint-axe-") as folder:
        try:
            pages.subprocess.run(["npm", "pack", "--silent", AXE], cwd=folder,
                                 check=True, timeout=60,
                                 stdout=pages.subprocess.DEVNULL,
                                 stderr=pages.subprocess.DEVNULL)
            with tarfile.open(glob.glob(folder + "/*.tgz")[0]) as archive:
                return archive.extractfile("package/axe.min.js").read().decode()
        except (OSError, IndexError, pages.subprocess.SubprocessError):
            return None


def check_accessible(test):
    """axe-core finds nothing in any view, light and dark."""
    cases, page = test.cases, test.page
    axe = read_axe()
    if not axe:
        cases.count += 1
        print(f"ok {cases.count} - axe-core # SKIP npm cannot be reached")
        return
    Agent(test.server, "setup").call(operation="key", name="home")
    page.evaluate(axe + "; 0")
    for theme in ("light", "dark"):
        page.ask("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": theme}])
        for view in ("live", "calls", "journals", "archive", "health"):
            page.show(view)
            if view == "live":
                wait_label(page, "Settings")
                page.click("#tree li:nth-child(6)")
                page.wait_text("#card", "Selectors")
            elif view == "calls":
                page.click(".calls .row")
                page.wait_text("#call-detail", "Arguments")
            elif view == "journals":
                page.click("#journals button")
                page.wait_text("#journal", "Replay on the device")
            elif view == "archive":
                page.wait("document.getElementById('month').textContent")
            elif view == "health":
                page.wait_text("#health", "squint doctor")
            found = page.evaluate(
                "axe.run().then(({violations}) => violations.map(found => "
                "[found.id, found.nodes.map(node => node.html.slice(0, 120) + "
                "' ' + node.failureSummary.slice(0, 200)).slice(0, 3)]))")
            cases.check(not found, f"axe-core finds nothing: {view}, {theme}",
                        *found)
    page.ask("Emulation.setEmulatedMedia", features=[
        {"name": "prefers-color-scheme", "value": "light"}])


def check_end(test):
    """Nothing went wrong in the browser, nothing went elsewhere."""
    test.cases.check(not test.page.other_hosts(),
                     "nothing is loaded from elsewhere",
                     test.page.other_hosts())


SAMPLE = (check_live, check_card, check_hands, check_gate, check_held,
          check_hub_page, check_steps, check_resend, check_recording,
          check_export, check_end)
ALL = (check_live, check_card, check_problems, check_hands, check_typing, check_keys,
       check_mapping, check_gives_way, check_two_phones,
       check_look_only, check_secure, check_timeline, check_copy, check_resend,
       check_export,
       check_gate, check_held, check_hub_page, check_two_people, check_steps, check_recording,
       check_replay_trouble,
       check_hostile, check_health, check_layout, check_looks, check_accessible,
       check_archive, check_apps, check_search, check_slow, check_hidden,
       check_many_calls, check_read_only,
       check_reconnect, check_end)


def choose(wanted):
    """The checks of one of the sets, or those with these names."""
    sets = {"all": ALL, "sample": SAMPLE}
    return sets.get(wanted) or [check for check in ALL if check.__name__[6:]
                                in wanted.split(",")]


def main():
    """All cases, or a sample."""
    squint = os.path.abspath(sys.argv[1])
    wanted = sys.argv[2] if len(sys.argv) > 2 else "sample"
    pictures = sys.argv[3] if len(sys.argv) > 3 else None
    cases = Cases()
    if wanted in ("all", "sample"):
        check_access(cases, squint)
        check_kept_gate(cases, squint)
        check_hub_calls(cases, squint)
        check_hub_death(cases, squint)
        check_rules(cases, squint)
        check_terminal(cases, squint)
        check_interleavings(cases, squint)
        check_without_server(cases, squint)
    program = pages.browsers.find()
    if not program:
        cases.count += 1
        print(f"ok {cases.count} - the page # SKIP no chromium; install it to "
              "run this test")
        cases.end()
    test = Test(cases, squint, program, pictures)
    try:
        for check in choose(wanted):
            check(test)
    finally:
        test.close()
    cases.end()


if __name__ == "__main__":
    main()
