"""The pictures to measure with: shared screenshots, or our own renderings."""

import os
import pathlib

import picture_pages

HERE = os.path.dirname(os.path.abspath(__file__))
SCREENS = os.environ.get(
    "BENCH_SCREENS",
    os.path.join(HERE, "..", "..", "shared", "data", "screens"))

# A page other than the one that was used for tuning.
PAGE = os.environ.get("BENCH_PAGE", "settings_1080x2400")

# name: (file among the screenshots, page to draw instead, width, height)
FILES = {
    "ui": (PAGE + ".rgba.png", "ui", 1080, 2400),
    "ui-rgb": ("settings_1080x2400.rgb.png", "ui", 1080, 2400),
    "photo": ("shop_1080x2400.rgba.png", "photo", 1080, 2400),
    "jpeg-1080": ("ide_1920x1080.q80.jpg", "ui", 1920, 1080),
    "jpeg-4k": ("ide_3840x2160.q80.jpg", "ui", 3840, 2160),
}
# name: the file it is unpacked from
FRAMES = {"ui-raw": "ui", "photo-raw": "photo"}
# name: (the file it shows, the kind of PNG it is stored as)
STORED = {f"{page}-{kind}": (page, kind) for page in ("ui", "photo")
          for kind in ("palette", "interlaced", "16bit")}

# name: the page of picture_pages.py that is stored otherwise, and how
CHANGED = {
    "photo-rgba": ("photo", {"kind": "rgba"}),
    "photo-frame": ("photo", None),
    "code-frame": ("code", None),
    "code-webp": ("code", {"format": "webp", "quality": 80}),
    "photo-webp": ("photo-1080", {"format": "webp", "quality": 80}),
    "code-jpeg": ("code", {"format": "jpeg", "quality": 80}),
    "code-4k-jpeg": ("code-4k", {"format": "jpeg", "quality": 80}),
    "photo-palette": ("photo", {"kind": "palette"}),
    "photo-interlaced": ("photo", {"kind": "interlaced"}),
    "photo-16bit": ("photo", {"kind": "16bit"}),
}

class Inputs:
    """Paths by name; missing pictures are drawn into a separate folder."""

    def __init__(self, squint, folder):
        self.squint = squint
        self.folder = folder
        self.found = {}

    def path(self, name):
        """Path of an input, which is made on first use."""
        if name not in self.found:
            page = name.removeprefix("page-")
            make = (self._unpack if name in FRAMES else
                    self._store if name in STORED else
                    self._file if name in FILES else
                    self._page if page in picture_pages.PAGES else
                    self._large if page == "large" else self._change)
            self.found[name] = make(name if name in FILES or name in FRAMES
                                    or name in STORED else page)
        return self.found[name]

    def pages(self):
        """The folder of the pages that Chromium draws."""
        folder = pathlib.Path(self.folder, "pages")
        if not folder.exists() and not picture_pages.write(
                folder, picture_pages.SEED):
            raise OSError("no Chromium is installed")
        return folder

    def _page(self, name):
        return str(self.pages() / f"{name}.png")

    def _large(self, name):
        path = os.path.join(self.folder, name + ".png")
        self.squint.ask("render", kind="photo", width=5000, height=10000,
                        channels=3, output=path)
        return path

    def _change(self, name):
        page, how = CHANGED[name]
        path = os.path.join(self.folder, "page-" + name)
        source = self._page(page)
        if not how:
            self.squint.ask("unpack", output=path, input=source)
        else:
            self.squint.ask("store" if "kind" in how else "picture",
                            output=path, input=source, **how)
        return path

    def drawn(self):
        """Whether any input so far was drawn by squint."""
        return any(os.path.dirname(path) == self.folder
                   for name, path in self.found.items() if name in FILES)

    def _file(self, name):
        file, kind, width, height = FILES[name]
        shared = os.path.join(SCREENS, file)
        if os.path.exists(shared):
            return shared
        path = os.path.join(self.folder, file)
        png = path if path.endswith(".png") else path + ".png"
        self.squint.ask("render", kind=kind, width=width, height=height,
                        channels=3 if name == "ui-rgb" else 4, output=png)
        if png != path:
            self.squint.ask("picture", format="jpeg", quality=80, output=path,
                            input=png)
        return path

    def _unpack(self, name):
        path = os.path.join(self.folder, name)
        self.squint.ask("unpack", output=path,
                        input=self.path(FRAMES[name]))
        return path

    def _store(self, name):
        page, kind = STORED[name]
        path = os.path.join(self.folder, name + ".png")
        self.squint.ask("store", kind=kind, output=path, input=self.path(page))
        return path
