// The call that waits for the person: the picture that the model saw, where the
// call would act, and what it would do, in words.
import { byId, fill, make, plain, plural, shorten } from "./dom.js";
import { gate } from "./gate.js";
import { pictureOf, readCall } from "./pictures.js";
import { isPicture } from "./source.js";
import { inWords, quote } from "./words.js";

const TITLE = document.title;
const SETTLE_MS = 400; // a click that was meant for the call before does nothing

function words(call, args) {
  const name = args.operation ?? call.operation;
  return [make("p", { class: "words" }, make("strong", {}, inWords(name, args))),
    Array.isArray(args.steps) ? make("ol", {}, args.steps.map(step =>
      make("li", {}, inWords(step?.operation ?? "", step ?? {})))) : null];
}

/* The picture with the place; a promise. */
async function pictureFor(calls, call, place) {
  const seen = calls.list.filter(other => other.client === call.client && other.sequence < call.sequence
    && other.blocks.some(isPicture)).reverse();
  const isSize = ({ size }) => size?.width === place.image?.width && size?.height === place.image?.height;
  const before = (place.screenshotId && seen.find(other => other.pictureId === place.screenshotId))
    || seen.find(other => !place.image || other.blocks.some(block => isPicture(block) && isSize(block)));
  if (!before) {
    return make("p", { class: "warn" }, "The model has seen no picture of this screen. See Live.");
  }
  const block = (await readCall(before)).blocks.find(isPicture);
  const where = place.element ? `the element ${quote(place.label || "without a label")}`
    : place.end ? "the path" : place.point ? "the point" : "";
  return pictureOf(block, place, `What the model saw (call ${before.sequence})${where ? `, with ${where}` : ""}`);
}

/* The place of a call: from the server, or the point that it names. */
function placeOf(shown, args) {
  if (shown.image) {
    return shown;
  }
  const isPoint = point => Number.isFinite(point?.x) && Number.isFinite(point?.y);
  const inPicture = !args.deviceSpace && !args.applyScreenshotScale && !args.screenshotId;
  return inPicture ? { point: isPoint(args) ? args : isPoint(args.from) ? args.from : null,
    end: isPoint(args.to) ? args.to : null } : {};
}

function buttons(call) {
  const button = (name, action) => make("button", { type: "button", class: action, disabled: true,
    onclick: () => gate.act(action, { id: call.sequence, reason: "refused in the inspector" }) }, name);
  const all = [button("Approve", "release"), button("Refuse", "refuse")];
  if (gate.mode !== "hold" && call.operation !== "steps") {
    all.push(button("Approve all of this kind for 10 minutes", "release-kind"));
  }
  setTimeout(() => all.forEach(item => { item.disabled = false; }), SETTLE_MS);
  return make("div", { class: "decide" }, all);
}

function showCall(calls, call, area) {
  const shown = gate.shown[call.sequence] ?? {};
  const args = gate.argumentsOf(call);
  const picture = make("div");
  fill(area, make("h2", {}, `${shorten(call.clientName, 30) || "client"} ${call.client} waits for you`),
    words(call, args), buttons(call), picture,
    gate.waiting.length > 1 ? make("p", { class: "hint" }, `${plural(gate.waiting.length - 1, "more call")} waiting`) : null);
  pictureFor(calls, call, placeOf(shown, args)).then(found => fill(picture, found),
    error => fill(picture, make("p", { class: "bad" }, plain(error.message))));
}

let notice = null;

/* Tells a person who looks at another page, if that was allowed. */
function notify(call) {
  notice?.close();
  notice = null;
  if (call && document.hidden && globalThis.Notification?.permission === "granted") {
    notice = new Notification("squint: a call waits for you", { tag: "squint",
      body: inWords(call.operation, call.arguments ?? {}).slice(0, 200) });
    notice.onclick = () => focus();
  }
}

export function startHeld(calls) {
  const area = byId("held");
  let last = "0";
  const show = () => {
    const call = gate.waiting.map(sequence => calls.bySequence.get(sequence)).find(Boolean);
    const next = call ? JSON.stringify([calls.server, call.sequence, gate.mode, gate.shown[call.sequence], gate.waiting.length])
      : String(gate.waiting.length);
    if (next === last) {
      return;
    }
    last = next;
    document.title = gate.waiting.length
      ? `(${gate.waiting.length}) ${call ? shorten(call.operation, 30) : "a call"} waits · ${TITLE}` : TITLE;
    area.hidden = !call;
    notify(call);
    if (call) {
      showCall(calls, call, area);
    } else {
      fill(area);
    }
  };
  calls.addEventListener("change", show);
  gate.addEventListener("change", show);
}
