"""
Draws the pages that pictures are measured with: screens of phones and desktops as
Chromium's own PNG, with their words.

bench/picture_pages.py FOLDER SEED writes NAME.png and NAME.truth.json, always the
same for a seed and a browser.
"""
import argparse
import base64
import json
import pathlib
import random
import sys
import tempfile

import screen_pages
from screen_pages import base, browser

SEED = 30  # of the rows; 1 to 9 are for tuning

PHONE, DESKTOP, LARGE = (360, 800, 3), (1920, 1080, 1), (1920, 1080, 2)


def code(d):
    """An editor: folders, source code and a status bar."""
    theme = d.theme(d.rng.random() < 0.7)
    style = base(theme, 13, "body{padding:0;display:flex;font-family:'DejaVu Sans'}"
                 "aside{width:230px;padding:8px 14px;background:#8881}"
                 "main{flex:1;padding:8px;font-family:'DejaVu Sans Mono'}p{margin:0 0 6px}"
                 "i{font-style:normal;color:#b563ad}u{text-decoration:none;color:#a5794a}"
                 "s{text-decoration:none;color:#858585}"
                 "footer{position:absolute;bottom:0;left:0;right:0;background:#007acc;"
                 "color:#fff;font-size:12px;padding:3px 10px}")
    rows = []
    for i in range(60):
        name, other, third = d.words(1, 1), d.words(1, 1), d.words(1, 1)
        text = d.pick(f"<i>const</i> {name} = {other}[{i}];",
                      f"<i>return</i> {name}({other}, <u>{d.rng.randint(0, 999)}</u>);",
                      f"    {name}.{other} = <u>\"{third}\"</u>;",
                      f"<i>if</i> ({name} == {other} &amp;&amp; {third}) {{",
                      f"<s># {d.words(3, 9)}</s>", "}", "")
        rows.append(f"<div style='white-space:pre;height:17px'><s>{i + 10:4}</s>  "
                    f"{'  ' * d.rng.randint(0, 3)}{text}</div>")
    files = "".join(f"<p>{d.words(1, 2)}</p>" for _ in range(38))
    return style, (f"<aside>{files}</aside><main>{''.join(rows)}</main><footer>"
                   f"{d.words(3, 4)} &nbsp; {d.number()}</footer>")


def sheet(d):
    """A table as wide as a desktop."""
    theme = d.theme(False)
    head = "".join(f"<th>{d.words(1, 1)}</th>" for _ in range(14))
    rows = "".join("<tr>" + f"<td>{d.words(1, 2)}</td>" + "".join(
        f"<td>{d.number()}</td>" for _ in range(13)) + "</tr>" for _ in range(42))
    return (base(theme, 12, "table{border-collapse:collapse;width:100%}td,th{border:1px "
                 f"solid {theme[2]};padding:3px 6px;text-align:right;white-space:nowrap}}"
                 "th{background:#455a64;color:#fff}"),
            f"<table><tr>{head}</tr>{rows}</table>")


def prices(d):
    """Things to buy: a picture, a name and a price each."""
    theme = d.theme(False)
    cells = "".join(
        "<div><div style='height:150px;border-radius:8px;background:"
        f"radial-gradient(circle at {d.rng.randint(20, 80)}% {d.rng.randint(20, 80)}%,"
        f"{d.strong()},{d.rng.choice(screen_pages.SOFT)})'></div><div>{d.words(2, 3)}</div>"
        f"<b>${d.rng.randint(2, 999)}.{d.rng.randint(0, 99):02}</b> <s style='color:#888;"
        f"font-size:12px'>${d.rng.randint(2, 999)}.99</s></div>" for _ in range(8))
    return (base(theme, 14, ".g{display:grid;grid-template-columns:1fr 1fr;gap:14px}"),
            f"<h3 style='margin:0 0 10px'>{d.words(2, 3)}</h3><div class=g>{cells}</div>")


def chat(d):
    """A conversation."""
    style, first = screen_pages.chat(d)
    _, second = screen_pages.chat(d)
    return style, first + second


def table(d):
    """A dense table."""
    style, first = screen_pages.table(d)
    _, second = screen_pages.table(d)
    return style, first + second


def paper_map(d):
    """A map with labels, twice."""
    _, first = screen_pages.paper_map(d)
    style, second = screen_pages.paper_map(d)
    half = "<div style='position:absolute;left:0;top:{}px;width:400px;height:640px;"
    return style, (half.format(0) + f"overflow:hidden'>{first}</div>"
                   + half.format(640) + f"overflow:hidden'>{second}</div>")


