"""Shared by the checks: finds our files and reads C without comments.

Not a parser. It finds comments, strings, directives and functions in code that
clang-format has formatted.
"""
import importlib.machinery
import importlib.util
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOREIGN = {"node_modules", "peer", "__pycache__", "corpus"}

_LEXEME = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<literal>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')""",
    re.DOTALL | re.VERBOSE)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)
_TOKEN = re.compile(r"[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*|&&|\|\||->|\S")


def files(*patterns, root=ROOT):
    """Our files that match any of the glob patterns, in a stable order."""
    found = set()
    for pattern in patterns:
        for path in root.glob(pattern):
            inner = path.relative_to(root).parts
            if path.is_file() and not FOREIGN.intersection(inner):
                found.add(path)
    return sorted(found)


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def without_comments(text):
    """The text with comments turned to spaces; lines keep their numbers."""
    return _LEXEME.sub(
        lambda m: _blank(m[0]) if m["comment"] else m[0], text)


def without_words(text):
    """The text without comments and without the contents of literals."""
    return _LEXEME.sub(
        lambda m: _blank(m[0]) if m["comment"]
        else m[0][0] + _blank(m[0][1:-1]) + m[0][-1], text)


def bare_code(text):
    """The text without comments, words and directives; offsets are kept."""
    return _DIRECTIVE.sub(lambda m: _blank(m[0]), without_words(text))


def tokens(text):
    """(token, line) of the code proper: no comments, words or directives."""
    code = bare_code(text)
    line, at = 1, 0
    for match in _TOKEN.finditer(code):
        line += code.count("\n", at, match.start())
        at = match.start()
        yield match[0], line


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def load_script(name):
    """A script as a module, although its file name has no .py."""
    loader = importlib.machinery.SourceFileLoader(
        name.replace("-", "_"), str(ROOT / "scripts" / name))
    module = importlib.util.module_from_spec(
        importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def report(problems):
    """Print problems, one per line; the exit status."""
    problems = list(problems)
    for problem in problems:
        print(problem)
    return 1 if problems else 0
