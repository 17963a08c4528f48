#!/usr/bin/env python3
"""stateless.py SQUINT: what clients without a session can name in later calls,
and that every replica with the same key understands it."""
import json
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))
# pylint: disable=wrong-import-position
from past_folders import put_shots  # noqa: E402
from served import Cases, Server  # noqa: E402


def text_of(result):
    """The JSON of the first text block."""
    return json.loads(next(block["text"] for block in result["content"]
                           if block["type"] == "text"))


def ui(server, operation, **arguments):
    """Call ui; return whether it failed, and the JSON of its text."""
    result = server.call("ui", {"operation": operation, **arguments})
    return result["isError"], text_of(result)


def ask(server, operation, **arguments):
    """Call ui, which must succeed; return the JSON of its text."""
    failed, answer = ui(server, operation, **arguments)
    assert not failed, answer
    return answer


def rows_by_label(rows):
    """The index and x,y of each row of a list, by its label."""
    found = {}
    for row in rows:
        index, place, _, *label = row.split(" ", 3)
        found["".join(label)] = (index, place)
    return found


def is_number(text):
    """Whether it is an index of nine digits."""
    return len(str(text)) == 9 and str(text).isdigit()


def check_lists(cases, one, two):
    """An index of a list is valid in later requests."""
    for server in (one, two):
        ask(server, "launch", app="settings")
    rows = rows_by_label(ask(one, "dump")["elements"])
    index, place = rows["VPN, None"]
    cases.check(is_number(index), "dump answers indexes of nine digits", rows)
    for name, server in (("the same replica", one), ("another", two)):
        failed, answer = ui(server, "tap", elementIndex=int(index))
        tapped = answer.get("tapped", {})
        cases.check(not failed and place == f"{tapped['x']},{tapped['y']}",
                    f"{name} taps the element of a dump", answer)
    ask(one, "launch", app="login")
    failed, answer = ui(one, "tap", elementIndex=int(index))
    cases.check(failed and answer["error"] == "STALE_ELEMENT_INDEX"
                and index in answer["message"],
                "an element that has gone is refused", answer)
    ask(two, "launch", app="login")
    element = ask(one, "find", selector={"text": "Username"})["elements"][0]
    failed, answer = ui(two, "input", text="a", elementIndex=element["index"])
    cases.check(not failed and is_number(element["index"]),
                "another replica types into the element of a find", answer)
    element = ask(one, "wait", text="Username")["element"]
    failed, answer = ui(one, "tap", elementIndex=element["index"])
    cases.check(not failed, "the element of a wait can be tapped", answer)


def check_positions(cases, one):
    """Positions are valid only within a request."""
    ask(one, "dump")
    failed, answer = ui(one, "tap", elementIndex=2)
    cases.check(failed and "no lists are kept" in answer["message"]
                and "screenshotId" in answer["suggestion"]
                and "nine digits" in answer["suggestion"]
                and "first" not in answer["suggestion"],
                "a position in a list is refused truthfully", answer)
    result = one.call("ui", {"operation": "steps", "steps": [
        {"operation": "find", "selector": {"text": "Username"}},
        {"operation": "tap", "elementIndex": 0}]})
    cases.check(not result["isError"], "within one request it is valid", result)


def check_marks(cases, one, two):
    """Marks on a picture, the tree, alternatives."""
    for server in (one, two):
        ask(server, "launch", app="settings")
    shot = ask(one, "screenshot", marks=True)
    indexes = shot["elementIndexes"]
    cases.check(len(indexes) == shot["marks"] and len(indexes) > 3
                and all(is_number(index) for index in indexes.values()),
                "a picture with marks names the index of each", shot)
    rows = ask(one, "dump")["elements"]
    number, index = next(iter(indexes.items()))
    cases.check(rows[int(number)].startswith(f"{index} "),
                "they are those of dump", number, index, rows)
    failed, answer = ui(two, "tap", elementIndex=index)
    cases.check(not failed, "another replica taps a mark", answer)
    ask(one, "launch", app="settings")
    tree = json.dumps(ask(one, "dump", compact=False)["tree"])
    cases.check(f'"index": {index},' in tree, "the tree has the same indexes",
                index, tree)
    shot = ask(one, "screenshot", elements=True)
    cases.check(any(row.startswith(f"{index} ") for row in shot["elements"]),
                "and so have the elements of a screenshot", shot["elements"])
    failed, answer = ui(one, "tap", selector={"className": "Switch"})
    alternatives = answer.get("details", {}).get("alternatives", [])
    cases.check(failed and alternatives
                and not ui(two, "tap",
                           elementIndex=alternatives[0]["index"])[0],
                "alternatives have indexes", answer)


