"""The measurements of scripts/metrics."""
import pathlib
import sys
import textwrap
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import csource

metrics = csource.load_script("metrics")


class Metrics(unittest.TestCase):
    def test_words_count_in_comments_only(self):
        text = ('/* So\n * many words behind; behindhand */\n'
                'int behind; // Behind\nputs("behind /* behind */");\n')
        self.assertEqual(metrics.count_word(text, "behind"), 2)
        self.assertEqual(metrics.count_word(text, "so many"), 1)
        self.assertEqual(metrics.count_word(text, "anew"), 0)

    def test_prototypes_and_their_comments(self):
        text = textwrap.dedent('''\
            /* The file. */
            #include <stdio.h>

            struct a;

            /* Does it. */
            bool one(int a,
                     int b);
            void two(void (*then)(int), int c);

            int three(void) __attribute__((format(printf, 1, 2)));
            int four(void); /* counts */

            typedef void (*callback)(int);

            struct b {
                bool (*run)(int);
            };

            static inline int
            five(void) {
                return three();
            }
        ''')
        self.assertEqual(metrics.prototypes(text), (4, 3))

    def test_static_functions_that_are_used_once(self):
        text = textwrap.dedent('''\
            static int
            once(int a) {
                return a;
            }

            static void
            twice(void) {
            }

            int
            f(void) {
                twice();
                twice();
                return once(1); /* once */
            }
        ''')
        self.assertEqual(list(metrics.used_once(text)), ["once"])

    def test_percentiles(self):
        self.assertEqual(metrics.percentile(range(100), 0.95), 95)
        self.assertEqual(metrics.percentile([7], 0.95), 7)

    def test_worse_is_beyond_the_limit(self):
        metric = metrics.Metric
        self.assertFalse(metrics.is_worse(metric("a", 3, 3)))
        self.assertTrue(metrics.is_worse(metric("a", 4, 3)))
        self.assertFalse(metrics.is_worse(metric("a", 4, None)))
        self.assertTrue(metrics.is_worse(metric("a", 2, 3, True)))


if __name__ == "__main__":
    unittest.main()
