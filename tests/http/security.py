#!/usr/bin/env python3
"""security.py SQUINT COUNT: who may use squint serve, and what it refuses,
with COUNT damaged requests."""
import json
import os
import random
import stat
import subprocess
import sys
import tempfile

from served import META, Cases, Server

PING = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "server/discover",
                   "params": {"_meta": META}}).encode()
MODERN = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "server/discover"}


def raw(server, data):
    """Send bytes; return the status of the answer, or None."""
    connection = server.connect()
    try:
        connection.send(data)
        connection.socket.shutdown(1)
        return connection.read_head()[0]
    except (EOFError, ConnectionError):
        return None
    finally:
        connection.close()


def head(server, *lines, first="POST /mcp HTTP/1.1", body=PING):
    """A request with the token and these further header lines."""
    return "\r\n".join(
        [first, f"Host: {server.host()}", "Content-Type: application/json",
         f"Authorization: Bearer {server.token}",
         "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: server/discover",
         *lines]).encode() + b"\r\n\r\n" + body


def token_cases(server):
    """The token: absent, wrong, or in the wrong place."""
    token = server.token
    yield "no token", 401, {"Authorization": None}
    yield "a wrong token", 401, {"Authorization": "Bearer " + "0" * 64}
    yield "a part of the token", 401, {"Authorization": "Bearer " + token[:-1]}
    yield "more than the token", 401, {"Authorization": f"Bearer {token}0"}
    yield "the token with a NUL-like end", 401, {
        "Authorization": f"Bearer {token}%00"}
    yield "an empty token", 401, {"Authorization": "Bearer "}
    yield "another scheme", 401, {"Authorization": "Basic " + token}
    yield "the token alone", 401, {"Authorization": token}
    yield "a huge token", 401, {"Authorization": "Bearer " + "a" * 4000}
    yield "the right token", 200, {}
    yield "the scheme in lower case", 200, {"Authorization": "bearer " + token}


def name_cases(server):
    """Host and Origin: pages that resolve their own name to our address."""
    port = server.address[1]
    yield "Host of another site", 403, {"Host": "evil.example.com"}
    yield "Host that begins like ours", 403, {"Host": f"127.0.0.1.evil.example"
                                                      f":{port}"}
    yield "Host with another port", 403, {"Host": "localhost:1"}
    yield "Host with user information", 403, {"Host": f"a@127.0.0.1:{port}"}
    yield "an empty Host", 403, {"Host": ""}
    yield "Host localhost", 200, {"Host": f"localhost:{port}"}
    yield "Host in capitals", 200, {"Host": f"LOCALHOST:{port}"}
    yield "Host of IPv6 loopback", 200, {"Host": f"[::1]:{port}"}
    yield "Origin of another site", 403, {"Origin": "http://evil.example.com"}
    yield "Origin null", 403, {"Origin": "null"}
    yield "Origin with another port", 403, {"Origin": "http://localhost:1"}
    yield "Origin of a file", 403, {"Origin": "file://"}
    yield "Origin that begins like ours", 403, {
        "Origin": f"http://localhost:{port}.evil.example"}
    yield "our own Origin", 200, {"Origin": f"http://localhost:{port}"}


def form_cases(server):
    """Content types, lengths and methods."""
    yield "a form", 415, {"Content-Type": "application/x-www-form-urlencoded"}
    yield "text", 415, {"Content-Type": "text/plain"}
    yield "no content type", 415, {"Content-Type": None}
    yield "JSON with a charset", 200, {
        "Content-Type": "application/json; charset=utf-8"}
    yield "Accept of pictures", 406, {"Accept": "image/png"}
    yield "Accept of anything", 200, {"Accept": "*/*"}
    yield "no Accept", 200, {"Accept": None}
    yield "a length that is too large", 413, {"Content-Length": "8388609"}
    yield "a length without end", 400, {"Content-Length": "9" * 30}
    yield "a negative length", 400, {"Content-Length": "-1"}
    yield "a length with a sign", 400, {"Content-Length": f"+{len(PING)}"}
    yield "a length in hexadecimal", 400, {"Content-Length": "0x10"}
    yield "an unknown expectation", 417, {"Expect": "200-ok"}
    del server


