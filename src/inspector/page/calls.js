// The calls of all clients as they happen: the trace of the server, what each
// session has cost, and what is done with a range of calls.
import { byId, fill, make, pause, plural } from "./dom.js";
import { startExport } from "./export.js";
import { gate } from "./gate.js";
import { startHeld } from "./held.js";
import { recorder } from "./journals.js";
import { ask, follow } from "./net.js";
import { forgetCalls } from "./pictures.js";
import { makeResend } from "./resend.js";
import { Calls, source } from "./source.js";
import { nameOf } from "./detail.js";
import { startTrace } from "./trace.js";

const MAX_CALLS = 10000;

export const calls = new Calls(MAX_CALLS);

Object.assign(source, {
  readCall: call => ask("call", { sequence: call.sequence }),
  argumentsOf: call => gate.argumentsOf(call),
  isWaiting: call => gate.waiting.includes(call.sequence),
  decide: (action, call) => gate.act(action, { id: call.sequence, reason: "refused in the inspector" }),
  extraOf: makeResend,
  search: async text => (await ask("search-calls", { text })).sequences,
});

function receive(event) {
  if (event.server && event.server !== calls.server) {
    calls.clear(); // the server was started again
    calls.server = event.server;
    gate.version = 0;
    forgetCalls();
  }
  if (event.gate) {
    gate.set(event.gate);
    recorder.set(event.recording ?? null);
    calls.totals = event.totals ?? [];
  }
  if (event.call) {
    calls.add(event.call);
  }
}

/* What each session has cost so far. */
function makeTable(totals, budget) {
  return make("table", {}, make("caption", {}, "Tokens by session"),
    make("thead", {}, make("tr", {}, ["Session", "Calls", "Pictures", "Picture tokens", "Text tokens", "All"].map(title =>
      make("th", { scope: "col" }, title)))),
    make("tbody", {}, totals.map(own => {
      const all = own.pictureTokens + own.textTokens;
      return make("tr", { class: budget && all > budget ? "over" : "" }, make("th", { scope: "row" }, nameOf(own)),
        [own.calls, own.pictures, own.pictureTokens, own.textTokens].map(value => make("td", {}, value.toLocaleString("en"))),
        make("td", {}, `${all.toLocaleString("en")}${budget ? ` of ${budget.toLocaleString("en")}` : ""}`));
    })));
}

/* The costs, below the list. */
function makeLedger() {
  const budget = make("input", { type: "number", id: "call-budget", min: "0", step: "1000", value: localStorage.getItem("budget") ?? "" });
  const area = make("div", { class: "ledger-table" });
  const sum = make("span", { class: "hint" });
  const element = make("details", { class: "ledger" }, make("summary", {}, "Tokens ", sum),
    make("label", { class: "field" }, "Budget of a session ", budget), area);
  let shown = "";
  const show = () => {
    const limit = Number(budget.value) || 0;
    const key = JSON.stringify([limit, calls.totals]);
    if (key !== shown) {
      shown = key;
      const tokens = calls.totals.reduce((all, own) => all + own.pictureTokens + own.textTokens, 0);
      const over = calls.totals.filter(own => limit && own.pictureTokens + own.textTokens > limit).length;
      fill(sum, tokens ? plural(tokens, "token") : "", over ? make("strong", { class: "bad" }, ` · ${plural(over, "session")} over the budget`) : null);
      fill(area, calls.totals.length ? makeTable(calls.totals, limit) : make("p", { class: "hint" }, "No session has called yet."));
    }
  };
  budget.addEventListener("input", () => {
    localStorage.setItem("budget", budget.value);
    show();
  });
  calls.addEventListener("change", show);
  return element;
}

const whenEmpty = () => [make("h2", {}, "No calls yet"),
  make("p", {}, "Every call of an agent appears here, with the picture that it saw."),
  make("p", {}, "Let an agent use squint:"), make("pre", {}, "squint install"),
  make("p", {}, "or try the phone that is part of squint:"), make("pre", {}, "squint tap --selector.text Settings --device demo")];

export function startCalls() {
  const ledger = makeLedger();
  const trace = startTrace(calls, "view-calls", { below: ledger });
  trace.whenEmpty = whenEmpty;
  trace.controls.lastElementChild.append(startExport(trace));
  let isDue = false;
  gate.addEventListener("change", () => calls.dispatchEvent(new Event("change")));
  document.addEventListener("viewchange", () => trace.later());
  startHeld(calls);
  byId("view-calls").classList.add("trace");
  follow("calls", () => ({ server: calls.server, after: calls.after }), event => {
    receive(event);
    if (!isDue) { // many events of one answer are one change
      isDue = true;
      pause(0).then(() => {
        isDue = false;
        calls.trim();
        calls.dispatchEvent(new Event("change"));
      });
    }
  }, new AbortController().signal);
}
