// The live screen: shows what changes, and turns clicks, drags, the wheel and
// keys into calls.
import { byId, fill, make, pause, plain, toBlob } from "./dom.js";
import { icon } from "./icons.js";
import { listenToKeys } from "./keyboard.js";
import { ask, operate, readDevices, repeat } from "./net.js";

const DRAG_PIXELS = 10;
const LONG_PRESS_MS = 600;
const WHEEL_MS = 120;

/* Draws the parts of a screen that have changed. */
export async function drawParts(picture, answer) {
  const parts = await Promise.all(answer.parts.map(async part =>
    [part, await createImageBitmap(toBlob(part.data, "image/jpeg"))]));
  const { width, height } = answer.image;
  if (picture.width !== width || picture.height !== height) {
    picture.width = width;
    picture.height = height;
  }
  const context = picture.getContext("2d");
  for (const [part, bitmap] of parts) {
    context.drawImage(bitmap, part.x, part.y);
    bitmap.close();
  }
}

/* Shows a device in Live. */
export function chooseDevice(id) {
  const select = byId("device");
  if (![...select.options].some(option => option.value === id)) {
    select.append(make("option", { value: id }, plain(id)));
  }
  select.value = id;
  select.dispatchEvent(new Event("change"));
}

/* The state of the live view. Dispatches "frame", "hover" and "select". */
class Live extends EventTarget {
  constructor() {
    super();
    this.viewer = crypto.randomUUID().replaceAll("-", "");
    this.sequence = 0;
    this.device = "";       // chosen by the person; empty: the default
    this.frame = null;      // sizes of the latest picture
    this.kinds = new Map();  // of devices by their names
    this.nodes = [];
    this.hovered = null;
    this.selected = null;
    this.times = [];
    this.isRunning = false;
    this.isShown = true;
    this.lastAct = 0;
    this.isRecorded = false; // then calls name the elements that they touch
  }

  get lookOnly() {
    return byId("look-only").checked;
  }

  isWanted() {
    return this.isShown && !document.hidden && !byId("freeze").checked;
  }

  /* Asks for pictures while someone looks. */
  async run() {
    if (this.isRunning || !this.isWanted()) {
      return;
    }
    this.isRunning = true;
    await repeat(async () => {
      try {
        await this.next();
      } catch (error) {
        byId("rate").textContent = "";
        this.explain(error);
        if (this.explained !== error.message) {
          this.explained = error.message;
          await this.offerDevices().catch(() => {});
        }
        throw error;
      }
      return this.isWanted();
    });
    this.isRunning = false;
    byId("rate").textContent = byId("freeze").checked ? "frozen" : "";
  }

  async next() {
    const picture = byId("picture");
    const height = Math.round(Math.max(picture.clientHeight, 400) * Math.min(devicePixelRatio, 2));
    const answer = await ask("screen", { viewer: this.viewer, sequence: this.sequence,
      device: this.device, maxDimension: Math.min(Math.max(height, 800), 1600) });
    if (answer.parts && !byId("freeze").checked) {
      await this.draw(answer);
    }
    this.sequence = answer.sequence;
    this.explained = "";
    this.explain(null);
    this.showRate(Boolean(answer.parts));
  }

  async draw(answer) {
    await drawParts(byId("picture"), answer);
    this.frame = { image: answer.image, screen: answer.screen, device: answer.device, app: answer.app };
    this.dispatchEvent(new Event("frame"));
  }

  showRate(isNew) {
    const now = performance.now();
    if (isNew) {
      this.times.push(now);
    }
    this.times = this.times.filter(time => now - time < 2000);
    byId("rate").textContent = `${(this.times.length / 2).toFixed(1)} fps`;
  }

  /* Forgets the picture, so that the next one is whole. */
  restart() {
    this.sequence = 0;
    this.run();
  }

  /* Where the page draws the picture: in the middle of its box. */
  drawn() {
    const box = byId("picture").getBoundingClientRect();
    const { width, height } = this.frame.image;
    const scale = Math.min(box.width / width, box.height / height);
    return { left: box.left + (box.width - width * scale) / 2,
      top: box.top + (box.height - height * scale) / 2, width: width * scale, height: height * scale };
  }

  /* Whether a pointer is on the picture, and not beside it. */
  isOnPicture({ clientX, clientY }) {
    const { left, top, width, height } = this.drawn();
    return clientX >= left && clientX < left + width && clientY >= top && clientY < top + height;
  }

  /* The pixel of the device below a pointer. */
  toDevice(event) {
    const drawn = this.drawn();
    const { width, height } = this.frame.screen;
    const at = (value, from, size, limit) =>
      Math.min(limit - 1, Math.max(0, Math.floor((value - from) / size * limit)));
    return { x: at(event.clientX, drawn.left, drawn.width, width),
      y: at(event.clientY, drawn.top, drawn.height, height) };
  }

  /* The smallest element at a pixel of the device. */
  nodeAt({ x, y }) {
    let best = null;
    let bestArea = Infinity;
    for (const node of this.nodes) {
      const [left, top, right, bottom] = node.bounds;
      const area = (right - left) * (bottom - top);
      if (x >= left && x < right && y >= top && y < bottom && area > 0 && area <= bestArea) {
        best = node;
        bestArea = area;
      }
    }
    return best;
  }

