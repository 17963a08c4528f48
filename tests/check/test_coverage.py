"""scripts/coverage sums up the output of gcov."""
import json
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import csource

coverage = csource.load_script("coverage")
ROOT = pathlib.Path("/tree")


def line(number, count, *branches):
    return {"line_number": number, "count": count,
            "branches": [{"count": taken} for taken in branches]}


class Coverage(unittest.TestCase):
    def rows(self, *texts):
        counts = coverage.Counts()
        for text in texts:
            coverage.read_gcov(text, counts, ROOT)
        return list(coverage.rows(counts, lambda name: name.split("/")[0]))

    def test_lines_and_branches_by_room(self):
        found = self.rows(json.dumps({
            "current_working_directory": "/tree/build",
            "files": [
                {"file": "../src/util/a.c",
                 "lines": [line(1, 5, 5, 0), line(2, 0)]},
                {"file": "../src/json/b.c", "lines": [line(1, 1)]},
                {"file": "/usr/include/c.h", "lines": [line(1, 1)]}]}))
        self.assertEqual(found, [("json", (1, 1), (0, 0)),
                                 ("util", (1, 2), (1, 2)),
                                 ("all", (2, 3), (1, 2))])

    def test_a_header_in_two_objects_counts_once(self):
        texts = [json.dumps({
            "current_working_directory": "/tree/build",
            "files": [{"file": "../src/util/a.h",
                       "lines": [line(1, count, count, 0)]}]})
                 for count in (0, 3)]
        self.assertEqual(self.rows("\n".join(texts))[-1],
                         ("all", (1, 1), (1, 2)))

    def test_less_than_the_floor_is_a_problem(self):
        share = coverage.Share
        self.assertEqual(list(coverage.below(share(99, 100), share(99, 100))),
                         [])
        self.assertEqual(len(list(coverage.below(share(5, 100),
                                                 share(99, 100)))), 1)
        self.assertEqual(coverage.percent(share(0, 0)), 100)


if __name__ == "__main__":
    unittest.main()
