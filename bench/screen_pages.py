"""
Draws screens whose words are known, for bench/vision.py: badges, chips, marked
words, keys, maps, photographs, tables and more, in a headless Chromium.

bench/screen_pages.py FOLDER SEED [--kinds a,b] [--fonts FOLDER] writes two pages
of every kind, always the same for a seed and a browser. --fonts uses the fonts of
a folder instead of DejaVu. Then bench/vision.py BENCH-VISION SQUINT FOLDER compares
squint with Tesseract's own layout on each page. --numbers N writes pages with N
random numbers instead.
"""
import argparse
import base64
import json
import pathlib
import random
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "viewer"))
import browser  # noqa: E402 pylint: disable=wrong-import-position

PAGES = 2  # of each kind
WIDTH, HEIGHT = 400, 640
WORDS = """account archive battery branch Budget calendar camera Cancel Channel
checkout Comments Continue contract coverage Customer Dashboard Delete delivery
Description device Display document Download engine Export failed Favourite
Filter Folder garden Guests Hamburg history Image Import invoice Kitchen
Language Library License Location machine Market Memory Message Milano network
Notes Offers office Order Overview Palermo parking Password payment Payments
People Phone Picture platform Preview Privacy product Profile project protein
quality Reports Review river running Sales Saved schedule School Search Season
security Service Settings Shipping shopping Sign signal Sound Station Storage
Street student Summary Support system Theatre ticket Today Tower traffic Travel
Update vehicle Version village Visitor volume Warehouse Weather Window winter
Yesterday all bill fill in is it of on the to up we""".split()
TAGS = """NEW Beta PRO Sale Paid Open Draft Live Hot Failed Passed Pending urgent
v2.4 -20% 12 99+ 3 Admin Owner In Review Done Closed Blocked Free Sold
Active Muted Default merged feature bug help wanted""".split()
STRONG = ["#1a73e8", "#d93025", "#188038", "#6a1b9a", "#e65100", "#00838f",
          "#c2185b", "#37474f", "#283593", "#2e7d32", "#b71c1c", "#5d4037"]
SOFT = ["#e8f0fe", "#fce8e6", "#e6f4ea", "#f3e5f5", "#fff3e0", "#e0f7fa",
        "#fce4ec", "#eceff1", "#fff59d", "#c8e6c9", "#ffe0b2", "#bbdefb"]
FAMILIES = ["DejaVu Sans", "DejaVu Sans Condensed", "DejaVu Serif"]

# Collects the words that are drawn: [text, left, top, right, bottom].
COLLECT = r"""(async () => {
  await document.fonts.ready;
  const words = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const style = getComputedStyle(node.parentElement);
    for (const found of node.data.matchAll(/\S+/g)) {
      const range = document.createRange();
      range.setStart(node, found.index);
      range.setEnd(node, found.index + found[0].length);
      const box = range.getBoundingClientRect();
      const text = style.textTransform === 'uppercase'
        ? found[0].toUpperCase() : found[0];
      if (box.width > 0)
        words.push([text, box.left, box.top, box.right, box.bottom]);
    }
  }
  return words;
})()"""


class Drawing:
    """Random choices of one page."""

    def __init__(self, rng, families):
        self.rng = rng
        self.family = rng.choice(families)

    def words(self, least, most):
        """Some words as one text."""
        count = self.rng.randint(least, most)
        return " ".join(self.rng.choice(WORDS) for _ in range(count))

    def number(self):
        """A number as screens show it."""
        rng = self.rng
        big = rng.randint(0, 10 ** rng.randint(1, 7))
        cents = rng.randint(0, 99)
        return rng.choice([
            f"{big:,}", f"{big}", f"{rng.randint(0, 100)}%",
            f"-{rng.randint(0, 99)}.{cents:02}%", f"+{rng.randint(0, 99)}.{cents % 10}%",
            f"${big % 100000:,}.{cents:02}", f"{rng.randint(0, 23)}:{cents % 60:02}",
            f"{big % 1000}.{cents:02}", f"2026-{1 + cents % 12:02}-{1 + cents % 28:02}",
            f"#{big}", f"-{big % 10000:,}", f"{rng.randint(1, 400)} GB"])

    def pick(self, *choices):
        """One of the choices."""
        return self.rng.choice(choices)

    def strong(self):
        """A saturated colour."""
        return self.rng.choice(STRONG)

    def tag(self):
        """The text of a badge."""
        return self.rng.choice(TAGS)

    def theme(self, dark=None):
        """Background, text, and lines between."""
        dark = self.rng.random() < 0.4 if dark is None else dark
        light = self.pick("#fff", "#fafafa", "#f5f5f5", "#f1f3f4")
        night = self.pick("#121212", "#1e1e1e", "#0d1117", "#202124")
        return ((night, self.pick("#e8eaed", "#fff", "#c9d1d9"), "#3c4043")
                if dark else (light, self.pick("#202124", "#000", "#333"), "#dadce0"))


