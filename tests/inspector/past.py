"""Past screenshots in the page: the names of apps, and the search for text."""
import pathlib
import shutil
import subprocess

import past_folders
from page import Page, Server

DAY = "2026-01-15"
SMALL = {"SQUINT_DEMO_WIDTH": "360", "SQUINT_DEMO_HEIGHT": "640",
         "SQUINT_DEMO_DENSITY": "1.25"}
# Each shows a word that no other one has.
APPS = {"settings": "mobile", "login": "password", "shop": "headphones"}


def open_archive(test, *flags):
    """A server with an archive, and its page with the day."""
    server = Server(test.squint, *flags)
    page = Page(test.program)
    page.open(server.link)
    page.show("archive")
    page.wait(f"document.querySelector('[data-day=\"{DAY}\"]')?.dataset"
              ".heat > 0")
    return server, page


def check_apps(test):
    """The pictures of a day have the names of what was done."""
    folder = pathlib.Path(test.server.folder.name) / "named"
    past_folders.put_shots(test.squint, folder / DAY, f"{DAY}T09:00:00", 4,
                           600)
    table = folder / "day.csv"
    table.write_text("start,end,label\n"
                     f"{DAY}T09:00:00,{DAY}T09:15:00,<b>Mail</b>\n"
                     f"{DAY}T09:15:00,{DAY}T09:40:00,Editor\n",
                     encoding="utf-8")
    server, page = open_archive(
        test, "--archive", str(folder), "--activity", "csv",
        "--activity-path", str(table), "--time-zone", "Europe/Zurich")
    page.click(f'[data-day="{DAY}"]')
    page.wait("document.querySelectorAll('.shots .app').length > 1")
    names = page.evaluate("[...document.querySelectorAll('.shots .app')].map("
                          "item => item.textContent)")
    test.cases.check({"<b>Mail</b>", "Editor"} <= set(names),
                     "pictures have the names of the activities, as text",
                     names)
    page.close()
    server.stop()


def put_pictures(test, folder, env):
    """One picture of each app of a small demo phone."""
    day = folder / DAY
    day.mkdir(parents=True)

    def run(*words):
        subprocess.run([test.squint, *words], cwd=folder, env=env, check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    for number, app in enumerate(APPS):
        run("launch", f"com.squint.demo.{app}", "--receipt", "none")
        run("screenshot", "-o", "shot.jpg", "--raw")
        shutil.move(folder / "shot.jpg", day / (
            f"{DAY}_10-{number:02}-00_00-00_360_640_{number}_0.jpg"))
    run("archive", "index", "--archive", str(folder))


def search(page, text):
    """Type a text and press Enter; wait for the answer."""
    page.fill("#archive-search", text)
    page.press("Enter", "\r")
    page.wait("document.querySelector('#day h3, #day .bad')?.textContent"
              f".includes('{text}')")


def check_search(test):
    """A past screen is found by its text."""
    cases = test.cases
    if not shutil.which("tesseract"):
        cases.count += 1
        print(f"ok {cases.count} - search # SKIP no tesseract")
        return
    folder = pathlib.Path(test.server.folder.name) / "read"
    server = Server(test.squint, "--archive", str(folder))
    put_pictures(test, folder, {**server.env, **SMALL})
    page = Page(test.program)
    page.open(server.link)
    page.show("archive")
    page.wait(f"document.querySelector('[data-day=\"{DAY}\"]')?.dataset"
              ".heat > 0")
    search(page, APPS["shop"])
    page.wait("document.querySelectorAll('.shots canvas').length === 1")
    cases.check("1 screenshot with “headphones”" in page.text("#day"),
                "a search finds the screen with the word", page.text("#day"))
    page.click(".shots button")
    size = page.wait("(canvas => canvas.width !== 300 && [canvas.width, "
                     "canvas.height])(document.querySelector('#shot canvas'))")
    cases.check(abs(size[0] / size[1] - 360 / 640) < 0.02,
                "the found screen is shown", size)
    test.keep_picture("search", page)
    search(page, "zeppelin")
    cases.check("0 screenshots" in page.text("#day"),
                "a word that no screen has is not found", page.text("#day"))
    cases.check(not page.troubles(), "no errors in the browser",
                page.troubles())
    page.close()
    server.stop()
