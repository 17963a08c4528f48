#!/usr/bin/env python3
"""make.py FOLDER: write trees of elements in the formats of Android's tools.

The screens are invented; their formats are those of real dumps: uiautomator's,
also with the attributes that newer versions of Android add, of phones,
televisions and cars (whose windows need not start at 0,0), and Appium's, whose
elements are named after their classes. FOLDER/counts lists what each contains,
counted before it is written: name, nodes, greatest depth, clickable nodes,
nodes without a label.
"""

import pathlib
import sys
from xml.sax.saxutils import quoteattr

WIDGET = "android.widget."
NATIVE = ("checkable", "checked", "clickable", "enabled", "focusable",
          "focused", "scrollable", "long-clickable", "password", "selected")
APPIUM = ("checkable", "checked", "clickable", "enabled", "focusable",
          "focused", "long-clickable", "password", "scrollable", "selected")


class Node:
    """An element; flags are those that are true in addition to enabled."""

    # pylint: disable=too-many-arguments
    def __init__(self, kind, bounds, *inside, text="", desc="", name="",
                 flags=(), hint="", unlabelled=False):
        self.kind, self.bounds, self.inside = kind, bounds, inside
        self.text, self.desc, self.name, self.hint = text, desc, name, hint
        self.flags = {"enabled", *flags}
        self.unlabelled = unlabelled

    def walk(self, depth=0):
        """(depth, element) of it and all its descendants."""
        yield depth, self
        for inner in self.inside:
            yield from inner.walk(depth + 1)


def box(node):
    """bounds="[left,top][right,bottom]", if the element has bounds."""
    if node.bounds is None:
        return []
    return ['bounds="[{},{}][{},{}]"'.format(*node.bounds)]


def wrap(node, times, kind="FrameLayout"):
    """Wrap it in containers of the same size, like apps do."""
    for i in range(times):
        inner = WIDGET + ("LinearLayout" if i % 3 == 1 else kind)
        node = Node(inner, node.bounds, node)
    return node


def label(bounds, text, **more):
    """A text."""
    return Node(WIDGET + "TextView", bounds, text=text, **more)


def button(bounds, text, **more):
    """A button."""
    return Node(WIDGET + "Button", bounds, text=text,
                flags=("clickable", "focusable"), **more)


def row(bounds, *inside, **more):
    """A clickable row of a list."""
    return Node(WIDGET + "LinearLayout", bounds, *inside,
                flags=("clickable", "focusable"), **more)


def phone_forecast():
    """A current phone, with a search field and a long list."""
    days = ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag",
            "S\u00e1bado", "\u65e5\u66dc\u65e5", "Mod\u00e9r\u00e9"]
    lines = []
    for i, day in enumerate(days):
        top = 700 + 180 * i
        lines.append(row((0, top, 1080, top + 180),
                         label((48, top + 20, 500, top + 90), day,
                               name="day"),
                         label((600, top + 20, 1032, top + 90),
                               f"{12 + i} / {3 - i} \u00b0C", name="range"),
                         Node(WIDGET + "ImageView",
                              (48, top + 100, 118, top + 170),
                              desc=f"{day}: rain & <sun>"),
                         Node("android.view.View",
                              (0, top + 178, 1080, top + 180))))
    page = Node("androidx.recyclerview.widget.RecyclerView",
                (0, 700, 1080, 2361), *lines, name="forecast",
                flags=("scrollable", "focusable"))
    field = Node(WIDGET + "EditText", (48, 150, 1032, 280), name="search",
                 hint="Search for a place",
                 flags=("clickable", "focusable", "long-clickable",
                        "focused"))
    top = Node("android.view.ViewGroup", (0, 126, 1080, 690), field,
               label((48, 320, 1032, 480), "Gro\u00dfenhain"),
               label((48, 480, 1032, 660), "12 / 3 \u00b0C", name="now"))
    body = wrap(Node("androidx.compose.ui.platform.ComposeView",
                     (0, 126, 1080, 2361), top, page), 12, "FrameLayout")
    return Node(WIDGET + "FrameLayout", (0, 0, 1080, 2424), body,
                Node("android.view.View", (0, 2361, 1080, 2424),
                     name="android:id/navigationBarBackground"))


