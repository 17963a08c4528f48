"""The mutation operators of scripts/mutate, and its choice of lines."""
import pathlib
import sys
import textwrap
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import csource

mutate = csource.load_script("mutate")
limits = csource.load_script("check-limits")


def results(operator, code):
    """The results of an operator for a line of code."""
    return [code[:start] + new + code[end:]
            for start, end, new, _ in operator(code)]


class Operators(unittest.TestCase):
    def check(self, operator, code, *expected):
        self.assertEqual(results(operator, code), list(expected), code)

    def test_comparisons_are_negated_and_shifted(self):
        flip = mutate.flip_comparisons
        self.check(flip, "a == b", "a != b")
        self.check(flip, "a != b", "a == b")
        self.check(flip, "a < b", "a >= b", "a <= b")
        self.check(flip, "a <= b", "a > b", "a < b")
        self.check(flip, "a > b", "a <= b", "a >= b")
        self.check(flip, "a >= b", "a < b", "a > b")

    def test_shifts_arrows_and_assignments_are_not_comparisons(self):
        for code in ["a << 1", "a >> 1", "a->b", "a <<= b", "a >>= b",
                     "a += b", "a = b", "!a"]:
            self.check(mutate.flip_comparisons, code)

    def test_constants_are_off_by_one(self):
        shift = mutate.shift_constants
        self.check(shift, "a[1]", "a[2]", "a[0]")
        self.check(shift, "x = 0;", "x = 1;")
        for code in ["a1", "0x10", "1.5", "2u", "x_2", "= { 0 };"]:
            self.check(shift, code)

    def test_conditions_are_negated_as_a_whole(self):
        self.check(mutate.negate_conditions, "if (a(b) && c) {",
                   "if (!(a(b) && c)) {")
        self.check(mutate.negate_conditions, "while (*p) {",
                   "while (!(*p)) {")
        self.check(mutate.negate_conditions, "for (;;) { elif (x); }")

    def test_calls_without_a_use_are_dropped(self):
        drop = mutate.drop_calls
        self.check(drop, "{\n    f(a, (b));\n}", "{\n    (void)0;\n}")
        self.check(drop, "{ ops->close(x);", "{ (void)0;")
        self.check(drop, "case A: f();", "case A: (void)0;")
        for code in ["{ x = f(a);", "{ return (a);", "{ if (a) {", "{ f(a) + 1;",
                     "{ while (a);", "{ int f;", "bool f(void);"]:
            self.check(drop, code)

    def test_logic_is_swapped(self):
        self.check(mutate.swap_logic, "a && b || c", "a || b || c",
                   "a && b && c")
        self.check(mutate.swap_logic, "a & b | c")

    def test_plus_becomes_minus(self):
        self.check(mutate.subtract, "a + b", "a - b")
        self.check(mutate.subtract, "a += b;", "a -= b;")
        self.check(mutate.subtract, "a++; +b")


class Mutants(unittest.TestCase):
    TEXT = textwrap.dedent('''\
        #define LIMIT 1
        static const int table[2] = { 1, 2 };

        int
        f(int a) {
            /* a < b */
            puts("a == 1");
            if (a == '1' /* 2 */) {
                return a;
            }
            return 1 + a;
        }
    ''')

    def found(self):
        return mutate.mutants(self.TEXT, limits.functions(self.TEXT))

    def test_only_the_code_of_functions_is_changed(self):
        self.assertEqual({mutant.line for mutant in self.found()}, {7, 8, 11})

    def test_a_change_keeps_comments_and_words(self):
        changed = [mutate.apply(self.TEXT, mutant) for mutant in self.found()]
        self.assertEqual(len(set(changed)), len(changed))
        self.assertIn(self.TEXT.replace("a == '1' /* 2 */",
                                        "!(a == '1' /* 2 */)"), changed)
        self.assertIn(self.TEXT.replace('puts("a == 1");', "(void)0;"), changed)
        self.assertIn(self.TEXT.replace("1 + a", "1 - a"), changed)

    def test_the_lines_of_a_change_are_shown(self):
        for mutant in self.found():
            if mutant.what == "condition is negated":
                self.assertEqual(
                    mutate.show("src/a.c", self.TEXT, mutant),
                    "src/a.c:8: condition is negated\n"
                    "  - if (a == '1' /* 2 */) {\n"
                    "  + if (!(a == '1' /* 2 */)) {")


class Choice(unittest.TestCase):
    def setUp(self):
        self.candidates = {
            path: [mutate.Mutant(line, 0, 1, new, "") for line in range(20)
                   for new in "ab"] for path in ("src/a.c", "src/b.c")}

    def test_the_seed_decides(self):
        first = list(mutate.choose(self.candidates, 1))
        reordered = dict(reversed(self.candidates.items()))
        self.assertEqual(first, list(mutate.choose(reordered, 1)))
        self.assertNotEqual(first, list(mutate.choose(self.candidates, 2)))

    def test_each_line_is_changed_once(self):
        chosen = list(mutate.choose(self.candidates, 3))
        self.assertEqual(len(chosen), 40)
        self.assertEqual(len({(p, m.line) for p, m in chosen}), 40)

    def test_tests_of_the_file_come_first(self):
        names = ["demo/adbd/shell", "demo/adbd/shell_parse", "demo/adbd/link",
                 "demo/tour/tour", "tools/run", "tools/screen/receipt"]
        self.assertEqual(
            mutate.stages("demo/adbd/shell.c", names, "demo/adbd/"),
            [["demo/adbd/shell"], ["demo/adbd/shell_parse"],
             ["demo/adbd/link"]])
        self.assertEqual(mutate.stages("tools/run.c", names, "tools/"),
                         [["tools/run"], ["tools/screen/receipt"]])
        self.assertEqual(mutate.stages("tools/reply.c", names, "tools/"),
                         [["tools/run"], ["tools/screen/receipt"]])


if __name__ == "__main__":
    unittest.main()