def check_shapes(cases, squint):
    """What only the pixels show has an index too."""
    server = Server([squint], ["--template-matching-enabled"])
    ask(server, "launch", app="com.squint.demo.game")
    rows = [row for row in ask(server, "dump", vision=True)["elements"]
            if " shape" in row]
    index = rows[0].split()[0]
    cases.check(rows and is_number(index), "shapes have indexes", rows)
    shot = ask(server, "screenshot", marks=True)
    cases.check(int(index) in shot["elementIndexes"].values(),
                "and their marks the same", index, shot)
    found = ask(server, "find", selector={"className": "shape"})
    cases.check(any(entry["index"] == int(index)
                    for entry in found["elements"]),
                "find answers the same", index, found)
    failed, answer = ui(server, "tap", elementIndex=int(index))
    cases.check(not failed and answer["tapped"], "they can be tapped", answer)
    ask(server, "launch", app="settings")
    failed, answer = ui(server, "tap", elementIndex=int(index))
    cases.check(failed and answer["error"] == "STALE_ELEMENT_INDEX",
                "a shape that has gone is refused", answer)
    cases.check(server.stop() == 0, "it ends")


def schemas_of(answer):
    """The input schemas of a list of tools, by name."""
    return {tool["name"]: json.dumps(tool["inputSchema"])
            for tool in answer.json()["result"]["tools"]}


def check_latest(cases, squint):
    """The list of tools does not promise that a picture is the latest."""
    latest = '"Default: the latest"'
    for options, names in (
            ([], ["ui"]),
            (["--tools=split"], ["ui_tap", "ui_swipe", "ui_pinch",
                                 "ui_screenshot"])):
        server = Server([squint], options)
        listed = schemas_of(server.modern("tools/list"))
        session = server.initialize()
        remembered = schemas_of(server.legacy(session, "tools/list"))
        for name in names:
            cases.check(latest not in listed[name]
                        and "Required for points" in listed[name],
                        f"{name} needs a screenshotId", listed[name])
            cases.check(latest in remembered[name]
                        and listed[name] == remembered[name].replace(
                            latest, '"Required for points and regions"'),
                        f"a session's {name} does not", remembered[name])
        cases.check(server.stop() == 0, "it ends")


def check_points(cases, one):
    """What the list requires is refused if it is missing."""
    region = {"x": 0, "y": 0, "width": 100, "height": 100}
    ask(one, "launch", app="settings")
    frame = ask(one, "screenshot")["screenshotId"]
    for operation, given in (("tap", {"x": 1, "y": 1}),
                             ("screenshot", {"region": region})):
        failed, answer = ui(one, operation, **given)
        cases.check(failed and answer["error"] == "AMBIGUOUS_FRAME"
                    and "screenshotId" in answer["suggestion"],
                    f"{operation} without it is refused", answer)
        ask(one, operation, screenshotId=frame, **given)


def check_stale(cases, one, two):
    """A picture of another app is refused; the answer names both."""
    for server in (one, two):
        ask(server, "launch", app="settings")
    frame = ask(one, "screenshot")["screenshotId"]
    for server in (one, two):
        ask(server, "launch", app="login")
        ask(server, "screenshot")
    for name, server in (("the same", one), ("another", two)):
        failed, answer = ui(server, "tap", x=1, y=1, screenshotId=frame)
        cases.check(failed and answer["error"] == "STALE_SCREENSHOT"
                    and "com.squint.demo.settings" in answer["message"]
                    and "com.squint.demo.login" in answer["message"],
                    f"{name} replica names both apps", answer)


def check_pixels(cases, one, two):
    """Parts of a picture, and pictures whose pixels are not there."""
    shot = ask(one, "screenshot")
    frame = shot["screenshotId"]
    part = {"screenshotRef": frame, "x": 0, "y": 0,
            "width": shot["image"]["width"] / 2,
            "height": shot["image"]["height"] / 4, "coordinateUnits": "image"}
    result = one.call("crop_screenshot", part)
    pixels = {} if result["isError"] else text_of(result)["pixels"]
    cases.check((pixels.get("width"), pixels.get("height")) == (540, 600),
                "a part in pixels of the picture is cut out", result)
    result = two.call("crop_screenshot", part)
    cases.check(result["isError"] and frame in json.dumps(result)
                and "another process" in json.dumps(result)
                and "no longer" not in json.dumps(result),
                "another replica says that it may not have made it", result)
    forged = frame[:-1] + ("A" if frame[-1] != "A" else "B")
    region = ask(one, "screenshot", screenshotId=frame, region={
        "x": 0, "y": 0, "width": 100, "height": 100})["screenshotId"]
    session = one.initialize()
    for name, wrong, said in (
            ("an id that was never given", "s999", "is unknown"),
            ("a forged id", forged, "is unknown"),
            ("an id of a region", region, "whole screen")):
        answer = one.modern("resources/read", {
            "uri": "squint://screenshot/" + wrong}).json()
        cases.check(said in json.dumps(answer) and wrong in json.dumps(answer),
                    f"{name} is refused truthfully", answer)
    answer = one.legacy(session, "resources/read", {
        "uri": "squint://screenshot/s1"}).json()
    cases.check("is unknown" in json.dumps(answer),
                "a new session knows no picture", answer)


