// Holds the acting calls of agents: pause, one by one, or with a click each.
import { byId, fill, make, plural } from "./dom.js";
import { ask } from "./net.js";

/* The state of the gate. Dispatches "change". */
class Gate extends EventTarget {
  constructor() {
    super();
    this.mode = "run";
    this.waiting = [];
    this.shown = {};
  }

  set(state) {
    if (this.mode !== state.mode || String(this.waiting) !== String(state.waiting)) {
      this.mode = state.mode;
      this.waiting = state.waiting;
      this.shown = state.shown ?? {};
      this.dispatchEvent(new Event("change"));
    }
  }

  /* The arguments of a call: while it waits, with the text that it would type. */
  argumentsOf(call) {
    return this.shown[call.sequence] ?? call.arguments ?? {};
  }

  async act(action, more = {}) {
    try {
      this.set((await ask("gate", { action, ...more })).gate);
    } catch (error) {
      fill(byId("act-status"), error.message);
    }
  }
}

export const gate = new Gate();

const MODES = [["Run", "run"], ["Pause", "hold"], ["Approve each", "approve"]];

export function startGate() {
  const button = (name, action) => make("button", {
    type: "button", "data-action": action, onclick: () => gate.act(action) }, name);
  const modes = MODES.map(([name, action]) => button(name, action));
  const count = make("span", { role: "status", class: "warn" });
  const show = () => {
    modes.forEach(item => item.setAttribute("aria-pressed", String(item.dataset.action === gate.mode)));
    fill(count, gate.waiting.length ? `${plural(gate.waiting.length, "call")} waiting` : "");
  };
  fill(byId("gate"), modes, button("Step", "step"), count);
  gate.addEventListener("change", show);
  show();
}
