"""Pages for the browser, on two sites, that report their own state."""
import http.server
import json
import threading
import time

TELL_FILES = ("""onchange="say([this.id, ...Array.from(this.files).flatMap("""
              """file => [file.name, file.size])])\"""")
HEAD = """<!doctype html><meta charset=utf-8><script>
function say(word) {
  const request = new XMLHttpRequest();
  request.open("POST", "/said", false);
  request.send(JSON.stringify(word));
}
</script>"""

PAGES = {
    "/shop": """<title>Shop</title><h1>Shop of things</h1>
<p>Hello <b>world</b>, text.</p>
<label>Email <input id=email oninput="say(['email', this.value])"
onkeyup="window.released = this.value"></label>
<label>Secret <input type=password id=pw value=hunter2secret></label>
<label>Card <input autocomplete=cc-number value=4111111111111111></label>
<label><input type=checkbox onchange="say(['agree', this.checked])"> I agree</label>
<button onclick="say('buy')">Buy</button>
<button disabled>Sold out</button>
<a href=/second>Next page</a>
<p id=late>quiet</p>
<button onclick="setTimeout(() => late.textContent = 'it came', 300)">Later</button>
<button onclick="say(['keys', window.released || '']); document.onkeydown =
  e => say(['key', e.key, e.ctrlKey, e.shiftKey])">Keys</button>
<div id=host></div>
<div style="position:relative;width:200px;height:60px">
<button style="width:200px;height:60px" onclick="say('covered')">Covered</button>
<div style="position:absolute;inset:0;background:#fee">On top</div></div>
<div style="height:3000px"></div><button onclick="say('far')">Far away</button>
<script>
const root = host.attachShadow({mode: "open"});
root.innerHTML = "<button>In shadow</button>";
root.querySelector("button").onclick = () => say("shadow");
onscroll = () => window.scrolled = scrollY;
</script>""",
    "/secrets": """<title>Secrets</title>
<label>Shown <input type=password id=shown value=hunter2a></label>
<button onclick="shown.type = 'text'">Show it</button>
<label>Card number <input value="4242 0000"></label>
<label>Security code <input value=hunter2b></label>
<label>Numer <input value="4111 1111-1111 1111"></label>
<label>Order <input value=4111111111111112></label>
<div role=textbox contenteditable aria-label=Rich
style="-webkit-text-security:disc">hunter2c</div>
<div role=textbox contenteditable aria-label=Note>4111 1111 1111 1111</div>""",
    "/second": """<title>Second</title><h1>Second page</h1>
<button onclick="say('second')">Here</button>""",
    "/spa": """<title>Spa</title><h1>Spa</h1><a href=#part>To a part</a>
<button onclick="history.pushState({}, '', '/spa/next')">To the next</button>""",
    "/login": """<title>Login</title><script>
document.cookie = "me=1; max-age=9999"; document.write("<p>in</p>");
</script>""",
    "/noisy": """<title>Noisy</title><h1>Noisy</h1><script>
console.log("first words", 7); console.error("second words");
console.warn("objects", {a: 1, b: "x"}, [1, 2]);
fetch("/missing"); setTimeout(() => { throw new Error("third words") }, 0);
</script>""",
    "/files": """<title>Files</title><h1>Files</h1>
<a href="data:text/plain,hello" download=hello.txt>Get it</a>""",
    "/self": """<title>Self</title>
<meta name=viewport content="width=device-width"><h1>Self</h1>
<button ontouchstart="say('touch')" onclick="say('click')">Touch</button>
<p id=p></p><script>
const tell = () => p.textContent = [innerWidth, devicePixelRatio,
  navigator.userAgentData ? navigator.userAgentData.mobile :
    /Mobile/.test(navigator.userAgent), matchMedia("(prefers-color-scheme: dark)").matches,
  navigator.language, navigator.maxTouchPoints].join(" ");
tell(); matchMedia("(prefers-color-scheme: dark)").onchange = tell;
navigator.geolocation.watchPosition(at => say([at.coords.latitude,
  at.coords.longitude]));
</script>""",
    # A picture after "#" is read: its size, and whether it has these stripes.
    "/stripes": """<title>Stripes</title><body style="margin:0">
<meta name=viewport content="width=device-width"><script>
const stripe = 1 / devicePixelRatio, shown = new Image();
document.write(`<div onclick="say([event.clientX, event.clientY])" style="position:
  absolute;left:40px;top:80px;width:100px;height:100px;background:
  repeating-linear-gradient(90deg, #000 0 ${stripe}px, #fff ${stripe}px ${2 * stripe}px)">`);
shown.onload = () => {
  const { width, height } = shown, draw = new OffscreenCanvas(width, height).getContext("2d");
  draw.drawImage(shown, 0, 0);
  const reds = draw.getImageData(0, 0, width, height).data.filter((_, i) => i % 4 === 0);
  say([width, height, reds.every((red, i) => red === (i % width % 2 ? 255 : 0))]);
};
if (location.hash) shown.src = location.hash.slice(1);
</script>""",
    "/plain": """<title>Plain</title>
<meta name=viewport content="width=device-width"><h1>Plain</h1>
<button onclick="say('plain')">No handlers</button><p>Only text</p>
<div style="height:9000px"></div><script>
onscrollend = () => say(["at", Math.round(scrollY)]);
document.querySelector("p").onpointerdown = e => window.down = e.timeStamp;
document.querySelector("p").onpointerup = e =>
  say([e.pointerType, e.timeStamp - window.down > 550]);
</script>""",
    "/upload": f"""<title>Upload</title><h1>Upload</h1>
<label>Photo <input type=file id=photo {TELL_FILES}></label>
<label>Many <input type=file multiple id=many {TELL_FILES}></label>
<input type=file hidden id=unseen {TELL_FILES}>
<button onclick="unseen.click()">Choose</button>
<iframe src=http://localhost:PORT/attached width=300 height=100></iframe>""",
    "/framed": """<title>Framed</title><h1>Framed</h1><label>Own
<input type=password oninput="say(['own', this.value])"></label>
<iframe src=http://localhost:PORT/code width=300 height=100></iframe>""",
    "/code": """<label>Code <input type=password autofocus
oninput="say(['code', this.value])"></label>""",
    "/fieldframes": """<title>Fields</title><iframe width=300 height=100
srcdoc="<body contenteditable aria-label=Letter oninput='parent.say([&quot;letter&quot;,
this.innerText])'>Dear"></iframe><label>Own <input></label>
<iframe src=http://localhost:PORT/onefield?1 width=300 height=100></iframe>
<iframe src=http://localhost:PORT/onefield?2 width=300 height=100></iframe>""",
    "/onefield": """<label><span id=s></span> <input oninput="say([s.textContent,
this.value])"></label><script>s.textContent = "Part " + location.search[1]</script>""",
    "/attached": f"""<label>Inner <input type=file id=inner {TELL_FILES}></label>""",
    "/logged": """<title>Logged</title><script>
document.write("<p>" + (document.cookie || "out") + "</p>");
</script>""",
    "/dialogs": """<title>Dialogs</title><h1>Dialogs</h1>
<button onclick="alert('Saved it'); say('after alert')">Alert</button>
<button onclick="say(['confirm', confirm('Really?')])">Confirm</button>
<button onclick="say(['prompt', prompt('Name?', 'a name')])">Prompt</button>
<button onclick="setTimeout(() => { alert('Late one'); say('after late') }, 200)">
Soon</button>""",
    "/tabs": """<title>Tabs</title><h1>Opener</h1>
<button onclick="window.open('/second')">Popup</button>""",
    "/frames": """<title>Frames</title><h1>Frames</h1>
<iframe src=/inner width=300 height=100></iframe>
<iframe src=http://localhost:PORT/inner width=300 height=100></iframe>""",
    "/deep": """<title>Deep</title><h1>Deep</h1><div style="height:40px"></div>
<iframe src=http://127.0.0.1:OTHER/inner width=300 height=100></iframe>
<div id=host></div>
<iframe src=http://localhost:PORT/middle width=500 height=200></iframe>
<script>host.attachShadow({mode: "open"}).innerHTML =
  "<iframe src=http://localhost:PORT/shadowed width=300 height=100></iframe>";
</script>""",
    "/middle": """<p>Middle</p>
<iframe src=http://127.0.0.1:PORT/innermost width=300 height=100></iframe>""",
    "/innermost": """<button onclick="say('innermost')">Innermost</button>""",
    "/shadowed": """<button onclick="say('shadowed')">Shadowed</button>""",
    "/liar": """<title>Liar</title><button onclick="say('truth')">Truth</button><script>
Element.prototype.getBoundingClientRect = () => new DOMRect(0, 0, 1, 1);
Object.defineProperty(window, "innerWidth", { value: 5000 });
Array.prototype.push = Array.prototype.map = () => 0;
document.querySelectorAll = () => [];
globalThis.squint = { list: () => ({ rows: [], more: 0, next: 1 }) };
</script>""",
    "/nodes": """<title>Nodes</title>
<button id=a onclick="say('a'); this.textContent = 'Count ' + ++window.n">One</button>
<button id=b onclick="a.style.marginLeft = '300px'">Move</button>
<button id=c onclick="const n = a.cloneNode(true); a.replaceWith(n);">Replace</button>
<form><input name=parentNode><input name=getAttribute><input name=tagName>
<button type=button onclick="say('clobbered')">In form</button></form>
<div style="height:120px;overflow:auto"><div style="height:2000px"></div>
<button onclick="say('inner')">In list</button></div>
<div style="height:3000px"></div>
<label>Far field <input oninput="say(['far', this.value])"></label>
<button onclick="say('bottom')">Bottom</button>
<img name=body alt=Trap src=data:,><script>window.n = 0</script>""",
    "/fields": """<title>Fields</title>
<label>Country <select id=country onchange="say(['country', this.value])">
<option value=fr>France<option value=de>Germany<option value=it disabled>Italy
</select></label>
<label>Day <input type=date onchange="say(['day', this.value])"></label>
<label>Volume <input type=range min=0 max=10 onchange="say(['volume', this.value])"></label>
<label>Colour <input type=color onchange="say(['colour', this.value])"></label>
<div id=from draggable=true style="width:100px;height:50px;background:#ccc"
ondragstart="event.dataTransfer.setData('text/plain', 'cargo')">Drag me</div>
<div id=to style="width:100px;height:50px;background:#eee;margin-top:50px"
ondragover="event.preventDefault()"
ondrop="event.preventDefault(); say(['dropped', event.dataTransfer.getData('text/plain')])">
Drop here</div>
<div id=mover style="position:absolute;left:400px;top:20px">
<button onclick="say('mover')">Mover</button></div>
<button style="position:absolute;left:400px;top:20px;z-index:-1"
onclick="say('under')">Under it</button>
<script>document.addEventListener("mousemove", e => {
  if (e.target.closest("#mover")) mover.style.left = "700px"; });</script>""",
    "/shapes": """<title>Shapes</title><style>.icon::before{content:"Save"}</style>
<p style="width:260px">Some words before the short <a href=#x onclick="say('wrapped')">link
it</a> that is on two lines.</p>
<button class=icon onclick="say('icon')"></button>
<button style="display:contents" onclick="say('contents')">No box</button>
<svg width=100 height=30><g onclick="say('drawn')"><text y=20>Drawn</text></g></svg>
<input type=checkbox id=c hidden onchange="say(['c', this.checked])">
<label for=c>Own box</label>
<x-own>Slotted</x-own>
<div style="transform:scale(.5);transform-origin:0 0;height:120px;width:800px">
<iframe srcdoc="<p>Half</p><button onclick='parent.say(&quot;half&quot;)'>Half size</button>"
width=300 height=100></iframe>
<iframe src=http://localhost:PORT/scaled width=300 height=100></iframe></div>
<div style="zoom:2"><iframe width=300 height=60 srcdoc="<div style='height:20px'></div>
<button onclick='parent.say(&quot;twice&quot;)'>Twice</button>"></iframe></div>
<script>customElements.define("x-own", class extends HTMLElement {
  constructor() { super(); this.attachShadow({mode: "open"}).innerHTML = "<slot>"; }
});</script>""",
    "/wraps": """<title>Wraps</title><body onclick="say('body')"><p>First words</p>
<div tabindex=0><div role=row><div role=gridcell>Left</div><div role=gridcell>Right</div>
</div></div><div tabindex=0 style="height:80px;overflow:auto" id=grid></div><script>
grid.innerHTML = Array.from({length: 30}, (_, i) =>
  `<div><div ondblclick="say('cell ${i}')">Cell ${i}</div><div>Other ${i}</div></div>`).join("")
</script>""",
    "/scaled": """<p>Other</p><p><button onclick="say('other')">Other size</button>
<iframe srcdoc="<button onclick='parent.say(&quot;inside&quot;)'>Inside</button>"
style="transform:scale(.5)" width=120 height=40></iframe>""",
    "/wide": """<title>Wide</title><style>button{position:absolute;font-size:30px}</style>
<div style="width:980px;height:2000px"></div>
<button style="left:800px;top:300px" onclick="say('right')">Right</button>
<button style="left:20px;top:1900px" onclick="say('low')">Low</button>""",
    "/zoomable": """<title>Zoomable</title><style>button{position:absolute}</style>
<meta name=viewport content="width=device-width"><div style="height:2000px"></div>
<button style="left:20px;top:40px" onclick="say('near')">Near</button>
<button style="left:250px;top:400px" onclick="say('right')">Right</button>
<script>let zoom; visualViewport.onresize = () => { clearTimeout(zoom);
  zoom = setTimeout(() => say(["zoom", visualViewport.scale]), 100); };</script>""",
    "/zone": """<title>Zone</title>
<meta name=viewport content="width=device-width"><h1>Zone</h1><p id=p></p><p id=net>unasked</p>
<button onclick="fetch('/second').then(() => net.textContent = 'reached',
  () => net.textContent = 'no network')">Ask</button>
<script>p.textContent = Intl.DateTimeFormat().resolvedOptions().timeZone + " "
  + new Date(0).getHours();</script>""",
    "/far": """<title>Far</title><button style="position:fixed"
onclick="far.textContent = 'far 1'">Change far</button>
<label>Amount <input value=7 style="margin:50px"></label>
<div style="cursor:pointer"><button>Wrapped</button><p></p></div>
<label>Code <input type=password id=code></label>
<button onclick="alert('Stop here')">Ask</button>
<div style="height:3000px"></div><p id=far>far 0</p>""",
    "/react": """<title>React</title><p id=p>zero</p><div id=d>box</div>
<button onclick="d.style.background = 'red'">Paint</button>
<button onclick="p.textContent = 'one'; setTimeout(() => p.textContent = 'two', 900)">
Twice</button>
<button onclick="window.n = 1">Nothing</button>
<button onclick="say('left')" oncontextmenu="say('context'); p.textContent = 'menu';
  return false">Context</button>
<button onclick="setTimeout(() => { p.textContent += '!'; say('much later') }, 1500)">
Much later</button>
<style>.menu:hover + b { display: block } b { display: none }</style>
<button class=menu>Menu</button><b>Hovered</b>""",
    "/canvas": """<title>Canvas</title><canvas id=c width=300 height=100
onclick="c.getContext('2d').fillRect(0, 0, 300, 100)"></canvas>
<button onclick="c.click()">Draw</button>""",
    "/inner": """<button onclick="say(location.hostname)">Inner of HOST</button>""",
    "/many": """<title>Many</title><body><script>
for (let i = 0; i < 20000; i++) {
  const row = document.createElement("div");
  row.innerHTML = "<button>Row " + i + "</button>";
  document.body.append(row);
}
</script>""",
    "/hang": """<title>Hang</title><button onclick="for (;;);">Hang</button>""",
    "/local": """<title>Local</title><p id=p>asking</p><script>
const names = ["localhost.", "a.localhost", "a.localhost.", "127.0.0.2", "0", "[::1]",
  "[::ffff:7f00:1]"];
Promise.all(names.map(name => fetch(`http://${name}:PORT/second`, {mode: "no-cors"})
  .then(() => name, () => ""))).then(all => p.textContent = "reached: " + all.join(" "));
</script>""",
    "/reach": """<title>Reach</title><p id=p>waiting</p><script>
fetch("http://127.0.0.2:PORT/second", {mode: "no-cors"})
  .then(() => p.textContent = "reached", () => p.textContent = "not reached");
</script>""",
}


