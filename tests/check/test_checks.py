"""The check scripts find the problems they are for, and nothing else."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

sys.dont_write_bytecode = True
SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))
import csource

banned = csource.load_script("check-banned")
budgets = csource.load_script("check-budgets")
docs = csource.load_script("check-docs")
layers = csource.load_script("check-layers")
limits = csource.load_script("check-limits")
words = csource.load_script("check-words")


class Limits(unittest.TestCase):
    def measure(self, text):
        return {f.name: f[2:] for f in limits.functions(textwrap.dedent(text))}

    def test_measures_functions(self):
        found = self.measure(r'''
            #define LOOP(x) do { if (x) { } } while (0)
            struct pair { int a; int b; };
            static const int table[] = { 1, 2, { 3 } };
            static const char *text = "if (a) { /* } */";

            static inline bool
            flat(void) {
                return true; /* if (x) { */
            }

            int
            deep(int a, void (*then)(int, int), const char *c) {
                for (int i = 0; i < 3; i++) {
                    if (a && c[0] == '{') {
                        then(a ? 1 : 2, 0);
                    } else if (a || c) {
                        struct pair p = { 1, 2 };
                        p = (struct pair){ 3, 4 };
                    }
                }
                switch (a) {
                case 1:
                case 2:
                    return 1;
                default:
                    return sizeof(struct pair){ 0 };
                }
            }
        ''')
        # lines, complexity, parameters, nesting
        self.assertEqual(found, {"flat": (3, 1, 0, 0),
                                 "deep": (17, 9, 3, 2)})

    def test_counts_every_way_to_nest(self):
        found = self.measure('''
            void
            f(void) {
                do {
                    while (1) {
                        FOREACH(x) {
                            {
                                if (1) {
                                }
                            }
                        }
                    }
                } while (0);
            }
        ''')
        self.assertEqual(found["f"][3], 5)

    def test_a_long_function_is_a_problem_unless_allowed(self):
        text = "void\nlong_one(void) {\n" + "    x();\n" * 59 + "}\n"
        self.assertEqual(
            limits.check({"src/a/b.c": text}, []),
            ["src/a/b.c:2: long_one has lines 61, more than 60"])
        self.assertEqual(limits.check({"tests/b.c": text}, []), [])
        allow = ["# a comment", "src/a/b.c:long_one lines a table"]
        self.assertEqual(limits.check({"src/a/b.c": text}, allow), [])

    def test_an_exception_must_be_needed_and_have_a_reason(self):
        self.assertEqual(
            limits.check({"src/a.c": "int x;\n"}, ["src/a.c:f lines old"]),
            ["limits-allow.txt:1: src/a.c:f lines is not needed any more"])
        self.assertEqual(len(limits.check({}, ["src/a.c:f lines"])), 1)

    def test_a_long_file_is_a_problem(self):
        self.assertEqual(limits.check({"src/a.c": "int x;\n" * 600}, []), [])
        self.assertEqual(len(limits.check({"src/a.c": "\n" * 601}, [])), 1)


class Layers(unittest.TestCase):
    LAYERS = ("# comment\nutil\njson geom\nimage\ndevice/tree\n"
              "demo/phone+demo/screens\ndevice\n")

    def check(self, **more):
        sources = {"util/err.h": "", "json/text.h": "", "geom/view.h": "",
                   "image/png.h": "", "device/tree.h": "",
                   "device/demo/demo.h": "", "demo/phone/phone.h": "",
                   "demo/screens/all.h": ""}
        sources.update({path.replace("__", "/").replace("_c", ".c"): text
                        for path, text in more.items()})
        return layers.check(sources, self.LAYERS)

    def test_own_and_earlier_rooms_are_fine(self):
        self.assertEqual(self.check(image__png_c=(
            '/* "x" */\n#include "image/png.h"\n#include <stdio.h>\n'
            '#include "geom/view.h"\n#include "util/err.h"\n')), [])

    def test_wrong_directions_are_found(self):
        for name, include, word in [
                ("util__a_c", "image/png.h", "later"),
                ("json__a_c", "geom/view.h", "sibling"),
                ("json__a_c", "text.h", "not a header"),
                ("cellar__a_c", "util/err.h", "LAYERS"),
                ("image__png_c", "util/err.h", "own")]:
            problems = self.check(**{name: f'#include "{include}"\n'})
            self.assertEqual(len(problems), 1, problems)
            self.assertIn(word, problems[0])

    def test_a_file_belongs_to_the_longest_entry(self):
        self.assertEqual(self.check(device__demo__a_c=(
            '#include "demo/phone/phone.h"\n#include "device/tree.h"\n')), [])
        self.assertEqual(self.check(demo__phone__a_c=(
            '#include "demo/screens/all.h"\n#include "device/tree.h"\n')), [])
        problems = self.check(
            demo__phone__a_c='#include "device/demo/demo.h"\n',
            device__tree_c='#include "device/tree.h"\n'
                           '#include "demo/phone/phone.h"\n')
        self.assertEqual(len(problems), 2, problems)

    def test_only_a_kind_and_its_row_include_its_headers(self):
        text = '#include "device/demo/demo.h"\n'
        self.assertEqual(self.check(device__kinds_c=text,
                                    device__demo__a_c=text), [])
        problems = self.check(device__choose_c=text, device__ios__a_c=text)
        self.assertEqual(len(problems), 2, problems)
        self.assertIn("kind", problems[0])

    def test_an_include_in_a_comment_is_ignored(self):
        self.assertEqual(self.check(util__a_c=(
            '/*\n#include "image/png.h"\n*/\n')), [])


class Banned(unittest.TestCase):
    def check(self, path, text):
        return list(banned.check_file(path, text))

    def test_no_script_hides_a_module_of_python(self):
        self.assertEqual(len(list(banned.shadows(
            csource.ROOT / "tests/http/operator.py"))), 1)
        self.assertEqual(list(banned.shadows(
            csource.ROOT / "tests/http/hosting.py")), [])

    def test_calls_are_found_with_their_line(self):
        self.assertEqual(
            self.check("src/image/a.c", "int x;\n\nint y = atoi(z);\n"),
            ["src/image/a.c:3: atoi is banned"])
        self.assertTrue(self.check("tests/a.c", "sprintf (s, t);"))
        self.assertTrue(self.check("src/json/a.c", "p = malloc(3);"))
        self.assertTrue(self.check("src/json/a.c", "ops.drop = free;"))
        self.assertTrue(self.check("src/json/a.c", "n = read(fd, p, 3);"))
        self.assertTrue(self.check("src/sys/file.c", "n = read(fd, p, 3);"))

    def test_words_members_and_longer_names_are_not_calls(self):
        for text in ['puts("system(x)");', "/* strcpy(a, b) */",
                     "ops->read(x); ops.write(x);", "sq_mem_free(x);",
                     "int read, write;", "snprintf(a, b, c);"]:
            self.assertEqual(self.check("src/json/a.c", text), [], text)

    def test_own_functions_may_have_any_name(self):
        text = "static bool\naccept(int c) {\n}\nvoid\nf(void) { accept(1); }"
        self.assertEqual(self.check("src/json/a.c", text), [])

    def test_allowed_files_may_call_them(self):
        self.assertEqual(self.check("src/util/mem.c", "malloc(3)"), [])
        self.assertEqual(self.check("src/sys/call.c", "open(p, 0)"), [])
        self.assertEqual(self.check("tests/unit/a.c", "open(p, 0)"), [])

    def test_operating_systems_are_distinguished_in_sys_only(self):
        text = "#if defined(__linux__)\n#endif\n"
        self.assertEqual(len(self.check("src/util/a.c", text)), 1)
        self.assertEqual(self.check("src/sys/a.c", text), [])


class Docs(unittest.TestCase):
    def tree(self, pages):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in pages.items():
            path = pathlib.Path(folder.name, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return folder.name

    def test_a_valid_tree_has_no_problem(self):
        root = self.tree({
            "README.md": "`make demo` `make test` [d](docs/a%20b.md#x "
                         '"title") [w](https://x.org) [h](#here)\n'
                         "```\n[no](nowhere.md)\n```\n`[no](nowhere)`\n# Here\n",
            "docs/a b.md": "# X\n[up](../README.md)\n",
            "docs/decisions/README.md": "[one](0001-one.md)\n",
            "docs/decisions/0001-one.md": ""})
        self.assertEqual(docs.check(root), [])

    def test_missing_links_and_pages_are_found(self):
        root = self.tree({
            "README.md": "make test\n\n[x](docs/nowhere.md)\n",
            "docs/decisions/0001-one.md": ""})
        self.assertEqual(docs.check(root), [
            "README.md:3: link to docs/nowhere.md leads nowhere",
            "README.md:1: does not say `make demo`",
            "docs/decisions/README.md:1: does not list 0001-one.md"])

    def test_anchors_are_those_of_headings(self):
        page = ("make demo make test\n# What is `in dist/`?\n## Twice\n## Twice\n"
                "```sh\n# code\n```\n<a id=\"own\"></a>\n")
        for anchor, problems in (("what-is-in-dist", 0), ("twice", 0),
                                 ("twice-1", 0), ("own", 0), ("twice-2", 1),
                                 ("code", 1), ("What-is-in-dist", 1)):
            for link in (f"#{anchor}", f"README.md#{anchor}"):
                root = self.tree({"README.md": f"{page}[x]({link})\n"})
                self.assertEqual(len(docs.check(root)), problems, link)
        self.assertIn("names no heading of that page", docs.check(root)[0])

    def test_install_links_are_decoded(self):
        link = "[i](https://x.org/install?name=squint&config="
        good = ("%7B%22command%22%3A%22squint%22%2C%22args%22%3A%5B%22mcp%22"
                "%5D%7D)")
        also_good = ("eyJjb21tYW5kIjoic3F1aW50IiwiYXJncyI6WyJtY3AiXX0%3D)")
        for config, problems in ((good, 0), (also_good, 0), ("%7B%7D)", 1),
                                 ("e30%3D)", 1), ("!)", 1)):
            root = self.tree({"README.md": "make test make demo\n"
                                           f"{link}{config}\n"})
            self.assertEqual(len(docs.check(root)), problems, config)

    def test_packages_are_those_of_the_script(self):
        pages = {"README.md": "make test make demo",
                 "docs/install.md": "dnf install a b; brew c d",
                 "docs/develop.md": "dnf install a b", "docs/macos.md": "brew c d",
                 "scripts/install-deps": "fedora='a\n    b'\nmacos='c d'\n"}
        self.assertEqual(docs.check(self.tree(pages)), [])
        pages["docs/macos.md"] = "brew c"
        wrong, = docs.check(self.tree(pages))
        self.assertIn("docs/macos.md:1: does not have the packages of macos", wrong)

    def test_a_stale_generated_page_is_found(self):
        root = self.tree({"README.md": "make test make demo",
                          "scripts/gen-page": "#!/bin/sh\necho stale\nexit 1"})
        pathlib.Path(root, "scripts/gen-page").chmod(0o755)
        self.assertEqual(len(docs.check(root)), 1)


class Words(unittest.TestCase):
    def test_finds_notes_and_machine_paths(self):
        note, path = "TO" + "DO", "/ho" + "me/ann/x"
        for text in [f"/* {note}: later */", f'open("{path}")', path]:
            self.assertEqual(len(list(words.check_text("a.c", text))), 1, text)

    def test_accepts_other_words(self):
        for text in ["mkdtemp(squint-XXXXXX)", "src/worker/a.c", "/homework/"]:
            self.assertEqual(list(words.check_text("a.c", text)), [], text)

    def plain(self, name, text):
        return [found for found, _ in words.check_plain(name, text)]

    def test_finds_words_in_comments_literals_and_documents(self):
        for name, text in [
                ("a.c", "/* written anew */"), ("a.h", "int a; // Anew"),
                ("a.c", 'fail("written anew");'), ("a.py", '"""Anew."""'),
                ("a.py", "x = 1  # anew"), ("a.py", "x = f'{y} anew'"),
                ("a.mjs", "x(`anew`); // x"), ("a.mjs", "x('anew')"),
                ("a.md", "Written anew."), ("meson.build", "# anew"),
                ("scripts/x", "#!/usr/bin/env python3\nx = 'anew'"),
                ("scripts/y", "#!/bin/sh\n# anew")]:
            self.assertEqual(self.plain(name, text), ["anew"], text)

    def test_finds_words_across_lines(self):
        for name, text in [
                ("a.c", "/*\n * sends so\n * many bytes\n */"),
                ("a.c", "// so\n// many"), ("a.c", 'f("so "\n  "many")'),
                ("a.py", '"""So\n    many."""'), ("a.py", "# so\n# many"),
                ("a.py", "f('so '\n  'many')"), ("a.md", "so\nmany")]:
            self.assertEqual(self.plain(name, text), ["so many"], text)

    def test_finds_words_in_names_of_cases(self):
        for text in ("T_CASE(written_anew) {", "T_CASE(so_many_x) {",
                     "T_CASE(error_is_told) {", "T_CASE(what_is_said) {"):
            self.assertEqual(len(self.plain("a.c", text)), 1, text)
        self.assertEqual(
            list(words.check_plain("a.c", "T_CASE(a)\nT_CASE(it_is_told)")),
            [("told", 'a.c:2: "told" is not plain; write reported')])
        for name, text in (
                ("a.c", "T_CASE(errors_are_reported)"),
                ("a.c", "static void is_told(void);  /* as told */"),
                ("a.c", "T_CASE(untold)"), ("a.md", "as told")):
            self.assertEqual(self.plain(name, text), [], text)

    def test_identifiers_and_other_words_are_fine(self):
        for name, text in [
                ("a.c", "static void\nall_read_anew(int anew) {\n}"),
                ("a.c", "/* see all_read_anew */"), ("a.c", 'f("so", "many")'),
                ("a.c", "/* is */ enum { ANEW }; /* so that many */"),
                ("a.py", "def test_anew(anew): return anew"),
                ("a.mjs", "anew(anew)"), ("a.md", "a newer one at one-sided"),
                ("docs/tools.md", "anew")]:
            self.assertEqual(self.plain(name, text), [], text)

    def test_a_problem_has_its_line_and_a_suggestion(self):
        self.assertEqual(
            words.check({"a.c": "int a;\n\n/* x\n * anew */\n"}, []),
            ['a.c:4: "anew" is not plain; write again'])

    def test_a_quotation_is_allowed_with_a_reason(self):
        sources = {"a.c": 'f("anew");\n', "b.c": ""}
        allow = ["# a comment", 'a.c "anew" adb prints it']
        self.assertEqual(words.check(sources, allow), [])
        self.assertEqual(
            words.check(sources, [*allow, 'b.c "anew" adb prints it']),
            ['words-allow.txt:3: b.c "anew" is not needed any more'])
        self.assertEqual(len(words.check(sources, ['a.c "anew"'])), 2)


class Budgets(unittest.TestCase):
    SOURCES = {"a/x.c": "1\n2\n", "a/b/x.h": "3\n", "b/y.c": "1\n"}

    def test_a_room_may_have_its_lines(self):
        self.assertEqual(
            budgets.check(self.SOURCES, "# comment\na 3 one\nb 1 two\n"), [])

    def test_growth_and_unknown_rooms_are_problems(self):
        found = budgets.check(self.SOURCES, "a 2 one\nc 1 three\nb\n")
        self.assertEqual(len(found), 4)
        self.assertIn("src/BUDGETS:3: needs", found[0])
        self.assertIn("src/a: has 3 lines, its budget is 2", found[1])
        self.assertIn("src/b: has no line", found[2])
        self.assertIn("no room c", found[3])


class Check(unittest.TestCase):
    def test_what_passed_is_checked_again_only_after_a_change(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "scripts").mkdir()
            (root / ".gitignore").write_text("/.cache/\n/count\n")
            shutil.copy(SCRIPTS / "check", root / "scripts/check")
            for name, code in [("install-deps", "exit 0"),
                               ("check-good", "echo good >>count"),
                               ("check-bad", "echo bad >>count; exit 1")]:
                script = root / "scripts" / name
                script.write_text(f"#!/bin/sh\n{code}\n")
                script.chmod(0o755)
            subprocess.run(["git", "init", "-q"], cwd=root, check=True)

            def run():
                done = subprocess.run([root / "scripts/check"], cwd=root,
                                      capture_output=True, text=True)
                self.assertEqual(done.returncode, 1, done.stdout)
                return (root / "count").read_text().split()

            self.assertEqual(run(), ["bad", "good"])
            self.assertEqual(run(), ["bad", "good", "bad"])
            (root / "new").write_text("x")
            self.assertEqual(run(), ["bad", "good", "bad", "bad", "good"])


class Summary(unittest.TestCase):
    def run_on(self, *folders, needs=None):
        """Each folder is a list of meson's log entries of tests."""
        with tempfile.TemporaryDirectory() as root:
            names = []
            for number, tests in enumerate(folders):
                names.append(pathlib.Path(root, f"build-{number}"))
                logs = names[-1] / "meson-logs"
                logs.mkdir(parents=True)
                (logs / "testlog.json").write_text(
                    "".join(json.dumps(test) + "\n" for test in tests))
            options = ["--needs", needs] if needs else []
            run = subprocess.run([SCRIPTS / "test-summary", *options, *names],
                                 stdout=subprocess.PIPE, text=True)
        return run.returncode, [line for line in run.stdout.splitlines()
                                if not line.startswith("slow: ")]

    def test_counts_cases_and_names_the_skipped(self):
        tap = "1..3\nok 1 a\n# note\nok 2 b # SKIP no phone\nok 3 c\n"
        status, lines = self.run_on([
            {"name": "x", "result": "OK", "stdout": tap},
            {"name": "y", "result": "OK", "stdout": "hello\n"},
            {"name": "z", "result": "SKIP", "stdout": "1..0 # SKIP no adb\n"}])
        self.assertEqual(status, 0)
        self.assertEqual(lines, ["skipped: x: b (no phone)",
                                 "skipped: z: all of it (no adb)",
                                 "3 passed, 0 failed, 2 skipped (3 programs)"])

    def test_what_is_needed_must_not_be_skipped(self):
        for tap in ("1..1\nok 1 a # SKIP no Chromium\n", "1..0 # SKIP no Chromium\n"):
            tests = [{"name": "x", "result": "OK", "stdout": tap},
                     {"name": "y", "result": "OK", "stdout": ""}]
            self.assertEqual(self.run_on(tests)[0], 0)
            status, lines = self.run_on(tests, needs="chromium")
            self.assertEqual(status, 1)
            self.assertIn("(no Chromium)", lines[0])

    def test_a_crash_or_a_leak_cannot_pass(self):
        for result, tap in [("FAIL", "1..2\nok 1 a\n"),
                            ("FAIL", "1..2\nok 1 a\nok 2 b\n"),
                            ("OK", "1..2\nok 1 a\nnot ok 2 b\n"),
                            ("TIMEOUT", "")]:
            status, lines = self.run_on([
                {"name": "x", "result": result, "stdout": tap}])
            self.assertEqual(status, 1)
            self.assertIn(", 1 failed, 0 skipped", lines[-1])

    def test_every_folder_is_included(self):
        good = {"name": "x", "result": "OK", "stdout": "1..1\nok 1 a\n"}
        bad = {"name": "x", "result": "FAIL", "stdout": "1..1\nnot ok 1 a\n"}
        status, lines = self.run_on([good], [bad])
        self.assertEqual((status, lines),
                         (1, ["failed: build-1: x: a",
                              "1 passed, 1 failed, 0 skipped (2 programs)"]))
        status, lines = self.run_on([good], [])
        self.assertEqual(status, 1)
        self.assertIn("no test has run", lines[0])

    def test_the_slowest_ten_are_named(self):
        tests = [{"name": f"suite / t{i}", "result": "OK", "duration": i,
                  "stdout": ""} for i in range(12)]
        with tempfile.TemporaryDirectory() as root:
            logs = pathlib.Path(root, "meson-logs")
            logs.mkdir()
            (logs / "testlog.json").write_text(
                "".join(json.dumps(test) + "\n" for test in tests))
            run = subprocess.run([SCRIPTS / "test-summary", root],
                                 stdout=subprocess.PIPE, text=True)
        slow = [line for line in run.stdout.splitlines()
                if line.startswith("slow: ")]
        self.assertEqual([line.split()[-1] for line in slow],
                         [f"t{i}" for i in range(11, 1, -1)])

    def test_no_test_is_a_failure(self):
        status, lines = self.run_on([])
        self.assertEqual(status, 1)
        self.assertEqual(lines[-1],
                         "0 passed, 1 failed, 0 skipped (0 programs)")


