"""Random messages for a server, each with its expected kind of answer."""

import json
import random

from squint_server import modern_meta

ID, NO_ID, NONE, MAYBE, AT_END = "id", "no id", "none", "maybe", "at end"
BATCH = "batch"  # the third value is a list for its messages
WORDS = ["", "x", "ping", "ui", "demo", "ä", "日本", "🎉", "\u0000", "\u202e",
         "\\", '"', "\n", "../../etc/passwd", "com.squint.demo.shop",
         "%s%n", "a" * 300]
OPERATIONS = ["devices", "apps", "dump", "find", "accessibility-check", "tap",
              "key", "open", "clipboard", "steps", "reset", "launch", "input", "scroll", "swipe", "stop", "fly", ""]
KEYS = ["x", "y", "selector", "text", "elementIndex", "name", "packageName",
        "limit", "offset", "direction", "deviceId", "receipt", "wobble"]
METHODS = ["ping", "tools/list", "resources/list", "prompts/list",
           "resources/templates/list", "logging/setLevel", "initialize",
           "resources/subscribe", "resources/unsubscribe", "no/such", "",
           "server/discover", "prompts/get", "completion/complete",
           "resources/read", "tools/call", "notifications/initialized"]
NOTIFICATIONS = ["notifications/initialized", "notifications/progress",
                 "notifications/no-such", "ping", ""]
URIS = ["squint://health", "squint://guide", "squint://screenshot/x",
        "file:///etc/passwd", "", "x" * 500]


