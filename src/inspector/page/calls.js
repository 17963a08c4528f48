// The timeline: all calls of all clients, as they happen.
import { byId, duration, fill, make, plain, plural, remember, shorten, update } from "./dom.js";
import { startDetail } from "./detail.js";
import { gate } from "./gate.js";
import { recorder } from "./journals.js";
import { follow } from "./net.js";

const MAX_CALLS = 1000;

/* All known calls. Dispatches "change" and "select". */
class Calls extends EventTarget {
  constructor() {
    super();
    this.server = "";
    this.after = 0;
    this.bySequence = new Map();
    this.selected = 0;
  }

  get list() {
    return [...this.bySequence.values()];
  }

  receive(event) {
    if (event.server && event.server !== this.server) {
      this.server = event.server;
      this.after = 0;
      this.bySequence.clear(); // the server was started again
      this.selected = 0;
    }
    if (event.gate) {
      gate.set(event.gate);
      recorder.set(event.recording ?? null);
    }
    if (event.call) {
      this.after = event.call.version;
      this.bySequence.set(event.call.sequence, event.call);
      if (this.bySequence.size > MAX_CALLS) {
        this.bySequence.delete(this.bySequence.keys().next().value);
      }
    }
    this.dispatchEvent(new Event("change"));
  }

  select(sequence) {
    this.selected = sequence;
    this.dispatchEvent(new Event("select"));
  }

  /* The call whose pictures the client saw last before this one. */
  pictureBefore(call) {
    return this.list.filter(other => other.client === call.client && other.sequence <= call.sequence
      && other.blocks.some(block => block.kind === "picture")).at(-1);
  }
}

export const calls = new Calls();

const nameOf = call => `${shorten(call.clientName, 30) || "client"} ${call.client}`;
const opened = call => call.operation || call.tool;
const when = call => new Date(call.startedMs).toLocaleTimeString("en-GB");

function matches(call, text, client) {
  const all = plain(`${nameOf(call)} ${opened(call)} ${JSON.stringify(call.arguments)} ${call.state} `
    + `${call.failure?.message ?? ""} ${call.failure?.code ?? ""}`).toLowerCase();
  return (!client || String(call.client) === client)
    && text.toLowerCase().split(/\s+/).every(word => all.includes(word));
}

function makeRow(call) {
  const held = gate.waiting.includes(call.sequence);
  const decide = (name, action) => make("button", { type: "button", class: action,
    "aria-label": `${name} ${opened(call)}, call ${call.sequence}`,
    onclick: () => gate.act(action, { id: call.sequence, reason: "refused in the inspector" }) }, name);
  return make("li", { class: `call ${call.state}`, "data-sequence": call.sequence },
    make("button", { type: "button", class: "row", "aria-pressed": String(calls.selected === call.sequence),
      onclick: () => calls.select(call.sequence) },
    make("span", { class: "time" }, when(call)), " ",
    make("span", { class: "who" }, nameOf(call)), " ",
    make("strong", {}, shorten(opened(call), 40)), " ",
    make("code", {}, shorten(JSON.stringify(gate.argumentsOf(call)), held ? 2000 : 80)), " ",
    make("span", { class: "state" }, call.failure ? call.failure.code : call.state), " ",
    make("span", { class: "numbers" }, [duration(call.totalMs), call.pictureTokens + call.textTokens
      ? `${plural(call.pictureTokens + call.textTokens, "token")}` : ""].filter(Boolean).join(" · "))),
    held ? make("span", { class: "decide" }, decide("Approve", "release"), decide("Refuse", "refuse")) : null);
}

/* What each session has cost so far. */
function makeLedger(list, budget) {
  const sessions = Map.groupBy ? Map.groupBy(list, call => call.client) : groupBy(list);
  return make("table", {}, make("caption", {}, "Tokens by session"),
    make("thead", {}, make("tr", {}, ["Session", "Calls", "Pictures", "Picture tokens", "Text tokens", "All"].map(title =>
      make("th", { scope: "col" }, title)))),
    make("tbody", {}, [...sessions].map(([, own]) => {
      const sum = name => own.reduce((total, call) => total + call[name], 0);
      const all = sum("pictureTokens") + sum("textTokens");
      const pictures = own.reduce((count, call) => count + call.blocks.filter(block => block.kind === "picture").length, 0);
      return make("tr", { class: budget && all > budget ? "over" : "" }, make("th", { scope: "row" }, nameOf(own[0])),
        [own.length, pictures, sum("pictureTokens"), sum("textTokens")].map(value => make("td", {}, value.toLocaleString("en"))),
        make("td", {}, `${all.toLocaleString("en")}${budget ? ` of ${budget.toLocaleString("en")}` : ""}`));
    })));
}