class Format(unittest.TestCase):
    def test_is_skipped_with_another_version_only(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("clang-format", "clang-format-14"):
                tool = pathlib.Path(folder, name)
                tool.write_text("#!/bin/sh\necho clang-format version 19.1.7\n")
                tool.chmod(0o755)
            run = subprocess.run(
                [SCRIPTS / "check-format"], stdout=subprocess.PIPE, text=True,
                env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
        self.assertEqual(run.returncode, 77)
        self.assertIn("not checked", run.stdout)


def adopts_orphans():
    """Whether a process can become the parent of orphans. Only Linux has
    that, and qemu-user may not pass it on."""
    run = subprocess.run([sys.executable, "-c", """
import ctypes
import sys
sys.exit(ctypes.CDLL(None).prctl(36, 1, 0, 0, 0) != 0)
"""], stderr=subprocess.DEVNULL)
    return run.returncode == 0


class Supervise(unittest.TestCase):
    def run_it(self, *argv, grace="30"):
        run = subprocess.run(
            [SCRIPTS / "supervise", *argv], stdout=subprocess.PIPE, text=True,
            env={**os.environ, "SQUINT_SUPERVISE_GRACE": grace})
        return run.returncode, run.stdout

    def test_the_status_is_the_commands(self):
        self.assertEqual(self.run_it("true"), (0, ""))
        self.assertEqual(self.run_it("sh", "-c", "echo a; exit 7"),
                         (7, "a\n"))
        self.assertEqual(self.run_it("sh", "-c", "kill -9 $$")[0], 137)

    def test_processes_that_end_in_time_are_awaited(self):
        status, said = self.run_it("sh", "-c", "(setsid sleep 0.2 &)")
        self.assertEqual((status, said), (0, ""))

    @unittest.skipUnless(adopts_orphans(), "orphans are not adopted here")
    def test_processes_that_outlive_it_are_named_and_killed(self):
        status, said = self.run_it(
            "sh", "-c", "(setsid sh -c 'sleep 1234 & wait' &)", grace="0.5")
        self.assertEqual(status, 1)
        self.assertIn("sleep 1234", said)
        for line in said.splitlines():
            number = line.split("killed: ")[1].split()[0]
            self.assertFalse(os.path.exists(f"/proc/{number}"), line)


if __name__ == "__main__":
    unittest.main()