def raw_cases(server):
    """Requests that two programs could read differently, and garbage."""
    size = f"Content-Length: {len(PING)}"
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(PING), PING)
    yield "length and chunks", 400, head(
        server, size, "Transfer-Encoding: chunked", body=chunked)
    yield "chunks and length", 400, head(
        server, "Transfer-Encoding: chunked", size, body=chunked)
    yield "two lengths", 400, head(server, size, "Content-Length: 5")
    yield "two equal lengths", 400, head(server, size, size)
    yield "a list of lengths", 400, head(server, size + ", 5")
    yield "another encoding", 501, head(server, "Transfer-Encoding: gzip")
    yield "two encodings", 501, head(server, "Transfer-Encoding: gzip, chunked")
    yield "a blank before the colon", 400, head(server, size,
                                                "Transfer-Encoding : chunked")
    yield "a continued header", 400, head(server, size, "X: a", " b")
    yield "a header without colon", 400, head(server, size, "nonsense")
    yield "a bare LF", 400, head(server, size).replace(b"\r\nHost", b"\nHost")
    yield "a bare CR in a value", 400, head(server, size, "X: a\rb")
    yield "a NUL in a value", 400, head(server, size, "X: a\0b")
    yield "chunks", 200, head(server, "Transfer-Encoding: chunked",
                              body=chunked)
    yield "a chunk with an extension", 200, head(
        server, "Transfer-Encoding: chunked",
        body=chunked.replace(b"\r\n", b";a=b\r\n", 1))
    yield "a trailer", 400, head(server, "Transfer-Encoding: chunked",
                                 body=chunked[:-2] + b"X: y\r\n\r\n")
    yield "a chunk without size", 400, head(
        server, "Transfer-Encoding: chunked", body=b"\r\n")
    yield "a huge chunk", 413, head(server, "Transfer-Encoding: chunked",
                                    body=b"7fffffff\r\n" + b"a" * (9 << 20))
    yield "a huge size of a chunk", 400, head(
        server, "Transfer-Encoding: chunked", body=b"fffffffff\r\n")
    yield "two Hosts", 400, head(server, size, "Host: evil.example.com")
    yield "two tokens", 400, head(server, size, "Authorization: Bearer x")
    yield "two versions", 400, head(server, size,
                                    "MCP-Protocol-Version: 2025-11-25")
    yield "a huge header", 431, head(server, size, "X: " + "a" * 9000)
    yield "many headers", 431, head(server, size, *["X: y"] * 70)
    yield "HTTP/2", 505, head(server, size, first="POST /mcp HTTP/2.0")
    yield "a whole address", 400, head(
        server, size, first="POST http://evil.example/mcp HTTP/1.1")
    yield "no Host", 400, head(server, size).replace(b"Host:", b"Hots:")
    yield "TLS", 400, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
    yield "a folder above", 404, head(server, size,
                                      first="POST /mcp/../mcp HTTP/1.1")
    yield "TRACE", 405, head(server, size.replace(str(len(PING)), "0"),
                             first="TRACE /mcp HTTP/1.1", body=b"")
    yield "OPTIONS without CORS", 405, head(server, "Origin: " + origin(server),
                                            first="OPTIONS /mcp HTTP/1.1",
                                            body=b"")


def origin(server):
    """Our own origin."""
    return f"http://127.0.0.1:{server.address[1]}"


def check_header_injection(cases, server):
    """No text of a request gets into the headers of an answer."""
    for value in ("a%0d%0aX-Evil: 1", "a\tX-Evil: 1"):
        answer = server.ask(body=PING, **{**MODERN, "Mcp-Session-Id": value,
                                          "X-Request-Id": value})
        cases.check("x-evil" not in answer.headers, "no header is injected",
                    answer.headers)


def check_garbage(cases, server, count):
    """Random requests are refused, and the server goes on."""
    random.seed(1)
    good = head(server, f"Content-Length: {len(PING)}")
    statuses = set()
    for _ in range(count):
        data = bytearray(good)
        for _ in range(random.randrange(1, 8)):
            at = random.randrange(len(data))
            data[at:at + random.randrange(3)] = random.randbytes(
                random.randrange(4))
        statuses.add(raw(server, bytes(data)))
    cases.check(all(s is None or 200 <= s < 506 for s in statuses),
                f"{count} damaged requests", statuses)
    answer = server.ask(body=PING, **MODERN)
    cases.check(answer.status == 200, "the server still answers", answer.body)


def check_token_file(cases, squint):
    """The token file: private, reused, and refused if others may read it."""
    first = Server([squint])
    home = first.folder.name
    mode = stat.S_IMODE(os.stat(first.token_file).st_mode)
    cases.check(mode == 0o600, "only the owner may read the token", oct(mode))
    cases.check(len(first.token) >= 32, "the token has at least 128 bits")
    cases.check(not any(first.token in line for line in first.lines),
                "a new token is not written into a log", first.lines)
    cases.check(first.stop() == 0, "a signal ends it")
    second = Server([squint], home=home)
    cases.check(second.token == first.token, "the token stays")
    cases.check(not any(first.token in line for line in second.lines),
                "nor an old one", second.lines)
    second.stop()
    os.chmod(first.token_file, 0o644)
    try:
        Server([squint], home=home)
        cases.check(False, "a token that others may read is refused")
    except RuntimeError as error:
        cases.check("others may read" in str(error),
                    "a token that others may read is refused", error)


