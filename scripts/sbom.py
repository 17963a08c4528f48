"""The bill of materials of a release, in the format SPDX 2.3."""
import datetime
import hashlib
import urllib.parse

# Licences by Debian's source package, as SPDX expressions.
LICENSES = {
    "brotli": "MIT",
    "bzip2": "bzip2-1.0.6",
    "expat": "MIT",
    "fonts-dejavu": "Bitstream-Vera",
    "freetype": "FTL OR GPL-2.0-or-later",
    "glibc": "LGPL-2.1-or-later",
    "libdeflate": "MIT",
    "libevent": "BSD-3-Clause",
    "libisal": "BSD-3-Clause",
    "libjpeg-turbo": "IJG AND BSD-3-Clause AND Zlib",
    "libpng1.6": "libpng-2.0",
    "libsodium": "ISC",
    "libwebp": "BSD-3-Clause",
    "libyaml": "MIT",
    "sqlite3": "blessing",
    "zlib": "Zlib",
}
GCC_LICENSE = "GPL-3.0-or-later WITH GCC-exception-3.1"


def license_of(source):
    """The licence of a source package; an unknown one is an error."""
    if source.startswith(("gcc-", "cross-toolchain-base", "glibc")):
        return GCC_LICENSE if "gcc" in source else LICENSES["glibc"]
    if source not in LICENSES:
        raise SystemExit(f"sbom: the licence of {source} is not in "
                         "scripts/sbom.py; please add it")
    return LICENSES[source]


def component(line):
    """(package, relationship) of a line of packages.tsv."""
    name, version, source, how = line.split("\t")
    identifier = f"SPDXRef-{name.replace('_', '-').replace('+', '-')}"
    package = {
        "SPDXID": identifier, "name": name, "versionInfo": version,
        "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": license_of(source), "copyrightText": "NOASSERTION",
        "supplier": "Organization: Debian",
        "externalRefs": [{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
            "referenceLocator": f"pkg:deb/debian/{name}@"
                                f"{urllib.parse.quote(version, safe='')}"}],
    }
    relationship = {
        "spdxElementId": "SPDXRef-squint", "relatedSpdxElement": identifier,
        "relationshipType":
            "STATIC_LINK" if how == "static" else "DYNAMIC_LINK"}
    return package, relationship


def document(project, version, epoch, packages, artefact):
    """The document about one file of the release. packages: a line for each
    package in it, as dist-build's list_packages prints them."""
    checksum = hashlib.sha256(artefact.read_bytes()).hexdigest()
    created = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc)
    parts = [component(line) for line in packages.splitlines()]
    squint = {
        "SPDXID": "SPDXRef-squint", "name": project["name"],
        "versionInfo": version, "packageFileName": artefact.name,
        "downloadLocation":
            f"{project['downloads']}/v{version}/{artefact.name}",
        "filesAnalyzed": False, "licenseConcluded": project["license"],
        "licenseDeclared": project["license"],
        "copyrightText": "NOASSERTION",
        "checksums": [{"algorithm": "SHA256", "checksumValue": checksum}],
        "primaryPackagePurpose": "APPLICATION",
    }
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT", "name": artefact.name,
        "documentNamespace": f"{project['homepage']}/spdx/{checksum}",
        "creationInfo": {
            "created": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Tool: squint-dist"]},
        "packages": [squint, *[package for package, _ in parts]],
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT",
             "relatedSpdxElement": "SPDXRef-squint",
             "relationshipType": "DESCRIBES"},
            *[relationship for _, relationship in parts]],
    }