def base(theme, size, more=""):
    """The style of a page."""
    return (f"body{{background:{theme[0]};color:{theme[1]};font-size:{size}px;"
            f"margin:0;padding:14px}}{more}")


def badges(d, dark=False):
    """Rows with badges."""
    theme = d.theme(dark)
    rows = []
    for _ in range(14):
        radius = d.pick(2, 4, 10, 14)
        size = d.pick(10, 11, 12, 13)
        marks = "".join(
            f"<b style='background:{d.strong()};color:#fff;border-radius:{radius}px;"
            f"padding:{d.pick(1, 2, 3)}px {d.pick(5, 7, 9)}px;font-size:{size}px;"
            f"margin:0 5px;font-weight:{d.pick(400, 700)}'>{d.tag()}</b>"
            for _ in range(d.rng.randint(1, 2)))
        rows.append(f"<p style='margin:0 0 11px'>{d.words(1, 2)} {marks} "
                    f"{d.words(0, 2)}</p>")
    return base(theme, d.pick(13, 14, 15, 16)), "".join(rows)


def chips(d):
    """Chips: filled, outlined and selected ones."""
    theme = d.theme()
    parts = []
    for _ in range(34):
        colour = d.strong()
        look = d.pick(
            f"background:{colour};color:#fff",
            f"border:1px solid {theme[1]}", f"border:1px solid {colour}",
            f"background:{d.rng.choice(SOFT)};color:#202124",
            f"background:linear-gradient({colour},{d.strong()});color:#fff")
        parts.append(f"<span style='display:inline-block;{look};margin:4px;"
                     f"border-radius:{d.pick(4, 8, 16)}px;padding:{d.pick(4, 6)}px "
                     f"{d.pick(9, 12)}px'>{d.words(1, 2)}</span>")
    return base(theme, d.pick(12, 13, 14)), "".join(parts)


def marked(d):
    """Text with marked and selected words."""
    theme = d.theme()
    parts = []
    for _ in range(150):
        word = d.words(1, 1)
        look = d.rng.random()
        if look < 0.1:
            word = f"<span style='background:#ffeb3b;color:#000'>{word}</span>"
        elif look < 0.2:
            word = (f"<span style='background:{d.strong()};color:#fff'>"
                    f"{word} {d.words(1, 2)}</span>")
        elif look < 0.25:
            word = f"<a style='color:#1a73e8;text-decoration:underline'>{word}</a>"
        elif look < 0.3:
            word = (f"<code style='background:#8884;border-radius:4px;"
                    f"padding:1px 4px'>{word}</code>")
        parts.append(word)
    return base(theme, d.pick(13, 14, 16), "body{line-height:1.6}"), " ".join(parts)


def keys(d):
    """Keyboard shortcuts."""
    theme = d.theme()
    rows = []
    names = ["Ctrl", "Shift", "Alt", "Esc", "Tab", "Enter", "Del", "Home", "End",
             "F5", "F12", "PgUp", "K", "P", "S", "Z", "7", "Space", "Fn"]
    look = d.pick("border:1px solid #999;border-bottom-width:3px;background:#eee;color:#222",
                  "background:#444;color:#fff;border:1px solid #222",
                  "border:1px solid #888;box-shadow:0 2px 0 #888;background:#fff;color:#333")
    for _ in range(14):
        caps = " + ".join(
            f"<kbd style='{look};border-radius:4px;padding:2px 6px;font-size:12px;"
            f"font-family:inherit'>{d.rng.choice(names)}</kbd>"
            for _ in range(d.rng.randint(1, 3)))
        rows.append(f"<p style='margin:0 0 10px;display:flex;justify-content:"
                    f"space-between;width:330px'><span>{d.words(1, 2)}</span>"
                    f"<span>{caps}</span></p>")
    return base(theme, d.pick(13, 14)), "".join(rows)


