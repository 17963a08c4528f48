"""scripts/progress shows how far a command is and keeps its exit status;
scripts/install-deps names packages; a user's build never fails by a warning."""
import os
import pathlib
import re
import stat
import subprocess
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"


def progress(kind, script, seconds="60"):
    """Run a shell script with progress; the finished process."""
    return subprocess.run(
        [SCRIPTS / "progress", kind, "trying", "sh", "-c", script],
        env={**os.environ, "SQUINT_PROGRESS_SECONDS": seconds},
        capture_output=True, text=True, check=False)


class Progress(unittest.TestCase):
    def test_the_status_is_the_commands(self):
        for status in (0, 3):
            done = progress("lines", f"echo words; exit {status}")
            self.assertEqual(done.returncode, status)

    def test_a_failed_command_shows_its_output(self):
        self.assertEqual(progress("lines", "echo one; echo; printf two; exit 1")
                         .stdout, "one\n\ntwo\n")
        self.assertEqual(progress("lines", "echo one").stdout, "")

    def test_a_silent_command_is_reported_with_its_last_line(self):
        # The next line comes only after the status line was read.
        with tempfile.TemporaryDirectory() as folder:
            gate = pathlib.Path(folder, "gate")
            os.mkfifo(gate)
            with subprocess.Popen(
                    [SCRIPTS / "progress", "ninja", "compiling x", "sh", "-c",
                     f"echo 'progress 3 9 Compiling C object a/b/sys_c.c.o'; "
                     f"cat {gate}; exit 4"],
                    env={**os.environ, "SQUINT_PROGRESS_SECONDS": "1"},
                    stdout=subprocess.PIPE, text=True) as process:
                line = process.stdout.readline()
                gate.write_text("note\n")
                rest = process.stdout.read()
        self.assertRegex(line, r"^compiling x: 3 of 9, sys_c\.c, 0:\d\d\n$")
        self.assertIn("note\n", rest)
        self.assertEqual(process.returncode, 4)

    def test_ninja_and_meson_lines_that_are_no_progress_are_printed(self):
        done = progress("ninja", "echo 'progress 1 2 Compiling a.c.o'; "
                                 "echo 'a.c:1: warning: x'")
        self.assertEqual(done.stdout, "a.c:1: warning: x\n")
        done = progress("meson", "echo ' 1/20 name OK 0.1s'")
        self.assertEqual(done.stdout, " 1/20 name OK 0.1s\n")

    def test_apt_reports_are_no_output(self):
        script = "echo pmstatus:gcc:50.0:Installing gcc; echo E: broken; exit {}"
        self.assertEqual(progress("apt", script.format(1)).stdout, "E: broken\n")
        self.assertEqual(progress("apt", script.format(0)).stdout, "")

    def test_an_unknown_kind_is_refused(self):
        done = progress("chicken", "echo a")
        self.assertEqual(done.returncode, 2)
        self.assertIn("unknown kind", done.stderr)


