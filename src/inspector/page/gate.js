// Holds the acting calls of agents: pause, one by one, or with a click each.
import { byId, fill, make, plural } from "./dom.js";
import { ask } from "./net.js";

/* The state of the gate. Dispatches "change". */
class Gate extends EventTarget {
  constructor() {
    super();
    this.mode = "run";
    this.waiting = [];
  }

  set(state) {
    this.mode = state.mode;
    this.waiting = state.waiting;
    this.dispatchEvent(new Event("change"));
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

function show() {
  const { mode, waiting } = gate;
  const button = (name, action, isPressed) => make("button", {
    type: "button", "data-action": action, "aria-pressed": isPressed == null ? null : String(isPressed),
    onclick: () => gate.act(action) }, name);
  fill(byId("gate"),
    button("Run", "run", mode === "run"),
    button("Pause", "hold", mode === "hold"),
    button("Approve each", "approve", mode === "approve"),
    button("Step", "step"),
    make("span", { role: "status", class: waiting.length ? "warn" : "hint" },
      waiting.length ? `${plural(waiting.length, "call")} waiting` : ""));
}

export function startGate() {
  gate.addEventListener("change", () => {
    const action = document.activeElement?.dataset?.action;
    show();
    byId("gate").querySelector(`[data-action="${action}"]`)?.focus();
  });
  show();
}