def keypad(d):
    """A keypad with gradients."""
    theme = d.theme()
    colour, other = d.strong(), d.strong()
    cells = "".join(
        f"<div style='background:linear-gradient({colour},{other});color:#fff;"
        f"border-radius:{d.pick(8, 30)}px;font-size:{d.pick(22, 26)}px;height:54px;"
        f"line-height:54px;text-align:center'>{key}</div>"
        for key in ["1", "2", "3", "4", "5", "6", "7", "8", "9", "Clear", "0", "OK"])
    return (base(theme, 15, ".g{display:grid;grid-template-columns:repeat(3,1fr);"
                 "gap:10px;margin-top:16px}"),
            f"<p>{d.words(2, 3)}</p><p style='font-size:28px'>{d.number()}</p>"
            f"<div class=g>{cells}</div>")


def paper_map(d, dark=False):
    """A map with labels."""
    rng = d.rng
    land, water, park, road, edge, ink, halo = (
        ("#242f3e", "#17263c", "#263c3f", "#38414e", "#212a37", "#d59563", "#242f3e")
        if dark else
        ("#f2efe9", "#aad3df", "#c8facc", "#ffffff", "#c9c4bc", "#333", "#fff"))
    shapes = []
    for _ in range(14):
        x, y = rng.randint(0, 400), rng.randint(0, 640)
        points = " ".join(f"{x + rng.randint(-90, 90)},{y + rng.randint(-70, 70)}"
                          for _ in range(5))
        shapes.append(f"<polygon points='{points}' fill='{rng.choice([water, park])}'/>")
    for _ in range(30):
        path = (f"M{rng.randint(-50, 450)} {rng.randint(-50, 700)} Q"
                f"{rng.randint(0, 400)} {rng.randint(0, 640)} "
                f"{rng.randint(-50, 450)} {rng.randint(-50, 700)}")
        wide = rng.choice([2, 4, 6, 9])
        colour = rng.choice([road, road, "#f9d71c" if not dark else "#746855"])
        shapes.append(f"<path d='{path}' fill='none' stroke='{edge}' "
                      f"stroke-width='{wide + 2}'/><path d='{path}' fill='none' "
                      f"stroke='{colour}' stroke-width='{wide}'/>")
    labels, taken = [], []
    for _ in range(300):
        size = rng.choice([10, 11, 12, 13, 15])
        text = d.words(1, 2)
        box = (rng.randint(4, 270), rng.randint(4, 610), len(text) * size * 0.75, size * 1.6)
        if box[0] + box[2] > 395 or len(labels) > 38 or any(
                box[0] < t[0] + t[2] and t[0] < box[0] + box[2]
                and box[1] < t[1] + t[3] and t[1] < box[1] + box[3] for t in taken):
            continue
        taken.append(box)
        colour = rng.choice([ink, ink, "#0d5aa7" if not dark else "#9ab", "#5b3e1f"
                             if not dark else "#fff"])
        labels.append(f"<div style='position:absolute;left:{box[0]}px;top:{box[1]}px;"
                      f"white-space:nowrap;font-size:{size}px;color:{colour};"
                      f"paint-order:stroke fill;-webkit-text-stroke:{rng.choice([2, 3])}px "
                      f"{halo};font-weight:{rng.choice([400, 400, 700])}'>{text}</div>")
    return (f"body{{margin:0;background:{land}}}svg{{position:absolute;left:0;top:0}}",
            f"<svg width=400 height=640>{''.join(shapes)}</svg>{''.join(labels)}")


