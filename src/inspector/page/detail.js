// One call in full: what the model sent, what it saw, what it cost. Also the
// strip of pictures, and sending the call again after an edit.
import { copyButton, duration, fill, make, plain, plural, shorten, toBlob } from "./dom.js";
import { gate } from "./gate.js";
import { ask, callTool, readText } from "./net.js";

const MAX_CACHED = 80;
const cache = new Map(); // call and version -> promise of the whole call

function readCall(call) {
  const key = `${call.sequence}.${call.version}`;
  if (!cache.has(key)) {
    cache.set(key, ask("call", { sequence: call.sequence }));
    cache.get(key).catch(() => cache.delete(key));
    if (cache.size > MAX_CACHED) {
      cache.delete(cache.keys().next().value);
    }
  }
  return cache.get(key);
}

const isPicture = block => block.kind === "picture";

/* Draws a picture with the touched point and what changed. */
async function drawPicture(canvas, block, marks) {
  const bitmap = await createImageBitmap(toBlob(block.data, block.type));
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  const context = canvas.getContext("2d");
  context.drawImage(bitmap, 0, 0);
  const unit = Math.max(bitmap.width, bitmap.height) / 250;
  context.lineWidth = unit;
  context.strokeStyle = "#0b8";
  for (const { x, y, width, height } of [marks?.changed ?? []].flat()) {
    context.strokeRect(x, y, width, height);
  }
  context.strokeStyle = "#e0f";
  if (marks?.point && marks?.end) {
    context.beginPath();
    context.moveTo(marks.point.x, marks.point.y);
    context.lineTo(marks.end.x, marks.end.y);
    context.stroke();
  }
  for (const point of [marks?.point, marks?.end].filter(Boolean)) {
    context.beginPath();
    context.arc(point.x, point.y, 5 * unit, 0, 2 * Math.PI);
    context.stroke();
  }
}

function pictureOf(block, marks, title) {
  const canvas = make("canvas", { class: "sent", role: "img", "aria-label": title });
  drawPicture(canvas, block, marks).catch(() => canvas.replaceWith("The picture cannot be shown."));
  return make("figure", {}, canvas, make("figcaption", {}, title));
}

/* The picture that the client had in view when it acted, with marks. */
async function actedOn(calls, call) {
  if (!call.point && !call.changed) {
    return null;
  }
  const before = calls.pictureBefore({ ...call, sequence: call.sequence - 1 });
  if (!before) {
    return null;
  }
  const whole = await readCall(before);
  const block = whole.blocks.find(isPicture);
  return block ? pictureOf(block, call, `What the client saw before (call ${before.sequence}), with the touched point and what changed`) : null;
}

function times(call) {
  const host = call.totalMs == null ? null
    : call.totalMs - (call.heldMs ?? 0) - (call.deviceMs ?? 0);
  return [["Total", duration(call.totalMs)], ["Device", duration(call.deviceMs)],
    [call.deviceMs == null ? "Device and host" : "Host", duration(host)],
    ["Held", call.heldMs ? duration(call.heldMs) : ""]];
}

function facts(call) {
  const rows = [["Session", `${shorten(call.clientName, 60)} ${call.client}`], ["Tool", call.tool],
    ["Operation", call.operation], ["State", call.state], ["Started", new Date(call.startedMs).toISOString()],
    ...times(call), ["Picture tokens", call.pictureTokens], ["Text tokens", `about ${call.textTokens}`]];
  return make("dl", {}, rows.filter(([, value]) => value !== "" && value != null).map(([name, value]) =>
    [make("dt", {}, name), make("dd", {}, make("bdi", {}, plain(String(value))))]));
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
}

function blocksOf(call) {
  return call.blocks.map((block, index) => {
    if (isPicture(block)) {
      const size = block.size ? `${block.size.width}×${block.size.height}, ` : "";
      return pictureOf(block, null, `Picture as sent: ${size}${plural(block.bytes, "byte")}`
        + (block.tokens ? `, ${plural(block.tokens, "token")}` : ""));
    }
    return block.text == null ? make("p", {}, plain(block.uri ?? block.kind))
      : make("pre", { tabindex: "0", "aria-label": `Text ${index + 1} of the answer` }, plain(pretty(block.text)));
  });
}

/* The call as a client would send it. */
export const toMessage = call => ({ name: call.tool, arguments: call.arguments ?? {} });

