#!/usr/bin/env python3
"""defects.py FAKE SQUINT: defects of the original screenshot tool do not occur,
one case for each, on the real binary."""

import base64
import json
import os
import sys

sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position,missing-function-docstring
import session
from session import UDID, await_true, button, elements, png
from children import all_processes
from picture_size import picture_size


def reported_size_is_the_real_one(it):
    for size, want in (("half", "236x512"), ("quarter", "118x256"),
                       ("thumb", "59x128"), ("full", "1179x2556")):
        result = it.ask("screenshot", size=size, elements=False)
        image, text = result["content"]
        answer = json.loads(text["text"])
        kind, width, height = picture_size(base64.b64decode(image["data"]))
        assert kind == "image/webp", kind
        assert f"{width}x{height}" == want, (width, height)
        assert answer["screenshotSize"]["dimensions"] == want, answer
        assert answer["image"] == {"width": width, "height": height}


def picture_is_before_the_text(it):
    kinds = [block["type"] for block in it.ask("screenshot")["content"]]
    assert kinds == ["image", "text"], kinds


def token_counts_depend_on_the_size(it):
    costs = [it.ui("screenshot", size=size, elements=False)
             ["screenshotSize"]["estimatedTokens"]
             for size in ("thumb", "quarter", "half", "full")]
    assert costs == sorted(costs) and len(set(costs)) == 4, costs
    assert 170 not in costs and 340 not in costs, costs


def scales_are_not_rounded(it):
    shot = it.ui("screenshot", size="half", elements=False)
    scale = shot["coordinateTransform"]
    assert scale["scaleX"] == 393 / 236, scale
    assert scale["scaleY"] == 852 / 512, scale
    # With 1.67 and 1.66 this would be 392 and 848.
    tap = it.ui("tap", x=235, y=511, applyScreenshotScale=True,
                screenshotScaleX=scale["scaleX"],
                screenshotScaleY=scale["scaleY"], receipt="none")["tapped"]
    assert (tap["deviceX"], tap["deviceY"]) == (391, 850), tap
    tap = it.ui("tap", x=235, y=511, receipt="none")["tapped"]
    assert (tap["deviceX"], tap["deviceY"]) == (391, 850), tap


def full_picture_has_a_transform(it):
    shot = it.ui("screenshot", size="full", elements=False)
    transform = shot["coordinateTransform"]
    assert (transform["scaleX"], transform["scaleY"]) == (1 / 3, 1 / 3), shot
    assert transform["originalDimensions"] == {"width": 393, "height": 852}
    assert transform["displayDimensions"] == {"width": 1179, "height": 2556}
    assert transform["guidance"], transform


def results_have_every_field_of_the_original(it):
    for options in ({"size": "half"}, {}):
        shot = it.ui("screenshot", **options)
        assert shot["success"] is True and shot["udid"] == UDID, shot
        for field in ("simulatorInfo", "imageFormat", "screenshotSize",
                      "coordinateTransform", "coordinateTransformHelper",
                      "screenDimensions", "interactiveElements", "guidance"):
            assert shot[field], (field, shot)
        assert shot["screenshotSize"]["tiles"] >= 1, shot
        for sizes in (shot["imageSizes"], shot["screenshotSize"]["fileSizes"]):
            assert 0 < sizes["optimized"] < sizes["original"], shot
        assert shot["coordinateTransformHelper"]["example"], shot


def screen_size_is_read_from_the_device(it):
    for points, pixels, scale in (((1024, 1366), (2048, 2732), 2),
                                  ((375, 667), (750, 1334), 2),
                                  ((852, 393), (2556, 1179), 3)):
        it.put("tree", elements(*points, button("Go", 10, 20, 30, 40)))
        it.put("shot", png(*pixels))
        it.simulator.control("idb describe-all say tree",
                             "xcrun screenshot say shot")
        shot = it.ui("screenshot")
        assert shot["screenDimensions"] == {
            "width": points[0], "height": points[1], "scale": scale,
            "pixels": {"width": pixels[0], "height": pixels[1]}}, shot
        box = shot["interactiveElements"]["elements"][0]["bounds"]
        wide = shot["image"]["width"]
        assert box["x"] == round(10 * wide / points[0]), (box, wide)


def elements_are_not_read_from_a_made_up_bundle(it):
    shot = it.ui("screenshot", appName="My App")
    assert shot["interactiveElements"]["count"] == 8, shot
    assert not it.calls("xcrun", "query")
    assert not any("com.example" in word for call in it.calls()
                   for word in call)


