#!/usr/bin/env python3
"""interleavings.py SQUINT [COUNT [SEED]]: no action without an approval.

Agents of several processes, over stdio and HTTP, tap one phone, each call at a point
of its own, while a person approves, refuses and pauses, on the page or in a terminal,
and agents and the inspector are killed and started again at random. The log of the
phone says which taps were done: each must have been approved.
"""
import os
import random
import re
import subprocess
import sys
import threading
import time
import unittest.mock

from hub import StdioAgent
from page import Agent, Server, served
import demo_phone  # pylint: disable=wrong-import-order

# In builds for tests the 50 s that a call may wait are 2.5 s.
CLOCK = "-20"
COLUMNS = 800
STDIO = ("one", "two")


def point(number):
    """Where the tap of that number is."""
    return 100 + number % COLUMNS, 700 + number // COLUMNS


class World:
    """A phone, agents, and the person with the inspector."""

    def __init__(self, squint, adb, log, seed):
        self.chance = random.Random(seed)
        self.log = log
        env = {"SQUINT_ANDROID_ADB_SERVER": f"127.0.0.1:{adb.port}",
               "SQUINT_TEST_CLOCK_SLOWNESS": CLOCK}
        with unittest.mock.patch.dict(os.environ, env):
            self.server = Server(squint, "--approve")
        self.server.flags = ()
        self.agents = {name: StdioAgent(self.server, name) for name in STDIO}
        self.agents["http"] = Agent(self.server)
        self.sent = 0
        self.approved, self.succeeded = set(), set()
        self.events = dict.fromkeys(("approved", "refused", "modes", "restarts",
                                     "agents killed", "timeouts"), 0)

    def tap(self, agent, number):
        """One call of an agent; its process may be killed meanwhile."""
        x, y = point(number)
        try:
            result = agent.call(operation="tap", x=x, y=y, deviceSpace=True,
                                receipt="none")
        except (EOFError, OSError, LookupError, ValueError, TypeError):
            return  # killed
        if not result["isError"]:
            self.succeeded.add(number)

    def gate(self, action="", **more):
        """The gate, after an action."""
        return self.server.ask_api("gate", action=action, **more).get(
            "gate", {"waiting": []})

    def number_of(self, call):
        """The tap of a call."""
        found = self.server.ask_api("call", sequence=call).get("arguments", {})
        return (found["y"] - 700) * COLUMNS + found["x"] - 100

    def decide(self):
        """Approve or refuse one of the calls that wait."""
        waiting = self.gate()["waiting"]
        if not waiting:
            return
        call = self.chance.choice(waiting)
        is_good = self.chance.random() < 0.6
        if is_good:
            self.approved.add(self.number_of(call))
        self.events["approved" if is_good else "refused"] += 1
        if self.chance.random() < 0.1:
            subprocess.run([self.server.squint, "approve", "--token-file",
                            self.server.token_file, str(call),
                            *([] if is_good else ["--refuse"])],
                           env=self.server.env, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, check=False,
                           stderr=subprocess.DEVNULL)
        else:
            self.gate("release" if is_good else "refuse", id=call)

    def restart(self):
        """Kill the inspector, which serves the agent over HTTP too."""
        self.events["restarts"] += 1
        self.server.kill()
        time.sleep(self.chance.choice((0, 0.05)))
        self.server.start(0)
        self.server.cookie = None
        self.agents["http"] = Agent(self.server)

    def kill_agent(self):
        """Kill the process of an agent."""
        self.events["agents killed"] += 1
        name = self.chance.choice(STDIO)
        self.agents[name].process.kill()
        self.agents[name].process.wait()
        self.agents[name] = StdioAgent(self.server, name)

    def event(self):
        """Something that the person does, or that happens."""
        kind = self.chance.random()
        if kind < 0.72:
            self.decide()
        elif kind < 0.9:
            self.events["modes"] += 1
            self.gate(self.chance.choice(("hold", "approve")))
        elif kind < 0.96:
            time.sleep(0.01)
        elif kind < 0.98:
            self.restart()
        else:
            self.kill_agent()

    def interleave(self):
        """Some calls together, and events until all have ended."""
        names = self.chance.sample([*self.agents], self.chance.randint(1, 3))
        threads = []
        for name in names:
            thread = threading.Thread(target=self.tap,
                                      args=(self.agents[name], self.sent))
            thread.start()
            threads.append(thread)
            self.sent += 1
        waits = self.chance.random() < 0.01  # no decision
        self.events["timeouts"] += waits
        end = time.monotonic() + served.PATIENCE
        while any(thread.is_alive() for thread in threads):
            assert time.monotonic() < end, "the calls do not end"
            if waits and time.monotonic() < end - served.PATIENCE + 3:
                time.sleep(0.1)
            else:
                self.event()

    def done(self):
        """The taps that the phone has got."""
        with open(self.log, encoding="utf-8") as file:
            text = file.read()
        return {(int(y) - 700) * COLUMNS + int(x) - 100 for x, y in
                re.findall(r"\binput tap (\d+) (\d+)", text)}

    def end(self):
        """End all processes."""
        for name in STDIO:
            self.agents[name].end()
        self.server.stop()


def check_interleavings(cases, squint, count=40, seed=7):
    """What the phone did was approved; what was answered as done was done."""
    if not demo_phone.find_adb():
        cases.check(True, "interleavings # SKIP no adb")
        return
    with demo_phone.Adb() as adb:
        log = os.path.join(adb.home.name, "phone.log")
        with demo_phone.Phone(squint, "--log", log) as phone:
            adb.connect(phone)
            world = World(os.path.abspath(squint), adb, log, seed)
            for _ in range(count):
                world.interleave()
            world.end()
            done = world.done()
    told = f"{count} interleavings of {world.sent} calls: {world.events}, " \
        f"{len(done)} taps reached the phone"
    cases.check(done <= world.approved, f"{told}, "
                f"{len(done - world.approved)} without an approval",
                sorted(done - world.approved))
    cases.check(world.succeeded <= done and len(done) > len(world.approved) / 2,
                f"{len(world.succeeded)} were answered as done",
                sorted(world.succeeded - done), len(world.approved))


if __name__ == "__main__":
    CASES = served.Cases()
    check_interleavings(CASES, sys.argv[1], *map(int, sys.argv[2:]))
    CASES.end()