def check_public(cases, squint):
    """Other addresses need a flag."""
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, XDG_STATE_HOME=folder)
        done = subprocess.run([squint, "serve", "--listen", "0.0.0.0:0"],
                              env=env, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, check=False)
    cases.check(done.returncode == 2 and "--any-address" in done.stderr,
                "an address that others can reach needs a flag", done)
    cases.check("token" not in done.stderr,
                "no token is created for a server that does not start", done)


def check_used_port(cases, squint, server):
    """The advice is about the port, not about other addresses."""
    for more in ([], ["--any-address"]):
        with tempfile.TemporaryDirectory() as folder:
            env = dict(os.environ, XDG_STATE_HOME=folder)
            done = subprocess.run(
                [squint, "serve", "--listen",
                 f"127.0.0.1:{server.address[1]}", *more], env=env,
                capture_output=True, text=True, stdin=subprocess.DEVNULL,
                check=False, timeout=60)
        cases.check(done.returncode == 1 and "another port" in done.stderr
                    and "--any-address" not in done.stderr
                    and "token" not in done.stderr,
                    "a port in use is reported as such", done)


def check_words(cases, server):
    """What refusals say, and that HEAD gets no body."""
    def ask(**changes):
        return server.ask(body=PING, **{**MODERN, **changes})
    missing, wrong = ask(Authorization=None), ask(Authorization="Bearer x")
    cases.check(b"send the token" in missing.body
                and missing.headers["www-authenticate"] == "Bearer",
                "a missing token is asked for", missing.headers, missing.body)
    cases.check(b"the token is not valid" in wrong.body
                and 'error="invalid_token"' in wrong.headers["www-authenticate"],
                "a wrong token is called wrong", wrong.headers, wrong.body)
    connection = server.connect()
    connection.send(server.request_bytes("HEAD"))
    status, headers = connection.read_head()
    rest = connection.pending + connection.socket.recv(100)
    cases.check(status == 405 and int(headers["content-length"]) > 0
                and rest == b"", "HEAD gets no body", status, headers, rest)
    connection.close()
    session = server.initialize()
    for method in ("POST", "GET", "DELETE"):
        answer = server.ask(method, body=PING if method == "POST" else b"", **{
            "Mcp-Session-Id": session, "MCP-Protocol-Version": "2019-01-01"})
        cases.check(answer.status == 400
                    and b"MCP-Protocol-Version" in answer.body,
                    f"{method}: an unknown version in a session is refused",
                    answer.status, answer.body)


def check_cors(cases, squint):
    """Web pages of an allowed origin, and of others."""
    server = Server([squint], ["--allow-origin", "https://app.example",
                               "--authorization-server",
                               "https://login.example"])
    page = {"Origin": "https://app.example"}
    answer = server.ask("OPTIONS", **page)
    cases.check(answer.status == 204 and
                answer.headers.get("access-control-allow-origin")
                == "https://app.example", "an allowed page may ask",
                answer.headers)
    answer = server.ask(body=PING, **MODERN, **page)
    cases.check(answer.status == 200 and
                answer.headers.get("access-control-allow-origin")
                == "https://app.example", "and use it", answer.headers)
    answer = server.ask("OPTIONS", Origin="https://other.example")
    cases.check(answer.status == 403, "another page may not", answer.status)
    answer = server.ask(body=PING, Authorization=None)
    link = answer.headers.get("www-authenticate", "")
    path = "/.well-known/oauth-protected-resource/mcp"
    cases.check(path in link, "a client learns where tokens are issued", link)
    answer = server.ask("GET", path, Authorization=None)
    cases.check(answer.status == 200 and answer.json()["authorization_servers"]
                == ["https://login.example"], "by RFC 9728", answer.body)
    server.stop()


def main():
    """Run all cases."""
    squint = sys.argv[1]
    cases = Cases()
    server = Server([squint])
    for make in (token_cases, name_cases, form_cases):
        for name, status, changes in make(server):
            answer = server.ask(body=PING, **{**MODERN, **changes})
            cases.check(answer.status == status, f"{name}: {status}",
                        answer.status, answer.body)
    answer = server.ask(path="/mcp?access_token=" + server.token, body=PING,
                        **{**MODERN, "Authorization": None})
    cases.check(answer.status == 401, "the token in the address: 401")
    for name, status, data in raw_cases(server):
        found = raw(server, data)
        cases.check(found == status, f"{name}: {status}", found)
    check_words(cases, server)
    check_used_port(cases, squint, server)
    answer = server.ask("GET", "/")
    cases.check(answer.status == 404, "another path: 404", answer.status)
    answer = server.ask(body=PING, **MODERN)
    cases.check(not any(name.startswith("access-control")
                        for name in answer.headers), "no CORS by default")
    check_header_injection(cases, server)
    check_garbage(cases, server, int(sys.argv[2]))
    cases.check(server.stop() == 0, "it ends", server.lines)
    check_token_file(cases, squint)
    check_public(cases, squint)
    check_cors(cases, squint)
    cases.end()


main()