class Site:
    """Serves the pages; `said` is what they reported."""

    def __init__(self):
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """One request."""
            protocol_version = "HTTP/1.1"

            def log_message(self, *_args):
                """Be silent."""

            def answer(self, text, status=200):
                """Send a page."""
                body = text.encode()
                self.send_response(status)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):  # pylint: disable=invalid-name
                """A page."""
                if self.path == "/never":  # for as long as the test runs
                    time.sleep(3600)
                page = PAGES.get(self.path.split("?")[0])
                site.asked.append((self.server.server_address[0], self.path))
                if page is None:
                    self.answer("none", 404)
                    return
                host = self.headers["Host"].split(":")[0]
                self.answer(HEAD + page.replace("PORT", str(site.port))
                            .replace("OTHER", str(site.other_port))
                            .replace("HOST", host))

            def do_POST(self):  # pylint: disable=invalid-name
                """What a page reports."""
                size = int(self.headers["Content-Length"])
                site.said.append(json.loads(self.rfile.read(size)))
                self.answer("")

        self.said = []
        self.asked = []
        self.port, self.other_port = self.serve(Handler), self.serve(Handler)
        self.origin = f"http://127.0.0.1:{self.port}"

    @staticmethod
    def serve(handler):
        """Start a server; return its port."""
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server.server_address[1]
