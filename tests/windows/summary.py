#!/usr/bin/env python3
"""summary.py PARTS [LOG TABLE]: what "windows test" has found: passed, failed, skipped.

PARTS is what the parts printed, a line per case that begins with "ok", "FAILED" or "not
run". LOG is testlog.json of meson, TABLE skipped.txt, which has the reason of each unit
test that is skipped; without them the unit tests were not run. The exit status is 1 if something failed, no unit test ran, or
other cases were skipped than those of the table."""
import collections
import json
import pathlib
import re
import sys

CASE = re.compile(r"^(not ok|ok) \d+ (\S+)(?: # SKIP (.*))?$", re.MULTILINE)


def read_table(table):
    """{(program, case or "all"): reason}"""
    rows = [line.split(" | ") for line in table.read_text().splitlines()
            if not line.startswith("#")]
    return {(program, case): reason for program, case, reason in rows}


def read_log(log):
    """(program, result, cases) of each unit test."""
    for line in log.read_text(errors="replace").splitlines() if log.exists() else []:
        result = json.loads(line)
        name = result["name"].rpartition(" ")[2]
        if not name.startswith("protocol/"):  # those run on this machine
            text = result.get("stdout", "").replace("\r", "")
            yield name, result["result"], CASE.findall(text)


def units(log, table):
    """(lines that failed, programs and cases that passed, reasons of those skipped)"""
    failed, passed, cases_passed, got = [], 0, 0, {}
    for name, result, cases in read_log(log):
        got |= {(name, case): why for _, case, why in cases if why}
        held = sum(state == "ok" and not why for state, _, why in cases)
        wrong = [case for state, case, _ in cases if state == "not ok"]
        cases_passed += held
        passed += held > 0
        if wrong or result not in ("OK", "SKIP"):
            failed.append(f"{name}: {', '.join(wrong) or result}")
    wanted = read_table(table)
    single = {key for key in wanted if key[1] != "all"}
    failed += [f"{' | '.join(key)}: skipped, but not in the table: {got[key]}"
               for key in sorted(set(got) - single)]
    failed += [f"{' | '.join(key)}: in the table, but not skipped"
               for key in sorted(single - set(got))]
    return failed, passed, cases_passed, wanted


def say_units(failed, passed, cases, skipped):
    """Print what the unit tests were."""
    for line in failed:
        print(f"FAILED  {line}")
    print(f"unit tests: {passed} programs with {cases} cases passed, "
          f"{len(failed)} failures")
    whole = sum(case == "all" for _, case in skipped)
    print(f"unit tests skipped: {whole} programs and {len(skipped) - whole} cases:")
    for why, times in collections.Counter(skipped.values()).most_common():
        print(f"{times:6}  {why}")


def main(parts, *files):
    """Print it."""
    lines = pathlib.Path(parts).read_text(errors="replace").splitlines()
    count = collections.Counter(word for line in lines
                                for word in ("ok ", "FAILED ", "not run ")
                                if line.startswith(word))
    print("\nSummary of the tests under Wine")
    for line in lines:
        if line.startswith(("FAILED ", "not run ")):
            print(line)
    print(f"programs, conversations, conformance: {count['ok ']} passed, "
          f"{count['FAILED ']} failed, {count['not run ']} not run")
    good = count["ok "] > 0 and count["FAILED "] == 0
    if files:
        found = units(*map(pathlib.Path, files))
        say_units(*found)
        good = good and not found[0] and found[1] > 0
    return int(not good)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
