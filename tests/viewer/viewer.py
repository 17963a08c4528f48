#!/usr/bin/env python3
"""viewer.py SQUINT: the screenshot viewer in a real browser.

The page that squint mcp returns is shown by a small host, a rectangle is dragged
with the mouse, and what the page asks is sent to the server. Skipped where there
is no Chromium.
"""
import json
import os
import subprocess
import sys
import tempfile

import browser as browsers

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "http"))
from served import Cases  # pylint: disable=wrong-import-position

URI = "ui://squint/viewer"
TYPE = "text/html;profile=mcp-app"
UI = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": [TYPE]}}}


class Client:
    """A client of squint mcp."""

    def __init__(self, squint, home, capabilities, *flags):
        env = dict(os.environ, HOME=home, XDG_STATE_HOME=home,
                   XDG_CONFIG_HOME=home, XDG_CACHE_HOME=home)
        self.process = subprocess.Popen([squint, "mcp", *flags], env=env,
                                        stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.last_id = 0
        self.ask("initialize", protocolVersion="2025-11-25",
                 capabilities=capabilities,
                 clientInfo={"name": "test", "version": "1"})

    def ask(self, method, **params):
        """Send a request; return its result or error."""
        self.last_id += 1
        line = json.dumps({"jsonrpc": "2.0", "id": self.last_id,
                           "method": method, "params": params})
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        return answer.get("result", answer.get("error"))

    def call(self, tool, **arguments):
        """Call a tool."""
        return self.ask("tools/call", name=tool, arguments=arguments)

    def close(self):
        """End the server."""
        self.process.stdin.close()
        self.process.wait()


def pages(client):
    """The page of each tool that has one."""
    return {tool["name"]: tool["_meta"]["ui"]["resourceUri"]
            for tool in client.ask("tools/list")["tools"] if "_meta" in tool}


def check_server(cases, squint, home):
    """Only a client that shows pages is told of them."""
    other = {"extensions": {"io.modelcontextprotocol/ui":
                            {"mimeTypes": ["text/html"]}}}
    for name, capabilities in (("no extension", {}), ("another type", other)):
        client = Client(squint, home, capabilities)
        cases.check(not pages(client), f"{name}: no tool has a page")
        client.close()
    client = Client(squint, home, UI, "--archive", home)
    found = pages(client)
    cases.check(found == {"ui": URI, "get_screenshot": URI,
                          "crop_screenshot": URI},
                "the tools with pictures have a page", found)
    listed = client.ask("resources/list")["resources"]
    cases.check(URI not in [each["uri"] for each in listed],
                "the page is not in the list of resources")
    client.close()
    client = Client(squint, home, UI, "--tools", "split")
    found = pages(client)
    cases.check("ui_screenshot" in found and "ui_tap" not in found,
                "with split tools, those with pictures", found)
    client.close()


def read_metadata(result):
    """The JSON object in the text of a result."""
    return json.loads([block["text"] for block in result["content"]
                       if block["type"] == "text"][0])


class Host:
    """The host page in the browser, connected to the server."""

    def __init__(self, page, client, html, capabilities):
        self.page = page
        self.client = client
        page.ask("Runtime.addBinding", name="passToTest")
        page.ask("Page.navigate", url="file://" + os.path.join(HERE,
                                                               "host.html"))
        page.take_event("Page.loadEventFired")
        page.evaluate(f"show({json.dumps(html)})")
        self.asked = []  # the requests of the view
        self.sizes = 0
        self.answer("ui/initialize", {
            "protocolVersion": "2026-01-26", "hostInfo": {
                "name": "test", "version": "1"},
            "hostCapabilities": capabilities,
            "hostContext": {"theme": "dark", "containerDimensions": {
                "maxHeight": 700}}})
        self.take("ui/notifications/initialized")
        self.context = self.find_context()

    def find_context(self):
        """The execution context of the frame."""
        frames = self.page.ask("Page.getFrameTree")["frameTree"]["childFrames"]
        name = frames[0]["frame"]["id"]
        return [event["context"]["id"] for event in
                self.page.seen("Runtime.executionContextCreated")
                if event["context"]["auxData"]["frameId"] == name][-1]

    def take(self, method):
        """The next message of the view with that method."""
        while True:
            message = json.loads(
                self.page.take_event("Runtime.bindingCalled")["payload"])
            self.sizes += message["method"] == "ui/notifications/size-changed"
            if message["method"] == method:
                return message

    def send(self, **message):
        """Send a message to the view."""
        self.page.evaluate(f"send({json.dumps(message)})")

    def answer(self, method, result):
        """Wait for a request and answer it."""
        message = self.take(method)
        self.send(id=message["id"], result=result)
        return message["params"]

    def forward(self):
        """Pass the view's call to the server; return what was asked."""
        message = self.take("tools/call")
        result = self.client.ask("tools/call", **message["params"])
        self.send(id=message["id"], result=result)
        return message["params"], result

    def wait(self, condition):
        """Wait until a JavaScript condition holds in the view."""
        code = (f"new Promise(done => {{ const look = () => ({condition}) "
                "? done(true) : requestAnimationFrame(look); look(); })")
        return self.page.evaluate(code, self.context)

    def value(self, code):
        """An expression of the view."""
        return self.page.evaluate(code, self.context)

    def drag(self, left, top, right, bottom):
        """Drag over a part of the picture, in shares of its size."""
        box = self.value("(({left, top, width, height}) => [left, top, width, "
                         "height])(element('picture')"
                         ".getBoundingClientRect())")
        point = [(box[0] + x * box[2], box[1] + y * box[3])
                 for x, y in ((left, top), (right, bottom))]
        self.page.drag(*point)


STATUS = "element('status').textContent"
WIDTH = "element('picture').naturalWidth"


def near(arguments, **expected):
    """Whether numbers are as expected, up to a pixel of the screen."""
    return all(abs(arguments[name] - value) < 0.5
               for name, value in expected.items())


def check_zoom(cases, host, shot):
    """A dragged rectangle is shown in detail; again inside of it; back."""
    metadata = read_metadata(shot)
    host.send(method="ui/notifications/tool-input",
              params={"arguments": {"operation": "screenshot"}})
    host.send(method="ui/notifications/tool-result", params=shot)
    width = metadata["image"]["width"]
    cases.check(host.wait(f"{WIDTH} === {width}"), "it shows the picture")
    cases.check(host.value(STATUS).startswith("Drag"), "it says what to do")
    host.drag(0.25, 0.5, 0.75, 0.75)
    asked, crop = host.forward()
    cases.check(asked["name"] == "crop_screenshot" and asked["arguments"][
        "screenshotRef"] == metadata["screenshotId"],
                "a drag asks for a part of this picture", asked)
    cases.check(near(asked["arguments"], x=25, y=50, width=50, height=25),
                "the part is what was dragged", asked)
    cases.check(not crop["isError"], "the server has the part", crop)
    width = read_metadata(crop)["image"]["width"]
    cases.check(host.wait(f"{WIDTH} === {width}"), "it shows the part")
    cases.check(host.wait(f"{STATUS}.startsWith('Part: 25')"),
                "it says which part")
    host.drag(0.5, 0, 1, 0.5)
    asked, crop = host.forward()
    cases.check(near(asked["arguments"], x=50, y=50, width=25, height=12.5),
                "a part of a part is a part of the whole", asked)
    host.wait(f"{STATUS}.startsWith('Part: 50')")
    host.value("element('back').click()")
    cases.check(host.wait(f"{STATUS}.startsWith('Part: 25')"),
                "Back shows the part before")


def check_model(cases, host, shot):
    """The person tells the model which part matters."""
    host.value("element('tell').click()")
    told = host.answer("ui/update-model-context", {})["content"][0]["text"]
    cases.check(read_metadata(shot)["screenshotId"] in told
                and "crop_screenshot" in told, "the model can be told", told)
    cases.check(host.wait(f"{STATUS}.includes('knows')"), "and it says so")


def check_failures(cases, host):
    """What the view does if something fails."""
    host.drag(0.1, 0.1, 0.9, 0.9)
    message = host.take("tools/call")
    host.send(id=message["id"], error={"code": -32000, "message": "Denied"})
    cases.check(host.wait(f"{STATUS}.includes('Denied')"),
                "a host may refuse a call")
    host.drag(0.2, 0.2, 0.201, 0.201)
    cases.check(host.value("start === null"), "a click asks for nothing")
    failed = host.client.call("crop_screenshot", screenshotRef="nonsense",
                              x=0, y=0, width=1, height=1)
    host.send(method="ui/notifications/tool-result", params=failed)
    reason = json.dumps(read_metadata(failed)["message"])
    cases.check(host.wait(f"{STATUS}.includes({reason})"),
                "a failed call shows its reason", failed)
    host.send(method="ui/notifications/tool-result", params={
        "content": [{"type": "text", "text": "<b id=bold>x</b>"}]})
    cases.check(host.wait(f"{STATUS}.includes('no picture')")
                and not host.value("Boolean(document.querySelector('#bold'))"),
                "a result without a picture is said, and never markup")
    host.value("window.postMessage({jsonrpc: '2.0', method: 'ui/notifications/"
               "tool-cancelled'}, '*')")
    host.value("new Promise(done => setTimeout(done, 50))")
    cases.check("no picture" in host.value(STATUS),
                "only the host is listened to")


def check_protocol(cases, host):
    """Requests of the host, and its theme."""
    for number, method in ((901, "ping"), (902, "ui/resource-teardown"),
                           (903, "tools/list")):
        host.send(id=number, method=method, params={})
    host.page.evaluate("new Promise(done => { const look = () => received.some("
                       "m => m.id === 903) ? done() : setTimeout(look, 5); "
                       "look(); })")
    answers = {message["id"]: message for message in host.page.evaluate(
        "received.filter(m => m.id > 900)")}
    cases.check(answers[901]["result"] == {} and answers[902]["result"] == {},
                "ping and teardown are answered", answers)
    cases.check(answers[903]["error"]["code"] == -32601,
                "other requests are refused", answers)
    cases.check(host.value("getComputedStyle(document.documentElement)"
                           ".colorScheme") == "dark", "the theme is used")
    cases.check(host.sizes > 0, "the size is reported")


def check_quiet(cases, page):
    """Nothing was loaded from elsewhere, and the policy was not violated."""
    loaded = [event["request"]["url"] for event in
              page.seen("Network.requestWillBeSent")]
    strange = [url for url in loaded
               if not url.startswith(("file://", "data:", "about:"))]
    cases.check(not strange, "nothing is loaded from elsewhere", strange)
    entries = [event["entry"]["text"] for event in page.seen("Log.entryAdded")]
    thrown = page.seen("Runtime.exceptionThrown")
    cases.check(not entries and not thrown, "no errors in the browser",
                entries, thrown)


def check_view(cases, squint, home, page):
    """The view with a host that passes calls on, and one that does not."""
    client = Client(squint, home, UI)
    read = client.ask("resources/read", uri=URI)["contents"][0]
    cases.check(read["mimeType"] == TYPE and read["uri"] == URI
                and "ui" in read["_meta"], "the page has its type", read.keys())
    shot = client.call("ui", operation="screenshot")
    host = Host(page, client, read["text"], {"serverTools": {}})
    check_zoom(cases, host, shot)
    check_model(cases, host, shot)
    check_failures(cases, host)
    check_protocol(cases, host)
    host = Host(page, client, read["text"], {})
    host.send(method="ui/notifications/tool-result", params=shot)
    host.wait(f"{WIDTH} > 0")
    host.drag(0.1, 0.1, 0.9, 0.9)
    cases.check(host.value("start === null && !shown.canCrop"),
                "without serverTools it only shows")
    check_quiet(cases, page)
    client.close()


def main():
    """All cases."""
    squint = os.path.abspath(sys.argv[1])
    cases = Cases()
    with tempfile.TemporaryDirectory(prefix="squint-viewer-") as home:
        check_server(cases, squint, home)
        program = browsers.find()
        if program:
            page = browsers.Browser(program)
            try:
                check_view(cases, squint, home, page)
            finally:
                page.close()
        else:
            cases.count += 1
            print(f"ok {cases.count} - the page # SKIP no chromium; "
                  "install it to run this test")
    cases.end()


main()
