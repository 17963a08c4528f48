"""The tasks that need a phone, with mobile-mcp in its legacy mode.

It gets what helps it: its device and the packages are known without a call, and
every call that may be is a batch that ends with the list of elements."""

import os
import re
import struct
import sys

import android
import loop
from inputs import HERE

sys.path.insert(0, os.path.join(HERE, "..", "tests", "sessions"))

# pylint: disable=wrong-import-position
import tasks
from squint_server import Server

PACKAGE = "com.squint.demo."
PLACE = re.compile(r" at=(-?\d+),(-?\d+) size=(\d+)x(\d+)")
MOST_SWIPES = 25
SEEN = 1000  # pixels of the long side of the pictures that are looked at
SCALE = 2400 / SEEN


def launch(app):
    """A step of a batch."""
    return "mobile_launch_app", {"packageName": PACKAGE + app}


def swipe(direction):
    """A step of a batch."""
    return "mobile_swipe_on_screen", {"direction": direction}


class PeerTask(tasks.Session):
    """One task; a step of a batch is the name of a tool and its arguments."""

    def __init__(self, name, server, squint, serial):
        super().__init__(name, server)
        self.squint, self.serial = squint, serial
        self.lines = []  # of the latest list of elements

    def act(self, *steps):
        """Do this in one call, and list the elements."""
        text, _ = self.ask("mobile_batch_commands", {
            "device": self.serial, "listElementsAtEnd": True,
            "steps": [{"name": n, "arguments": a} for n, a in steps]})
        assert ") failed: " not in text, text
        self.lines = text.splitlines()

    def look(self):
        """Take a picture; returns its rows of pixels, scaled to SEEN."""
        self.ask("mobile_take_screenshot", {"device": self.serial})
        size = "x".join(map(str, struct.unpack(">II", self.picture[16:24])))
        self.image_tokens += loop.tokens_of(self.squint, size)
        return tasks.look_at(self.squint, self.picture,
                             f"--max-dimension={SEEN}")

    def line(self, *words):
        """The first element that has all of these words."""
        return next((line for line in self.lines
                     if all(word in line for word in words)), "")

    @staticmethod
    def place(line):
        """The position and size of an element."""
        return tuple(map(int, PLACE.search(line).groups()))

    def press(self, *words):
        """Click on an element without a list."""
        tool, arguments = self.click(*words)
        self.ask(tool, {"device": self.serial, **arguments})

    def click(self, *words):
        """A step: click on an element."""
        x, y, width, height = self.place(self.line(*words))
        return "mobile_click_on_screen_at_coordinates", {
            "x": x + width // 2, "y": y + height // 2}

    def expect(self, *words):
        """An element has these words."""
        assert self.line(*words), (words, self.lines)

    def search(self, *words, direction="up"):
        """Swipe until an element has these words."""
        for _ in range(MOST_SWIPES):
            if self.line(*words):
                return
            self.act(swipe(direction))
        raise AssertionError(words)


def typed(text):
    """A step of a batch."""
    return "mobile_type_keys", {"text": text, "submit": False}


def log_in(task):
    """Sign in, and see the greeting."""
    task.act(launch("login"))
    task.act(task.click("EditText", "username"), typed("Ada"),
             task.click("EditText", "password"), typed("s3cret"),
             task.click("Button", "Sign in"))
    task.expect("Welcome, Ada")


def fill_cart(task):
    """Put two things into the cart."""
    task.act(launch("shop"))
    task.act(task.click("Add mug to cart"),
             task.click("Add headphones to cart"))
    task.expect("cart_count", '"2"')


def switch_on(task, label):
    """Find a switch far down a list, and switch it on. Its list does not have
    the states of switches, so a picture follows."""
    task.act(launch("settings"))
    task.search(f'"{label}"')
    at = task.lines.index(task.line(f'"{label}"'))
    x, y, width, height = task.place(next(
        line for line in task.lines[at:] if line.startswith("Switch")))
    task.press(f'"{label}"')
    red, _, blue = task.look()[int((y + height / 2) / SCALE)][
        int((x + width / 4) / SCALE)]
    assert blue > red + 100, (red, blue)


def play_game(task):
    """Hit a disc, and see the score."""
    task.ask("mobile_launch_app", {"device": task.serial,
                                   "packageName": PACKAGE + "game"})
    before = task.look()
    assert tasks.read_score(before) == 0
    x, y = tasks.find_disc(before)
    task.ask("mobile_click_on_screen_at_coordinates",
             {"device": task.serial, "x": round(x * SCALE),
              "y": round(y * SCALE)})
    assert tasks.read_score(task.look()) == 1


def read_vault(task):
    """Read the balance."""
    task.act(launch("secure"))
    task.expect("$12,480.50")


def turn_and_back(task):
    """Rotate the phone and back."""
    task.act(launch("rotate"))
    task.act(task.click("Landscape"))
    task.expect("lies on its side")
    task.act(task.click("Landscape"))
    task.expect("stands upright")


def open_about(task):
    """Read the model on a page at the end of a list."""
    task.act(launch("settings"))
    task.search("About phone")
    task.act(task.click("About phone"))
    task.expect("squint demo phone")


def correct_name(task):
    """A label with a mistake: the list has the right one."""
    task.act(launch("settings"))
    task.act(task.click("Aeroplane"))


def recover(task):
    """Sign in without a password, read why not, and do it right."""
    task.act(launch("login"))
    task.act(task.click("Button", "Sign in"))
    task.expect("Enter your username and password")
    task.act(task.click("EditText", "username"), typed("Ada"),
             task.click("EditText", "password"), typed("pw"))
    task.act(task.click("Button", "Sign in"))
    task.expect("Welcome, Ada")


def wait_for_late(task):
    """Look until something has changed."""
    task.act(launch("settings"))
    before = task.look()
    task.press("Aeroplane")
    while task.look() == before:
        pass


def answer_dialog(task):
    """Read what a dialog asks, and confirm it."""
    task.act(launch("settings"))
    task.search('"Storage"')
    task.act(task.click('"Storage"'))
    task.expect("Delete old downloads?")
    task.act(task.click("Button", "Delete"))
    task.expect("3.4 GB are free again")


def use_two_apps(task):
    """Carry a price from one app to a field of another."""
    task.act(launch("shop"))
    at = task.lines.index(task.line("House plant"))
    price = next(re.search(r"\$[\d.]+", line)[0]
                 for line in task.lines[at:] if "$" in line)
    task.act(launch("login"))
    task.act(task.click("EditText", "username"), typed(price))
    task.expect(price)


def see_list(task):
    """Do several things, and see the list."""
    task.act(launch("shop"))
    task.act(task.click('"Audio"'))
    task.expect("Room speaker")


def read_detail(task):
    """Its pictures are not scaled."""
    task.ask("mobile_launch_app", {"device": task.serial,
                                   "packageName": PACKAGE + "settings"})
    task.look()


def down_and_up(task):
    """Find something in a list that scrolls, then come back."""
    task.act(launch("shop"))
    task.search("Room speaker")
    task.search("Studio headphones", direction="down")


TASKS = {"log in": log_in, "two items into the cart": fill_cart,
         "dark theme on and verified":
         lambda task: switch_on(task, "Dark theme"),
         "score in the game": play_game, "vault balance": read_vault,
         "rotate and come back": turn_and_back,
         "a page at the end of a list": open_about,
         "a switch far down a list": lambda task: switch_on(task, "Backup"),
         "a label with a mistake": correct_name,
         "a refused form, corrected": recover, tasks.LATE: wait_for_late,
         "a dialog": answer_dialog, "two apps": use_two_apps,
         "several steps and a list": see_list,
         "a detail of the screen": read_detail,
         "down a list and up again": down_and_up}


def play(squint, command, phone):
    """Run the tasks, each with its own server; yields them."""
    env = android.environments(phone.adb)["mobile"]
    for name, steps in TASKS.items():
        phone.prepare(name)
        with Server(command, env=env) as server:
            server.initialize()
            task = PeerTask(name, server, squint, phone.phone.address)
            steps(task)
            yield task
