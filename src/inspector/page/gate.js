// Holds the acting calls of agents: pause, one by one, or with a click each.
import { byId, fill, make, plain, plural } from "./dom.js";
import { icon } from "./icons.js";
import { ask } from "./net.js";

/* The state of the gate. Dispatches "change". */
class Gate extends EventTarget {
  constructor() {
    super();
    this.version = 0;
    this.mode = "run";
    this.waiting = [];
    this.shown = {};
    this.grants = [];
    this.rules = [];
  }

  /* Answers and events may arrive in another order: an older state is not used. */
  set(state) {
    if (state.version < this.version) {
      return;
    }
    this.version = state.version;
    const key = ({ mode, waiting, grants, rules }) => JSON.stringify([mode, waiting, rules, grants.map(({ client, operation }) => [client, operation])]);
    if (key(this) !== key(state)) {
      this.mode = state.mode;
      this.waiting = state.waiting;
      this.shown = state.shown ?? {};
      this.grants = state.grants;
      this.rules = state.rules ?? [];
      this.dispatchEvent(new Event("change"));
    }
  }

  /* The arguments of a call: while it waits, with the text that it would type. */
  argumentsOf(call) {
    return this.shown[call.sequence]?.arguments ?? call.arguments ?? {};
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

const MODES = [["Run", "run", "run"], ["Pause", "hold", "hold"], ["Approve each", "approve", "approve"]];

/* Asks once whether this page may notify the person of calls that wait. */
function makeBell() {
  const bell = make("button", { type: "button", id: "notify", title: "Show a notification when a call waits", onclick: async () => {
    await Notification.requestPermission();
    show();
  } }, icon("bell"), make("span", {}, "Notify me"));
  const show = () => { bell.hidden = !globalThis.Notification || Notification.permission !== "default" || gate.mode === "run"; };
  gate.addEventListener("change", show);
  show();
  return bell;
}

const RULE_TEXTS = [["operation", "Operation"], ["app", "App"], ["client", "Client"], ["device", "Device"]];

/* A rule in words: "approve input in com.example.bank". */
const ruleInWords = ({ mode, operation, app, client, device }) => plain([mode === "hold" ? "pause" : "approve", operation || "all that acts",
  app && `in ${app}`, client && `of ${client}`, device && `on ${device}`].filter(Boolean).join(" "));

/* Which calls need more than the mode says: by operation, app, client and device. */
function makeRules() {
  const mode = make("select", { "aria-label": "What to do" }, make("option", { value: "approve" }, "Approve each"), make("option", { value: "hold" }, "Pause"));
  const fields = RULE_TEXTS.map(([name, title]) => [name, make("input", { type: "text", id: `rule-${name}`, placeholder: `any ${title.toLowerCase()}`,
    "aria-label": title, autocomplete: "off", spellcheck: "false" })]);
  const list = make("ul", { class: "rule-list" });
  const count = make("span", { class: "rule-count" });
  const set = rules => gate.act("rules", { rules });
  const add = make("button", { type: "submit" }, "Add");
  const form = make("form", { class: "bar", onsubmit: async event => {
    event.preventDefault();
    await set([...gate.rules, { mode: mode.value, ...Object.fromEntries(fields.map(([name, field]) => [name, field.value.trim()])) }]);
    fields.forEach(([, field]) => { field.value = ""; });
  } }, mode, fields.map(([, field]) => field), add);
  const panel = make("details", { class: "export rules" }, make("summary", { title: "Rules for some calls" }, icon("filter"), make("span", {}, "Rules"), count),
    make("div", { class: "panel" }, make("p", { class: "hint" }, "These calls wait for you whatever the mode is. An app is a package, a client the name that it gives itself."),
      list, form));
  const show = () => {
    fill(count, gate.rules.length ? String(gate.rules.length) : "");
    fill(list, gate.rules.map((rule, index) => make("li", {}, make("bdi", {}, ruleInWords(rule)), " ",
      make("button", { type: "button", class: "small", "aria-label": `Remove the rule: ${ruleInWords(rule)}`,
        onclick: () => set(gate.rules.filter((_, other) => other !== index)) }, icon("close")))));
  };
  document.addEventListener("pointerdown", event => {
    if (panel.open && !panel.contains(event.target)) {
      panel.open = false;
    }
  });
  gate.addEventListener("change", show);
  show();
  return panel;
}

export function startGate() {
  const button = (name, action, ...shown) => make("button", {
    type: "button", "data-action": action, onclick: () => gate.act(action) }, ...shown, make("span", {}, name));
  const modes = MODES.map(([name, action, shape]) => button(name, action, icon(shape)));
  const count = make("span", { role: "status", class: "warn count" });
  const grants = make("span", { class: "group", id: "grants" });
  const show = () => {
    modes.forEach(item => item.setAttribute("aria-pressed", String(item.dataset.action === gate.mode)));
    fill(count, gate.waiting.length ? `${plural(gate.waiting.length, "call")} waiting` : "");
    fill(grants, gate.grants.length ? [`Approved: ${gate.grants.map(({ client, operation, leftMs }) =>
      `${operation} of ${client} for ${Math.ceil(leftMs / 60000)} min`).join(", ")}`, button("End", "approve")] : []);
  };
  fill(byId("gate"), make("div", { class: "segmented" }, modes), button("Step", "step", icon("step")), makeRules(), makeBell(), count, grants);
  gate.addEventListener("change", show);
  show();
}