class InstallDeps(unittest.TestCase):
    def install_deps(self, programs, *purposes):
        """Run it where only these programs exist; what it printed."""
        with tempfile.TemporaryDirectory() as folder:
            for name, script in programs.items():
                path = pathlib.Path(folder, name)
                path.write_text(f"#!/bin/sh\n{script}\n")
                path.chmod(path.stat().st_mode | stat.S_IXUSR)
            for name in ("bash", "sh", "dirname", "sort", "sed", "env", "cat",
                         "uname"):
                link = pathlib.Path(folder, name)
                if not link.exists():
                    link.symlink_to(f"/usr/bin/{name}")
            return subprocess.run(
                [SCRIPTS / "install-deps", *purposes], env={"PATH": folder},
                capture_output=True, text=True, check=False)

    APT = {"apt-get": "exit 0", "id": "echo 0", "dpkg-query": "exit 1"}

    def test_the_runtime_library_is_that_of_the_clang_that_will_be_installed(self):
        for version in (14, 18, 19):
            programs = {**self.APT, "apt-cache":
                        f"echo clang; echo '  Depends: clang-{version}'"}
            done = self.install_deps(programs, "fuzz")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f" libclang-rt-{version}-dev ", done.stderr)

    def test_lists_that_are_missing_are_fetched_first(self):
        with tempfile.TemporaryDirectory() as folder:
            lists = pathlib.Path(folder, "lists")
            programs = {**self.APT, "apt-get": f"echo >{lists}",
                        "apt-cache": f"[ ! -e {lists} ] || "
                                     "echo '  Depends: clang-19'"}
            done = self.install_deps(programs, "fuzz")
        self.assertIn(" libclang-rt-19-dev ", done.stderr)

    def test_the_runtime_library_is_that_of_the_installed_clang(self):
        done = self.install_deps({**self.APT, "clang": "echo 16.0.6"}, "fuzz")
        self.assertIn(" libclang-rt-16-dev ", done.stderr)

    def test_what_cannot_be_installed_is_an_error_with_its_reason(self):
        programs = {**self.APT, "apt-get": "echo E: no such package; exit 100"}
        done = self.install_deps(programs, "build")
        self.assertEqual(done.returncode, 1)
        self.assertIn("E: no such package", done.stderr)
        self.assertIn("apt-get install --no-install-recommends", done.stderr)

    def test_a_machine_needs_no_cross_compiler_for_itself(self):
        for machine, own, other in (
                ("aarch64", "gcc-aarch64-linux-gnu", "gcc-x86-64-linux-gnu"),
                ("x86_64", "gcc-x86-64-linux-gnu", "gcc-aarch64-linux-gnu")):
            programs = {**self.APT, "uname": f"echo {machine}"}
            done = self.install_deps(programs, "phones")
            words = done.stderr.split()
            self.assertIn("gcc", words)
            self.assertIn(other, words)
            self.assertNotIn(own, words)

    def test_other_systems_get_their_own_line(self):
        done = self.install_deps({"dnf": "exit 0"}, "build")
        self.assertIn("dnf install gcc", done.stderr)
        self.assertNotIn("brew", done.stderr)
        done = self.install_deps({"brew": "exit 0"}, "build")
        self.assertIn("brew install meson", done.stderr)
        self.assertNotIn("dnf", done.stderr)

    def test_the_pages_name_the_same_packages(self):
        for system, page, command in (
                ("dnf", "develop.md", "sudo dnf install"),
                ("brew", "macos.md", "brew install meson")):
            text = (SCRIPTS.parent / "docs" / page).read_text()
            documented = {word for line in text.splitlines()
                          if line.startswith(command) for word in
                          line.partition("#")[0][len(command):].split()}
            done = self.install_deps({system: "exit 0"}, "build")
            printed = set(done.stderr.partition(command)[2]
                          .partition(";")[0].split())
            self.assertTrue(documented, page)
            self.assertEqual(documented - printed, set(), page)
            self.assertEqual(printed - set(re.findall(r"[\w.+-]+", text)),
                             set(), page)


class Warnings(unittest.TestCase):
    def test_they_are_errors_for_developers_only(self):
        tree = SCRIPTS.parent
        self.assertNotIn("werror", (tree / "meson.build").read_text())
        self.assertIn("-Dwerror=false", (SCRIPTS / "build").read_text())

    def test_they_are_no_errors_with_a_newer_compiler(self):
        for name, version, value in (
                ("gcc", "14", "true"), ("gcc", "15.1.0", "false"),
                ("clang", "19.1.7", "true"), ("clang", "20.1.0", "false")):
            with tempfile.TemporaryDirectory() as folder:
                self.assertIn(f"-Dwerror={value}\n", self.meson_options(
                    pathlib.Path(folder), name, version), (name, version))

    @staticmethod
    def meson_options(folder, name, version):
        """What scripts/compile gives to meson with that compiler."""
        programs = {
            "meson": 'mkdir "$2"; printf "%s\\n" "$@" >"$2/given"',
            "ninja": "exit 0",
            "cc": f"[ $1 = -dumpversion ] && echo {version} || echo {name}"}
        for program, script in programs.items():
            path = folder / program
            path.write_text(f"#!/bin/sh\n{script}\n")
            path.chmod(0o755)
        subprocess.run(
            [SCRIPTS / "compile", folder / "build"], check=True,
            capture_output=True, env={
                **os.environ, "CC": "cc",
                "PATH": f"{folder}:{os.environ['PATH']}"})
        return (folder / "build" / "given").read_text()


if __name__ == "__main__":
    unittest.main()