def photo(d, plain=False):
    """Text on photographs."""
    rng = d.rng
    layers = ",".join(
        f"radial-gradient(circle at {rng.randint(0, 100)}% {rng.randint(0, 100)}%,"
        f"hsla({rng.randint(0, 359)},{rng.randint(20, 80)}%,{rng.randint(10, 75)}%,.9) 0,"
        f"transparent {rng.randint(20, 70)}%)" for _ in range(7))
    noise = (f"<svg width=400 height=640 style='position:absolute;left:0;top:0;opacity:"
             f"{rng.choice([.35, .5, .7])};mix-blend-mode:{d.pick('overlay', 'soft-light', 'hard-light')}'>"
             f"<filter id=f><feTurbulence type=fractalNoise baseFrequency="
             f"'{rng.choice([.008, .02, .05])}' numOctaves=5 seed={rng.randint(1, 999)} />"
             "</filter><rect width=400 height=640 filter='url(#f)'/></svg>")
    blocks, y = [], 16
    while y < 590:
        size = rng.choice([14, 16, 18, 22, 30])
        look = ("color:#fff" if plain else
                d.pick("color:#fff;text-shadow:0 1px 3px #000c",
                       "color:#fff;text-shadow:0 0 6px #000",
                       "color:#fff;background:#0009;padding:4px 8px"))
        blocks.append(f"<div style='position:absolute;left:16px;top:{y}px;{look};"
                      f"font-size:{size}px;white-space:nowrap;"
                      f"font-weight:{d.pick(400, 700)}'>{d.words(1, 2)}</div>")
        y += size * 2 + rng.randint(4, 40)
    return (f"body{{margin:0;height:640px;background:{layers},"
            f"hsl({rng.randint(0, 359)},30%,25%)}}", noise + "".join(blocks))


def table(d):
    """A dense table with rules."""
    theme = d.theme()
    size = d.pick(11, 12)
    head = "".join(f"<th>{d.words(1, 1)}</th>" for _ in range(4))
    total = "".join(f"<th>{d.number()}</th>" for _ in range(4))
    rows = "".join("<tr>" + f"<td>{d.words(1, 1)}</td>" + "".join(
        f"<td>{d.number()}</td>" for _ in range(3)) + "</tr>" for _ in range(22))
    return (base(theme, size, "table{border-collapse:collapse;width:100%}"
                 f"td,th{{border:1px solid {theme[2]};padding:2px 4px;text-align:right;white-space:nowrap}}"
                 f"th{{background:{d.pick(d.strong(), '#607d8b', '#455a64')};color:#fff}}"),
            f"<table><tr>{head}</tr><tr>{total}</tr>{rows}</table>")


def tiny(d):
    """Text of 10 pixels."""
    theme = d.theme()
    rows = "".join(f"<p style='margin:0 0 3px'>{d.words(4, 7)} {d.number()}</p>"
                   for _ in range(36))
    return base(theme, 10), rows


def chat(d):
    """Bubbles in colours."""
    theme = d.theme()
    colour = d.strong()
    rows = "".join(
        f"<div style='display:flex;justify-content:{'end' if mine else 'start'}'>"
        f"<div style='background:{colour if mine else '#8883'};"
        f"color:{'#fff' if mine else 'inherit'};border-radius:14px;padding:8px 12px;"
        f"margin:4px 0;max-width:240px'>{d.words(3, 9)} <span style='font-size:10px;"
        f"opacity:.8'>{d.rng.randint(0, 23)}:{d.rng.randint(10, 59)}</span></div></div>"
        for mine in (d.rng.random() < 0.5 for _ in range(10)))
    return base(theme, d.pick(14, 15)), rows


def settings(d, dark=True):
    """A list of settings."""
    theme = d.theme(dark)
    rows = "".join(
        f"<div style='border-bottom:1px solid {theme[2]};padding:9px 0'>{d.words(1, 3)}"
        f"<div style='font-size:12px;opacity:.7'>{d.words(3, 5)}</div></div>"
        for _ in range(10))
    return base(theme, d.pick(15, 16)), rows


def inverted(d):
    """Banners in saturated colours."""
    theme = d.theme()
    rows = "".join(
        f"<div style='background:{d.pick(d.strong(), f'linear-gradient(90deg,{d.strong()},{d.strong()})')};"
        f"color:{d.pick('#fff', '#fff', '#ffeb3b')};padding:12px;margin-bottom:8px;"
        f"border-radius:{d.pick(0, 8)}px'><b>{d.words(2, 3)}</b><br>{d.words(3, 5)}</div>"
        for _ in range(9))
    return base(theme, d.pick(13, 14, 15)), rows