function makeResend(call) {
  const text = make("textarea", { id: "resend-text", rows: "8", spellcheck: "false" });
  const answer = make("div", { id: "resend-answer", role: "status" });
  const { screenshotId, ...rest } = call.arguments ?? {};
  text.value = JSON.stringify({ name: call.tool, arguments: rest }, null, 1);
  const send = async () => {
    try {
      const message = JSON.parse(text.value);
      fill(answer, "Sending …");
      const result = await callTool(String(message.name), message.arguments ?? {});
      const picture = result.content.find(block => block.type === "image");
      fill(answer, make("p", { class: result.isError ? "bad" : "good" }, result.isError ? "The call failed." : "Done."),
        make("pre", { tabindex: "0", "aria-label": "Answer" }, plain(JSON.stringify(readText(result), null, 1))),
        picture ? pictureOf({ data: picture.data, type: picture.mimeType }, null, "Picture of the answer") : null);
    } catch (error) {
      fill(answer, make("p", { class: "bad" }, `${error.message} ${error.hint ?? ""}`));
    }
  };
  return make("details", { class: "resend" }, make("summary", {}, "Edit and send again"),
    make("p", { class: "hint" }, "Sent in the session of this page. Points are pixels of a default screenshot.",
      screenshotId ? " The screenshotId of the client's session was left out." : ""),
    make("label", { class: "field wide" }, "Call ", text),
    make("button", { type: "button", id: "resend", onclick: send }, "Send"), answer);
}

function errorOf(call) {
  return call.failure ? make("div", { class: "bad error" },
    make("p", {}, make("strong", {}, plain(call.failure.code)), " ", make("bdi", {}, plain(call.failure.message))),
    call.failure.hint ? make("p", {}, make("bdi", {}, plain(call.failure.hint))) : null) : null;
}

async function show(calls, area) {
  const call = calls.bySequence.get(calls.selected);
  if (!call) {
    fill(area, make("p", { class: "hint" }, "Choose a call."));
    return;
  }
  let whole;
  let before;
  try {
    [whole, before] = await Promise.all([readCall(call), actedOn(calls, call)]);
  } catch (error) {
    fill(area, make("p", { class: "bad" }, error.message));
    return;
  }
  if (calls.selected !== call.sequence) {
    return;
  }
  fill(area, make("h2", {}, `Call ${call.sequence}: `, shorten(call.operation || call.tool, 60)),
    errorOf(call), facts(call),
    make("h3", {}, "Arguments"),
    make("pre", { tabindex: "0", "aria-label": "Arguments" }, plain(JSON.stringify(gate.argumentsOf(call), null, 1))),
    make("p", {}, copyButton("Copy as JSON", () => JSON.stringify(toMessage(call), null, 1))),
    before, make("h3", {}, "Answer"), blocksOf(whole), makeResend(call));
}

/* The strip: one small picture per call that showed one. */
function makeStrip(calls, area) {
  const slider = make("input", { type: "range", id: "strip", min: "0", max: "0", value: "0",
    "aria-label": "Picture of the session" });
  const row = make("div", { class: "strip-row" });
  const shown = () => calls.list.filter(call => call.blocks.some(isPicture)).slice(-60);
  const thumbs = new Map();
  const thumb = call => {
    const key = `${call.sequence}.${call.version}`;
    if (!thumbs.has(key)) {
      const canvas = make("canvas", { role: "img", "aria-label": `Picture of call ${call.sequence}` });
      thumbs.set(key, make("button", { type: "button", "data-strip": call.sequence,
        onclick: () => calls.select(call.sequence) }, canvas));
      readCall(call).then(whole => drawPicture(canvas, whole.blocks.find(isPicture))).catch(() => {});
    }
    return thumbs.get(key);
  };
  slider.addEventListener("input", () => {
    const call = shown()[Number(slider.value)];
    if (call) {
      calls.select(call.sequence);
    }
  });
  const draw = () => {
    if (area.offsetParent === null) {
      return; // another view is shown
    }
    const list = shown();
    const at = list.findIndex(call => call.sequence === calls.selected);
    slider.max = Math.max(0, list.length - 1);
    slider.value = at >= 0 ? at : slider.max;
    const wanted = list.map(thumb);
    if (wanted.length !== row.children.length || wanted.some((item, index) => row.children[index] !== item)) {
      fill(row, wanted);
    }
    wanted.forEach((item, index) => item.classList.toggle("current", index === at));
    wanted[at]?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  fill(area, make("div", { class: "strip" }, slider, row));
  return draw;
}

export function startDetail(calls, area) {
  const strip = make("div");
  const body = make("div", { "aria-live": "polite" });
  fill(area, strip, body);
  const draw = makeStrip(calls, strip);
  let shownVersion = "";
  const update = () => {
    draw();
    const call = calls.bySequence.get(calls.selected);
    const version = `${calls.selected}.${call?.version}`;
    if (version !== shownVersion) {
      shownVersion = version;
      show(calls, body);
    }
  };
  calls.addEventListener("select", update);
  calls.addEventListener("change", () => requestAnimationFrame(update));
  document.addEventListener("viewchange", update);
  show(calls, body);
}