  hover(node) {
    if (this.hovered !== node) {
      this.hovered = node;
      this.drawBoxes();
      this.dispatchEvent(new CustomEvent("hover", { detail: node }));
    }
  }

  select(node) {
    this.selected = node;
    this.drawBoxes();
    this.dispatchEvent(new CustomEvent("select", { detail: node }));
  }

  drawBoxes() {
    const overlay = byId("overlay");
    if (!this.frame) {
      return;
    }
    const { image, screen } = this.frame;
    overlay.width = image.width;
    overlay.height = image.height;
    const context = overlay.getContext("2d");
    const box = (node, colour, width) => {
      const [left, top, right, bottom] = node.bounds;
      const scale = image.width / screen.width;
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.strokeRect(left * scale + 0.5, top * scale + 0.5,
        (right - left) * scale - 1, (bottom - top) * scale - 1);
    };
    if (byId("boxes").checked) {
      this.nodes.forEach(node =>
        box(node, node.flags.includes("clickable") ? "#0a7" : "#888", 1));
    }
    if (this.hovered) {
      box(this.hovered, "#f80", 2);
    }
    if (this.selected) {
      box(this.selected, "#e0f", 3);
    }
  }

  /* Asks which device to show, if there are several and none is chosen. */
  async offerDevices() {
    const reply = this.device ? { devices: [] } : await readDevices();
    const usable = reply.devices.filter(device => device.state === "online")
      .sort((a, b) => a.id < b.id ? -1 : 1); // buttons must not move below the mouse
    const choose = ({ id }) => {
      chooseDevice(id);
      fill(byId("choose-device"));
    };
    fill(byId("choose-device"), usable.length < 2 ? [] : [make("p", {}, "Which device?"), usable.map(device =>
      make("button", { type: "button", "data-device": device.id, onclick: () => choose(device) },
        plain(`${device.name || ""} ${device.id}`.trim())))]);
  }

  /* Says why there is no new picture. */
  explain(error) {
    const text = error ? `${error.message} ${error.hint ?? ""}` : "";
    if (byId("screen-status").textContent !== text) {
      fill(byId("screen-status"), text);
    }
  }

  say(what) {
    const status = byId("act-status");
    fill(status, what instanceof Error ? `${what.message} ${what.hint ?? ""}` : what);
  }

  /*
   * Runs an operation for the person and says how it went, unless a later one has
   * begun: answers may arrive in another order.
   */
  async act(operation, parameters) {
    const number = ++this.lastAct;
    const say = what => number === this.lastAct && this.say(what);
    if (this.lookOnly) {
      this.say("Look only is on.");
      return;
    }
    const device = this.frame?.device;
    try {
      say(`${operation} …`);
      await operate(operation, { ...parameters, receipt: this.isRecorded ? "auto" : "none", ...(device ? { deviceId: device } : {}) });
      say(`${operation}: done`);
    } catch (error) {
      say(error);
    }
  }
}

export const live = new Live();

/* Clicks and drags. */
function listenToPointer(area) {
  let down = null;
  area.addEventListener("pointerdown", event => {
    if (event.button === 0 && live.frame && live.isOnPicture(event)) {
      down = { event, at: live.toDevice(event) };
      area.setPointerCapture(event.pointerId);
    }
  });
  area.addEventListener("pointermove", event => {
    if (live.frame && !down) {
      live.hover(live.isOnPicture(event) ? live.nodeAt(live.toDevice(event)) : null);
    }
  });
  area.addEventListener("pointerleave", () => live.hover(null));
  area.addEventListener("pointercancel", () => { down = null; });
  area.addEventListener("pointerup", event => {
    const start = down;
    down = null;
    if (!start || !live.frame) {
      return;
    }
    const ms = Math.round(event.timeStamp - start.event.timeStamp);
    const at = live.toDevice(event);
    const moved = Math.hypot(event.clientX - start.event.clientX, event.clientY - start.event.clientY);
    if (live.lookOnly || event.shiftKey) {
      live.select(live.nodeAt(at));
    } else if (moved > DRAG_PIXELS) {
      live.act("swipe", { from: start.at, to: at, deviceSpace: true,
        durationMs: Math.min(Math.max(ms, 100), 3000) });
    } else {
      live.act("tap", { ...start.at, deviceSpace: true,
        ...(ms > LONG_PRESS_MS ? { durationMs: Math.min(ms, 5000) } : {}) });
    }
  });
}

