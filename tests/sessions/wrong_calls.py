#!/usr/bin/env python3
"""wrong_calls.py SQUINT: what models call wrongly is answered with the call; TAP.

Each row is a call that a model plausibly makes, and the words that must occur
in the one line that answers it. Names are tried in both modes: {tap} is the
call `ui {"operation": "tap"` or `ui_tap {`.
"""

import json
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from cases import named, run_all
from squint_server import Server

# Wrong names of tools and operations; the operation that is meant, and words.
NAMES = """
screenshot: screenshot            | tap: tap "x" "y"
ui_tap: tap                       | UI: screenshot rtfm
mcp__squint__ui: screenshot       | mcp__squint__tap: tap
take_screenshot: screenshot       | click: tap elementIndex selector
takeScreenshot: screenshot        | TakeScreenshot: screenshot
get_screen: screenshot            | capture: screenshot
screen_capture: screenshot        | mobile_take_screenshot: screenshot
squint_screenshot: screenshot     | squint.screenshot: screenshot
browser_take_screenshot: screenshot
mobile_click_on_screen_at_coordinates: tap
mobile_list_elements_on_screen: dump
mobile_type_keys: input "text"    | mobile_press_button: key "name"
mobile_swipe_on_screen: swipe "from" "to"
mobile_launch_app: launch "packageName"
mobile_terminate_app: stop        | mobile_list_apps: apps
mobile_list_available_devices: devices
mobile_open_url: open "url"       | mobile_set_orientation: rotate
find_text: find "selector"        | find_element: find
findElement: find                 | search: find
locate: find                      | exists: find
read: dump                        | read_screen: dump
get_text: dump                    | get_elements: dump
list_elements: dump               | ui_tree: dump
describe_ui: dump                 | page_source: dump
accessibility_tree: dump          | view_hierarchy: dump
crop: screenshot "region"         | zoom_region: screenshot "region"
zoom: pinch "scale"               | pinch_out: pinch
double_tap: tap "numberOfTaps"    | doubleTap: tap "numberOfTaps"
long_press: tap "durationMs"      | press_and_hold: tap "durationMs"
press: tap key                    | press_key: key "name"
key_event: key                    | go_back: key "back"
back: key "back"                  | home: key "home"
enter: key "enter"                | type: input "text"
type_text: input                  | fill: input
send_keys: input                  | enter_text: input
clear_text: input "clear"         | hide_keyboard: input "hideKeyboard"
start_app: launch                 | open_app: launch
close_app: stop                   | kill: stop
force_stop: stop                  | drag: swipe
fling: swipe                      | scroll_down: scroll "direction"
scrollDown: scroll                | swipe_up: scroll "direction"
sleep: wait "timeoutMs"           | wait_for_text: wait "text"
wait_for_element: wait            | list_devices: devices
list_apps: apps                   | installed_apps: apps
deep_link: open                   | navigate: open
grant_permission: permission "change"
clear_data: reset "confirm"       | rotate_screen: rotate "landscape"
dark_mode: appearance "dark"      | set_location: location "latitude"
logcat: logs                      | get_clipboard: clipboard
paste: clipboard                  | unlock: wake
battery: info                     | record_video: video "record"
batch: steps "steps"              | uninstall_app: rtfm uninstall
get_notifications: notifications  | set_permission: permission
help: rtfm                        | docs: rtfm
scren: rtfm                       | zzz: rtfm
tapp: tap rtfm                    | inputt: input rtfm
"""

