// Says in words what a call does and what it answered.
import { duration, plain, plural, shorten } from "./dom.js";

const PLAIN = { tap: "Tap", input: "Type", key: "Press the key", launch: "Start the app", stop: "Stop the app",
  swipe: "Swipe", scroll: "Scroll", drag: "Drag", pinch: "Pinch", open: "Open", "open-url": "Open the address",
  steps: "Do these steps", find: "Find", dump: "List the elements", screenshot: "Screenshot", wait: "Wait" };
const UNSAID = ["operation", "receipt", "look", "screenshotId", "deviceSpace"];

export const quote = text => `“${shorten(text, 500)}”`;
const at = point => `${point.x}, ${point.y}`;

/* What an argument says; "" if another one says it. */
function phrase(name, value, args) {
  const phrases = {
    x: () => `at ${at(args)}${args.deviceSpace ? " of the device" : " of the picture"}`,
    y: () => "",
    text: () => quote(value),
    selector: () => `${args.operation === "input" || args.text != null ? "into " : ""}the element with ${Object.entries(value).map(([key, text]) => `${key} ${quote(text)}`).join(", ")}`,
    elementIndex: () => `element ${value} of its list`,
    from: () => `from ${at(value)}`,
    to: () => `to ${at(value)}`,
    name: () => quote(value),
    packageName: () => quote(value),
    url: () => quote(value),
    durationMs: () => `for ${value} ms`,
    deviceId: () => `on the device ${quote(value)}`,
  };
  return phrases[name]?.() ?? `${shorten(name, 40)}: ${shorten(typeof value === "string" ? value : JSON.stringify(value), 500)}`;
}

/* A call in words: "Tap the element with text “Game”". Says every argument. */
export function inWords(operation, args) {
  const rest = Object.entries(args).filter(([name]) => !UNSAID.includes(name) && name !== "steps")
    .map(([name, value]) => phrase(name, value, args)).filter(Boolean);
  return [PLAIN[operation] ?? shorten(operation, 40), ...rest].join(" ").trim();
}

function shortTarget({ selector, x, y, elementIndex, cell, from, to, direction }) {
  if (selector && typeof selector === "object") {
    const { text, resourceId, ...rest } = selector;
    return text != null ? quote(text) : resourceId != null ? `#${plain(resourceId)}` : JSON.stringify(rest);
  }
  return x != null ? `${x}, ${y}` : elementIndex != null ? `element ${elementIndex}` : cell != null ? `cell ${cell}`
    : from && to ? `${at(from)} → ${at(to)}` : direction ?? "";
}

/* The same in a few words, for lists: "Tap “Game”". */
export function inShort(operation, args) {
  const target = shortTarget(args);
  const short = {
    input: () => `Type ${quote(args.text ?? "")}${target ? ` into ${target}` : ""}`,
    key: () => `Press ${args.name ?? ""}`,
    launch: () => `Start ${args.packageName ?? ""}`,
    stop: () => `Stop ${args.packageName ?? ""}`,
    open: () => `Open ${args.url ?? ""}`,
    dump: () => "List elements",
    wait: () => `Wait ${args.until === "gone" ? "until gone" : "for"} ${args.text != null ? quote(args.text) : target || "change"}`,
    steps: () => plural((args.steps ?? []).length, "step"),
  };
  return shorten(short[operation]?.() ?? `${PLAIN[operation] ?? operation} ${target || args.text || ""}`, 90).trim();
}

const where = ({ x, y, width, height }) => `${width}×${height} at ${x}, ${y}`;

/* Which members of a reply are said in words; the others are listed. */
const SAID = ["tapped", "element", "typed", "pressed", "swiped", "scrolled", "launched", "stopped", "changed", "settled",
  "watchedMs", "now", "by", "elements", "count", "columns", "more", "image", "device", "message", "coordinateSpace",
  "screenshotId", "untrusted", "deviceId", "usage", "scaleFactor", "mode", "tokens", "sizeBytes", "mimeType",
  "otherClientActed", "moreRows", "suggestion", "details"];

function touched(reply) {
  const [name, touch] = ["tapped", "typed", "swiped", "scrolled"].map(key => [key, reply[key]]).find(([, value]) => value) ?? [];
  if (!touch) {
    return "";
  }
  const element = reply.element ?? touch.element;
  const what = element ? ` ${element.label ? quote(element.label) : "an element without a label"}${element.type ? ` (${plain(element.type)})` : ""}` : "";
  const place = touch.from && touch.to ? ` from ${at(touch.from)} to ${at(touch.to)}` : touch.x != null ? ` at ${at(touch)}` : "";
  return `${name[0].toUpperCase()}${name.slice(1)}${what}${place}`;
}

function changed(reply) {
  if (!("changed" in reply)) {
    return "";
  }
  const parts = [reply.changed].flat().filter(Boolean);
  return parts.length ? `Changed: ${parts.map(where).join("; ")}`
    : `Nothing changed${reply.watchedMs ? ` within ${duration(reply.watchedMs)}` : ""}`;
}

/* What an answer says, as lines. */
export function answerLines(reply) {
  const { image, device } = reply;
  return [reply.message && plain(reply.message), reply.suggestion && plain(reply.suggestion), touched(reply),
    reply.pressed && `Pressed ${plain(reply.pressed)}`, reply.launched && `Started ${plain(reply.launched)}`,
    reply.stopped && `Stopped ${plain(reply.stopped)}`, changed(reply),
    reply.settled === false && "The screen was still moving",
    image?.width && `Picture of ${image.width}×${image.height}${device?.width ? `, screen of ${device.width}×${device.height}` : ""}`,
    reply.count != null && plural(reply.count, "element"), reply.otherClientActed && "Another client acted meanwhile",
    ...[reply.now].flat().filter(line => typeof line === "string").map(line => {
      const sign = { "+ ": "New: ", "- ": "Gone: ", "= ": "Now: " }[line.slice(0, 2)];
      return plain(sign ? sign + line.slice(2) : `Now: ${line}`);
    }),
  ].filter(Boolean);
}

/* A value in words: "hint Username, type EditText". */
const say = value => Array.isArray(value) ? value.map(say).join("; ")
  : value && typeof value === "object" ? Object.entries(value).map(([name, part]) => `${name} ${say(part)}`).join(", ") : String(value);

/* The other members, as names and texts. */
export const otherMembers = reply => Object.entries(reply).filter(([name]) => !SAID.includes(name))
  .map(([name, value]) => [name, shorten(say(value), 400)]);

/*
 * The elements that an answer lists: {text, type, x, y, bounds}. Rows are
 * "12 225,670 Linear:checked Bluetooth, Find nearby devices" or objects.
 */
export function elementsOf(reply) {
  return (Array.isArray(reply.elements) ? reply.elements : []).map(item => {
    if (typeof item === "object" && item) {
      return { text: item.text ?? item.contentDesc ?? item.label ?? "", type: item.className ?? "", id: item.resourceId ?? "",
        x: item.centerX, y: item.centerY, bounds: item.bounds };
    }
    const found = /^(\d+) (\d+),(\d+) (\S+) ?(.*)$/.exec(String(item));
    const isId = found?.[5].startsWith("#");
    return found ? { text: isId ? "" : found[5], type: found[4], id: isId ? found[5].slice(1) : "", x: Number(found[2]), y: Number(found[3]) }
      : { text: String(item), type: "", id: "" };
  });
}
