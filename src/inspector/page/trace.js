// The trace: a timeline, a list, the pictures and the words of the chosen call.
import { byId, duration, fill, make, plain, plural } from "./dom.js";
import { Detail, nameOf } from "./detail.js";
import { iconOf } from "./icons.js";
import { source } from "./source.js";
import { Stage } from "./stage.js";
import { Timeline } from "./timeline.js";
import { inShort } from "./words.js";

const ROW = 46; // pixels; also in the style sheet
const EXTRA = 8; // rows beyond those that are seen

const FILTERS = [["all", "All"], ["acts", "Actions"], ["failed", "Errors"]];

/* The text of a call that a search looks in. */
const texts = new WeakMap();
function textOf(call) {
  if (!texts.has(call)) {
    texts.set(call, plain(`${nameOf(call)} ${call.operation || call.tool} ${inShort(call.operation || call.tool, call.arguments ?? {})} `
      + `${JSON.stringify(call.arguments)} ${call.state} ${call.device ?? ""} ${call.failure?.message ?? ""} ${call.failure?.code ?? ""}`).toLowerCase());
  }
  return texts.get(call);
}

export class Trace {
  constructor(calls, area, extras = {}) {
    this.calls = calls;
    this.isFollowing = true;
    this.filter = "all";
    this.rows = new Map();
    this.range = null; // [first, last] sequence, chosen with Shift
    this.stage = new Stage(calls);
    this.detail = new Detail(calls);
    this.detail.onhover = element => this.stage.mark(element);
    this.timeline = new Timeline(calls, sequence => this.choose(sequence));
    this.makeControls();
    this.items = make("ol", { "aria-label": "Calls, oldest first" });
    this.list = make("div", { class: "calls", onscroll: () => this.drawRows(), onkeydown: event => this.timeline.press(event) }, this.items);
    this.empty = make("div", { class: "empty", hidden: true });
    this.side = make("section", { class: "calls-side", "aria-label": "Calls" }, this.controls, this.list, this.empty,
      make("div", { class: "foot" }, extras.below, this.count));
    fill(area, make("div", { class: "calls-view" }, this.timeline.element, this.side, this.stage.element, this.detail.element));
    new ResizeObserver(() => this.drawRows()).observe(this.list);
    calls.addEventListener("change", () => this.later());
    calls.addEventListener("select", () => this.later());
    this.later();
  }

  makeControls() {
    this.search = make("input", { type: "search", id: "call-search", autocomplete: "off", placeholder: "Search text, app, error",
      "aria-label": "Search calls", oninput: () => this.seek() });
    this.client = make("select", { id: "call-client", "aria-label": "Session", onchange: () => this.later() }, make("option", { value: "" }, "All sessions"));
    this.filters = FILTERS.map(([name, title]) => make("button", { type: "button", "data-filter": name, "aria-pressed": String(name === "all"),
      onclick: () => {
        this.filter = name;
        this.filters.forEach(item => item.setAttribute("aria-pressed", String(item.dataset.filter === name)));
        this.later();
      } }, title));
    this.follow = make("button", { type: "button", id: "call-follow", "aria-pressed": "true",
      onclick: () => {
        this.isFollowing = !this.isFollowing;
        this.later();
      } }, "Follow");
    this.count = make("p", { role: "status", class: "hint", id: "call-count" });
    this.controls = make("div", { class: "controls" }, make("div", { class: "bar" }, this.search, this.client),
      make("div", { class: "bar" }, make("div", { class: "segmented", role: "group", "aria-label": "Which calls" }, this.filters), this.follow));
  }

  /* Draws once for all changes of a frame. */
  later() {
    this.isDue ||= requestAnimationFrame(() => {
      this.isDue = 0;
      this.show();
    });
  }

  /* Filters now, and again when the texts of the answers were searched. */
  seek() {
    const text = this.search.value.trim();
    this.texts = null;
    this.later();
    clearTimeout(this.timer);
    if (text.length > 1 && source.search) {
      this.timer = setTimeout(async () => {
        const found = await source.search(text).catch(() => []);
        if (text === this.search.value.trim()) {
          this.texts = new Set(found);
          this.later();
        }
      }, 150);
    }
  }

  matches(call) {
    return (this.filter === "all" || (this.filter === "acts" ? call.acts : Boolean(call.failure)))
      && (!this.client.value || String(call.client) === this.client.value)
      && (this.words.every(word => textOf(call).includes(word)) || this.texts?.has(call.sequence));
  }

  /* The calls that the filters leave; the same array while nothing changes. */
  find() {
    const { list } = this.calls;
    this.words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const key = `${this.filter} ${this.client.value} ${Boolean(this.texts)} ${this.words.join(" ")}`;
    if (list !== this.foundIn || key !== this.foundBy) {
      this.found = list.filter(call => this.matches(call));
      [this.foundIn, this.foundBy] = [list, key];
    }
    return this.found;
  }

