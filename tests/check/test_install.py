"""scripts/install writes a release below a prefix and removes exactly that."""
import pathlib
import struct
import subprocess
import tempfile
import unittest
from unittest import mock

from test_checks import SCRIPTS, csource

install = csource.load_script("install")


def listing(folder):
    """All paths below a folder."""
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*"))


class Install(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.top = pathlib.Path(scratch.name)
        self.root = self.top / "opt/squint"
        self.files = {"bin/squint": "program", "share/man/man1/squint.1": "page"}
        self.given_back = []
        self.fails = False
        patch = mock.patch.object(install.subprocess, "run", self.run_program)
        patch.start()
        self.addCleanup(patch.stop)
        silent = mock.patch("builtins.print")
        silent.start()
        self.addCleanup(silent.stop)

    def run_program(self, words, check):
        """In place of "meson install --destdir FOLDER" and "give-back FOLDER"."""
        self.assertTrue(check)
        if words[0] == install.TREE / "scripts/give-back":
            self.given_back += words[1:]
            return
        self.assertEqual(words[:2], ["meson", "install"])
        self.assertEqual(self.given_back, [])
        if self.fails:
            raise OSError
        for name, text in self.files.items():
            path = pathlib.Path(words[-1], "usr/local", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def install(self):
        self.given_back.clear()
        install.install(self.root, "/usr/local")

    def test_the_build_folder_is_given_back_also_after_a_failure(self):
        self.install()
        self.assertEqual(self.given_back, [install.TREE / "build"])
        self.fails = True
        self.assertRaises(OSError, self.install)
        self.assertEqual(self.given_back, [install.TREE / "build"])

    def test_what_was_written_is_removed_and_nothing_else(self):
        (self.root / "share/man").mkdir(parents=True)
        (self.root / "share/man/other").touch()
        before = listing(self.top)
        self.install()
        self.assertEqual((self.root / "bin/squint").read_text(), "program")
        install.uninstall(self.root)
        self.assertEqual(listing(self.top), before)

    def test_folders_that_it_made_are_removed_up_to_the_first_that_was_there(self):
        self.install()
        self.install()
        install.uninstall(self.root)
        self.assertEqual(listing(self.top), [])
        self.assertTrue(self.top.exists())

    def test_files_of_others_keep_their_folder(self):
        self.install()
        (self.root / "bin/other").touch()
        install.uninstall(self.root)
        self.assertEqual(listing(self.root), ["bin", "bin/other"])

    def test_an_upgrade_removes_what_the_new_release_lacks(self):
        self.install()
        self.files = {"bin/squint": "newer"}
        self.install()
        self.assertFalse((self.root / "share/man/man1/squint.1").exists())
        self.assertEqual((self.root / "bin/squint").read_text(), "newer")
        install.uninstall(self.root)
        self.assertEqual(listing(self.top), [])

    def test_without_a_record_nothing_is_removed(self):
        (self.root / "bin").mkdir(parents=True)
        with self.assertRaises(SystemExit) as ended:
            install.uninstall(self.root)
        self.assertIn("nothing to remove", str(ended.exception))

    def test_a_record_cannot_name_files_elsewhere(self):
        self.install()
        record = self.root / install.RECORD
        for name in ("../../precious", "/etc/passwd", ""):
            record.write_text(f"file {name}\n")
            with self.assertRaises(SystemExit) as ended:
                install.uninstall(self.root)
            self.assertIn("not below the prefix", str(ended.exception))
        self.assertTrue((self.root / "bin/squint").exists())


class Licences(unittest.TestCase):
    """What is installed beside the program because it contains a font."""

    @staticmethod
    def font(texts):
        """A font that has only these texts, by their number."""
        entries, data = b"", b""
        for number, text in texts.items():
            packed = text.encode("utf-16-be")
            entries += struct.pack(">6H", 3, 1, 0x409, number, len(packed),
                                   len(data))
            data += packed
        names = struct.pack(">HHH", 0, len(texts), 6 + len(entries))
        names += entries + data
        return (struct.pack(">4sHHHH", b"\0\1\0\0", 1, 16, 0, 0)
                + struct.pack(">4sIII", b"name", 0, 28, len(names)) + names)

    def printed(self, texts):
        """What the script says of such a font."""
        with tempfile.NamedTemporaryFile(suffix=".ttf") as file:
            pathlib.Path(file.name).write_bytes(self.font(texts))
            return subprocess.run([SCRIPTS / "font-licence", file.name],
                                  capture_output=True, text=True, check=False)

    def test_the_licence_inside_the_font_is_printed(self):
        done = self.printed({0: "Copyright Someone", 1: "Sans",
                             13: "Permission is granted.\n"})
        self.assertEqual(done.returncode, 0)
        for text in ("Copyright Someone\n", "Permission is granted.\n"):
            self.assertIn(text, done.stdout)

    def test_a_font_without_a_licence_is_refused(self):
        done = self.printed({1: "Sans"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("does not contain its licence", done.stderr)

    def test_both_licences_are_installed_and_the_prefix_compiles_nothing(self):
        tree = SCRIPTS.parent
        rules = (tree / "share/meson.build").read_text()
        self.assertIn("install_data('../LICENSE'", rules)
        self.assertIn("LICENSE.DejaVu", rules)
        self.assertNotIn("prefix", (tree / "scripts/build").read_text())


if __name__ == "__main__":
    unittest.main()