def code(d):
    """Source code with a selection."""
    theme = d.theme(d.rng.random() < 0.7)
    rows = []
    for i in range(28):
        name, other = d.words(1, 1), d.words(1, 1)
        text = d.pick(f"<i>const</i> {name} = {other}[{i}];",
                      f"<i>return</i> {name}({other}, <u>{d.rng.randint(0, 999)}</u>);",
                      f"{name}.{other} = <u>\"{d.words(1, 1)}\"</u>;",
                      f"<i>if</i> ({name} == {other}) {{", f"# {d.words(2, 4)}")
        look = d.pick("", "", "", "background:#264f78;color:#fff")
        rows.append(f"<div style='white-space:pre;{look}'><s>{i + 10}</s>  {text}</div>")
    return (base(theme, d.pick(12, 13), "body{font-family:'DejaVu Sans Mono'}"
                 "i{font-style:normal;color:#c586c0}u{text-decoration:none;color:#b5895a}"
                 "s{text-decoration:none;color:#858585}"), "".join(rows))


def month(d):
    """A calendar with a selected day."""
    theme = d.theme()
    chosen = d.rng.sample(range(1, 31), 3)
    cells = "".join(
        f"<div style='height:44px;line-height:44px;text-align:center'><span style='"
        + (f"background:{d.strong()};color:#fff;border-radius:50%;display:inline-block;"
           "width:36px;line-height:36px" if day in chosen else "")
        + f"'>{day}</span></div>" for day in range(1, 31))
    return (base(theme, d.pick(14, 16), ".g{display:grid;grid-template-columns:"
                 "repeat(7,1fr)}"),
            f"<h3>{d.pick('March', 'October')} 2026</h3><div class=g>{cells}</div>"
            f"<p>{d.words(3, 6)}</p>")


def cards(d):
    """Cards with figures."""
    theme = d.theme()
    cells = "".join(
        f"<div style='border:1px solid {theme[2]};border-radius:8px;padding:10px'>"
        f"<div style='font-size:12px;opacity:.75'>{d.words(1, 2)}</div>"
        f"<div style='font-size:24px'>{d.number()}</div><div style='font-size:12px;"
        f"color:{d.pick('#188038', '#d93025')}'>{d.pick('+', '-')}{d.rng.randint(0, 99)}."
        f"{d.rng.randint(0, 99):02}%</div></div>" for _ in range(10))
    return (base(theme, 14, ".g{display:grid;grid-template-columns:1fr 1fr;gap:10px}"),
            f"<div class=g>{cells}</div>")


def tabs(d):
    """Tabs, segments and buttons."""
    theme = d.theme()
    rows = []
    for _ in range(9):
        colour = d.strong()
        chosen = d.rng.randint(0, 2)
        cells = "".join(
            f"<span style='flex:1;text-align:center;padding:7px 2px;"
            + (f"background:{colour};color:#fff" if i == chosen else
               f"color:{colour if d.rng.random() < .5 else 'inherit'}")
            + f"'>{d.words(1, 1)}</span>" for i in range(3))
        rows.append(f"<div style='display:flex;border:1px solid {colour};border-radius:"
                    f"{d.pick(0, 6, 17)}px;overflow:hidden;margin-bottom:14px'>{cells}</div>")
        rows.append(f"<p><span style='background:{colour};color:#fff;border-radius:4px;"
                    f"padding:7px 14px'>{d.words(1, 2)}</span> &nbsp; "
                    f"<span style='border:1px solid;border-radius:4px;padding:6px 13px;"
                    f"color:{colour}'>{d.words(1, 1)}</span></p>")
    return base(theme, d.pick(13, 14)), "".join(rows)


def form(d):
    """Fields with labels."""
    theme = d.theme()
    rows = "".join(
        f"<div style='margin-bottom:12px'><div style='font-size:12px'>{d.words(1, 2)}</div>"
        f"<div style='border:1px solid {d.pick(theme[2], '#888', d.strong())};"
        f"border-radius:4px;padding:8px'>{d.pick(d.words(1, 3), d.number(), 'user@example.com')}"
        "</div></div>" for _ in range(8))
    return (base(theme, d.pick(14, 15)),
            rows + f"<div style='background:{d.strong()};color:#fff;text-align:center;"
            f"padding:11px;border-radius:20px'>{d.words(1, 2)}</div>")


