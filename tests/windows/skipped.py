#!/usr/bin/env python3
"""skipped.py LOG TABLE: compare which cases of unit tests were skipped under Wine with
those of the table, skipped.txt. LOG is testlog.json of meson. The exit status is 1 if
they differ, so that each case that is skipped has a reason in the table."""
import json
import pathlib
import re
import sys


def skipped(log):
    """((program, case), reason) of those that were skipped."""
    for line in log.read_text().splitlines():
        result = json.loads(line)
        name = result["name"].rpartition(" ")[2]
        if name.startswith("protocol/"):  # runs on this machine
            continue
        for case, why in re.findall(r"^ok \d+ (\S+) # SKIP (.*)$",
                                    result.get("stdout", "").replace("\r", ""),
                                    re.MULTILINE):
            yield (name, case), why


def main(log, table):
    """Compare both."""
    wanted = {tuple(line.split(" | ")[:2])
              for line in pathlib.Path(table).read_text().splitlines()
              if not line.startswith("#") and " | all | " not in line}
    got = dict(skipped(pathlib.Path(log)))
    for case in sorted(set(got) - wanted):
        print(f"FAILED  skipped, but not in the table: {' | '.join(case)} | {got[case]}")
    for case in sorted(wanted - set(got)):
        print(f"FAILED  in the table, but not skipped: {' | '.join(case)}")
    print(f"{len(got)} cases were skipped: {table}")
    return int(set(got) != wanted)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
