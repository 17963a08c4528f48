#!/usr/bin/env python3
"""hosting.py SQUINT: squint serve for the person who runs it: proxies and
web pages, limits, the log, and a token that changes."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from served import META, PATIENCE, Cases, Log, Server

DISCOVER = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "server/discover",
                       "params": {"_meta": META}}).encode()
MODERN = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "server/discover"}
PAGE = "https://page.example"
WELL_KNOWN = "/.well-known/oauth-protected-resource"
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"


def ask(server, **changes):
    """Ask what the server is; return the answer."""
    return server.ask(body=DISCOVER, **MODERN, **changes)


def check_public_url(cases, squint):
    """A proxy passes requests on under another address."""
    url = "https://squint.example/tools/mcp"
    server = Server([squint], ["--authorization-server", "https://as.example",
                               "--public-url", url, "--allow-origin", PAGE])
    answer = ask(server, Authorization=None, Host="squint.example")
    cases.check(answer.status == 401
                and f'"https://squint.example{WELL_KNOWN}/tools/mcp"'
                in answer.headers["www-authenticate"],
                "401 names the public address of the document",
                answer.headers)
    for path in ("", "/mcp", "/tools/mcp"):
        document = server.ask("GET", WELL_KNOWN + path, Authorization=None,
                              Host="squint.example")
        cases.check(document.status == 200
                    and document.json()["resource"] == url,
                    f"the document at {path or 'its root'}", document.body)
    cases.check(ask(server, Host="squint.example").status == 200,
                "the public host is allowed")
    for host in ("evil.example", "squint.example.evil.example", "example"):
        cases.check(ask(server, Host=host).status == 403,
                    f"the host {host} is not")
    preflight = server.ask("OPTIONS", WELL_KNOWN + "/tools/mcp", Origin=PAGE,
                           Authorization=None)
    cases.check(preflight.status == 204, "a page may ask for the document")
    server.stop()


def check_options(cases, squint):
    """Values that no request could match are refused at the start."""
    base = "https://squint.example"
    for flag, values in {
            "--public-url": (
                "squint.example/mcp", base, "https:///mcp",
                "https://a@squint.example/mcp", base + "/m?x",
                "ftp://squint.example/mcp", base + "/a b",
                base + ":99999/mcp", base + ":/mcp", base + "/../mcp",
                base + "/mcp/.", "https://*/mcp"),
            "--authorization-server": ("nonsense", "https://", "ftp://as.example",
                                       "https://as.example:99999", base + "/.."),
            "--allow-origin": ("*", "y.example", PAGE + "/a", PAGE + ",*"),
            "--allow-host": ("*", "*.example", "https://squint.example", "a:0"),
    }.items():
        for wrong in values:
            try:
                done = subprocess.run(
                    [squint, "serve", "--listen", "127.0.0.1:0", flag, wrong],
                    capture_output=True, text=True, timeout=PATIENCE,
                    check=False)
                status, text = done.returncode, done.stderr
            except subprocess.TimeoutExpired:
                status, text = 0, "it has started"
            cases.check(status != 0 and flag in text and "such as" in text,
                        f"{flag} {wrong} is refused", text)
    server = Server([squint], ["--allow-origin", PAGE + "/, https://b.example",
                               "--allow-host", "[::1]:80,b.example:8080"])
    cases.check(ask(server, Origin=PAGE).status == 200,
                "the slash after an origin does not matter")
    cases.check(ask(server, Origin="https://b.example",
                    Host="b.example:8080").status == 200,
                "all of the names are allowed")
    server.stop()


def check_pages(cases, squint):
    """Web pages of allowed origins, and of others."""
    server = Server([squint], ["--allow-origin", PAGE])
    names = "authorization, mcp-param-region, mcp-name"
    preflight = server.ask("OPTIONS", Origin=PAGE, Authorization=None, **{
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": names})
    allowed = preflight.headers
    cases.check(preflight.status == 204
                and allowed["access-control-allow-origin"] == PAGE
                and allowed["access-control-allow-headers"] == names
                and "POST" in allowed["access-control-allow-methods"],
                "an allowed page may send its headers", allowed)
    answer = ask(server, Origin=PAGE)
    exposed = answer.headers["access-control-expose-headers"]
    cases.check(answer.status == 200 and "Mcp-Session-Id" in exposed
                and "WWW-Authenticate" in exposed,
                "it reads the headers that it needs", answer.headers)
    refused = ask(server, Origin=PAGE, Authorization=None)
    cases.check(refused.status == 401
                and refused.headers.get("access-control-allow-origin") == PAGE,
                "and sees why it is refused", refused.headers)
    for origin in ("https://evil.example", "null", PAGE + ".evil.example"):
        other = server.ask("OPTIONS", Origin=origin, Authorization=None)
        cases.check(other.status == 403 and not
                    [name for name in other.headers if "access-control" in name],
                    f"a page of {origin} may not", other.headers)
    rebound = server.ask("OPTIONS", Origin=PAGE, Host="page.example:4477",
                         Authorization=None)
    cases.check(rebound.status == 403, "nor under another Host", rebound.status)
    plain = server.ask("OPTIONS", Authorization=None)
    cases.check(plain.status == 405, "OPTIONS is only for pages", plain.status)
    server.stop()


def check_encodings(cases, server):
    """Bodies that squint cannot read."""
    for encoding, status in (("gzip", 415), ("br", 415), ("identity", 200),
                             ("gzip, identity", 415)):
        answer = ask(server, Content_Encoding=encoding)
        cases.check(answer.status == status
                    and (status == 200
                         or answer.headers.get("accept-encoding") == "identity"),
                    f"Content-Encoding {encoding} is {status}", answer.headers)


def check_refusals(cases, squint):
    """Refused requests leave a line, and no secret in it."""
    server = Server([squint], ["--inspect"])
    log = Log(server)
    wrong = "wrong-token-wrong-token-wrong-token"
    peer = r"127\.0\.0\.1:\d+"
    ask(server, Authorization="Bearer " + wrong)
    cases.check(log.await_line(f"^squint: {TIME} refused {peer}: 401, "),
                "401 is logged with time, peer and reason", log.lines)
    ask(server, Host="evil.example", X_Forwarded_For="203.0.113.9")
    cases.check(log.await_line(r"403, .*\(host: evil.example\) "
                               r"\(x-forwarded-for: 203.0.113.9\)"),
                "403 also with the names", log.lines)
    connection = server.connect()
    connection.send(server.request_bytes(
        body=b"", **dict(MODERN, **{"Content-Length": str(1 << 30)})))
    cases.check(connection.read_answer().status == 413
                and log.await_line(": 413, "), "413 is logged", log.lines)
    connection.close()
    server.ask("GET", "/inspect/open?key=guessed-guessed-guessed")
    cases.check(log.await_line(r": 40[13], .*link"), "wrong links are logged",
                log.lines)
    for _ in range(40):
        ask(server, Authorization=None)
    server.stop()
    text = "".join(log.lines)
    cases.check(text.count(": 401, ") <= 20,
                "many refusals leave few lines", text)
    cases.check(wrong not in text and server.token not in text
                and "guessed" not in text and "open?key=" not in text,
                "no token and no link is in the log", text)


def check_rest_is_counted(cases, squint):
    """The number of refusals without a line is reported later."""
    server = Server([squint])
    log = Log(server)
    for _ in range(15):
        ask(server, Authorization=None)
    line = log.await_line(r"refused \d+ more requests")
    cases.check(line and int(re.search(r"refused (\d+) more", line)[1]) <= 15,
                "refusals without a line are counted", log.lines)
    server.stop()


def write_token(path, token):
    """Replace the file, as an editor does."""
    with open(path + ".new", "w", encoding="ascii",
              opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(token + "\n")
    os.rename(path + ".new", path)


def check_token(cases, squint):
    """The token file is read again when it changes."""
    server = Server([squint])
    log = Log(server)
    session = server.initialize()
    stream = server.connect()
    stream.send(server.request_bytes("GET", **{"Mcp-Session-Id": session}))
    cases.check(stream.read_head()[0] == 200, "a stream is open")
    old, new = server.token, "a-new-token-" + "0" * 32
    write_token(server.token_file, new)
    cases.check(ask(server).status == 401, "the old token is not valid")
    server.token = new
    cases.check(ask(server).status == 200, "the new one is")
    try:
        ended = not stream.read_chunk()
    except (EOFError, ConnectionError):
        ended = True
    cases.check(ended, "streams that the old one opened have ended")
    cases.check(log.await_line(f"{TIME} the token has changed"),
                "the log says so", log.lines)
    os.chmod(server.token_file, 0o644)
    write = open(server.token_file, "a", encoding="ascii")
    write.write("# a comment\n")
    write.close()
    cases.check(ask(server).status == 200
                and log.await_line("the last token stays valid: others may"),
                "a file that others may read is not used", log.lines)
    os.chmod(server.token_file, 0o600)
    with open(server.token_file, "w", encoding="ascii"):
        pass
    cases.check(ask(server).status == 200
                and log.await_line("remove the file and the next start creates"),
                "nor an empty one, and the advice", log.lines)
    os.remove(server.token_file)
    cases.check(ask(server).status == 200
                and not os.path.exists(server.token_file),
                "is true: nothing replaces a file that has gone")
    write_token(server.token_file, new)
    server.process.send_signal(signal.SIGHUP)
    cases.check(log.await_line("the token has not changed"),
                "SIGHUP reads it again", log.lines)
    cases.check(ask(server).status == 200, "and the server goes on")
    status = server.stop()
    cases.check(status == 0 and old not in "".join(log.lines)
                and new not in "".join(log.lines),
                "no token is in the log", log.lines)


def check_link(cases, squint):
    """A link for a browser is not written into a log."""
    server = Server([squint], ["--inspect"])
    log = Log(server)
    line = log.await_line("inspector: a link for one browser is in")
    cases.check(line, "the log names the file of the link", log.lines)
    path = line.split(" is in ")[1].strip()
    with open(path, encoding="ascii") as file:
        link = file.read().strip()
    cases.check("/inspect/open?key=" in link
                and os.stat(path).st_mode & 0o777 == 0o600,
                "which only its owner may read", link)
    opened = server.ask("GET", link[link.index("/inspect"):],
                        Authorization=None)
    cases.check(opened.status == 200 and "set-cookie" in opened.headers,
                "and it works", opened.status)
    server.stop()
    cases.check("open?key=" not in "".join(log.lines)
                and "new token" not in "".join(log.lines),
                "neither link nor token is printed", log.lines)


def check_limits(cases, squint):
    """Too many connections and sessions are refused, not cut off."""
    server = Server([squint], ["--max-connections", "8", "--max-sessions", "2",
                               "--adb-server", "off"])
    held = []
    for _ in range(2):
        session = server.initialize()
        stream = server.connect()
        stream.send(server.request_bytes("GET", **{"Mcp-Session-Id": session}))
        stream.read_head()
        held.append(stream)
    body = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize",
                       "params": {"protocolVersion": "2025-11-25",
                                  "capabilities": {}, "clientInfo": {
                                      "name": "t", "version": "1"}}}).encode()
    answer = server.ask(body=body)
    cases.check(answer.status == 503 and "sessions" in answer.body.decode()
                and "retry-after" in answer.headers,
                "a third session is 503", answer.body)
    for number in range(6):
        busy = server.connect()
        meta = dict(META, progressToken=number, **{
            "io.modelcontextprotocol/clientInfo": {"name": f"client {number}",
                                                   "version": "1"}})
        busy.send(server.modern_bytes("tools/call", {
            "name": "ui", "arguments": {"operation": "wait", "timeoutMs": 60000,
                                        "text": "none such"}, "_meta": meta}))
        busy.read_head()  # of the stream of its progress
        held.append(busy)
    deadline = time.monotonic() + PATIENCE
    answer = ask(server)
    cases.check(answer.status == 503 and "connections" in answer.body.decode()
                and "retry-after" in answer.headers,
                "a ninth connection is 503", answer.body)
    held.pop().close()
    while answer.status == 503 and time.monotonic() < deadline:
        answer = ask(server)
    cases.check(answer.status == 200, "when one ends, another is served")
    for connection in held:
        connection.close()
    server.stop()


def main(squint):
    """Run all cases."""
    cases = Cases()
    os.environ["SQUINT_ANDROID_ADB_SERVER"] = "off"
    with tempfile.TemporaryDirectory(prefix="squint-home-") as home:
        os.environ["XDG_STATE_HOME"] = home
        check_public_url(cases, squint)
        check_options(cases, squint)
        check_pages(cases, squint)
        server = Server([squint])
        check_encodings(cases, server)
        server.stop()
        check_refusals(cases, squint)
        check_rest_is_counted(cases, squint)
        check_token(cases, squint)
        check_link(cases, squint)
        check_limits(cases, squint)
    cases.end()


if __name__ == "__main__":
    main(sys.argv[1])