KINDS = {
    "badges": badges, "badges-dark": lambda d: badges(d, True), "chips": chips,
    "marked": marked, "keys": keys, "keypad": keypad, "map": paper_map,
    "map-dark": lambda d: paper_map(d, True), "photo": photo,
    "photo-plain": lambda d: photo(d, True), "table": table, "tiny": tiny,
    "chat": chat, "settings-dark": settings, "settings": lambda d: settings(d, False),
    "inverted": inverted, "code": code, "month": month, "cards": cards,
    "tabs": tabs, "form": form,
}


def numbers(d):
    """Numbers in rows and columns, some of them in a header of a ruled table."""
    theme = d.theme()
    cells = "".join(
        "<tr>" + "".join(f"<{tag}>{d.number()}</{tag}>" for _ in range(4)) + "</tr>"
        for tag in ["th"] * 2 + ["td"] * 23)
    rule = d.pick("", f"border:1px solid {theme[2]};",
                  f"border-bottom:1px solid {theme[2]};")
    return (base(theme, d.pick(10, 11, 12, 13, 14),
                 "table{border-collapse:collapse;width:100%}"
                 f"td,th{{{rule}padding:2px 4px;text-align:right;white-space:nowrap}}"
                 f"th{{background:{d.strong()};color:#fff}}"), f"<table>{cells}</table>")


def load_fonts(folder):
    """The names and the style of a folder of fonts."""
    files = sorted(pathlib.Path(folder).glob("*.ttf"))
    style = "".join(f"@font-face{{font-family:F{i};src:url(file://{file.resolve()})}}"
                    for i, file in enumerate(files))
    return [f"F{i}" for i in range(len(files))], style


def set_size(page, height, ratio):
    """Set the size of the page in CSS pixels."""
    page.ask("Emulation.setDeviceMetricsOverride", width=WIDTH, height=height,
             deviceScaleFactor=ratio, mobile=False)
    page.ask("Emulation.setScrollbarsHidden", hidden=True)


def draw(page, folder, name, rng, kind, fonts):
    """Write one page; returns the number of its words."""
    families, style = fonts
    drawing = Drawing(rng, families)
    ratio = rng.choice([1, 1.5, 2, 2.625])
    own, body = kind(drawing)
    text = (f"<!doctype html><meta charset=utf-8><style>{style}*{{box-sizing:border-box}}"
            f"body{{font-family:'{drawing.family}'}}{own}</style>{body}")
    set_size(page, HEIGHT, ratio)
    with tempfile.NamedTemporaryFile("w", suffix=".html") as file:
        file.write(text)
        file.flush()
        page.events.clear()
        page.ask("Page.navigate", url="file://" + file.name)
        page.take_event("Page.loadEventFired")
        height = page.evaluate("document.fonts.ready.then("
                               "() => document.documentElement.scrollHeight)")
        set_size(page, max(HEIGHT, height), ratio)  # nothing is cut off
        words = page.evaluate(COLLECT)
    picture = page.ask("Page.captureScreenshot", format="png")["data"]
    (folder / f"{name}.png").write_bytes(base64.b64decode(picture))
    (folder / f"{name}.truth.json").write_text(json.dumps({"dpr": ratio, "words": words}))
    return len(words)


def write(folder, seed, kinds=None, fonts=None, count=0, pages=PAGES):
    """Write the pages of a seed, some of each kind: their names."""
    program = browser.find()
    if not program:
        return []
    folder.mkdir(parents=True, exist_ok=True)
    fonts = load_fonts(fonts) if fonts else (FAMILIES, "")
    plan = [(f"{name}-{i}", KINDS[name])
            for name in (kinds or KINDS) for i in range(pages)]
    if count:
        plan = [(f"numbers-{i}", numbers) for i in range(count // 100)]
    page = browser.Browser(program)
    try:
        for name, kind in plan:
            draw(page, folder, name, random.Random(f"{seed} {name}"), kind, fonts)
    finally:
        page.close()
    return [name for name, _ in plan]


def main():
    """Write the pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("seed", type=int)
    parser.add_argument("--kinds", type=lambda text: text.split(","))
    parser.add_argument("--fonts")
    parser.add_argument("--numbers", type=int, default=0)
    options = parser.parse_args()
    if not write(options.folder, options.seed, options.kinds, options.fonts,
                 options.numbers):
        sys.exit("no Chromium is installed (apt install chromium)")


if __name__ == "__main__":
    main()
