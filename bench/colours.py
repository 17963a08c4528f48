"""Similarity of pictures with profile or orientation to sharp's."""

import os

# Below this a picture looks different; scaling alone gives 36 to 40 dB.
LEAST_DB = 35
WORDS = {"max": 1000, "format": "png", "kernel": "lanczos3"}

# name: (what, how sharp stores the page: format, profile, colours, orientation)
FILES = {
    "p3-png": ("Display P3, PNG iCCP", {"format": "png", "profile": "p3"}),
    "p3-jpeg": ("Display P3, JPEG APP2", {"format": "jpeg", "profile": "p3"}),
    "p3-webp": ("Display P3, WebP ICCP", {"format": "webp", "profile": "p3"}),
    "srgb-jpeg": ("sRGB, JPEG APP2", {"format": "jpeg", "profile": "srgb"}),
    "cmyk": ("CMYK JPEG without a profile",
             {"format": "jpeg", "space": "cmyk"}),
    "cmyk-profile": ("CMYK JPEG with a profile",
                     {"format": "jpeg", "space": "cmyk", "profile": "cmyk"}),
    **{f"{form}-{turn}": (f"EXIF orientation {turn}, {form.upper()}",
                          {"format": form, "orientation": turn})
       for form in ("jpeg", "png", "webp") for turn in (2, 3, 6, 8)},
}


def measure(bench):
    """A row for each file; none without sharp, which makes and compares it."""
    rows = []
    if not bench.peer:
        return rows
    for name, (what, how) in FILES.items():
        path = os.path.join(bench.folder, f"colours-{name}")
        ours, theirs = path + ".squint", path + ".sharp"
        made = bench.peer.ask("tag", input=bench.inputs.path("photo"),
                              output=path, **how)
        bench.squint.ask("picture", input=path, output=ours, **WORDS)
        bench.peer.ask("picture", input=path, output=theirs, upright=1,
                       **WORDS)
        alike = bench.peer.ask("compare", **{"with": ours,
                                             "input": theirs})["psnr"]
        rows.append({
            "id": f"colours-{name}", "what": what,
            "figure": f"{alike:.1f} dB",
            "beside": f"profile {made['profileBytes']} bytes, "
                      f"orientation {made['orientation']}",
            "target": f"at least {LEAST_DB} dB",
            "verdict": "met" if alike >= LEAST_DB else "missed"})
    return rows
