// The timeline: pictures and calls by time. Long pauses are drawn short. A drag
// or the arrow keys go through the calls.
import { duration, make, plural } from "./dom.js";
import { thumbOf } from "./pictures.js";
import { hasPicture, source } from "./source.js";
import { inShort } from "./words.js";

const GAP_MS = 4000;  // a longer pause is drawn as one of this length
const LEAST_MS = 40;  // of a call
const EDGE = 12;
const RULER = 18;
const FILM = 68;
const BARS = 18;
const SLOT = 44;

const RANKS = { look: 1, act: 2, held: 3, failed: 4 };

const rankOf = call => source.isWaiting(call) ? "held" : call.failure ? "failed" : call.acts ? "act" : "look";

/* The places of calls, as shares of the width, and the pauses between them. */
export function place(list) {
  const starts = [];
  const ends = [];
  const gaps = [];
  let at = 0;
  list.forEach((call, index) => {
    const length = Math.max(LEAST_MS, Math.min(call.totalMs ?? LEAST_MS, GAP_MS));
    starts.push(at);
    ends.push(at + length);
    const next = list[index + 1];
    const apart = next ? Math.max(0, next.startedMs - call.startedMs) : length;
    if (apart > GAP_MS + length) {
      gaps.push({ at: at + length + GAP_MS / 2, ms: apart - (call.totalMs ?? 0) });
    }
    at += Math.max(LEAST_MS, Math.min(apart, GAP_MS + length));
  });
  const all = Math.max(at, ...ends.slice(-1), 1);
  return { starts: starts.map(x => x / all), ends: ends.map(x => x / all), gaps: gaps.map(gap => ({ ...gap, at: gap.at / all })) };
}