# Right names with wrong or unusual arguments, for `ui`: the words of the answer.
ARGUMENTS = [
    ({"operation": "swipe", "direction": "up"}, "scroll direction"),
    ({"operation": "swipe", "x1": 1, "y1": 2, "x2": 3, "y2": 4}, "from to"),
    ({"operation": "tap", "coordinates": [200, 500]}, "x y"),
    ({"operation": "tap", "text": "Login"}, "(accepted) tapped Login"),
    ({"operation": "tap", "index": 3}, "elementIndex"),
    ({"operation": "tap", "position": {"x": 1, "y": 2}}, "x y"),
    ({"operation": "tap"}, "x and y elementIndex selector"),
    ({"operation": "tap", "x": "200", "y": "oben"}, "y number"),
    ({"operation": "input", "value": "Ada"}, "text"),
    ({"operation": "input"}, "text"),
    ({"operation": "key", "key": "back"}, "(accepted) pressed back"),
    ({"operation": "key", "name": "BACKSPACEX"}, "back"),
    ({"operation": "scroll"}, "direction down"),
    ({"operation": "scroll", "direction": "south"}, "direction down"),
    ({"operation": "scroll", "direction": "down", "distance": 3}, "amount"),
    ({"operation": "find"}, "selector text"),
    ({"operation": "find", "query": "Login"}, "selector text"),
    ({"operation": "launch", "app": "Settings"}, "(accepted) launched"),
    ({"operation": "launch"}, "packageName"),
    ({"operation": "open", "link": "https://example.com/"}, "url"),
    ({"operation": "wait", "seconds": 2}, "timeoutMs"),
    ({"operation": "wait", "timeout": 2000}, "timeoutMs"),
    ({"operation": "rotate"}, "orientation landscape"),
    ({"operation": "appearance", "mode": "dark"}, "dark on"),
    ({"operation": "permission", "packageName": "Shop",
      "permission": "camera"}, "change grant"),
    ({"operation": "screenshot", "scale": 0.5}, "size half"),
    ({"operation": "screenshot", "size": "small"}, "size half thumb"),
    ({"operation": "screenshot", "device": "demo"}, "deviceId"),
    ({"action": "tap", "x": 1, "y": 2}, "operation"),
    ({}, "operation screenshot"),
]


def rows():
    """Yield the wrong names, what is meant, and the words."""
    for row in NAMES.replace("|", "\n").splitlines():
        if row.strip():
            name, _, words = row.partition(":")
            yield name.strip(), words.split()


def answer(server, tool, arguments):
    """Return the text that a call is answered with."""
    reply = server.request("tools/call", {"name": tool,
                                          "arguments": arguments})
    if "error" in reply:
        return reply["error"]["message"]
    texts = [block["text"] for block in reply["result"]["content"]
             if block["type"] == "text"]
    content = json.loads(texts[0])
    if not reply["result"].get("isError"):
        return f"(accepted) {content}"
    return f"{content['message']}. {content['suggestion']}"


def expected(words, split):
    """Return the words with the name of the operation as that mode calls it."""
    meant, *others = words
    if meant == "rtfm":
        return words
    call = f"ui_{meant.replace('-', '_')} {{" if split \
        else f'ui {{"operation": "{meant}"'
    return others if "rtfm" in others and meant != "screenshot" \
        else [call, *others]


def check(text, words):
    """Return what is wrong with an answer."""
    missing = [word for word in words if word not in text]
    if missing:
        return f"{missing} missing in: {text}"
    return f"several lines: {text}" if "\n" in text else None


def check_names(squint, split):
    """Unknown names of tools, and of operations."""
    flags = ["--tools", "split"] if split else []
    wrong = []
    with Server([squint, "mcp", *flags]) as server:
        server.initialize()
        for name, words in rows():
            if split and name == "ui_tap":
                continue
            words = expected(words, split)
            found = check(answer(server, name, {}), words)
            if not (found or split or name in ("screenshot", "tap")):
                found = check(answer(server, "ui", {"operation": name}),
                              words)
            wrong += [f"{name}: {found}"] if found else []
    assert not wrong, "\n".join(wrong)


def check_arguments(squint):
    """Wrong arguments of right operations."""
    wrong = []
    with Server([squint, "mcp"]) as server:
        server.initialize()
        for arguments, words in ARGUMENTS:
            text = answer(server, "ui", {**arguments})
            found = check(text, words.split())
            wrong += [f"{arguments}: {found}"] if found else []
    assert not wrong, "\n".join(wrong)


def are_many(_squint):
    """The tables are not emptied by accident."""
    assert len(list(rows())) + len(ARGUMENTS) >= 120


if __name__ == "__main__":
    sys.exit(run_all([are_many,
                      named("wrong names, one tool", check_names, False),
                      named("wrong names, a tool per operation", check_names,
                            True),
                      named("wrong arguments", check_arguments)],
                     str(pathlib.Path(sys.argv[1]).resolve())))