def at_most_twenty_elements_and_their_total(it):
    many = [button(f"b{i}", 10, 20 * i, 30, 15) for i in range(30)]
    it.put("tree", elements(393, 852, *many))
    it.simulator.control("idb describe-all say tree")
    found = it.ui("screenshot")["interactiveElements"]
    assert found["count"] == 20 and found["total"] == 30, found
    assert len(found["elements"]) == 20


def orientation_of_a_view_is_reported(it):
    it.ui("launch", packageName="com.squint.demo.rotate")
    upright = it.ui("screenshot", enableCoordinateCaching=True)
    assert upright["viewFingerprint"]["orientation"] == "portrait"
    it.ui("tap", selector={"resourceId": "landscape"})
    turned = it.ui("screenshot", enableCoordinateCaching=True)
    assert turned["viewFingerprint"]["orientation"] == "landscape"
    assert turned["image"] == {"width": 1000, "height": 461}


def guidance_names_no_missing_tools(it):
    result = it.ask("screenshot", size="half", enableCoordinateCaching=True)
    text = result["content"][1]["text"]
    for name in ("simctl-", "idb-ui-", "com.example"):
        assert name not in text, text


def element_is_tapped_at_its_centre(it):
    it.ui("dump")
    tap = it.ui("tap", selector={"text": "Login"})["tapped"]
    call = it.calls("idb", "tap")[-1]
    # Login is at {106, 608}, 90x100.
    assert call[3:5] == ["151", "658"], call
    assert (tap["deviceX"], tap["deviceY"]) == (151, 658), tap


def fractional_frames_are_rounded(it):
    it.put("tree", elements(393, 852, button("A", 15.999999999999986, 100.6,
                                             64, 87.5)))
    it.simulator.control("idb describe-all say tree")
    it.ui("tap", selector={"text": "A"}, receipt="none")
    # 16 to 80 and 101 to 188: the middle is 48, 144.
    assert it.calls("idb", "tap")[-1][3:5] == ["48", "144"]


def filter_levels_are_documented(it):
    levels = ["strict", "moderate", "permissive", "none"]
    page = it.server.call("rtfm", operation="dump")
    text = page["content"][0]["text"]
    assert all(name in text for name in ["filterLevel", *levels]), text
    it.ui("launch", packageName="com.squint.demo.settings")
    counts = [it.ui("dump", filterLevel=name, limit=500)["count"]
              for name in levels]
    assert counts == sorted(counts) and counts[0] < counts[3], counts


def find_understands_every_format_of_idb(it):
    for text in (elements(393, 852, button("Wi-Fi", 10, 20, 30, 40)),
                 "\n".join(json.dumps(item) for item in json.loads(
                     elements(393, 852, button("Wi-Fi", 10, 20, 30, 40)))),
                 json.dumps({**json.loads(elements(393, 852))[0],
                             "children": [button("Wi-Fi", 10, 20, 30, 40)]})):
        it.put("tree", text)
        it.simulator.control("idb describe-all say tree")
        found = it.ui("find", selector={"text": "Wi-Fi"})
        assert found["count"] == 1, found


def durations_are_converted_to_seconds(it):
    it.ui("tap", x=10, y=10, durationMs=1500, receipt="none")
    call = it.calls("idb", "tap")[-1]
    assert call[call.index("--duration") + 1] == "1.500", call
    it.ui("swipe", **{"from": {"x": 200, "y": 500}, "to": {"x": 200, "y": 200}},
          durationMs=250, receipt="none")
    call = it.calls("idb", "swipe")[-1]
    assert call[call.index("--duration") + 1] == "0.250", call


def key_names_are_converted_to_codes(it):
    for name, want in (("enter", ["key", "40"]), ("tab", ["key", "43"]),
                       ("backspace", ["key", "42"]), ("up", ["key", "82"]),
                       ("home", ["button", "HOME"]),
                       ("lock", ["button", "LOCK"])):
        it.ui("key", name=name, receipt="none")
        call = it.calls("idb")[-1]
        assert call[:4] == ["idb", "ui", *want], call
    answer = it.expect_error("key", name="back")
    assert "no back key" in answer["message"], answer


