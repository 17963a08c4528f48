"""
Draws pages of text whose words are known, for bench/vision.py: DejaVu fonts of
10 to 72 pixels, light, dark, coloured, on gradients and with low contrast.

bench/drawn_pages.py FOLDER SEED [--per-size N] writes N pages (3) of every font
and size, always the same for a seed. Needs Pillow (Debian: python3-pil) and
fonts-dejavu. Then bench/vision.py BENCH-VISION SQUINT FOLDER compares squint
with Tesseract's own layout on each page.
"""
import argparse
import json
import pathlib
import random

from PIL import Image, ImageDraw, ImageFont

FONTS = pathlib.Path("/usr/share/fonts/truetype/dejavu")
FACES = ("Sans", "Sans-Bold", "Sans-ExtraLight", "Serif", "Serif-Bold",
         "SansMono", "SansCondensed")
SIZES = (10, 12, 14, 18, 24, 32, 40, 48, 56, 64, 72)
WIDTH, HEIGHT, MARGIN = 1000, 640, 16
# Name, background at the first and last corner, text. Two different corners
# make a gradient: down, to the right, or both.
THEMES = (
    ("light", (255, 255, 255), (255, 255, 255), (0, 0, 0)),
    ("dark", (18, 18, 18), (18, 18, 18), (230, 230, 230)),
    ("blue", (30, 80, 200), (30, 80, 200), (255, 255, 255)),
    ("amber", (255, 235, 59), (255, 235, 59), (60, 60, 60)),
    ("red", (200, 0, 0), (200, 0, 0), (255, 255, 0)),
    ("green", (76, 175, 80), (76, 175, 80), (255, 255, 255)),
    ("grey", (255, 255, 255), (255, 255, 255), (150, 150, 150)),
    ("faint-light", (255, 255, 255), (255, 255, 255), (228, 228, 228)),
    ("faint-grey", (120, 120, 120), (120, 120, 120), (92, 92, 92)),
    ("faint-dark", (0, 0, 0), (0, 0, 0), (32, 32, 32)),
    ("faint-blue", (240, 246, 255), (240, 246, 255), (205, 220, 250)),
    ("gradient-blue", (20, 60, 160), (90, 130, 230), (255, 255, 255)),
    ("gradient-warm", (120, 20, 60), (230, 110, 40), (255, 255, 255)),
    ("gradient-pale", (250, 250, 255), (190, 200, 230), (20, 20, 40)),
)
DIRECTIONS = ((0, 1), (1, 0), (1, 1))
WORDS = """invoice payment Settings account Wi-Fi battery 84% 12:47 Cancel Continue
password Sign in Forgot total $129.99 delivery order #48213 Hello world mountain
quick brown fox jumps over lazy dog July 2026 user@example.com Illinois network
Storage privacy Update message Archive folder download Kitchen morning airport
review purple Window keyboard garden Travel history Still loading Fill all ill
The five boxing wizards jump quickly""".split()


def paint_background(theme, direction):
    """A picture in one colour or with a gradient."""
    _, first, last, _ = theme
    if first == last:
        return Image.new("RGB", (WIDTH, HEIGHT), first)
    small = Image.new("RGB", (2, 2))
    for x in (0, 1):
        for y in (0, 1):
            part = (x * direction[0] + y * direction[1]) / sum(direction)
            small.putpixel((x, y), tuple(
                round(a + (b - a) * part) for a, b in zip(first, last)))
    # Resize so that the corners of the result are the four pixels.
    return small.resize((WIDTH, HEIGHT), Image.BILINEAR, (0.5, 0.5, 1.5, 1.5))


def draw_page(face, size, theme, rng):
    """A page and its words: [text, left, top, right, bottom]."""
    image = paint_background(theme, rng.choice(DIRECTIONS))
    draw = ImageDraw.Draw(image)
    font = ImageFont.truetype(str(FONTS / f"DejaVu{face}.ttf"), size)
    space = draw.textlength(" ", font=font)
    ascent, descent = font.getmetrics()
    words, y = [], 10
    while y + ascent + descent < HEIGHT:
        x = MARGIN
        for _ in range(rng.randint(1, 8)):
            word = rng.choice(WORDS)
            width = draw.textlength(word, font=font)
            if x + width > WIDTH - MARGIN:
                break
            draw.text((round(x), y), word, font=font, fill=theme[3])
            words.append([word, round(x), y, round(x + width),
                          y + ascent + descent])
            x += width + space
        y += round(size * rng.choice((1.4, 1.8, 2.5)))
    return image, words


def main():
    """Write the pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("seed", type=int)
    parser.add_argument("--per-size", type=int, default=3)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(options.seed)
    for face in FACES:
        for size in SIZES:
            for theme in rng.sample(THEMES, options.per_size):
                image, words = draw_page(face, size, theme, rng)
                stem = f"{face}-{size}-{theme[0]}"
                image.save(options.folder / f"{stem}.png")
                (options.folder / f"{stem}.truth.json").write_text(
                    json.dumps({"dpr": 1, "words": words}))


if __name__ == "__main__":
    main()
