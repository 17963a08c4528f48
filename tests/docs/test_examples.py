#!/usr/bin/env python3
"""The runner of the documentation's examples detects errors."""
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import examples


def problems(shell):
    """Run a block with a squint that only echoes its arguments."""
    with tempfile.TemporaryDirectory() as folder:
        squint = pathlib.Path(folder) / "squint"
        squint.write_text('#!/bin/sh\necho "$@"\n')
        squint.chmod(0o755)
        return examples.run_block(shell, squint, b"screen")


class Steps(unittest.TestCase):
    def test_output_belongs_to_the_commands_above(self):
        self.assertEqual(
            list(examples.steps("# intro\na\n# one\nb\n# two\n# three\n")),
            [("a", ["one"]), ("b", ["two", "three"])])

    def test_comment_after_an_empty_line_is_not_output(self):
        self.assertEqual(list(examples.steps("a\n\n# note\nb\n")),
                         [("a", None), ("b", None)])

    def test_commands_may_have_several_lines(self):
        self.assertEqual(
            list(examples.steps("for i in 1 2; do\n  a\ndone\n# x\n#\n")),
            [("for i in 1 2; do\n  a\ndone", ["x", ""])])


class Blocks(unittest.TestCase):
    def test_only_marked_blocks_are_run(self):
        page = ("```sh\nno\n```\n\n<!-- test -->\n```sh\nyes\n```\n"
                "<!-- test -->\n\n```sh\nfar\n```\n"
                "<!-- test: adb -->\n```sh\nphone\n```\n")
        self.assertEqual(list(examples.blocks(page)),
                         [(5, None, "yes\n"), (14, "adb", "phone\n")])

    def test_what_is_missing_skips_a_block(self):
        self.assertIsNone(examples.why_skipped("sh", None, None))
        self.assertIn("no nothing", examples.why_skipped("nothing", None, None))
        self.assertTrue(examples.why_skipped("simulator", None, None))


class Matches(unittest.TestCase):
    def test_dots_match_anything_in_a_line(self):
        self.assertTrue(examples.matches(["a ... z"], "a bcd z\n"))
        self.assertTrue(examples.matches(["a..."], "a\n"))
        self.assertFalse(examples.matches(["a ... z"], "a b\nc z\n"))
        self.assertFalse(examples.matches(["a.b"], "axb\n"))

    def test_dots_alone_match_any_lines(self):
        self.assertTrue(examples.matches(["a", "...", "z"], "a\nb\nc\nz\n"))
        self.assertTrue(examples.matches(["a", "..."], "a\n"))
        self.assertFalse(examples.matches(["a"], "a\nb\n"))


class Runs(unittest.TestCase):
    def test_right_output_gives_no_problem(self):
        self.assertEqual(problems("squint hello\n# hello\n"), [])
        self.assertEqual(problems("test -f screen.png\n"), [])
        self.assertEqual(problems("mkdir a\ncd a\n\npwd\n# .../a\n"), [])

    def test_wrong_output_is_detected(self):
        self.assertIn("  wanted:  bye", problems("squint hello\n# bye\n"))
        self.assertTrue(problems("true\n# nothing\n"))

    def test_standard_error_is_compared(self):
        self.assertEqual(problems("echo oops >&2\n# oops\n"), [])

    def test_failures_are_detected(self):
        self.assertIn("  failed with status 1", problems("false\n"))
        self.assertTrue(problems("echo $nothing\n"))
        self.assertTrue(problems("if\n"))
        self.assertTrue(problems("squint a\n# a\nfalse\nsquint b\n# b\n"))


if __name__ == "__main__":
    unittest.main()