def check_sheet(cases, squint):
    """Cells and hits are named by the refs of the answer."""
    home = tempfile.TemporaryDirectory()
    archive = pathlib.Path(home.name, "past")
    put_shots(squint, archive / "2026-01-15", "2026-01-15T09:00:00", 3, 300)
    one, two = (Server([squint], ["--archive", str(archive)], home=home.name)
                for _ in range(2))
    dates = {"startDate": "2026-01-15", "endDate": "2026-01-15"}
    sheet = text_of(one.call("contact_sheet", dates))
    refs = sheet.get("screenshotRefs", [])
    cases.check(len(refs) == len(sheet["cells"]) == 3,
                "a contact sheet has the ref of each cell", sheet)
    result = two.call("get_screenshot", {"screenshotRef": refs[1]})
    cases.check(not result["isError"], "another replica returns a cell", result)
    result = one.call("crop_screenshot", {
        "screenshotRef": refs[1], "x": 0, "y": 0, "width": 5, "height": 5,
        "coordinateUnits": "image"})
    cases.check(result["isError"] and "not remembered" in json.dumps(result)
                and "get_screenshot first" not in json.dumps(result),
                "pixels of an earlier answer are refused truthfully", result)
    result = one.call("get_screenshot", {"cell": 2})
    cases.check(result["isError"]
                and "screenshotRefs" in json.dumps(result)
                and "contact_sheet first" not in json.dumps(result),
                "the number of a cell is refused truthfully", result)
    result = one.call("get_screenshot", {"hit": 2})
    cases.check(result["isError"] and "no searches are" in json.dumps(result),
                "and so is the number of a hit", result)
    session = one.initialize()
    answer = one.legacy(session, "tools/call", {"name": "contact_sheet",
                                                "arguments": dates}).json()
    cases.check("screenshotRefs" not in json.dumps(answer),
                "a session needs no refs", answer)
    cases.check([one.stop(), two.stop()] == [0, 0], "they end")


def tap_early(server):
    """Act on an app that reacts late; whether the receipt was too early."""
    ask(server, "key", key="HOME", receipt="none")
    ask(server, "wait", stableMs=0)
    time.sleep(1)
    receipt = ask(server, "tap", selector={"text": "Settings"})
    return receipt.get("changed", 0) is None


def changed_height(changed):
    """The height of one rectangle, or of several together."""
    areas = changed if isinstance(changed, list) else [changed]
    return sum(area["height"] for area in areas)


def check_late(cases, squint):
    """The next answer that looks reports what came after the receipt."""
    server = Server([squint], ["--demo-reaction", "1500", "--watch-ms", "50"])
    for _ in range(5):  # on a busy machine the receipt may see the effect
        if tap_early(server):
            break
    else:
        cases.check(False, "a receipt comes before the effect")
    limit = time.monotonic() + 60
    late = None
    while not late and time.monotonic() < limit:
        shot = ask(server, "screenshot", size="thumb")
        late = shot.get("sinceLastAction")
    cases.check(late and next(iter(shot)) == "sinceLastAction"
                and changed_height(late["changed"]) > 100,
                "a later effect is reported first", late)
    again = ask(server, "screenshot", size="thumb")
    cases.check("sinceLastAction" not in again, "it is reported once", again)
    cases.check(server.stop() == 0, "it ends")


def main():
    """Run all checks."""
    squint = sys.argv[1]
    cases = Cases()
    home = tempfile.TemporaryDirectory()
    one, two = (Server([squint], home=home.name) for _ in range(2))
    stranger = Server([squint])
    check_lists(cases, one, two)
    check_positions(cases, one)
    check_marks(cases, one, two)
    check_latest(cases, squint)
    check_points(cases, one)
    check_stale(cases, one, two)
    check_shapes(cases, squint)
    check_pixels(cases, one, two)
    ask(stranger, "launch", app="settings")
    index = rows_by_label(ask(one, "dump")["elements"])
    failed, answer = ui(stranger, "tap",
                        elementIndex=int(next(iter(index.values()))[0]))
    cases.check(failed, "a server with another key knows no such index", answer)
    check_sheet(cases, squint)
    check_late(cases, squint)
    cases.check([server.stop() for server in (one, two, stranger)] == [0] * 3,
                "they end")
    cases.end()


if __name__ == "__main__":
    main()