def gradients(d):
    """Banners and a background in changing colours."""
    rows = "".join(
        f"<div style='background:linear-gradient({d.rng.randint(0, 359)}deg,{d.strong()},"
        f"{d.strong()});color:#fff;border-radius:12px;padding:14px;margin-bottom:10px'>"
        f"<b>{d.words(1, 3)}</b><br>{d.words(3, 6)}</div>" for _ in range(9))
    return (f"body{{margin:0;height:800px;padding:14px;font-size:14px;background:"
            f"linear-gradient({d.rng.randint(0, 359)}deg,{d.strong()},#fff,"
            f"{d.rng.choice(screen_pages.SOFT)})}}", rows)


def settings(d):
    """A list of settings."""
    style, first = screen_pages.settings(d)
    return style, first + screen_pages.settings(d)[1]


def photo(d):
    """Colours, light and the noise of a camera, without words."""
    rng = d.rng
    layers = ",".join(
        f"radial-gradient(circle at {rng.randint(0, 100)}% {rng.randint(0, 100)}%,"
        f"hsla({rng.randint(0, 359)},{rng.randint(20, 70)}%,{rng.randint(10, 80)}%,.9) 0,"
        f"transparent {rng.randint(20, 70)}%)" for _ in range(9))
    noise = "".join(
        f"<filter id=f{i}><feTurbulence type=fractalNoise baseFrequency='{size}' "
        f"numOctaves={octaves} seed={rng.randint(1, 999)} /></filter>"
        f"<rect width=100% height=100% opacity={opacity} filter='url(#f{i})' "
        f"style='mix-blend-mode:{mode}'/>"
        for i, (size, octaves, opacity, mode) in enumerate((
            (.006, 6, .7, "hard-light"), (.9, 1, .12, "overlay"))))
    return (f"body{{margin:0;height:100vh;background:{layers},#567}}",
            f"<svg style='position:absolute;inset:0;width:100%;height:100%'>{noise}</svg>")


# name: what is drawn, and on which screen. The first nine have words that are read.
PAGES = {
    "code": (code, DESKTOP), "prices": (prices, PHONE), "chat": (chat, PHONE),
    "code-4k": (code, LARGE), "table": (table, PHONE), "map": (paper_map, PHONE),
    "gradients": (gradients, PHONE), "settings": (settings, PHONE),
    "sheet": (sheet, DESKTOP), "photo": (photo, PHONE),
    "photo-1080": (photo, DESKTOP),
}
READ = list(PAGES)[:9]


def inside(words, width, height):
    """The words that are in the window, whole."""
    return [word for word in words if word[1] >= 0 and word[2] >= 0
            and word[3] <= width and word[4] <= height]


def draw(page, folder, name, seed):
    """Write one page."""
    kind, (width, height, ratio) = PAGES[name]
    drawing = screen_pages.Drawing(random.Random(f"{seed} {name}"),
                                   screen_pages.FAMILIES)
    own, body = kind(drawing)
    text = (f"<!doctype html><meta charset=utf-8><style>*{{box-sizing:border-box}}"
            f"body{{font-family:'{drawing.family}';overflow:hidden}}{own}</style>{body}")
    page.ask("Emulation.setDeviceMetricsOverride", width=width, height=height,
             deviceScaleFactor=ratio, mobile=False)
    page.ask("Emulation.setScrollbarsHidden", hidden=True)
    with tempfile.NamedTemporaryFile("w", suffix=".html") as file:
        file.write(text)
        file.flush()
        page.events.clear()
        page.ask("Page.navigate", url="file://" + file.name)
        page.take_event("Page.loadEventFired")
        words = inside(page.evaluate(screen_pages.COLLECT), width, height)
    picture = page.ask("Page.captureScreenshot", format="png")["data"]
    (folder / f"{name}.png").write_bytes(base64.b64decode(picture))
    (folder / f"{name}.truth.json").write_text(json.dumps({"dpr": ratio, "words": words}))


def write(folder, seed, names=tuple(PAGES)):
    """Write the pages of a seed; returns whether there is a browser."""
    program = browser.find()
    if not program:
        return False
    folder.mkdir(parents=True, exist_ok=True)
    page = browser.Browser(program)
    try:
        for name in names:
            draw(page, folder, name, seed)
    finally:
        page.close()
    return True


def main():
    """Write the pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("seed", type=int)
    options = parser.parse_args()
    if not write(options.folder, options.seed):
        sys.exit("no Chromium is installed (apt install chromium)")


if __name__ == "__main__":
    main()
