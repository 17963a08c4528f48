// Pictures of calls: read once, decoded when shown, and drawn with marks.
import { fill, make, toBlob } from "./dom.js";
import { hasPicture, isPicture, source } from "./source.js";

const MAX_WHOLE = 60;
const MAX_THUMBS = 400;
const AT_A_TIME = 3;

const MARK = "#e0f";
const CHANGE = "#0b8";

const keyOf = call => `${call.sequence}.${call.version}`;

/* Keeps the latest values of a map. */
function keep(map, key, value, limit) {
  map.set(key, value);
  if (map.size > limit) {
    const [oldest, old] = map.entries().next().value;
    map.delete(oldest);
    old?.close?.();
  }
  return value;
}

const whole = new Map();

/* The call with its content; a promise. */
export function readCall(call) {
  const key = keyOf(call);
  if (!whole.has(key)) {
    keep(whole, key, source.readCall(call), MAX_WHOLE);
    whole.get(key).catch(() => whole.delete(key));
  }
  return whole.get(key);
}

export function forgetCalls() {
  whole.clear();
  thumbs.clear();
}

/* The last picture of a call, decoded; null if it has none. */
export async function bitmapOf(call, options = {}) {
  const block = (await readCall(call)).blocks.filter(isPicture).at(-1);
  return block?.data ? createImageBitmap(toBlob(block.data, block.type), options) : null;
}

const thumbs = new Map(); // key -> bitmap, or null while it is read
const wanted = [];
let reading = 0;

async function readThumb(call, done) {
  try {
    const big = await bitmapOf(call);
    if (big) {
      const scale = Math.min(1, 160 / Math.max(big.width, big.height));
      keep(thumbs, keyOf(call), await createImageBitmap(big, { resizeQuality: "medium",
        resizeWidth: Math.max(1, Math.round(big.width * scale)), resizeHeight: Math.max(1, Math.round(big.height * scale)) }), MAX_THUMBS);
      big.close();
      done();
    }
  } catch {
    thumbs.delete(keyOf(call));
  }
}

async function readNext() {
  if (reading >= AT_A_TIME || !wanted.length) {
    return;
  }
  reading++;
  const { call, done } = wanted.pop(); // what was asked for last is shown now
  await readThumb(call, done);
  reading--;
  readNext();
}

/* A small bitmap, or null; done is called when it has been read. */
export function thumbOf(call, done) {
  const key = keyOf(call);
  if (!hasPicture(call)) {
    return null;
  }
  if (!thumbs.has(key)) {
    keep(thumbs, key, null, MAX_THUMBS);
    wanted.push({ call, done });
    wanted.splice(0, wanted.length - 60);
    readNext();
  }
  return thumbs.get(key);
}

function drawArrow(context, from, to, unit) {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
  for (const side of [-1, 1]) {
    context.moveTo(to.x, to.y);
    context.lineTo(to.x - 8 * unit * Math.cos(angle + side * 0.5), to.y - 8 * unit * Math.sin(angle + side * 0.5));
  }
  context.stroke();
}

/* Draws what was touched and what changed. */
export function drawMarks(context, marks, width, height) {
  const unit = Math.max(width, height) / 250;
  context.lineWidth = unit;
  context.strokeStyle = CHANGE;
  for (const part of [marks.changed ?? []].flat()) {
    context.strokeRect(part.x + unit / 2, part.y + unit / 2, part.width - unit, part.height - unit);
  }
  context.strokeStyle = MARK;
  if (marks.point && marks.end) {
    drawArrow(context, marks.point, marks.end, unit);
  }
  if (marks.element) {
    const { left, top, right, bottom } = marks.element;
    context.strokeRect(left, top, right - left, bottom - top);
  }
  for (const point of [marks.point, marks.end].filter(Boolean)) {
    context.beginPath();
    context.arc(point.x, point.y, 5 * unit, 0, 2 * Math.PI);
    context.stroke();
  }
}

/* A canvas with a bitmap and marks. */
export function drawn(bitmap, marks, title) {
  const canvas = make("canvas", { class: "sent", role: "img", "aria-label": title,
    width: bitmap.width, height: bitmap.height });
  const context = canvas.getContext("2d");
  context.drawImage(bitmap, 0, 0);
  drawMarks(context, marks ?? {}, bitmap.width, bitmap.height);
  return canvas;
}

/* A figure of a block of an answer. */
export function pictureOf(block, marks, title) {
  const figure = make("figure", {}, make("figcaption", {}, title));
  createImageBitmap(toBlob(block.data, block.type)).then(bitmap => figure.prepend(drawn(bitmap, marks, title)),
    () => fill(figure, "The picture cannot be shown."));
  return figure;
}

/*
 * Two pictures of the same size as one: grey where they are equal, in colour
 * where not. Returns the canvas and the share that differs; null if the sizes
 * differ.
 */
export function difference(before, after) {
  const { width, height } = after;
  if (before.width !== width || before.height !== height) {
    return null;
  }
  const read = bitmap => {
    const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, width, height);
  };
  const old = read(before).data;
  const now = read(after);
  const { data } = now;
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (Math.abs(data[i] - old[i]) + Math.abs(data[i + 1] - old[i + 1]) + Math.abs(data[i + 2] - old[i + 2]) > 48) {
      count++;
    } else {
      const grey = 200 + (data[i] * 3 + data[i + 1] * 6 + data[i + 2]) / 10 * 0.2;
      data[i] = data[i + 1] = data[i + 2] = grey;
    }
  }
  const canvas = make("canvas", { class: "sent", width, height, role: "img",
    "aria-label": "What differs, in colour; the rest is grey" });
  canvas.getContext("2d").putImageData(now, 0, 0);
  return { canvas, share: count / (width * height) };
}