export class Timeline {
  constructor(calls, select) {
    this.calls = calls;
    this.choose = select;
    this.list = [];
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.base = make("canvas"); // without the chosen call
    this.isStale = true;
    calls.addEventListener("change", () => { this.isStale = true; });
    this.element = make("div", { class: "timeline", role: "slider", tabindex: "0", "aria-label": "Timeline of the calls",
      "aria-valuemin": "0", onpointerdown: event => this.drag(event), onkeydown: event => this.press(event) }, this.canvas);
    this.element.addEventListener("pointermove", event => event.buttons && this.pick(event));
    new ResizeObserver(() => this.later()).observe(this.element);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.later());
  }

  show(list) {
    if (list !== this.list) {
      this.list = list;
      this.places = place(list);
      this.isStale = true;
    }
    const index = list.findIndex(call => call.sequence === this.calls.selected);
    const call = list[index];
    this.element.setAttribute("aria-valuemax", String(list.length));
    this.element.setAttribute("aria-valuenow", String(index + 1));
    this.element.setAttribute("aria-valuetext", call
      ? `Call ${call.sequence}: ${inShort(call.operation || call.tool, source.argumentsOf(call))}` : "No call is chosen");
    this.later(this.isStale);
  }

  /* Draws in the next frame; only the chosen call if nothing else has changed. */
  later(isStale = true) {
    this.isStale = isStale;
    this.isDue ||= requestAnimationFrame(() => {
      this.isDue = 0;
      this.draw();
    });
  }

  x(share) {
    return EDGE + share * (this.width - 2 * EDGE);
  }

  drag(event) {
    this.element.setPointerCapture(event.pointerId);
    this.pick(event);
  }

  pick(event) {
    const share = (event.clientX - this.element.getBoundingClientRect().left - EDGE) / (this.width - 2 * EDGE);
    if (!this.list.length) {
      return;
    }
    const { starts } = this.places;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) { // the last one that has begun there
      const middle = (low + high + 1) >> 1;
      [low, high] = starts[middle] <= share ? [middle, high] : [low, middle - 1];
    }
    this.choose(this.list[low].sequence);
  }

  press(event) {
    const at = this.list.findIndex(call => call.sequence === this.calls.selected);
    const next = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, PageUp: at - 10,
      PageDown: at + 10, Home: 0, End: this.list.length - 1 }[event.key];
    if (next !== undefined && this.list.length) {
      event.preventDefault();
      this.choose(this.list[Math.max(0, Math.min(next, this.list.length - 1))].sequence);
    }
  }

  draw() {
    const ratio = devicePixelRatio;
    this.width = this.element.clientWidth;
    const height = RULER + FILM + BARS;
    if (!this.width || !this.places) {
      return; // another view is shown
    }
    const size = { width: Math.round(this.width * ratio), height: Math.round(height * ratio) };
    Object.assign(this.canvas, size);
    if (this.isStale) {
      this.isStale = false;
      Object.assign(this.base, size);
      this.drawBase(this.base.getContext("2d"), ratio, height);
    }
    const context = this.canvas.getContext("2d");
    context.drawImage(this.base, 0, 0);
    context.scale(ratio, ratio);
    this.drawPlace(context, height);
  }

  drawBase(context, ratio, height) {
    this.colours = Object.fromEntries(Object.entries({ look: "soft", act: "accent", held: "warn", failed: "bad", line: "line", text: "soft",
      panel: "panel" }).map(([key, name]) => [key, this.resolve(name)]));
    context.scale(ratio, ratio);
    this.drawRuler(context, height);
    this.drawFilm(context);
    this.drawBars(context, height);
  }

  /* A colour of the style sheet, as this theme has it. */
  resolve(name) {
    this.probe ??= this.element.appendChild(make("span", { hidden: true }));
    this.probe.style.color = `var(--${name})`;
    return getComputedStyle(this.probe).color;
  }

  drawRuler(context, height) {
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.fillStyle = this.colours.text;
    context.strokeStyle = this.colours.line;
    let free = 0;
    this.list.forEach((call, index) => {
      const x = this.x(this.places.starts[index]);
      if (x >= free && x < this.width - 60) {
        context.fillRect(x, RULER - 4, 1, 4);
        context.fillText(new Date(call.startedMs).toLocaleTimeString("en-GB"), x + 4, RULER / 2);
        free = x + 110;
      }
    });
    context.setLineDash([2, 3]);
    let last = -100;
    for (const gap of this.places.gaps) {
      const x = Math.round(this.x(gap.at)) + 0.5;
      if (x - last > 60) {
        context.beginPath();
        context.moveTo(x, RULER);
        context.lineTo(x, height);
        context.stroke();
        last = x;
      }
    }
    context.setLineDash([]);
  }

  /* In each slot the picture that the agents had seen by then. */
  drawFilm(context) {
    let index = -1;
    let shown = null;
    for (let left = EDGE; left + SLOT <= this.width - EDGE + 1; left += SLOT + 4) {
      while (index + 1 < this.list.length && this.x(this.places.starts[index + 1]) <= left + SLOT) {
        index++;
        shown = hasPicture(this.list[index]) ? this.list[index] : shown;
      }
      const bitmap = shown && thumbOf(shown, () => this.later());
      context.fillStyle = this.colours.panel;
      context.fillRect(left, RULER + 2, SLOT, FILM - 6);
      if (bitmap) {
        const scale = Math.min(SLOT / bitmap.width, (FILM - 6) / bitmap.height);
        const [width, tall] = [bitmap.width * scale, bitmap.height * scale];
        context.imageSmoothingQuality = "high";
        context.drawImage(bitmap, left + (SLOT - width) / 2, RULER + 2 + (FILM - 6 - tall) / 2, width, tall);
      }
    }
  }

  /* One bar for each call; the most important one where several share a column. */
  drawBars(context, height) {
    const columns = new Uint8Array(this.width);
    const names = Object.keys(RANKS);
    this.list.forEach((call, index) => {
      const rank = RANKS[rankOf(call)];
      const end = Math.max(this.x(this.places.starts[index]) + 2, this.x(this.places.ends[index]) - 1);
      for (let x = Math.floor(this.x(this.places.starts[index])); x < end && x < this.width; x++) {
        columns[x] = Math.max(columns[x], rank);
      }
    });
    columns.forEach((rank, x) => {
      if (rank) {
        context.fillStyle = this.colours[names[rank - 1]];
        context.globalAlpha = rank === 1 ? 0.55 : 1;
        context.fillRect(x, height - BARS + 4, 1, BARS - 9);
      }
    });
    context.globalAlpha = 1;
  }

  drawPlace(context, height) {
    const index = this.list.findIndex(call => call.sequence === this.calls.selected);
    if (index < 0) {
      return;
    }
    const left = this.x(this.places.starts[index]);
    const right = Math.max(left + 2, this.x(this.places.ends[index]));
    context.fillStyle = this.colours.act;
    context.globalAlpha = 0.16;
    context.fillRect(left - 2, RULER, right - left + 4, height - RULER);
    context.globalAlpha = 1;
    context.fillRect(left - 1, RULER, 2, height - RULER);
  }

  /* "12 calls in 40.1 s, with 1 pause". */
  describe() {
    const [first, last] = [this.list[0], this.list.at(-1)];
    return first ? `${plural(this.list.length, "call")} in ${duration(last.startedMs + (last.totalMs ?? 0) - first.startedMs)}` : "";
  }
}
