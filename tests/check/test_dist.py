"""scripts/dist writes the same bytes each time, and what the packages promise."""
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest
import unittest.mock
import zipfile

from test_checks import SCRIPTS, csource

dist = csource.load_script("dist")
test_dist = csource.load_script("test-dist")
sbom, releasing = sys.modules["sbom"], sys.modules["releasing"]
FILES = [("a/one", b"1", 0o644), ("a/run", b"#!/bin/sh\n", 0o755)]


class Archives(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def test_the_same_files_are_the_same_bytes(self):
        for number in (1, 2):
            dist.write_tar(self.folder / f"{number}.tar.gz", FILES, 1700000000)
            dist.write_zip(self.folder / f"{number}.zip", FILES)
            os.utime(self.folder / f"{number}.zip", (number, number))
        for kind in ("tar.gz", "zip"):
            self.assertEqual((self.folder / f"1.{kind}").read_bytes(),
                             (self.folder / f"2.{kind}").read_bytes())

    def test_tar_keeps_modes_and_times(self):
        path = self.folder / "a.tar.gz"
        dist.write_tar(path, FILES, 1700000000)
        told = subprocess.run(["tar", "-tvzf", path, "--utc"], check=True,
                              capture_output=True, text=True).stdout
        self.assertRegex(told, r"-rwxr-xr-x 0/0 .* 2023-11-14 22:13 a/run")

    def test_zip_keeps_modes(self):
        path = self.folder / "a.zip"
        dist.write_zip(path, FILES)
        with zipfile.ZipFile(path) as archive:
            mode = archive.getinfo("a/run").external_attr >> 16
        self.assertEqual(mode, 0o100755)

    def test_check_finds_a_difference(self):
        again, before = self.folder / "again", self.folder / "before"
        for folder in (again, before):
            folder.mkdir()
            (folder / "same").write_text("x")
        with unittest.mock.patch("builtins.print"):
            self.assertEqual(dist.compare(again, before), 0)
            (again / "same").write_text("y")
            self.assertEqual(dist.compare(again, before), 1)

    def test_unknown_artefacts_are_refused(self):
        for item in ("chicken", "deb", "deb:debian-1", "tarball:vax"):
            with self.assertRaises(SystemExit) as ended:
                dist.make(None, item)
            self.assertIn("cannot make", str(ended.exception))


class Layers(unittest.TestCase):
    """What is installed once, for each root in which a program is compiled."""

    def made_by(self, name):
        """The commands that make the layer of a distribution; it appears."""
        commands = []

        def run(words, **_):
            commands.append([str(word) for word in words])
            pathlib.Path(words[words.index("--save") + 1]).mkdir()

        with tempfile.TemporaryDirectory() as folder, \
                unittest.mock.patch.object(dist, "ROOTS",
                                           pathlib.Path(folder)), \
                unittest.mock.patch.object(dist.subprocess, "run", run):
            release = dist.Release.__new__(dist.Release)
            release.sources = release.work = pathlib.Path(folder)
            self.assertTrue(release.layer(name, "amd64", "amd64").is_dir())
        return commands

    def test_packages_are_installed_without_the_native_compiler(self):
        command, = self.made_by("ubuntu-24.04")
        self.assertIn("prepare", command)
        self.assertNotIn("--native-compiler", command)

    def test_a_layer_that_is_being_made_has_a_name_of_its_own(self):
        command, = self.made_by("ubuntu-24.04")
        self.assertRegex(command[command.index("--save") + 1],
                         r"/build-ubuntu-24\.04-amd64-amd64-\w+\.part$")


class Bill(unittest.TestCase):
    def test_names_every_package_once_and_how_it_is_linked(self):
        lines = "zlib1g-dev\t1:1.2\tzlib\tstatic\nlibisal2\t2.30\tlibisal\tdynamic\n"
        with tempfile.NamedTemporaryFile() as file:
            bill = sbom.document(dist.PROJECT, "1.0", 0, lines,
                                 pathlib.Path(file.name))
        linked = {r["relatedSpdxElement"]: r["relationshipType"]
                  for r in bill["relationships"]}
        self.assertEqual(linked, {"SPDXRef-squint": "DESCRIBES",
                                  "SPDXRef-zlib1g-dev": "STATIC_LINK",
                                  "SPDXRef-libisal2": "DYNAMIC_LINK"})
        self.assertIn("pkg:deb/debian/zlib1g-dev@1%3A1.2", json.dumps(bill))

    def test_an_unknown_licence_is_an_error(self):
        with self.assertRaises(SystemExit) as ended:
            sbom.component("new-dev\t1\tnew\tstatic")
        self.assertIn("licence of new", str(ended.exception))


CHANGELOG = """# Changelog

## 1.2.0 - 2026-01-02

### Added
- A thing.

## 1.1.0 - 2026-01-01
- Older.
"""


class Publication(unittest.TestCase):
    """What must be true before a release is published."""

    real = {**dist.PROJECT, "homepage": "https://squint.dev",
            "repository": "https://squint.dev/squint.git",
            "downloads": "https://squint.dev/files",
            "maintainer": "S <s@squint.dev>", "registryName": "dev.s/squint",
            "signingKey": "ssh-ed25519 AAAA", "wingetName": "S.squint"}

    def reasons(self, project=None, changelog=CHANGELOG, status="",
                tags=("other", "v1.2.0")):
        return releasing.reasons_not_to_publish(project or self.real, changelog,
                                                "1.2.0", status, tags)

    def test_each_missing_thing_is_a_reason(self):
        self.assertEqual(self.reasons(), [])
        self.assertEqual(len(self.reasons(tags=["v0"])), 1)
        self.assertEqual(len(self.reasons(status=" M a.c")), 1)
        self.assertIn("Unreleased", self.reasons(
            changelog="## Unreleased\n- New.\n\n" + CHANGELOG)[0])
        self.assertIn("1.2.0 - DATE", self.reasons(
            changelog=CHANGELOG.replace("1.2.0", "1.3.0"))[0])

    def test_every_placeholder_is_a_reason(self):
        for field in releasing.PLACES:
            reason, = self.reasons({**self.real, field: dist.PROJECT[field]})
            self.assertIn(field, reason)

    def test_the_script_refuses_with_the_placeholders_of_now(self):
        done = subprocess.run([SCRIPTS / "dist", "--publish", "notes"],
                              capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        for part in ("placeholders: homepage, repository", "not signed",
                     "nothing was built"):
            self.assertIn(part, done.stdout + done.stderr)

    def test_another_key_is_a_reason(self):
        with unittest.mock.patch.object(dist, "git", lambda *words: ""), \
                unittest.mock.patch.object(dist, "PROJECT", self.real), \
                unittest.mock.patch.object(releasing, "public_key",
                                           lambda key: key):
            for key, count in (("ssh-ed25519 AAAA", 0), ("ssh-ed25519 B", 1),
                               (None, 1)):
                found = [reason for reason in dist.reasons_not_to_publish(key)
                         if "signed" in reason]
                self.assertEqual(len(found), count)

    def test_notes_are_the_section_of_the_version(self):
        self.assertEqual(releasing.notes(CHANGELOG, "1.2.0"),
                         "### Added\n- A thing.\n")
        self.assertEqual(releasing.notes(CHANGELOG, "1.1.0"), "- Older.\n")
        self.assertIsNone(releasing.notes(CHANGELOG, "1.0.0"))


class Trust(unittest.TestCase):
    """What lets a person check where the files come from."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        for name in ("key", "other"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f",
                            self.folder / name], check=True)

    def release(self):
        made = dist.Release.__new__(dist.Release)
        made.out, made.version, made.epoch = self.folder / "dist", "1.2.0", 1700000000
        made.out.mkdir()
        (made.out / "squint-1.2.0.tgz").write_bytes(b"package")
        made.made = lambda path: None
        return made

    def test_checksums_are_signed_and_name_their_origin(self):
        release = self.release()
        commit = "a" * 40
        with unittest.mock.patch.object(dist, "git", lambda *words: commit):
            dist.write_sums(release, self.folder / "key")
            dist.write_sums(release, self.folder / "key")  # again, over the old ones
        sums = release.out / "SHA256SUMS"
        key, other = (releasing.public_key(self.folder / name)
                      for name in ("key", "other"))
        self.assertTrue(releasing.is_signed(sums, key))
        self.assertFalse(releasing.is_signed(sums, other))
        with unittest.mock.patch.object(test_dist, "DIST", release.out):
            self.assertEqual(test_dist.test_sums(sums), "2 files")
            self.assertIn("1 files of commit aaaa", test_dist.test_provenance(
                release.out / "provenance.json"))
            (release.out / "squint-1.2.0.tgz").write_bytes(b"changed")
            with self.assertRaises(test_dist.Failed):
                test_dist.test_provenance(release.out / "provenance.json")
        sums.write_text(sums.read_text().replace("a", "b"))
        self.assertFalse(releasing.is_signed(sums, key))

    def test_without_a_key_no_signature_is_left(self):
        release = self.release()
        with unittest.mock.patch.object(dist, "git", lambda *words: "a" * 40):
            dist.write_sums(release, self.folder / "key")
            dist.write_sums(release, None)
        self.assertFalse((release.out / "SHA256SUMS.sig").exists())


class Packages(unittest.TestCase):
    """What npm's package and the bundle say and contain."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.release = dist.Release.__new__(dist.Release)
        self.release.out, self.release.version = self.folder, "1.2.0"
        self.release.epoch = 1700000000
        self.release.made = lambda path: None
        self.release.folders = {}
        for arch, word in dist.ARCHITECTURES.items():
            folder = self.folder / arch
            for part in ("bin/squint", "lib/libisal.so.2", "licenses/zlib1g"):
                (folder / part).parent.mkdir(parents=True, exist_ok=True)
                (folder / part).write_text(f"#!/bin/sh\necho {word} \"$@\"\n")
            (folder / "bin/squint").chmod(0o755)
            self.release.folders[arch] = folder
        made = self.folder / "build-exe"
        licenses = made / "squint-1.2.0-windows-x86_64/licenses"
        licenses.mkdir(parents=True)
        for path in (made / "squint.exe", made / "bundle-start.exe",
                     licenses / "zlib.txt"):
            path.write_text("MZ " + path.name)
        self.release.windows = lambda: made

    def test_npm_has_both_architectures_and_starts_with_an_empty_home(self):
        dist.make_npm(self.release)
        subprocess.run(["tar", "-xzf", "squint-1.2.0.tgz"], cwd=self.folder,
                       check=True)
        package = json.loads((self.folder / "package/package.json").read_text())
        self.assertEqual(package["author"], dist.PROJECT["maintainer"])
        self.assertEqual(package["repository"],
                         {"type": "git",
                          "url": "git+" + dist.PROJECT["repository"]})
        for word in dist.ARCHITECTURES.values():
            self.assertIn(f"linux-{word}", package["files"])
            for part in ("bin/squint", "lib/libisal.so.2", "licenses/zlib1g"):
                self.assertTrue((self.folder / f"package/linux-{word}/{part}").exists())
        home = self.folder / "home"
        home.mkdir()
        done = subprocess.run([self.folder / "package" / package["bin"]["squint"],
                               "mcp"], env={"HOME": home, "PATH": os.environ["PATH"]},
                              capture_output=True, text=True, check=True)
        self.assertRegex(done.stdout, r"^(x86_64|arm64) mcp\n$")
        self.assertEqual(list(home.iterdir()), [])

    def test_npm_for_windows_has_the_program_itself(self):
        dist.make_npm(self.release)
        with tarfile.open(self.folder / "squint-windows-1.2.0.tgz") as archive:
            package = json.load(archive.extractfile("package/package.json"))
            program = archive.extractfile("package/" + package["bin"]["squint"]).read()
            names = archive.getnames()
        self.assertEqual(program, b"MZ squint.exe")
        self.assertEqual((package["os"], package["name"]),
                         (["win32"], dist.PROJECT["npmName"] + "-windows"))
        for name in ("LICENSE", "README.md", "licenses/zlib.txt"):
            self.assertIn("package/" + name, names)

    def test_manifests_of_winget_are_true(self):
        archive = self.folder / "squint-1.2.0-windows-x86_64.zip"
        archive.write_bytes(b"zip")
        files = dict(dist.winget_manifests("1.2.0", archive))
        name = dist.PROJECT["wingetName"]
        self.assertEqual(set(files), {f"{name}.yaml", f"{name}.installer.yaml",
                                      f"{name}.locale.en-US.yaml"})
        installer = files[f"{name}.installer.yaml"].splitlines()
        for line in ('PackageVersion: "1.2.0"', 'NestedInstallerFiles:',
                     '- RelativeFilePath: "squint-1.2.0-windows-x86_64\\\\squint.exe"',
                     '  PortableCommandAlias: "squint"', '- "Windows.Desktop"',
                     f'  InstallerSha256: "{dist.sha256(archive).upper()}"'):
            self.assertIn(line, installer)

    def test_the_bundle_has_an_icon_and_settings(self):
        dist.make_mcpb(self.release)
        with zipfile.ZipFile(self.folder / "squint-1.2.0.mcpb") as archive:
            manifest = json.loads(archive.read("manifest.json"))
            icon = archive.read(manifest["icon"])
            starts = archive.getinfo(manifest["server"]["entry_point"])
            other = manifest["server"]["mcp_config"]["platform_overrides"]["win32"]
            program = archive.read(other["command"].removeprefix("${__dirname}/"))
        self.assertEqual(icon[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(int.from_bytes(icon[16:20], "big"), 256)
        self.assertEqual(program, b"MZ bundle-start.exe")
        self.assertEqual(starts.external_attr >> 16 & 0o777, 0o755)
        asked = json.dumps(manifest["server"]["mcp_config"])
        for name, field in manifest["user_config"].items():
            self.assertIn("${user_config." + name + "}", asked)
            self.assertTrue(field["title"] and field["description"])
        self.assertEqual(set(manifest["user_config"]),
                         {"device", "archive_folders", "vision"})

    def start(self, *words, **variables):
        """What the bundle starts with these settings."""
        place = self.folder / "bin"
        place.mkdir(exist_ok=True)
        shown = place / "squint"
        shown.write_text('#!/bin/sh\nfor word; do echo "$word"; done\n'
                         'echo "$ANDROID_SERIAL,$SQUINT_UI_OCR_ENABLED"\n'
                         'env | grep -c "^ANDROID_SERIAL"\n')
        shown.chmod(0o755)
        script = place / "bundle-start"
        script.write_bytes((dist.PACKAGING / "bundle-start").read_bytes())
        return subprocess.run(["sh", script, *words], text=True, check=False,
                              env={"PATH": os.environ["PATH"], **variables},
                              capture_output=True).stdout.splitlines()

    def test_settings_reach_the_server(self):
        self.assertEqual(
            self.start("/a b", "/c", ANDROID_SERIAL="R5", SQUINT_UI_OCR_ENABLED="true"),
            ["mcp", "--archive", "/a b", "--archive", "/c", "R5,true", "1"])

    def test_empty_settings_are_left_out(self):
        unset = "${user_config.device}"
        for empty in ("", unset):
            self.assertEqual(
                self.start(empty, ANDROID_SERIAL=empty, SQUINT_UI_OCR_ENABLED=empty),
                ["mcp", ",", "0"])


class Workflow(unittest.TestCase):
    def test_it_runs_only_what_is_there(self):
        tree = SCRIPTS.parent
        text = (tree / ".github/workflows/test.yml").read_text()
        makefile = (tree / "Makefile").read_text()
        for target in dist.re.findall(r"\bmake ([a-z-]+)", text):
            self.assertIn(f"\n{target}: ##", makefile)
        paths = set(dist.re.findall(r"(?:tests|scripts)/[\w/.-]+", text))
        self.assertGreater(len(paths), 3)
        for path in paths:
            self.assertTrue((tree / path).exists(), path)
        self.assertNotIn("secrets.", text)


class Formula(unittest.TestCase):
    def test_it_needs_what_the_documents_name(self):
        formula = (dist.PACKAGING / "squint.rb.in").read_text()
        packages = dist.re.search(r"^macos='([^']*)'", (SCRIPTS / "install-deps")
                                  .read_text(), dist.re.MULTILINE)[1]
        needed = dist.re.findall(r'(?:depends_on|uses_from_macos) "([^"]+)"', formula)
        self.assertEqual(sorted(needed), sorted(packages.split()))


class Documents(unittest.TestCase):
    """test-dist checks the fields of server.json and of a bill of materials."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        for name, value in (("DIST", self.folder),
                            ("downloaded", lambda url: None)):
            patch = unittest.mock.patch.object(test_dist, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        self.artefact = self.folder / "squint-1.mcpb"
        self.artefact.write_bytes(b"bundle")

    def check(self, kind, document):
        path = self.folder / "document.json"
        path.write_text(json.dumps(document))
        return kind(path)

    def refused(self, kind, document):
        with self.assertRaises(test_dist.Failed):
            self.check(kind, document)

    def test_server_json(self):
        entry = dist.server_entry("1", self.artefact)
        told = self.check(test_dist.test_server_json, entry)
        self.assertIn("cannot be reached", told)
        for key in ("name", "description", "version"):
            self.refused(test_dist.test_server_json,
                         {k: v for k, v in entry.items() if k != key})
        for change in ({"name": "squint"}, {"description": "x" * 101},
                       {"colour": "red"}, {"websiteUrl": "ftp://x"},
                       {"repository": {"url": "https://x"}}):
            self.refused(test_dist.test_server_json, {**entry, **change})
        self.artefact.write_bytes(b"another bundle")
        self.refused(test_dist.test_server_json, entry)

    def test_bill_of_materials(self):
        lines = "zlib1g-dev\t1:1.2\tzlib\tstatic\n"
        bill = sbom.document(dist.PROJECT, "1", 0, lines, self.artefact)
        self.assertIn("2 packages", self.check(test_dist.test_sbom, bill))
        for change in ({"spdxVersion": "SPDX-2.2"}, {"colour": "red"},
                       {"packages": bill["packages"][:1]},
                       {"relationships": bill["relationships"][:1]}):
            self.refused(test_dist.test_sbom, {**bill, **change})
        self.artefact.write_bytes(b"another bundle")
        self.refused(test_dist.test_sbom, bill)

    def test_a_published_schema_decides(self):
        if not test_dist.jsonschema:
            self.skipTest("python3-jsonschema is not here")
        with unittest.mock.patch.object(test_dist, "downloaded", lambda url: {
                "type": "object", "required": ["colour"]}):
            self.assertEqual(test_dist.validated({"colour": 1}, "x"),
                             "valid by its schema")
            with self.assertRaises(test_dist.Failed):
                test_dist.validated({}, "x")


class Artefacts(unittest.TestCase):
    """test-dist runs each artefact in a root; here only how it asks for that."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.runs = []
        for name, value in (("DIST", self.folder), ("tools_layer", lambda: "tools"),
                            ("in_root", self.note)):
            patch = unittest.mock.patch.object(test_dist, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def note(self, *words, **options):
        self.runs.append((words, options))

    def test_the_sources_are_built_and_used(self):
        test_dist.test_source(self.folder / "squint-1.2.3.tar.gz")
        (_, _, script, *words), options = self.runs[0]
        self.assertEqual(words, ["squint-1.2.3.tar.gz", "1.2.3"])
        self.assertTrue(options["online"])
        for part in ("make build", "make install", "use squint",
                     "make uninstall", "nothing_left"):
            self.assertIn(f"\n{part}", script)

    def test_a_bundle_is_validated_where_npm_is(self):
        with unittest.mock.patch.object(test_dist.shutil, "which",
                                        lambda name: None):
            test_dist.validate_bundle(self.folder)
        (_, _, script, *words), options = self.runs[0]
        self.assertIn("validate", script)
        self.assertEqual((words, options["over"]), ([test_dist.MCPB], "tools"))

    def test_a_container_needs_its_package_and_is_used_as_its_user(self):
        path = self.folder / "Dockerfile"
        path.write_text((SCRIPTS.parent / "packaging/Dockerfile").read_text())
        with self.assertRaises(test_dist.Failed):
            test_dist.test_dockerfile(path)
        package = self.folder / f"squint_1-1~debian12_{test_dist.HOST}.deb"
        package.touch()
        self.assertIn("docker itself did not run",
                      test_dist.test_dockerfile(path))
        (_, _, script, *words), _ = self.runs[0]
        self.assertEqual(words, [package.name, "squint"])
        for part in ("use squint", "purge", "nothing_left"):
            self.assertIn(part, script)
        path.write_text(path.read_text().replace('["mcp"]', '["serve"]'))
        with self.assertRaises(test_dist.Failed):
            test_dist.test_dockerfile(path)


class Launcher(unittest.TestCase):
    def run_launcher(self, folder, machine):
        """Run a launcher through a link, on a machine of that kind."""
        tools = folder / "tools"
        tools.mkdir()
        (tools / "uname").write_text(
            f'#!/bin/sh\n[ "$1" = -s ] && echo Linux || echo {machine}\n')
        (tools / "uname").chmod(0o755)
        package = folder / "package/bin"
        package.mkdir(parents=True)
        (package / "squint").write_text(dist.fill("launcher"))
        (package / "squint").chmod(0o755)
        for word in dist.ARCHITECTURES.values():
            program = folder / f"package/linux-{word}/bin/squint"
            program.parent.mkdir(parents=True)
            program.write_text(f'#!/bin/sh\necho {word} "$@"\nexit 3\n')
            program.chmod(0o755)
        link = folder / "link"
        link.symlink_to("package/bin/squint")
        return subprocess.run(
            [link, "a b", "c"], capture_output=True, text=True, check=False,
            env={"PATH": f"{tools}:{os.environ['PATH']}"})

    def test_runs_the_program_of_the_architecture(self):
        for machine, word in (("x86_64", "x86_64"), ("aarch64", "arm64")):
            with tempfile.TemporaryDirectory() as folder:
                done = self.run_launcher(pathlib.Path(folder), machine)
            self.assertEqual((done.returncode, done.stdout),
                             (3, f"{word} a b c\n"))

    def test_says_what_to_do_on_other_machines(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_launcher(pathlib.Path(folder), "riscv64")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no binary for Linux riscv64", done.stderr)
        self.assertIn(dist.PROJECT["homepage"], done.stderr)


class InRoot(unittest.TestCase):
    def test_unknown_distributions_are_refused(self):
        done = subprocess.run([SCRIPTS / "in-root", "vax-1", "--", "true"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("debian-12", done.stderr)


if __name__ == "__main__":
    unittest.main()