def phone_drawer():
    """A launcher's apps; the bar below them is not part of its window."""
    icons = []
    for i in range(32):
        left, top = 30 + 255 * (i % 4), 300 + 220 * (i // 4)
        icons.append(Node(WIDGET + "TextView",
                          (left, top, left + 240, top + 210),
                          text=f"App {i + 1}", desc=f"App {i + 1}",
                          flags=("clickable", "focusable",
                                 "long-clickable")))
    grid = Node(WIDGET + "GridView", (0, 300, 1080, 2060), *icons,
                flags=("scrollable",))
    handle = Node(WIDGET + "ImageView", (500, 250, 580, 290),
                  flags=("clickable", "focusable"), unlabelled=True)
    return wrap(Node(WIDGET + "RelativeLayout", (0, 0, 1080, 2156),
                     label((60, 120, 1020, 220), "Alle Apps"), handle, grid),
                6)


def tv_home():
    """A television's rows of channels, with everything that XML escapes."""
    names = ["A&E", "\"Quoted\" TV", "Kids' Club", "<Live>", "News & More",
             "3 > 2", "Caf\u00e9", "\U0001f3ac Films"]
    rows = []
    for i in range(3):
        tiles = []
        for k, name in enumerate(names):
            left, top = 60 + 230 * k, 300 + 250 * i
            tiles.append(Node(WIDGET + "FrameLayout",
                              (left, top, left + 220, top + 200),
                              Node(WIDGET + "ImageView",
                                   (left, top, left + 220, top + 150),
                                   desc=name),
                              label((left, top + 150, left + 220, top + 200),
                                    f"{name} {i}" if i else name),
                              flags=("clickable", "focusable")))
        rows.append(Node("androidx.leanback.widget.HorizontalGridView",
                         (0, 290 + 250 * i, 1920, 510 + 250 * i), *tiles,
                         flags=("focusable", "scrollable")))
    return wrap(Node("androidx.recyclerview.widget.RecyclerView",
                     (0, 0, 1920, 1080), label((60, 60, 900, 140), "Home"),
                     *rows), 9)


def tv_guide():
    """Many elements, and some without a label."""
    lines = []
    for i in range(24):
        top = 90 + 40 * i
        cells = []
        for k in range(6):
            left = 300 + 270 * k
            cells.append(Node("android.view.ViewGroup",
                              (left, top, left + 260, top + 38),
                              label((left, top, left + 260, top + 38),
                                    f"S{k + 1} | E{i + 1} Bread & Butter"),
                              flags=("focusable",)))
        lines.append(row((0, top, 1920, top + 38),
                         Node(WIDGET + "ImageView", (0, top, 280, top + 38),
                              unlabelled=i % 3 == 0), *cells))
    return wrap(Node(WIDGET + "ScrollView", (0, 80, 1920, 1080), *lines,
                     flags=("scrollable",)), 5)


def phone_web():
    """A web page, deeply nested, with right-to-left scripts, and
    elements without bounds, as browsers report hidden ones."""
    texts = ["\u0645\u0631\u062d\u0628\u0627 \u0628\u0643\u0645",
             "\u05e9\u05dc\u05d5\u05dd 123 abc",
             "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1e9\U0001f1ea",
             "e\u0301 \u0915\u094d\u0937 \u0e01\u0e33",
             "\u202eright to left\u202c"]
    lines = [Node("android.view.View", (0, 300 + 90 * i, 1080, 390 + 90 * i),
                  text=text, desc=text if i % 2 else "",
                  flags=("clickable", "focusable") if i < 2 else ())
             for i, text in enumerate(texts)]
    lines.append(Node("android.view.View", None, text="out of sight"))
    lines.append(Node("android.view.View", None,
                      button((0, 0, 0, 0), "of no size")))
    page = Node("android.view.View", (0, 210, 1080, 2337), *lines)
    for _ in range(120):
        page = Node("android.view.View", page.bounds, page)
    return wrap(Node("android.webkit.WebView", (0, 210, 1080, 2337), page,
                     text="A page", flags=("focusable", "focused",
                                           "scrollable")), 8)


def phone_article():
    """A text that is longer than most dumps."""
    lines = [f"{i}: \u00abWords & more words\u00bb, <b>{i * i}</b>"
             for i in range(4000)]
    return wrap(Node(WIDGET + "ScrollView", (0, 126, 1080, 2361),
                     label((0, 126, 1080, 90000), "\n".join(lines)),
                     label((0, 90000, 1080, 90100), "The end"),
                     flags=("scrollable",)), 3)


def car_settings(edge=79):
    """A car's window in the middle of its screen, in Korean."""
    words = ["\uc870\uba85", "\ub0b4\ube44\uac8c\uc774\uc158",
             "\uc18c\ub9ac", "\ud654\uba74 \ubc1d\uae30"]
    inside = []
    for i in range(10):
        top = 120 + 80 * i
        inside.append(row((680, top, 1860, top + 76),
                          label((700, top, 1300, top + 76),
                                words[i % len(words)]),
                          Node(WIDGET + "Switch", (1700, top, 1840, top + 76),
                               flags=("checkable", "focusable")
                               + (("checked",) if i % 2 else ()),
                               unlabelled=i < 6)))
    return wrap(Node(WIDGET + "ScrollView", (640, edge, 1898, 965), *inside,
                     flags=("scrollable",)), 7)


def car_question():
    """A text of two lines, and two answers."""
    return wrap(Node(WIDGET + "LinearLayout", (678, 312, 1242, 767),
                     label((700, 330, 1220, 600),
                           "\ub2e4\uc74c\uc5d0 [\uc124\uc815 > \uc870\uba85]"
                           "\uc5d0\uc11c\n\ubc14\uafc0 \uc218 "
                           "\uc788\uc5b4\uc694."),
                     Node(WIDGET + "LinearLayout", (700, 620, 1220, 740),
                          button((700, 620, 950, 740), "\ucde8\uc18c"),
                          button((970, 620, 1220, 740), "\ud655\uc778"))), 4)


def car_popup():
    """A single text."""
    return wrap(Node(WIDGET + "LinearLayout", (800, 400, 1120, 600),
                     label((820, 420, 1100, 500), "Doors & windows"),
                     button((820, 520, 1100, 590), "OK")), 3)


def nothing():
    """Appium's output for an empty window."""
    return Node(WIDGET + "FrameLayout", (640, 79, 1898, 965))


def quoted(value):
    """The value as an attribute; line ends are kept."""
    return quoteattr(value, {"\n": "&#10;", '"': "&quot;"})


def truth(value):
    """A boolean in the format of Android."""
    return '"true"' if value else '"false"'


def native(node, package, index=0, extra=False):
    """An element in the format of uiautomator, on one line."""
    words = [f'index="{index}"', f"text={quoted(node.text)}",
             f"resource-id={quoted(identifier(node, package))}",
             f"class={quoted(node.kind)}", f"package={quoted(package)}",
             f"content-desc={quoted(node.desc)}"]
    words += [f"{flag}={truth(flag in node.flags)}" for flag in NATIVE]
    words += box(node)
    if extra:
        words += [f'drawing-order="{index}"', f"hint={quoted(node.hint)}"]
    if node.unlabelled:
        words.insert(0, 'NAF="true"')
    inside = "".join(native(inner, package, i, extra)
                     for i, inner in enumerate(node.inside))
    start = "<node " + " ".join(words)
    return f"{start}>{inside}</node>" if inside else f"{start} />"


def identifier(node, package):
    """com.example:id/name"""
    if not node.name or ":" in node.name:
        return node.name
    return f"{package}:id/{node.name}"


def appium(node, package, index=0, margin="  "):
    """An element in the format of Appium's UiAutomator2, on several lines."""
    words = [f'index="{index}"', f"package={quoted(package)}",
             f"class={quoted(node.kind)}", f"text={quoted(node.text)}"]
    if node.desc:
        words.append(f"content-desc={quoted(node.desc)}")
    if node.name:
        words.append(f"resource-id={quoted(identifier(node, package))}")
    words += [f"{flag}={truth(flag in node.flags)}" for flag in APPIUM]
    words += box(node)
    words += ['displayed="true"', 'a11y-important="true"',
              f'drawing-order="{index}"']
    start = f"{margin}<{node.kind} " + " ".join(words)
    if not node.inside:
        return f"{start} />\n"
    inside = "".join(appium(inner, package, i, margin + "  ")
                     for i, inner in enumerate(node.inside))
    return f"{start}>\n{inside}{margin}</{node.kind}>\n"


HEAD = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"


def native_file(root, package, extra=False):
    """A complete dump."""
    return (f'{HEAD}<hierarchy rotation="0">'
            f"{native(root, package, extra=extra)}</hierarchy>")


def appium_file(root, package):
    """A complete page source."""
    return (f'{HEAD}\n<hierarchy index="0" class="hierarchy" rotation="0" '
            f'width="1920" height="957">\n{appium(root, package)}'
            "</hierarchy>\n")


DUMPS = {
    "phone_forecast": (phone_forecast(), lambda root: native_file(
        root, "com.example.weather", extra=True)),
    "phone_drawer": (phone_drawer(), lambda root: native_file(
        root, "com.example.launcher")),
    "phone_web": (phone_web(), lambda root: native_file(
        root, "com.example.browser")),
    "phone_article": (phone_article(), lambda root: native_file(
        root, "com.example.reader")),
    "tv_home": (tv_home(), lambda root: native_file(root, "com.example.tv")),
    "tv_guide": (tv_guide(), lambda root: native_file(
        root, "com.example.tv")),
    "car_settings": (car_settings(), lambda root: native_file(
        root, "com.example.car")),
    "car_question": (car_question(), lambda root: native_file(
        root, "com.example.car")),
    "car_settings_appium": (car_settings(), lambda root: appium_file(
        root, "com.example.car")),
    "car_popup_appium": (car_popup(), lambda root: appium_file(
        root, "com.example.car")),
    "empty_appium": (nothing(), lambda root: appium_file(
        root, "com.example.car")),
}


def count(name, root, is_native):
    """A line with the counts of a dump."""
    nodes = list(root.walk())
    clickable = sum("clickable" in node.flags for _, node in nodes)
    unlabelled = is_native * sum(node.unlabelled for _, node in nodes)
    return (f"{name} {len(nodes)} {max(depth for depth, _ in nodes)} "
            f"{clickable} {unlabelled}\n")


def main(folder):
    """The command line."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    counts = ""
    for name, (root, write) in DUMPS.items():
        text = write(root)
        (folder / f"{name}.xml").write_text(text, encoding="utf-8")
        counts += count(name, root, not name.endswith("appium"))
    (folder / "counts").write_text(counts, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
