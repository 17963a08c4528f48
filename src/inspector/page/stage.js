// What the agent saw before a call, what it sees after it, and what differs.
import { duration, fill, make, plural } from "./dom.js";
import { bitmapOf, difference, drawn } from "./pictures.js";
import { hasPicture } from "./source.js";

const MODES = [["before", "Before"], ["after", "After"], ["both", "Both"], ["difference", "Difference"]];

const number = call => `call ${call.sequence}`;

/* The picture that the client had seen when it made the call. */
function beforeOf(calls, call) {
  return (call.screenshotId && calls.find(call, -1, other => other.pictureId === call.screenshotId && hasPicture(other)))
    || calls.find(call, -1, hasPicture);
}

/* What it sees afterwards: in the answer, or the next picture that it got. */
function afterOf(calls, call) {
  if (hasPicture(call)) {
    return { call, title: call.acts ? "in the answer" : "as sent", between: 0 };
  }
  let between = 0;
  for (const other of calls.near(call, 1)) {
    between += other.acts && !hasPicture(other);
    if (hasPicture(other)) {
      between += other.acts; // its picture is that after it
      return { call: other, between, title: `the next picture, ${number(other)}, ${duration(other.startedMs - call.startedMs)} later`
        + (between ? `, after ${plural(between, "more action")}` : "") };
    }
  }
  return null;
}

export class Stage {
  constructor(calls) {
    this.calls = calls;
    this.chosen = null; // a mode; null: what suits the call
    this.number = 0;
    this.hovered = null;
    this.buttons = MODES.map(([mode, name]) => make("button", { type: "button", "data-mode": mode, "aria-pressed": "false",
      onclick: () => {
        this.chosen = mode;
        this.show(true);
      } }, name));
    this.note = make("span", { class: "hint", role: "status" });
    this.area = make("div", { class: "pictures" });
    this.element = make("section", { class: "stage", "aria-label": "Pictures of the call" },
      make("div", { class: "bar" }, make("div", { class: "segmented", role: "group", "aria-label": "Pictures" }, this.buttons), this.note),
      this.area);
  }

  /* Shows the chosen call, unless it is shown. */
  show(isForced) {
    const call = this.calls.current;
    const key = `${call?.sequence}.${call?.version}.${this.calls.list.at(-1)?.version}`;
    if (!isForced && (key === this.shown || (call && this.isSettled && this.settledKey === `${call.sequence}.${call.version}`))) {
      return;
    }
    this.shown = key;
    this.draw(call);
  }

  async draw(call) {
    const current = ++this.number;
    if (!call) {
      fill(this.area, make("p", { class: "empty" }, "Choose a call to see its pictures."));
      fill(this.note);
      return;
    }
    const before = beforeOf(this.calls, call);
    const after = afterOf(this.calls, call);
    this.isSettled = Boolean(after) && call.totalMs != null; // later calls change nothing
    this.settledKey = `${call.sequence}.${call.version}`;
    const possible = { before, after, both: before && after, difference: before && after };
    const usual = !call.acts && hasPicture(call) ? "after" : before && after && !after.between ? "both" : before ? "before" : "after";
    const mode = this.chosen && possible[this.chosen] ? this.chosen : usual;
    this.buttons.forEach(button => {
      button.disabled = !possible[button.dataset.mode];
      button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
    });
    try {
      const [old, now] = await Promise.all([before && mode !== "after" ? bitmapOf(before) : null,
        after && mode !== "before" ? bitmapOf(after.call) : null]);
      if (current === this.number) {
        this.put(call, mode, before, old, after, now);
      }
    } catch (error) {
      if (current === this.number) {
        fill(this.area, make("p", { class: "bad empty" }, error.message));
      }
    }
  }

  put(call, mode, before, old, after, now) {
    const marks = { point: call.point, end: call.end, changed: call.changed };
    const what = [call.point && (call.end ? "the path" : "the touched point"), call.changed && "what changed"].filter(Boolean).join(" and ");
    const figure = (title, picture, text) => make("figure", {}, make("figcaption", {}, make("strong", {}, title), " ", text), picture);
    const size = bitmap => `${bitmap.width}×${bitmap.height}`;
    fill(this.note);
    if (mode === "difference") {
      const found = old && now && difference(old, now);
      fill(this.area, found ? figure("Difference", found.canvas, "in colour, the rest is grey")
        : make("p", { class: "empty" }, "The two pictures have different sizes."));
      fill(this.note, found ? `${(found.share * 100).toFixed(found.share < 0.1 ? 1 : 0)} % of the pixels differ` : "");
      return;
    }
    const tokens = after?.call.pictureTokens ? `, ${plural(after.call.pictureTokens, "token")}` : "";
    fill(this.area,
      old ? figure("Before", drawn(old, marks, `Picture before the call${what ? `, with ${what}` : ""}`),
        `${number(before)}${what ? `, with ${what}` : ""}`) : null,
      now ? figure("After", drawn(now, { changed: old ? null : call.changed }, "Picture after the call"), `${after.title}: ${size(now)}${tokens}`) : null,
      old || now ? null : make("p", { class: "empty" }, call.light ? "Its picture is no longer in memory."
        : call.totalMs == null ? "This call is not answered yet." : "This client has seen no picture yet."));
    this.mark(this.hovered);
  }

  /* Marks an element of the answer in the latest picture; null: none. */
  mark(element) {
    this.hovered = element;
    const canvas = this.area.querySelector("figure:last-child canvas");
    this.ring?.remove();
    if (!canvas || element?.x == null) {
      return;
    }
    const box = canvas.getBoundingClientRect();
    const area = this.area.getBoundingClientRect();
    const scale = box.width / canvas.width;
    this.ring = make("span", { class: "ring", "aria-hidden": "true" });
    Object.assign(this.ring.style, { left: `${box.left - area.left + this.area.scrollLeft + element.x * scale}px`,
      top: `${box.top - area.top + this.area.scrollTop + element.y * scale}px` });
    this.area.append(this.ring);
  }
}