def arguments_do_not_pass_through_a_shell(it):
    it.ui("launch", packageName="com.squint.demo.login")
    nasty = "$(touch owned) `id` ; rm -rf / | & > x \"'\\ --help -x"
    it.ui("input", text=nasty, selector={"text": "Username"})
    assert it.calls("shell", "text")[-1][-2:] == ["--", nasty]
    for text in ("--help", "-h", "--udid"):
        it.ui("input", text=text, selector={"resourceId": "username"})
        assert it.calls("shell", "text")[-1][-2:] == ["--", text]
    for udid in ("booted", "; reboot", "$(id)", "--help", "../x", UDID + " ",
                 "x" * 90):
        answer = it.expect_error("screenshot", deviceId=udid)
        assert answer["error"] == "DEVICE_NOT_FOUND", answer
    for package in ("--help", "a b", "$(id)", "a;b", "a/../b"):
        it.expect_error("launch", packageName=package)
    words = {word for call in it.calls() for word in call}
    for word in ("booted", "; reboot", "$(id)", "../x", UDID + " ", "a b"):
        assert word not in words, word
    folder = it.simulator.folder.name
    assert "owned" not in os.listdir(folder)
    assert "owned" not in os.listdir(it.server.folder.name)


def far_edge_is_outside(it):
    for x, y in ((393, 10), (10, 852), (-1, 0)):
        answer = it.expect_error("tap", x=x, y=y, deviceSpace=True)
        assert answer["error"] == "INPUT_VALIDATION_FAILED", answer
        assert "393x852" in answer["message"], answer
    it.ui("tap", x=392, y=851, deviceSpace=True, receipt="none")


def failures_are_tool_errors(it):
    it.simulator.control("xcrun screenshot fail Something is broken")
    answer = it.expect_error("screenshot")
    assert answer["error"] == "SCREENSHOT_FAILED", answer
    assert "Something is broken" in answer["message"], answer
    assert answer["suggestion"], answer


def unknown_size_is_half(it):
    """As in the original, but the answer says so."""
    half = it.ui("screenshot", size="half")
    assert "sizeNote" not in half, half
    for size in ("huge", "", 512):
        shot = it.ui("screenshot", size=size)
        assert shot["image"] == half["image"], (size, shot)
        assert "half, full, quarter or thumb" in shot["sizeNote"], shot
    answer = it.expect_error("screenshot", size={})
    assert "half, full, quarter, thumb" in answer["message"], answer


@session.with_slowness(2)
def timed_out_program_is_ended(it):
    it.ui("screenshot")
    it.simulator.control("xcrun getenv hang", "idb list-targets hang",
                         "idb tap hang")
    answer = it.expect_error("tap", x=10, y=10, receipt="none")
    assert answer["error"] == "TIMEOUT", answer
    # Another idb may be asked in the background whether it answers again.
    program = it.simulator.folder.name + "/idb"
    await_true("the tap ends", lambda: not [
        line for _, _, line in all_processes()
        if program in line and " tap " in line])


def no_files_are_left(it):
    it.ui("screenshot", size="half")
    it.simulator.control("xcrun - fail no standard output")
    it.ui("screenshot", size="half")
    it.ui("screenshot", size="thumb")
    path = it.calls("xcrun", "screenshot")[-1][-1]
    assert path.startswith(it.simulator.env["TMPDIR"]), path
    assert not os.listdir(it.simulator.env["TMPDIR"])


def taps_in_pixels_are_converted_to_points(it):
    shot = it.ui("screenshot", size="full", elements=False)
    assert shot["image"] == {"width": 1179, "height": 2556}
    it.ui("tap", x=600, y=1200, receipt="none")
    assert it.calls("idb", "tap")[-1][3:5] == ["200", "400"]


def _turned(it):
    it.ui("launch", packageName="com.squint.demo.rotate")
    it.ui("tap", selector={"resourceId": "landscape"})
    it.ui("screenshot")
    answer = it.ui("tap", selector={"resourceId": "landscape"})
    assert answer["tapped"]["coordinateSpace"] == "image"
    return it.ui("screenshot")["image"]


def rotated_simulators_are_tapped_at_the_right_place(it):
    assert _turned(it) == {"width": 461, "height": 1000}
    for turn in ("right", "both"):
        with session.session(*sys.argv[1:3], turn=turn) as other:
            assert _turned(other) == {"width": 461, "height": 1000}, turn


if __name__ == "__main__":
    sys.exit(session.run(sys.modules["__main__"], *sys.argv[1:3]))