function groupBy(list) {
  const groups = new Map();
  list.forEach(call => groups.set(call.client, [...groups.get(call.client) ?? [], call]));
  return groups;
}

/* The growing sum of tokens with the budget as a line. */
function makeChart(list, budget) {
  const space = "http://www.w3.org/2000/svg";
  const chart = document.createElementNS(space, "svg");
  const line = (name, attributes) => {
    const shape = document.createElementNS(space, name);
    Object.entries(attributes).forEach(([key, value]) => shape.setAttribute(key, value));
    chart.append(shape);
  };
  let sum = 0;
  const sums = list.map(call => sum += call.pictureTokens + call.textTokens);
  const top = Math.max(sum, budget, 1) * 1.05;
  const points = sums.map((value, index) =>
    `${(index + 1) / sums.length * 300},${60 - value / top * 60}`);
  chart.setAttribute("viewBox", "0 0 300 60");
  chart.setAttribute("preserveAspectRatio", "none");
  chart.setAttribute("role", "img");
  chart.setAttribute("aria-label", `${plural(sum, "token")} in ${plural(list.length, "call")}`
    + (budget ? `; budget ${budget}` : ""));
  line("polyline", { points: `0,60 ${points.join(" ")}`, class: "sum" });
  if (budget) {
    const y = 60 - budget / top * 60;
    line("line", { x1: 0, x2: 300, y1: y, y2: y, class: "budget" });
  }
  return chart;
}

function makeView() {
  const search = make("input", { type: "search", id: "call-search", autocomplete: "off" });
  const client = make("select", { id: "call-client" }, make("option", { value: "" }, "All sessions"));
  const budget = make("input", { type: "number", id: "call-budget", min: "0", step: "1000",
    value: localStorage.getItem("budget") ?? "" });
  const list = make("ol", { class: "calls", "aria-label": "Calls, newest first" });
  const count = make("p", { role: "status", class: "hint", id: "call-count" });
  const ledger = make("div", { class: "ledger" });
  const detail = make("div", { class: "detail", id: "call-detail" });
  fill(byId("view-calls"),
    make("div", { class: "calls-view" },
      make("div", { class: "calls-side" },
        make("div", { class: "toolbar" },
          make("label", { class: "field" }, "Search ", search), make("label", { class: "field" }, "Session ", client),
          make("label", { class: "field" }, "Token budget ", budget)),
        count, list, ledger),
      detail));
  return { search, client, budget, list, count, ledger, detail };
}

function showClients(select, list) {
  const names = new Map(list.map(call => [String(call.client), nameOf(call)]));
  const chosen = select.value;
  if (select.options.length !== names.size + 1) {
    fill(select, make("option", { value: "" }, "All sessions"),
      [...names].map(([value, name]) => make("option", { value }, name)));
    select.value = chosen;
  }
}

export function startCalls() {
  const view = makeView();
  let isDue = false;
  const makeRows = remember(makeRow);
  const show = () => {
    isDue = false;
    const all = calls.list;
    const found = all.filter(call => matches(call, view.search.value, view.client.value));
    const focused = view.list.contains(document.activeElement)
      ? document.activeElement.closest("li")?.dataset.sequence : null;
    const budget = Number(view.budget.value) || 0;
    showClients(view.client, all);
    update(view.list, makeRows(found.slice(-200).reverse().map(call => ({ value: call,
      key: [call.sequence, call.version, calls.server, gate.waiting.includes(call.sequence), calls.selected === call.sequence] }))));
    fill(view.count, `${plural(found.length, "call")}${found.length < all.length ? ` of ${all.length}` : ""}`);
    fill(view.ledger, makeLedger(found, budget), makeChart(found, budget));
    if (focused && !view.list.contains(document.activeElement)) {
      view.list.querySelector(`[data-sequence="${focused}"] button`)?.focus();
    }
  };
  const later = () => {
    if (!isDue) {
      isDue = true;
      requestAnimationFrame(show);
    }
  };
  calls.addEventListener("change", later);
  calls.addEventListener("select", later);
  gate.addEventListener("change", later);
  view.search.addEventListener("input", later);
  view.client.addEventListener("change", later);
  view.budget.addEventListener("input", () => {
    localStorage.setItem("budget", view.budget.value);
    later();
  });
  startDetail(calls, view.detail);
  show();
  followWhileVisible();
}

/* Nothing is recorded for a page that is hidden. */
function followWhileVisible() {
  let stop = null;
  const change = () => {
    if (document.hidden) {
      stop?.abort();
      stop = null;
    } else if (!stop) {
      stop = new AbortController();
      follow("calls", () => ({ server: calls.server, after: calls.after }),
        event => calls.receive(event), stop.signal);
    }
  };
  document.addEventListener("visibilitychange", change);
  change();
}
