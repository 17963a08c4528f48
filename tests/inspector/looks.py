"""Compares pictures of the page with stored ones.

Both are reduced to cells of about 10 pixels, so that the fonts of a system and
the phone's clock matter little, but a part that is missing, moved or has another
colour is noticed. SQUINT_ACCEPT=1 stores new pictures.
"""
import base64
import os
import subprocess
import tempfile

from page import HERE, Agent, Page, Server, wait_label

FOLDER = os.path.join(HERE, "pictures")
CELL = 10
MAX_MEAN = 4       # of 255, over all cells
MAX_SHARE = 0.001  # of cells that differ by more than GREAT
GREAT = 40

# A font that squint itself needs, so every machine that runs the test has it.
FONT = ("(() => { const sheet = new CSSStyleSheet(); sheet.replaceSync('* { "
        "font-family: \"DejaVu Sans\" !important }'); "
        "document.adoptedStyleSheets = [sheet]; return document.fonts.ready"
        ".then(() => new Promise(done => requestAnimationFrame(() => "
        "requestAnimationFrame(done)))); })()")

COMPARE = """(async () => {
  const cells = async ([type, data]) => {
    const bytes = Uint8Array.from(atob(data), text => text.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], {type}));
    const canvas = new OffscreenCanvas(%(width)d, %(height)d);
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  const [a, b] = await Promise.all([cells(%(one)s), cells(%(two)s)]);
  let sum = 0, great = 0;
  for (let i = 0; i < a.length; i += 4) {
    const part = [0, 1, 2].map(n => Math.abs(a[i + n] - b[i + n]));
    sum += (part[0] + part[1] + part[2]) / 3;
    great += Math.max(...part) > %(great)d;
  }
  return [sum / (a.length / 4), great / (a.length / 4)];
})()"""


def encode(kind, data):
    """A picture as a JavaScript array of its type and base64."""
    return f"['image/{kind}', '{base64.b64encode(data).decode()}']"


def differ(page, size, picture, stored):
    """The mean difference, and the share of cells that differ greatly."""
    return page.evaluate(COMPARE % {
        "width": size[0] // CELL, "height": size[1] // CELL, "great": GREAT,
        "one": encode("png", picture), "two": encode("webp", stored)})


def is_like(result):
    """Whether the differences are small."""
    return result[0] <= MAX_MEAN and result[1] <= MAX_SHARE


def store(squint, picture, path):
    """Write a reduced picture as the one to compare with."""
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        file.write(picture)
        file.flush()
        subprocess.run([squint, "scale", file.name, "-o", path,
                        "--max-dimension", "400"], check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def read(path):
    """The bytes of a file."""
    with open(path, "rb") as file:
        return file.read()


def take(page, size, theme):
    """A picture of the window at that size, in that theme."""
    page.resize(*size)
    page.ask("Emulation.setEmulatedMedia", features=[
        {"name": "prefers-color-scheme", "value": theme}])
    page.wait("document.getElementById('picture').clientHeight > 300")
    page.evaluate(FONT)
    page.evaluate("scrollTo(0, 0)")
    return page.picture()


def check_looks(test):
    """Light, dark and narrow look as stored; a missing part is noticed."""
    cases = test.cases
    server = Server(test.squint)
    page = Page(test.program)
    page.open(server.link)
    # The home screen shows the time in large digits.
    Agent(server).call(operation="launch", packageName="Settings")
    wait_label(page, "Network and internet")
    page.wait_text("#rate", "0.0 fps")  # the newest picture is shown
    page.click("#freeze")
    page.wait_text("#rate", "frozen")
    looks = {"light": ((1200, 900), "light"), "dark": ((1200, 900), "dark"),
             "narrow": ((400, 800), "light")}
    for name, (size, theme) in looks.items():
        path = os.path.join(FOLDER, name + ".webp")
        picture = take(page, size, theme)
        if os.environ.get("SQUINT_ACCEPT"):
            store(test.squint, picture, path)
        result = differ(page, size, picture, read(path))
        cases.check(is_like(result), f"the page looks as stored: {name}",
                    result)
    size, theme = looks["light"]
    stored = read(os.path.join(FOLDER, "light.webp"))
    for what, change in (
            ("the tree is missing", "document.querySelector('.tree-side')"
             ".hidden = true"),
            ("the keys are missing", "document.querySelector('.tree-side')"
             ".hidden = false; document.getElementById('keys').hidden = true"),
            ("the colours are dark", "0")):
        page.evaluate(change)
        picture = take(page, size, "dark" if "dark" in what else theme)
        result = differ(page, size, picture, stored)
        cases.check(not is_like(result), f"it is noticed if {what}", result)
    page.close()
    server.stop()