class Messages:
    """An endless source; the same seed gives the same messages."""

    def __init__(self, seed, has_batches=False):
        self.random = random.Random(seed)
        self.has_batches = has_batches
        self.count = 0
        self.kinds = [(kind, weight) for weight, kind in [
            (30, self.request), (15, self.modern), (15, self.operation),
            (4, self.picture), (8, self.notification), (4, self.response),
            (4, self.bad_id), (4, self.bad_shape), (6, self.cut),
            (4, self.garbage), (3, self.batch), (2, self.deep),
            (2, self.twice), (2, self.not_utf8), (2, self.half_emoji),
            (2, self.cancelled), (0.02, self.listen), (0.005, self.long)]]

    def next(self):
        """(bytes of a line, expected kind of answer, its id if it has one)"""
        self.count += 1
        kind = self.random.choices([k for k, _ in self.kinds],
                                   [w for _, w in self.kinds])[0]
        return kind()

    def word(self):
        return self.random.choice(WORDS)

    def value(self, depth=0):
        """Any JSON value."""
        pick = self.random.randrange(9 if depth < 3 else 6)
        if pick < 6:
            return [None, True, self.random.randint(-1000, 1000),
                    self.random.uniform(-1e9, 1e9), self.word(),
                    1e308][pick]
        if pick < 7:
            return [self.value(depth + 1) for _ in range(2)]
        return {self.word(): self.value(depth + 1),
                self.random.choice(KEYS): self.value(depth + 1)}

    def new_id(self):
        """A new id, of any allowed type."""
        pick = self.random.randrange(5)
        if pick == 0:
            return self.count
        if pick == 1:
            return (1 << 62) + self.count
        if pick == 2:
            return -(1 << 63) + self.count
        return f"{self.count} {self.word()[:200]}"

    def line(self, message):
        """A message as bytes; sometimes escaped, sometimes with white space."""
        pretty = self.random.random() < 0.1
        text = json.dumps(message, ensure_ascii=self.random.random() < 0.5,
                          separators=(" , ", " : ") if pretty else (",", ":"))
        return text.encode("utf-8", "surrogatepass")

    def ask(self, method, params=None, deserves=ID):
        number = self.new_id()
        message = {"jsonrpc": "2.0", "id": number, "method": method}
        if params is not None:
            message["params"] = params
        return self.line(message), deserves, number

    def params(self, method):
        """Params that are often valid for the method."""
        if self.random.random() < 0.2:
            return self.value()
        return {"resources/read": {"uri": self.random.choice(URIS)},
                "resources/subscribe": {"uri": self.random.choice(URIS)},
                "tools/call": {"name": self.word(), "arguments": {}},
                "prompts/get": {"name": "explore-ui"},
                "logging/setLevel": {"level": "error"},
                "completion/complete": {
                    "ref": {"type": "ref/prompt", "name": "explore-ui"},
                    "argument": {"name": "app", "value": self.word()}},
                }.get(method, {})

    def request(self):
        """A method, known or not."""
        method = self.random.choice(METHODS)
        return self.ask(method, self.params(method))

    def modern(self):
        """A request of a modern revision, sometimes with an unknown version."""
        method = self.random.choice(METHODS)
        params = self.params(method)
        params = dict(params) if isinstance(params, dict) else {}
        params["_meta"] = modern_meta()
        if self.random.random() < 0.1:
            key = self.random.choice(list(params["_meta"]))
            params["_meta"][key] = self.value()
        return self.ask(method, params)

    def operation(self):
        """An operation with arguments that may or may not make sense."""
        arguments = {"operation": self.random.choice(OPERATIONS)}
        for _ in range(self.random.randrange(3)):
            arguments[self.random.choice(KEYS)] = self.value()
        if self.random.random() < 0.7:
            arguments["receipt"] = "none"
        return self.ask("tools/call", {"name": "ui", "arguments": arguments})

    def picture(self):
        """A call that returns a picture."""
        pick = self.random.random()
        arguments = {"operation": "screenshot", "size": "thumb",
                     "elements": False}
        if pick < 0.1:
            arguments = {"operation": "find",
                         "selector": {"text": self.word() or "Shop"}}
        return self.ask("tools/call", {"name": "ui", "arguments": arguments})

    def notification(self):
        message = {"jsonrpc": "2.0",
                   "method": self.random.choice(NOTIFICATIONS)}
        if self.random.random() < 0.5:
            message["params"] = self.value()
        return self.line(message), NONE, None

    def response(self):
        """A response to a request that was never sent."""
        what = self.random.choice([{"result": {}}, {"error": {
            "code": -1, "message": self.word()}}])
        return self.line({"jsonrpc": "2.0", "id": self.count, **what}), \
            NONE, None

    def bad_id(self):
        """An id that cannot be used in an answer."""
        number = self.random.choice([None, True, 1.5, {}, [], [1], 1e300])
        return self.line({"jsonrpc": "2.0", "id": number,
                          "method": "ping"}), NO_ID, None

    def bad_shape(self):
        """A readable id, and the rest wrong."""
        number = self.new_id()
        message = self.random.choice([
            {"jsonrpc": "2.0", "method": self.random.choice([7, None, [], {}])},
            {"jsonrpc": "1.0", "method": "ping"},
            {"method": "ping"},
            {"jsonrpc": "2.0", "method": "ping",
             "params": self.random.choice([[], "x", 7, True])}])
        return self.line({"id": number, **message}), ID, number

    def cut(self):
        """A truncated message, perhaps after its id."""
        number, at = self.new_id(), self.random.randrange(3)
        members = [("jsonrpc", "2.0"), ("method", "tools/call"),
                   ("params", {"id": 7, "a": ["id", 8, {"id": self.word()}]})]
        members.insert(at, ("id", number))
        line = self.line(dict(members))
        end = len(line)
        # The line up to the comma after the id.
        for count in range(end, 0, -1):
            if self.ends_with_id(line[:count], number, at):
                end = count
        length = self.random.randrange(1, len(line))
        if length >= end:
            return line[:length], ID, number
        return line[:length], NO_ID, None

    @staticmethod
    def ends_with_id(part, number, at):
        """Whether this is the start of a message that ends with its id."""
        part = part.rstrip()
        if not part.endswith(b","):
            return False
        try:
            members = json.loads(part[:-1] + b"}")
        except ValueError:
            return False
        return len(members) == at + 1 and members.get("id") == number

    def twice(self):
        """A duplicate key other than the id."""
        number = self.new_id()
        line = self.line({"jsonrpc": "2.0", "method": "ping", "id": number})
        return line[:-1] + b',"method":"ping"}', ID, number

    def not_utf8(self):
        """Bytes that are not UTF-8 in a string after or before the id."""
        number = self.new_id()
        members = [("jsonrpc", "2.0"), ("id", number), ("method", "ping"),
                   ("params", {"text": "<bytes>"})]
        self.random.shuffle(members)
        return self.line(dict(members)).replace(b"<bytes>", b"\xc3\xff"), \
            ID, number

    def half_emoji(self):
        """A text cut inside an emoji, as JavaScript writes it."""
        number = self.new_id()
        line = json.dumps({"jsonrpc": "2.0", "id": number, "method": "ping",
                           "params": {"text": "a \ud83d", "\ude00": 1}})
        return line.encode(), ID, number

    def garbage(self):
        """Bytes that are no JSON at all."""
        count = self.random.randrange(1, 60)
        data = bytes(self.random.choices(range(1, 256), k=count))
        return b"\xff" + data.replace(b"\n", b"").replace(b"\r", b""), \
            NO_ID, None

    def batch(self):
        """Several in one line if the revision has batches; else an error."""
        kinds = [self.request, self.operation, self.notification, self.bad_id,
                 self.bad_shape, self.response, self.half_emoji]
        parts = []
        for _ in range(self.random.choice([0, 1, 2, 5, 20])):
            self.count += 1
            parts.append(self.random.choice(kinds)())
        line = b"[" + b",".join(part[0] for part in parts) + b"]"
        if not self.has_batches or not parts:
            return line, NO_ID, None
        return line, BATCH, [part[1:] for part in parts]

    def deep(self):
        """Nested too deep, as the id or beside it."""
        depth = self.random.choice([100, 1000, 20000])
        value = b"[" * depth + b"]" * depth
        if self.random.random() < 0.5:
            return b'{"id":' + value + b"}", NO_ID, None
        number = self.new_id()
        head = self.line({"jsonrpc": "2.0", "method": "ping", "id": number})
        return b'{"params":' + value + b"," + head.lstrip(b"{"), ID, number

    def cancelled(self):
        """A call, and immediately its cancellation."""
        line, _, number = self.ask("tools/call", {
            "name": "ui", "arguments": {"operation": "wait", "text": "never",
                                        "timeoutMs": 2000}})
        cancel = self.line({"jsonrpc": "2.0",
                            "method": "notifications/cancelled",
                            "params": {"requestId": number}})
        return line + b"\n" + cancel, MAYBE, number

    def listen(self):
        """A stream, which is answered when it ends."""
        return self.ask("subscriptions/listen", {
            "notifications": {"toolsListChanged": True},
            "_meta": modern_meta()}, AT_END)

    def long(self):
        """More than a line may have, with or without an id."""
        fill = b'"x":"' + b"x" * 9_000_000 + b'"'
        if self.random.random() < 0.5:
            return b"{" + fill + b"}", NO_ID, None
        number = self.new_id()
        head = self.line({"jsonrpc": "2.0", "method": "ping", "id": number})
        return b"{" + fill + b"," + head.lstrip(b"{"), ID, number
