"""The pages of the five browser tasks, served on two sites of this computer."""

import http.server
import threading

GOODS = [f"{colour} {thing}" for colour in
         ("Red", "Blue", "Green", "White") for thing in
         ("lamp", "chair", "table", "shelf", "sofa", "mirror", "carpet", "clock",
          "vase", "stool")]
FIELDS = ["First name", "Last name", "E-mail", "Phone", "Street", "House number",
          "Postcode", "City", "Company", "Department", "Title", "Nickname",
          "Website", "Birthday", "Country", "Remarks"]

SHOP = """<title>Shop</title><h1>Shop</h1>
<button id=cart onclick="show()">Cart (0)</button><div id=main>""" + "".join(
    f"<div style='border:1px solid #ccc;padding:8px'><h3>{name}</h3>"
    f"<p>A {name.lower()} for your home, {20 + i} euros.</p>"
    f"<button aria-label='Add {name} to cart' onclick=\"add('{name}')\">Add to cart"
    f"</button></div>"
    for i, name in enumerate(GOODS)) + """</div><script>
const goods = {};
function add(name) { goods[name] = 1; cart.textContent =
  `Cart (${Object.keys(goods).length})`; }
function show() { main.innerHTML = Object.keys(goods).map(name =>
  `<label>Quantity of ${name} <input value=1 oninput="goods['${name}'] = +this.value">`
  + `</label>`).join("<br>") + `<p><button onclick="pay()">Check out</button><p id=end>`;
  scrollTo(0, 0); }
function pay() { setTimeout(() => end.textContent = "Order placed: "
  + Object.values(goods).reduce((a, b) => a + b) + " items", 400); }
</script>"""

FORM = "<title>Form</title><h1>Register</h1><form onsubmit='send(); return false'>" + "".join(
    f"<p><label>{name} <select name='{name}'><option>France<option>Germany"
    f"<option>Spain</select></label>" if name == "Country" else
    f"<p><label>{name} <input name='{name}' "
    f"type={'date' if name == 'Birthday' else 'text'}></label>"
    for name in FIELDS) + """<p id=error></p><button>Send</button></form><script>
function send() { const code = document.querySelector("[name=Postcode]").value;
  setTimeout(() => error.textContent = /^\\d{5}$/.test(code) ? "Registered in "
    + document.querySelector("[name=Country]").value : "Postcode must have five digits",
    400); }
</script>"""

TABLE = """<title>Table</title><h1>Orders</h1><button onclick="order()">Sort by amount
</button><table><tbody id=rows>""" + "".join(
    f"<tr><td>Order {1000 + i}</td><td>Customer {i * 7 % 300}</td><td>2026-01-"
    f"{i % 28 + 1:02}</td><td class=amount>{i * 37 % 1009}</td><td>open</td><td>"
    f"<button onclick=\"this.parentNode.previousSibling.textContent = 'archived'\">"
    f"Archive order {1000 + i}</button></td></tr>"
    for i in range(300)) + """</table><script>
function order() { rows.append(...[...rows.children].sort((a, b) =>
  b.querySelector(".amount").textContent - a.querySelector(".amount").textContent));
  scrollTo(0, 0); }
</script>"""

# The places of the button and of the three circles, which are only drawn.
START, CIRCLES = (100, 60), ((300, 200), (600, 400), (900, 250))
CANVAS = f"""<title>Canvas</title><body style="margin:0"><canvas id=c width=1200
height=700></canvas><script>
const g = c.getContext("2d"), circles = {[list(one) for one in CIRCLES]};
let left = null;
function draw() {{ g.clearRect(0, 0, 1200, 700); g.font = "30px sans-serif";
  g.fillStyle = "black";
  if (!left) {{ g.strokeRect(20, 30, 160, 60); g.fillText("Start", 60, 70); return; }}
  if (!left.length) {{ g.fillText("Code 4711", 400, 300); fetch("/done"); return; }}
  g.fillStyle = "red";
  for (const [x, y] of left) {{ g.beginPath(); g.arc(x, y, 40, 0, 7); g.fill(); }} }}
c.onclick = event => {{
  if (!left) {{ if (event.offsetX < 200 && event.offsetY < 100) left = circles.slice(); }}
  else left = left.filter(([x, y]) =>
    Math.hypot(x - event.offsetX, y - event.offsetY) > 40);
  draw(); }};
draw();</script>"""

FRAMES = """<title>Frames</title><h1>Frames</h1><p id=out>Nothing yet</p>
<iframe src=/inner width=400 height=80></iframe>
<iframe src=http://localhost:PORT/inner width=400 height=80></iframe><div id=host></div>
<button onclick="alert('The word is heron'); out.textContent = 'Read'">Show word</button>
<script>const root = host.attachShadow({mode: "open"});
root.innerHTML = "<button>Shadow button</button><p>shadow 0</p>";
root.querySelector("button").onclick = () =>
  root.querySelector("p").textContent = "shadow 1";
</script>"""
INNER = """<button onclick="out.textContent = 'pressed on HOST'">Press on HOST</button>
<p id=out>not pressed</p>"""

COUNT = """<title>Count</title><h1>Count</h1><p id=out>count 0</p>
<button onclick="out.textContent = 'count ' + ++n">Count</button><script>let n = 0
</script>"""

PAGES = {"/count": COUNT, "/shop": SHOP, "/form": FORM, "/table": TABLE, "/canvas": CANVAS,
         "/frames": FRAMES, "/inner": INNER}


class Site:
    """Serves the pages; `asked` are the paths."""

    def __init__(self):
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """One request."""

            def log_message(self, *_args):
                """Be silent."""

            def do_GET(self):  # pylint: disable=invalid-name
                """A page."""
                site.asked.append(self.path)
                host = self.headers["Host"].split(":")[0]
                body = PAGES.get(self.path, "").replace(
                    "PORT", str(site.port)).replace("HOST", host).encode()
                self.send_response(200 if body or self.path == "/done" else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self.asked = []
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        self.port = server.server_address[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
