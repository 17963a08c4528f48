// One call in words: what it did, where its time went, what it answered; and
// exactly as it was sent.
import { copyButton, duration, fill, make, plain, plural, shorten } from "./dom.js";
import { iconOf } from "./icons.js";
import { readCall } from "./pictures.js";
import { isPicture, source } from "./source.js";
import { answerLines, elementsOf, inWords, otherMembers } from "./words.js";

const MAX_ELEMENTS = 300;

/* The call as a client would send it. */
export const toMessage = call => ({ name: call.tool, arguments: call.arguments ?? {} });

/* The object in the text of an answer; {} if it is none. */
export function replyOf(whole) {
  for (const block of whole.blocks) {
    try {
      const value = block.text == null ? null : JSON.parse(block.text);
      if (value && typeof value === "object" && !Array.isArray(value)) {
        return value;
      }
    } catch {
      // it is plain text
    }
  }
  return {};
}

const list = rows => make("dl", {}, rows.filter(([, value]) => value !== "" && value != null).map(([name, value]) =>
  [make("dt", {}, plain(name)), make("dd", {}, make("bdi", {}, plain(String(value))))]));

/* Where the time went, as a bar and in words. */
function times(call) {
  const host = call.totalMs == null ? null : call.totalMs - (call.heldMs ?? 0) - (call.deviceMs ?? 0);
  const parts = [["held", "Waiting for you", call.heldMs || null], ["device", "Device", call.deviceMs ?? null],
    ["host", call.deviceMs == null ? "Device and squint" : "squint", host]].filter(([, , ms]) => ms != null && ms > 0);
  const bar = make("div", { class: "times", "aria-hidden": "true" }, parts.map(([name, , ms]) => {
    const part = make("span", { class: name });
    part.style.flexGrow = String(Math.max(ms, 0.01));
    return part;
  }));
  return call.totalMs == null ? make("p", { class: "hint" }, call.state === "held" ? "It waits for you." : "It is running.")
    : make("div", {}, bar, make("p", { class: "hint" }, `${duration(call.totalMs)}: `,
      parts.map(([, title, ms]) => `${title} ${duration(ms)}`).join(" · ")));
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
}

const raw = (title, text) => make("pre", { tabindex: "0", "aria-label": title }, plain(text));

function rawBlocks(whole) {
  return whole.blocks.map((block, index) => {
    if (isPicture(block)) {
      const size = block.size ? `${block.size.width}×${block.size.height}, ` : "";
      return make("p", { class: "hint" }, `Picture as sent: ${size}${plural(block.bytes, "byte")}${block.tokens ? `, ${plural(block.tokens, "token")}` : ""}`);
    }
    return block.text == null ? make("p", {}, plain(block.uri ?? block.kind)) : raw(`Text ${index + 1} of the answer`, pretty(block.text));
  });
}

function errorOf(call) {
  return call.failure ? make("div", { class: "error" },
    make("p", {}, make("strong", {}, plain(call.failure.code)), " ", make("bdi", {}, plain(call.failure.message))),
    call.failure.hint ? make("p", {}, make("bdi", {}, plain(call.failure.hint))) : null) : null;
}

const STATES = { running: "running", held: "waits for you", succeeded: "done", failed: "failed" };

export const nameOf = call => call.person ? "you" : call.client === 0 && call.calls ? "earlier sessions"
  : `${shorten(call.clientName, 30) || "client"} ${call.client}`;

/* The elements of an answer; asserting one adds it to an export. */
function elementList(detail, call, reply) {
  const found = elementsOf(reply);
  if (!found.length) {
    return null;
  }
  const rows = found.slice(0, MAX_ELEMENTS).map(element => make("li", { onpointerenter: () => detail.onhover(element),
    onpointerleave: () => detail.onhover(null) },
  make("span", { class: "role" }, shorten(element.type, 24)), " ",
  make("bdi", {}, shorten(element.text, 80)), element.id ? make("span", { class: "id" }, ` #${shorten(element.id.replace(/^.*[/]/, ""), 30)}`) : null,
  detail.onassert && element.text ? make("span", { class: "asserts" },
    make("button", { type: "button", "aria-label": `Assert that “${shorten(element.text, 40)}” is here`, onclick: () => detail.onassert(call, element, "here") }, "is here"),
    make("button", { type: "button", "aria-label": `Assert that “${shorten(element.text, 40)}” is gone`, onclick: () => detail.onassert(call, element, "gone") }, "is gone")) : null));
  return make("details", { class: "part", open: found.length <= 60 }, make("summary", {}, `Elements (${found.length})`),
    make("ul", { class: "elements" }, rows));
}

export class Detail {
  constructor(calls) {
    this.calls = calls;
    this.shown = "";
    this.onhover = () => {};
    this.onassert = null;
    this.element = make("section", { class: "detail", id: "call-detail", "aria-label": "The chosen call" });
  }

  async show() {
    const call = this.calls.current;
    const version = call ? `${call.sequence}.${call.version}.${source.isWaiting(call)}` : "none";
    if (version === this.shown) {
      return;
    }
    this.shown = version;
    if (!call) {
      fill(this.element, make("p", { class: "empty" }, "Choose a call to see what it did."));
      return;
    }
    let whole;
    try {
      whole = await readCall(call);
    } catch (error) {
      whole = { ...call, blocks: [] };
      fill(this.element, make("p", { class: "bad" }, error.message));
    }
    if (this.shown === version) {
      this.put(call, whole);
    }
  }

  put(call, whole) {
    const operation = call.operation || call.tool;
    const args = source.argumentsOf(call);
    const reply = replyOf(whole);
    const lines = answerLines(reply);
    const more = otherMembers(reply);
    fill(this.element,
      make("header", {}, make("span", { class: `badge ${call.state}` }, STATES[call.state] ?? call.state),
        make("h2", {}, iconOf(call),
          ` Call ${call.sequence}: `, shorten(operation, 60)),
        make("p", { class: "words" }, inWords(operation, args))),
      errorOf(call), times(call),
      make("details", { class: "part", open: true }, make("summary", {}, "Answer"),
        lines.length ? make("ul", { class: "lines" }, lines.map(line => make("li", {}, make("bdi", {}, line)))) : null,
        more.length ? list(more) : null,
        lines.length || more.length || call.failure ? null : whole.light ? make("p", { class: "hint" }, "It is no longer in memory.") : make("p", { class: "hint" }, call.totalMs == null ? "None yet." : "See below, as it was sent.")),
      elementList(this, call, reply),
      make("details", { class: "part" }, make("summary", {}, "Facts"), list([["Session", nameOf(call)], ["Device", call.device],
        ["Tool", call.tool], ["Started", new Date(call.startedMs).toISOString()],
        ["Picture tokens", call.pictureTokens], ["Text tokens", call.textTokens ? `about ${call.textTokens}` : ""]])),
      make("details", { class: "part raw" }, make("summary", {}, "As it was sent"),
        make("h3", {}, "Arguments"), raw("Arguments", JSON.stringify(args, null, 1)),
        make("p", {}, copyButton("Copy as JSON", () => JSON.stringify(toMessage(call), null, 1))),
        make("h3", {}, "Answer"), rawBlocks(whole)),
      source.extraOf(call));
  }
}
