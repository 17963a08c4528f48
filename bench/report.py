"""Prints the results as tables."""

import android
import mcp

HEAD = ["job", "what", "squint ms", "sharp ms", "ratio", "bytes",
        "sharp bytes", "alike", "target", "verdict"]
LIMIT_HEAD = ["job", "what", "squint", "beside it", "target", "verdict"]
PAGE_HEAD = ["profile", "picture", "words", "tokens", "bytes"]

LEGEND = """\
ms: CPU time of all threads, median (minimum) of {rounds} rounds, both sides in
turn on one core. ratio: sharp / squint, by median (by minimum). alike: PSNR
between both results in dB. Compare ratios, never milliseconds of two runs."""

MCP_LEGEND = """\
mcp: real time of one client and one server over a pipe, no core chosen; the
servers are started in turn, {starts} times each. Memory is what the server's
own process holds (VmRSS)."""

ADB_LEGEND = """\
adb: real time from the request to the end of the answer, {rounds} rounds, both
sides in turn, one adb server. The phone: squint demo --adb, 1080x2400, with the
link that the row names; starting and running its programs takes
--delay {delays}.
host: what is left when the phone's own time, which its log tells, link
included, is taken away."""

RECALL_LEGEND = """\
words: share of the words of a page that squint's reader finds in the picture as
it is sent, mean of {count} pages (seed {seed}): {names}.
Tokens and bytes are means, too."""


def pair(figures, digits):
    """Median and, in brackets, minimum."""
    return f"{figures['median']:.{digits}f} ({figures['min']:.{digits}f})"


def target(row):
    """The target of a row."""
    if not row["target"]:
        return "-"
    text = f">= {row['target']:g}x"
    if row["maxBytes"]:
        text += f", <= {row['maxBytes']:g}x bytes"
    return text


def job_cells(row):
    """One line of the main table."""
    sharp, ratio = row.get("sharp"), row.get("ratio")
    return [row["id"], row["what"], pair(row["squint"], 2),
            pair(sharp, 1) if sharp else "-",
            pair(ratio, 2) if ratio else "-",
            f"{row['squint']['bytes']:.0f}",
            f"{sharp['bytes']:.0f}" if sharp else "-",
            f"{row['psnr']:.1f}" if "psnr" in row else "-",
            target(row), row["verdict"] or "-"]


def limit_cells(row):
    """One line of the second table."""
    return [row["id"], row["what"], row["figure"], row["beside"],
            row["target"], row["verdict"]]


def page_cells(row):
    """One line of the legibility table."""
    return [row["profile"], row["variant"], f"{100 * row['words']:.1f} %",
            f"{row['tokens']:.0f}", f"{row['bytes']:.0f}"]


def plain(head, rows):
    """A table aligned with spaces."""
    lines = [head, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join("  ".join(cell.ljust(width)
                               for cell, width in zip(line, widths)).rstrip()
                     for line in lines)


def markdown(head, rows):
    """The same as a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def notes(result):
    """Notes about the conditions of the run."""
    lines = [LEGEND.format(rounds=result["rounds"])]
    peer = result.get("peer")
    if peer:
        lines.append(f"sharp {peer['sharp']} (libvips {peer['vips']}) on node "
                     f"{peer['node']}, concurrency {peer['concurrency']}.")
    else:
        lines.append("sharp could not be installed: squint's own figures "
                     "only, no ratios, no verdicts on them.")
    if result["drawn"]:
        lines.append("Some inputs were drawn by bench-jobs: the targets were "
                     "set with real screenshots.")
    return "\n".join(lines)


def render_legibility(result, as_markdown):
    """The legibility table, or why there is none."""
    if "skipped" in result:
        return "legibility skipped: " + result["skipped"]
    table = markdown if as_markdown else plain
    legend = RECALL_LEGEND.format(count=len(result["pages"]), seed=result["seed"],
                                  names=", ".join(result["pages"]))
    return table(PAGE_HEAD, map(page_cells, result["rows"])) + "\n\n" + legend


def render_mcp(figures, table):
    """The table of the server and the other servers."""
    versions = [f"{mcp.PEERS[name]} {version}"
                for name, version in figures["versions"].items()]
    lines = [MCP_LEGEND.format(starts=mcp.STARTS)]
    lines.append("Beside it: " + ", ".join(versions) + "." if versions else
                 "Other servers could not be installed.")
    cells = [limit_cells(row) for row in mcp.rows(figures)]
    return table(LIMIT_HEAD, cells) + "\n\n" + "\n".join(lines)


def render_adb(figures, table):
    """The table of a phone on adb, or why there is none."""
    if "skipped" in figures:
        return "adb skipped: " + figures["skipped"]
    lines = [ADB_LEGEND.format(**figures)]
    lines.append(f"Beside it: {android.PEER} {figures['peer']}, legacy robot."
                 if figures["peer"] else "mobile-mcp could not be installed.")
    cells = [limit_cells(row) for row in android.rows(figures)]
    return table(LIMIT_HEAD, cells) + "\n\n" + "\n".join(lines)


def render(result, as_markdown):
    """Everything measured, as text."""
    table = markdown if as_markdown else plain
    parts = [notes(result)]
    if result["jobs"]:
        parts.append(table(HEAD, [job_cells(row) for row in result["jobs"]]))
    if result["limits"]:
        parts.append(table(LIMIT_HEAD,
                           [limit_cells(row) for row in result["limits"]]))
    if result["mcp"]:
        parts.append(render_mcp(result["mcp"], table))
    if result["adb"]:
        parts.append(render_adb(result["adb"], table))
    if result["legibility"]:
        parts.append(render_legibility(result["legibility"], as_markdown))
    if result["failed"]:
        parts.append("\n".join(f"Not measured: {failure}"
                               for failure in result["failed"]))
    return "\n\n".join(parts)
