"""What must be true before a release is published, and what is given along with its
files: notes, where they come from, and a signature."""
import datetime
import json
import pathlib
import re
import subprocess
import tempfile

PLACES = ("homepage", "repository", "downloads", "maintainer", "registryName",
          "signingKey", "wingetName")
SIGNER = "squint"  # the name in the file of allowed signers
NAMESPACE = "squint-release"  # a signature for another purpose does not count


def placeholders(project):
    """The fields of packaging/project.json that have no real value yet."""
    return [key for key in PLACES if re.search(r"\bexample\b", project[key], re.IGNORECASE)]


def notes(changelog, version):
    """What CHANGELOG.md says of that version; None if it has no such section."""
    found = re.search(rf"^## {re.escape(version)} - \d{{4}}-\d\d-\d\d\n(.*?)(?=^## |\Z)",
                      changelog, re.MULTILINE | re.DOTALL)
    return found and found[1].strip() + "\n"


def reasons_not_to_publish(project, changelog, version, status, tags):
    """What has to be done before a release can be published, as sentences."""
    reasons = []
    if placeholders(project):
        reasons.append("packaging/project.json has placeholders: "
                       + ", ".join(placeholders(project))
                       + " (packaging/README.md describes them)")
    if notes(changelog, version) is None:
        reasons.append(f"CHANGELOG.md has no section \"{version} - DATE\"")
    if re.search(r"^## Unreleased$", changelog, re.MULTILINE):
        reasons.append("CHANGELOG.md has changes without a version (Unreleased)")
    if status:
        reasons.append("there are changes that are not committed, which are not "
                       "included")
    if f"v{version}" not in tags:
        reasons.append(f"the last commit does not have the tag v{version}")
    return reasons


def provenance(project, version, commit, epoch, sums):
    """Where the files come from: an in-toto statement with SLSA's predicate. It
    names what this script knows; that is trusted as far as the signature is."""
    made = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc)
    source = f"git+{project['repository']}"
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": name, "digest": {"sha256": digest}}
                    for name, digest in sorted(sums.items())],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": f"{project['homepage']}/scripts/dist",
                "externalParameters": {"source": source, "version": version},
                "resolvedDependencies": [
                    {"uri": source, "digest": {"gitCommit": commit}}]},
            "runDetails": {
                "builder": {"id": f"{project['homepage']}/scripts/dist"},
                "metadata": {"finishedOn": made.strftime("%Y-%m-%dT%H:%M:%SZ")}}},
    }


def write_provenance(path, *facts):
    """provenance.json"""
    path.write_text(json.dumps(provenance(*facts), indent=1) + "\n")


def public_key(key):
    """The public half of a key file, as "TYPE BYTES", without its comment."""
    line = subprocess.run(["ssh-keygen", "-y", "-f", key], check=True, text=True,
                          capture_output=True).stdout
    return " ".join(line.split()[:2])


def sign(path, key):
    """Write PATH.sig, by the private SSH key in the file `key`."""
    signature = path.with_name(path.name + ".sig")
    signature.unlink(missing_ok=True)  # ssh-keygen would ask
    subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", NAMESPACE,
                    path], check=True, stderr=subprocess.DEVNULL)
    return signature


def is_signed(path, public):
    """Whether PATH.sig is a signature of the file by that public key."""
    with tempfile.TemporaryDirectory() as folder:
        allowed = pathlib.Path(folder, "allowed_signers")
        allowed.write_text(f"{SIGNER} {public}\n")
        return subprocess.run(
            ["ssh-keygen", "-Y", "verify", "-f", allowed, "-I", SIGNER,
             "-n", NAMESPACE, "-s", path.with_name(path.name + ".sig")],
            input=path.read_bytes(), capture_output=True, check=False).returncode == 0