  show() {
    if (this.side.offsetParent === null) {
      return; // another view is shown
    }
    this.showClients();
    const found = this.find();
    const all = this.calls.list.length;
    if (this.isFollowing && found.length) {
      this.calls.selected = found.at(-1).sequence;
    }
    this.follow.setAttribute("aria-pressed", String(this.isFollowing));
    fill(this.count, `${plural(found.length, "call")}${found.length < all ? ` of ${all.toLocaleString("en")}` : ""}`);
    this.list.hidden = !found.length;
    this.empty.hidden = found.length > 0;
    if (!found.length) {
      fill(this.empty, all ? make("p", {}, "No call matches.") : this.whenEmpty?.() ?? make("p", {}, "There are no calls."));
    }
    this.items.style.height = `${found.length * ROW}px`;
    if (this.calls.selected !== this.scrolledTo) {
      this.scrolledTo = this.calls.selected;
      this.reveal(found.findIndex(call => call.sequence === this.calls.selected));
    }
    this.drawRows();
    this.timeline.show(found);
    this.stage.show();
    this.detail.show();
  }

  showClients() {
    const { list } = this.calls;
    if (list === this.namedIn) {
      return;
    }
    this.namedIn = list;
    const names = new Map(list.map(call => [String(call.client), nameOf(call)]));
    const chosen = this.client.value;
    if (this.client.options.length !== names.size + 1) {
      fill(this.client, make("option", { value: "" }, "All sessions"), [...names].map(([value, name]) => make("option", { value }, name)));
      this.client.value = chosen;
    }
  }

  choose(sequence, isRange = false) {
    const { selected } = this.calls;
    this.range = isRange && selected ? [Math.min(selected, sequence), Math.max(selected, sequence)] : null;
    this.isFollowing = false;
    this.onrange?.(this.range);
    if (!isRange) {
      this.calls.select(sequence);
    }
    this.later();
  }

  reveal(index) {
    const top = index * ROW;
    if (index >= 0 && (top < this.list.scrollTop || top + ROW > this.list.scrollTop + this.list.clientHeight)) {
      this.list.scrollTop = Math.max(0, top - (this.isFollowing ? this.list.clientHeight - ROW : this.list.clientHeight / 2));
    }
  }

  /* Draws the rows that are seen, and keeps those that did not change. */
  drawRows() {
    const found = this.found ?? [];
    const first = Math.max(0, Math.floor(this.list.scrollTop / ROW) - EXTRA);
    const last = Math.min(found.length, Math.ceil((this.list.scrollTop + this.list.clientHeight) / ROW) + EXTRA);
    const focused = this.items.contains(document.activeElement) ? document.activeElement.closest("li").dataset.sequence : null;
    const next = new Map();
    for (let index = first; index < last; index++) {
      const call = found[index];
      const isIn = this.range && call.sequence >= this.range[0] && call.sequence <= this.range[1];
      const key = `${call.sequence}.${call.version}.${call.sequence === this.calls.selected}.${source.isWaiting(call)}.${Boolean(isIn)}`;
      const row = this.rows.get(key) ?? this.makeRow(call, isIn);
      if (row.placed !== `${index} ${found.length}`) {
        row.placed = `${index} ${found.length}`;
        row.style.transform = `translateY(${index * ROW}px)`;
        row.setAttribute("aria-setsize", String(found.length));
        row.setAttribute("aria-posinset", String(index + 1));
      }
      next.set(key, row);
    }
    const stay = new Set(next.values());
    [...this.items.children].filter(row => !stay.has(row)).forEach(row => row.remove());
    next.forEach(row => row.parentNode ?? this.items.append(row));
    this.rows = next;
    if (focused && !this.items.contains(document.activeElement)) {
      this.items.querySelector(`[data-sequence="${this.calls.selected}"] .row, [data-sequence="${focused}"] .row`)?.focus({ preventScroll: true });
    }
  }

  makeRow(call, isIn) {
    const operation = call.operation || call.tool;
    const isWaiting = source.isWaiting(call);
    const decide = (name, action) => make("button", { type: "button", class: action, "aria-label": `${name} ${operation}, call ${call.sequence}`,
      onclick: () => source.decide(action, call) }, name);
    const tokens = call.pictureTokens + call.textTokens;
    return make("li", { class: `call ${call.state}${isIn ? " in-range" : ""}`, "data-sequence": call.sequence },
      make("button", { type: "button", class: "row", "aria-pressed": String(this.calls.selected === call.sequence),
        onclick: event => this.choose(call.sequence, event.shiftKey) },
      iconOf(call),
      make("strong", {}, inShort(operation, source.argumentsOf(call))), " ",
      make("span", { class: "numbers" }, isWaiting ? "" : duration(call.totalMs)), " ",
      make("span", { class: "who" }, new Date(call.startedMs).toLocaleTimeString("en-GB"), " · ", nameOf(call)), " ",
      make("span", { class: "state" }, call.failure ? call.failure.code : call.totalMs == null ? (isWaiting ? "waits for you" : "running")
        : tokens ? plural(tokens, "token") : "")),
      isWaiting && source.decide ? make("span", { class: "decide" }, decide("Approve", "release"), decide("Refuse", "refuse")) : null);
  }
}

/* The trace in the view of that id. */
export const startTrace = (calls, id, extras) => new Trace(calls, byId(id), extras);
