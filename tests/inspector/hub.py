"""One inspector for all processes of a user: agents over stdio are seen and held."""
import json
import os
import pty
import subprocess
import threading
import time

from page import Agent, Page, Server, served


class StdioAgent:
    """A client of squint mcp, a process of its own."""

    def __init__(self, server, name="stdio", **env):
        self.process = subprocess.Popen(
            [server.squint, "mcp"], env={**server.env, **env},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.last = 0
        self.lock = threading.Lock()
        self.ask("initialize", protocolVersion="2025-11-25", capabilities={},
                 clientInfo={"name": name, "version": "1"})

    def ask(self, method, **params):
        """Send a request and wait for its answer."""
        with self.lock:
            self.last += 1
            self.process.stdin.write(json.dumps(
                {"jsonrpc": "2.0", "id": self.last, "method": method,
                 "params": params}) + "\n")
            self.process.stdin.flush()
            while True:
                answer = json.loads(self.process.stdout.readline())
                if answer.get("id") == self.last:
                    return answer["result"]

    def call(self, **arguments):
        """Run an operation; return the result."""
        return self.ask("tools/call", name="ui", arguments=arguments)

    start = Agent.start

    def end(self):
        """End it as clients do; returns its status."""
        self.process.stdin.close()
        return self.process.wait(served.PATIENCE)


def waiting(server, count=1, action="approve"):
    """The calls that wait, as soon as there are `count`."""
    end = time.monotonic() + served.PATIENCE
    while time.monotonic() < end:
        gate = server.ask_api("gate", action=action)["gate"]
        if len(gate["waiting"]) >= count:
            return gate["waiting"], gate
        time.sleep(0.02)
    raise TimeoutError("no call waits")


def ended_call(server, sequence):
    """A call when it has ended; its process reports it after its answer."""
    end = time.monotonic() + served.PATIENCE
    found = {}
    while "totalMs" not in found and time.monotonic() < end:
        found = server.ask_api("call", sequence=sequence)
        time.sleep(0.02)
    return found


def check_hub_calls(cases, squint):
    """A call of another process is recorded, approved, refused and hidden."""
    server = Server(squint)
    agent = StdioAgent(server)
    agent.call(operation="launch", packageName="com.squint.demo.login")
    picture = agent.call(operation="screenshot")
    sent = [block["data"] for block in picture["content"]
            if block["type"] == "image"]
    found = ended_call(server, 2)
    cases.check(found["clientName"] == "stdio" and found["state"] == "succeeded"
                and sent[0] in [block.get("data") for block in found["blocks"]],
                "a call over stdio has its picture", found.get("error"))
    server.ask_api("gate", action="approve")
    wait = agent.start(operation="input", text="ada",
                       selector={"text": "Username"})
    (call,), gate = waiting(server)
    shown = gate["shown"][str(call)]
    cases.check(shown["arguments"]["text"] == "ada"
                and shown["element"] and shown["screenshotId"],
                "the person sees what it would type, and where", shown)
    server.ask_api("gate", action="release", id=call)
    cases.check(not wait()["isError"], "an approved call is done")
    wait = agent.start(operation="input", text="hunter2",
                       selector={"text": "Password"})
    (call,), gate = waiting(server)
    server.ask_api("gate", action="refuse", id=call, reason="not this one")
    result = wait()
    cases.check(result["isError"] and "a person refused it: not this one" in
                json.dumps(result), "a refused call says why", result)
    seen = json.dumps([ended_call(server, number)
                       for number in range(1, 5)]) + json.dumps(gate)
    cases.check("hunter2" not in seen, "passwords are not sent", seen)
    cases.check(agent.end() == 0 and server.stop() == 0, "both end cleanly")


def check_hub_death(cases, squint):
    """Without a hub nothing that needs a person is done."""
    server = Server(squint, "--approve")
    agent = StdioAgent(server)
    wait = agent.start(operation="key", name="home")
    waiting(server)
    server.kill()
    begun = time.monotonic()
    result = wait()
    cases.check(result["isError"] and "needs a person's approval" in
                json.dumps(result) and time.monotonic() - begun < 20,
                "a held call is refused when the inspector dies", result)
    result = agent.call(operation="key", name="home")
    cases.check(result["isError"] and "Ask the user to run squint inspect" in
                json.dumps(result), "later ones say what to do", result)
    cases.check(not agent.call(operation="screenshot")["isError"],
                "looking needs no approval")
    server.flags = ()
    server.start(0)
    server.cookie = None
    wait = agent.start(operation="key", name="home")
    (call,), _ = waiting(server)
    server.ask_api("gate", action="release", id=call)
    cases.check(not wait()["isError"], "a new inspector is found")
    server.ask_api("gate", action="run")
    cases.check(not agent.call(operation="key", name="home")["isError"],
                "Run is obeyed immediately")
    server.ask_api("gate", action="hold")
    server.kill()
    cases.check(agent.call(operation="key", name="home")["isError"],
                "a pause outlives the inspector")
    agent.end()


def approve(server, *words):
    """squint approve without a terminal: its status and what it prints."""
    done = subprocess.run(
        [server.squint, "approve", "--token-file", server.token_file, *words],
        env=server.env, stdin=subprocess.DEVNULL, capture_output=True,
        text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def answer_on_terminal(server, *answers):
    """squint approve on a terminal: what it prints, and its status."""
    child, terminal = pty.fork()
    if child == 0:
        os.execve(server.squint, [server.squint, "approve", "--token-file",
                                  server.token_file], server.env)
    out, asked = b"", 0
    while True:
        try:
            out += os.read(terminal, 1 << 16)
        except OSError:  # it has ended
            break
        if out.count(b"Enter: later") > asked:
            os.write(terminal, answers[asked] + b"\n")
            asked += 1
    os.close(terminal)
    return out.decode(), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def check_terminal(cases, squint):
    """A person decides in a terminal; no one without the secret does."""
    server = Server(squint, "--approve")
    agent, other = StdioAgent(server), Agent(server, "evil\n\x1b[2Jname")
    cases.check(approve(server) == (0, "No call waits.\n"), "nothing waits")
    wait = agent.start(operation="launch", packageName="Login")
    (call,), _ = waiting(server)
    status, shown = approve(server)
    cases.check(status == 0 and f"call {call} of stdio" in shown
                and "launch packageName “Login”" in shown,
                "it lists the call in words", shown)
    wrong = server.folder.name + "/elsewhere"
    status, shown = approve(server, "--token-file", wrong, str(call))
    cases.check(status == 1 and "not the person's secret" in shown,
                "another secret decides nothing", shown)
    status, shown = approve(server, str(call))
    cases.check(status == 0 and not wait()["isError"],
                "approve NUMBER approves it", shown)
    status, shown = approve(server, str(call))
    cases.check(status == 1 and "no longer waits" in shown,
                "once it has passed, it says so", shown)
    wait = agent.start(operation="key", name="home")
    (call,), _ = waiting(server)
    approve(server, str(call), "--refuse", "--reason", "not today")
    cases.check("a person refused it: not today" in json.dumps(wait()),
                "--refuse refuses it, and says why")
    calls = [agent.start(operation="input", text="ada",
                         selector={"text": "Username"}),
             other.start(operation="swipe", **{"from": {"x": 9, "y": 300},
                                               "to": {"x": 9, "y": 90}})]
    _, gate = waiting(server, 2)
    is_first = "Username" in json.dumps(gate["shown"][str(gate["waiting"][0])])
    shown, status = answer_on_terminal(server, *(
        (b"y", b"n") if is_first else (b"n", b"y")))
    results = [wait()["isError"] for wait in calls]
    cases.check(status == 0 and results == [False, True],
                "on a terminal it asks about each", results, shown)
    cases.check("\x1b[2J" not in shown and "evil\\u000a\\u001b" in shown
                and "input text “ada”" in shown
                and "the element with text “Username”" in shown
                and "from 9,300 to 9,90" in shown,
                "texts of agents cannot control the terminal", shown)
    agent.end()
    server.stop()
    status, shown = approve(server)
    cases.check(status == 1 and "no inspector runs" in shown,
                "without an inspector it says so", shown)


def rule(mode="approve", **about):
    """A rule of the person."""
    return {"mode": mode, **about}


def is_held(server, agent, is_good=False, **arguments):
    """Whether a call waits for the person, who then decides on it."""
    wait = agent.start(**arguments)
    end = time.monotonic() + served.PATIENCE
    while wait.thread.is_alive() and time.monotonic() < end:
        for call in server.ask_api("gate", action="")["gate"]["waiting"]:
            server.ask_api("gate", action="release" if is_good else "refuse",
                           id=call)
            assert wait()["isError"] != is_good, wait()
            return True
        time.sleep(0.01)
    return False


def check_rules(cases, squint):
    """Rules by operation, app, client and device hold only what they name."""
    server = Server(squint)
    bank, other = StdioAgent(server, "bank"), Agent(server, "other")
    home = {"operation": "key", "name": "home"}
    login = {"operation": "launch", "packageName": "com.squint.demo.login"}
    write = {"operation": "input", "text": "ada",
             "selector": {"text": "Username"}}
    server.ask_api("gate", action="rules", rules=[
        rule(operation="input", app="com.squint.demo.login")])
    for name, agent in (("stdio", bank), ("HTTP", other)):
        cases.check(not is_held(server, agent, **home)
                    and not is_held(server, agent, **login),
                    f"{name}: other operations are not held")
        cases.check(is_held(server, agent, **write)
                    and is_held(server, agent, is_good=True, **write),
                    f"{name}: the operation in that app is")
        wait = agent.start(operation="steps", steps=[
            home, login, write, {**write, "text": " too"}])
        for decision in ("release", "refuse"):
            (call,), gate = waiting(server, action="")
            shown = gate["shown"][str(call)]
            server.ask_api("gate", action=decision, id=call)
        result = json.loads(wait()["content"][0]["text"])
        cases.check(shown and len(result["details"]["done"]) == 3,
                    f"{name}: each such step is", result)
        agent.call(operation="launch", packageName="com.squint.demo.settings")
        cases.check(not is_held(server, agent, operation="input", text="x"),
                    f"{name}: in another app it is not")
    for what, about, held in (
            ("a client", {"client": "bank"}, (True, False)),
            ("a device", {"device": "demo"}, (True, True)),
            ("another device", {"device": "emulator-5554"}, (False, False)),
            ("an app that is launched", {"app": "com.squint.demo.login",
                                      "operation": "launch"}, (True, True))):
        server.ask_api("gate", action="rules", rules=[rule("hold", **about)])
        found = tuple(is_held(server, agent, **login)
                      for agent in (bank, other))
        cases.check(found == held, f"a rule for {what}", found)
    bad = server.ask_api("gate", action="rules", rules=[rule("run")])
    cases.check("error" in bad and len(server.ask_api(
        "gate", action="")["gate"]["rules"]) == 1, "a bad rule changes nothing")
    server.ask_api("gate", action="rules", rules=[rule(client="bank")])
    server.kill()
    result = bank.call(**home)
    cases.check(result["isError"] and "needs a person's approval" in
                json.dumps(result), "a rule is in force without an inspector",
                result)
    server.start(0)
    server.cookie = None
    cases.check(is_held(server, bank, is_good=True, **home)
                and not is_held(server, Agent(server, "other"), **home),
                "and after a restart")
    server.ask_api("gate", action="rules", rules=[])
    cases.check(not is_held(server, bank, **home), "without it calls pass")
    asked = StdioAgent(server, SQUINT_SECURITY_CONFIRM="key=person")
    cases.check(is_held(server, asked, is_good=True, **home)
                and is_held(server, asked, **home)
                and not is_held(server, asked, **login),
                "--confirm OPERATION=person asks the person")
    server.stop()
    cases.check(asked.call(**home)["isError"], "or refuses without an inspector")
    for agent in (bank, asked):
        agent.end()


def check_hub_page(test):
    """The page shows agents over stdio and HTTP, and holds both."""
    cases, page = test.cases, test.page
    http = Agent(test.server, "over http")
    stdio = StdioAgent(test.server, "over stdio")
    for agent in (http, stdio):
        agent.call(operation="key", name="home")
        agent.call(operation="screenshot")
    page.show("calls")
    page.wait_text(".calls", "over stdio")
    page.wait_text(".calls", "over http")
    cases.check(True, "the page shows both agents")
    page.click("#gate [data-action=hold]")
    page.wait("document.querySelector('#gate [data-action=hold]')"
              ".ariaPressed === 'true'")
    for action, name in (("release", "approved"), ("refuse", "refused")):
        wait = stdio.start(operation="tap", x=69, y=898)
        page.wait_text("#held", "over stdio")
        page.wait_text("#held figcaption", "the point")
        page.wait(f"document.querySelector('#held .{action}:not(:disabled)')")
        page.click(f"#held .{action}")
        cases.check(wait()["isError"] == (action == "refuse"),
                    f"a call over stdio can be {name}")
        page.wait("document.getElementById('held').hidden")
    page.click("#gate [data-action=run]")
    cases.check(not stdio.call(operation="key", name="home")["isError"],
                "then it runs again")
    page.click(".rules summary")
    page.fill("#rule-operation", "key")
    page.fill("#rule-client", "over stdio")
    page.click(".rules [type=submit]")
    page.wait_text(".rules li", "approve key of over stdio")
    test.keep_picture("rules")
    wait = stdio.start(operation="key", name="home")
    page.wait_text("#held", "over stdio")
    cases.check(not http.call(operation="key", name="home")["isError"],
                "a rule holds only what it names")
    page.wait("document.querySelector('#held .release:not(:disabled)')")
    page.click("#held .release")
    cases.check(not wait()["isError"], "and it can be approved")
    page.click(".rules summary")
    page.click(".rules li button")
    page.wait("!document.querySelector('.rules li')")
    cases.check(not stdio.call(operation="key", name="home")["isError"],
                "without the rule it is not held")
    page.click(".rules summary")
    stdio.end()


def check_two_people(test):
    """Two people see the same call, the first decides; also after a restart."""
    cases, server = test.cases, Server(test.squint)
    mine, other = Page(test.program), Page(test.program)
    stdio = StdioAgent(server, "shared")
    stdio.call(operation="screenshot")
    mine.open(server.link)
    other.open(server.link[:server.link.index("/inspect")] + server.inspector_path())
    pages = (mine, other)
    mine.click("#gate [data-action=approve]")
    pressed = "document.querySelector('#gate [data-action=%s]').ariaPressed === 'true'"
    other.wait(pressed % "approve")
    cases.check(True, "both see that calls need an approval")

    def shown():
        for page in pages:
            page.wait_text("#held", "shared")
            page.wait("document.querySelector('#held .release:not(:disabled)')")
    wait = stdio.start(operation="tap", x=69, y=898)
    shown()
    other.click("#held .release")
    cases.check(not wait()["isError"], "one of them approves")
    mine.wait("document.getElementById('held').hidden")
    wait = stdio.start(operation="key", name="home")
    shown()
    for page, button in ((mine, "refuse"), (other, "release")):
        page.evaluate(f"document.querySelector('#held .{button}')?.click()")
    cases.check(wait()["isError"], "the first decision counts")
    for page in pages:
        page.wait("document.getElementById('held').hidden")
    port = server.address[1]
    server.kill()
    refused = stdio.call(operation="key", name="home")
    cases.check(refused["isError"], "without an inspector it is refused", refused)
    server.start(port)
    for page in pages:
        page.wait("document.getElementById('connection').textContent === 'Connected'")
        page.wait(pressed % "approve")
    time.sleep(1.1)  # squint mcp looks for an inspector once a second
    wait = stdio.start(operation="key", name="home")
    shown()
    mine.click("#held .release")
    cases.check(not wait()["isError"], "after a restart they decide again")
    stdio.end()
    for page in pages:
        page.close()
    server.stop()