/* The wheel moves the content below the pointer. */
function listenToWheel(area) {
  let sum = null;
  let pinch = 0;
  area.addEventListener("wheel", event => {
    if (live.lookOnly || !live.frame) {
      return; // the page scrolls
    }
    event.preventDefault();
    const at = live.toDevice(event);
    if (event.ctrlKey || event.metaKey) { // also what a touchpad sends for two fingers
      if (!pinch) {
        setTimeout(() => {
          live.act("pinch", { ...at, deviceSpace: true, scale: pinch < 0 ? 1.6 : 0.6 });
          pinch = 0;
        }, WHEEL_MS);
      }
      pinch += event.deltaY;
      return;
    }
    if (!sum) {
      sum = { at, x: 0, y: 0 };
      setTimeout(() => {
        const { screen } = live.frame;
        const far = screen.height / 3;
        const limit = (from, delta, size) =>
          Math.round(Math.min(Math.max(from - Math.max(Math.min(delta, far), -far), size * 0.04), size * 0.96));
        live.act("swipe", { from: sum.at, deviceSpace: true, durationMs: 250,
          to: { x: limit(sum.at.x, sum.x, screen.width), y: limit(sum.at.y, sum.y, screen.height) } });
        sum = null;
      }, WHEEL_MS);
    }
    const scale = live.frame.screen.width / live.drawn().width;
    sum.x += event.deltaX * scale;
    sum.y += event.deltaY * scale;
  }, { passive: false });
}

/* A picture of the whole screen, as it is shown. */
const toPicture = () => new Promise((done, fail) => byId("picture").toBlob(blob => blob ? done(blob) : fail(new Error("There is no picture."))));

async function copyPicture() {
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": toPicture() })]);
    live.say("The picture is in the clipboard.");
  } catch (error) {
    live.say(error);
  }
}

async function savePicture() {
  const address = URL.createObjectURL(await toPicture());
  make("a", { href: address, download: `squint-${live.frame?.device ?? "screen"}-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}.png` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

const ZOOMS = [0.5, 0.75, 1, 1.5, 2, 3];

function zoom(step) {
  const place = document.querySelector(".screen-place");
  const at = ZOOMS.indexOf(Number(place.dataset.zoom ?? 1)) + step;
  place.dataset.zoom = ZOOMS[Math.max(0, Math.min(at, ZOOMS.length - 1))];
  place.style.setProperty("--zoom", place.dataset.zoom);
  place.classList.toggle("zoomed", place.dataset.zoom > 1);
}

/* The next one of portrait and landscape. */
const rotate = () => live.act("rotate", { orientation: live.frame?.screen.width > live.frame?.screen.height ? "portrait" : "landscape" });

const TOOLS = [["minus", "Smaller", () => zoom(-1)], ["plus", "Larger", () => zoom(1)], ["rotate", "Rotate the device", rotate],
  ["copy", "Copy the picture", copyPicture], ["save", "Save the picture", savePicture]];

const HARDWARE = [["back", "Back"], ["home", "Home"], ["recents", "Recents"], ["power", "Power"],
  ["volume_up", "Volume +"], ["volume_down", "Volume −"]];

function showHelp() {
  fill(byId("screen-help"), live.lookOnly
    ? "Click an element to see its card. Switch off Look only to act."
    : "Click taps, drag swipes, the wheel scrolls, with Ctrl it zooms. Keys type, Escape goes back; Shift and Escape leaves the screen. Shift and click shows an element's card.");
}

/* Reads the elements again when the picture has changed. */
function followElements() {
  let isDue = false;
  let isBusy = false;
  let tookMs = 0;
  let timer = 0;
  const read = async () => {
    if (isBusy || !isDue) {
      return;
    }
    isBusy = true;
    isDue = false;
    try {
      const answer = await ask("elements", { device: live.device });
      ({ tookMs } = answer);
      live.nodes = answer.nodes;
      live.density = answer.density;
      live.dispatchEvent(new CustomEvent("elements", { detail: answer }));
      live.drawBoxes();
    } catch (error) {
      live.dispatchEvent(new CustomEvent("elements", {
        detail: { nodes: [], total: 0, warning: `${error.message} ${error.hint ?? ""}` } }));
    }
    await pause(Math.max(700, 4 * tookMs));
    isBusy = false;
    read();
  };
  live.addEventListener("frame", () => {
    isDue = true;
    clearTimeout(timer); // a slow list is read when the screen is at rest
    timer = setTimeout(read, tookMs > 300 ? 1000 : 150);
  });
}

/* Starts the live view. */
export function startLive(readOnly) {
  const area = byId("screen");
  byId("look-only").checked = readOnly;
  byId("look-only").disabled = readOnly;
  listenToPointer(area);
  listenToWheel(area);
  listenToKeys(area, live);
  followElements();
  fill(byId("keys"), HARDWARE.map(([name, title]) =>
    make("button", { type: "button", onclick: () => live.act("key", { name }) }, icon(name), title)));
  fill(byId("view-tools"), TOOLS.map(([name, title, action]) =>
    make("button", { type: "button", title, "aria-label": title, "data-tool": name, onclick: action }, icon(name))));
  byId("look-only").addEventListener("change", showHelp);
  byId("freeze").addEventListener("change", () => live.run());
  byId("boxes").addEventListener("change", () => live.drawBoxes());
  document.addEventListener("visibilitychange", () => live.run());
  byId("device").addEventListener("change", event => {
    live.device = event.target.value;
    live.select(null);
    live.restart();
  });
  showHelp();
  live.run();
}
