// The card of an element: what it is, how to select it, what is wrong with it.
import { byId, copyButton, fill, make, plain, shorten } from "./dom.js";
import { live } from "./live.js";
import { ask, toolCall } from "./net.js";

const LEAST_DP = 48;

/* Quotes a word for a POSIX shell. */
const quote = word => /^[A-Za-z0-9_.\/:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

const FLAGS = { resourceId: "resource-id", text: "text", contentDesc: "content-desc", className: "class-name" };

/* The command that taps what a selector finds. */
export function toCommand(selector, device) {
  const words = ["squint", "tap"];
  for (const [name, value] of Object.entries(selector)) {
    words.push(`--selector.${FLAGS[name]}`, quote(value));
  }
  return [...words, "--device", quote(device)].join(" ");
}

/* The call of the protocol that does the same. */
export function toCall(selector, device) {
  return JSON.stringify(toolCall("tap", { selector, deviceId: device }), null, 1);
}

/* What makes the element hard to use, such as with a screen reader. */
function findProblems(node, contrast) {
  const [left, top, right, bottom] = node.bounds;
  const acts = node.flags.some(flag => ["clickable", "editable", "long-clickable"].includes(flag));
  const density = live.density || 1;
  const width = Math.round((right - left) / density);
  const height = Math.round((bottom - top) / density);
  const problems = [];
  if (acts && !node.label) {
    problems.push("It can be used but has no label: a screen reader cannot name it.");
  }
  if (acts && (width < LEAST_DP || height < LEAST_DP)) {
    problems.push(`It is ${width}×${height} dp; fingers need at least ${LEAST_DP}×${LEAST_DP} dp.`);
  }
  if (contrast > 0 && contrast < 4.5) {
    problems.push(`The contrast of its text is about ${contrast.toFixed(1)}:1; 4.5:1 is legible for most people.`);
  }
  return problems;
}

function selectorList(found, device) {
  return make("ol", { class: "selectors" }, found.map(({ selector, matches, isFirst }) =>
    make("li", {}, make("code", {}, plain(JSON.stringify(selector))), " ",
      make("span", { class: matches === 1 && isFirst ? "good" : "warn" },
        matches === 1 ? "1 match" : `${matches} matches${isFirst ? ", this one first" : ", another first"}`), " ",
      copyButton("Copy call", () => toCall(selector, device)), " ",
      copyButton("Copy command", () => toCommand(selector, device)))));
}

function callText(best, device) {
  if (!best) {
    return make("p", {}, "No selector finds this element; tap its point instead.");
  }
  return make("div", {}, make("h3", {}, "Call that taps it"),
    make("pre", { class: "call-json", tabindex: "0", "aria-label": "Call as JSON" }, plain(toCall(best.selector, device))),
    make("pre", { class: "call-line", tabindex: "0", "aria-label": "Command line" }, plain(toCommand(best.selector, device))));
}

function facts(node) {
  const { image, screen } = live.frame;
  const scale = image.width / screen.width;
  const rect = ([left, top, right, bottom], factor) =>
    `${Math.round(left * factor)}, ${Math.round(top * factor)} to ${Math.round(right * factor)}, ${Math.round(bottom * factor)}`;
  const rows = [["Role", node.role], ["Class", node.className], ["Label", shorten(node.label, 300)],
    ["Text", shorten(node.text, 300)], ["Description", shorten(node.description, 300)], ["Hint", shorten(node.hint, 300)],
    ["Resource id", node.resourceId], ["State", node.flags.join(", ")],
    ["Bounds on the device", rect(node.bounds, 1)], ["Bounds in this picture", rect(node.bounds, scale)]];
  return make("dl", {}, rows.filter(([, value]) => value).map(([name, value]) =>
    [make("dt", {}, name), make("dd", {}, make("bdi", {}, plain(value)))]));
}

let latest = 0;

async function show(node) {
  const card = byId("card");
  const number = ++latest;
  if (!node || !live.frame) {
    fill(card, make("h2", {}, "Element"), make("p", { class: "hint" }, "Choose an element on the screen or in the list."));
    return;
  }
  const more = make("div", {}, make("p", { class: "hint" }, "Reading selectors …"));
  fill(card, make("h2", {}, "Element"), facts(node), more);
  const device = live.frame.device;
  try {
    const answer = await ask("element", { device: live.device, index: node.index,
      left: node.bounds[0], top: node.bounds[1] });
    if (number !== latest) {
      return;
    }
    const problems = findProblems(node, answer.contrast);
    fill(more,
      make("h3", {}, "Problems"),
      problems.length ? make("ul", { class: "problems" }, problems.map(text => make("li", {}, text)))
        : make("p", {}, "None found."),
      make("h3", {}, "Selectors"), selectorList(answer.selectors, device),
      callText(answer.selectors.find(found => found.isFirst), device));
  } catch (error) {
    fill(more, make("p", { class: "bad" }, `${error.message} ${error.hint ?? ""}`));
  }
}

export function startCard() {
  live.addEventListener("select", ({ detail }) => show(detail));
  show(null);
}
