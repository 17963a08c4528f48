// Saves a range of calls: as one page with its pictures, as a journal, or as a
// test with assertions.
import { copyButton, fill, make, plain, shorten } from "./dom.js";
import { replyOf } from "./detail.js";
import { icon } from "./icons.js";
import { ask } from "./net.js";
import { readCall } from "./pictures.js";
import { elementsOf, quote } from "./words.js";

const FORMS = { html: ["Page", "html"], journal: ["Journal", "jsonl"], maestro: ["Maestro flow", "yaml"], sh: ["Shell script", "sh"] };

/* The files of the trace, each after those that it imports. */
const MODULES = ["dom", "icons", "words", "source", "pictures", "timeline", "stage", "detail", "trace", "saved"];

/* Saves a text as a file. */
export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/* A module as a function of the ones before it: a page of one file has no modules. */
function toScript(name, text) {
  const names = [...text.matchAll(/^export (?:const|class|(?:async )?function\*?) (\w+)/gm)].map(found => found[1]);
  const body = text.replace(/^import (\{[^}]*\}) from "\.\/(\w+)\.js";$/gm, "const $1 = modules.$2;").replace(/^export /gm, "");
  return `modules.${name} = (() => {\n${body}\nreturn { ${names.join(", ")} };\n})();\n`;
}

const readFile = async name => (await fetch(name, { credentials: "same-origin" })).text();

async function hashOf(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return `'sha256-${btoa(String.fromCharCode(...bytes))}'`;
}

/* One file with the trace of these calls, which needs no server. */
async function makePage(list) {
  const whole = [];
  for (const call of list) {
    whole.push(await readCall(call).catch(() => ({ ...call, blocks: [] })));
  }
  const [style, ...texts] = await Promise.all([readFile("style.css"), ...MODULES.map(name => readFile(`${name}.js`))]);
  const script = `"use strict";\nconst modules = {};\n${MODULES.map((name, index) => toScript(name, texts[index])).join("")}`;
  const policy = `default-src 'none'; img-src data: blob:; style-src ${await hashOf(style)}; script-src ${await hashOf(script)}`;
  const data = JSON.stringify(whole).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>squint trace, ${new Date(list[0].startedMs).toISOString().slice(0, 16).replace("T", " ")}</title>
<style>${style}</style>
</head>
<body class="saved">
<header><h1>squint trace</h1><p id="about" class="hint"></p></header>
<main><section id="view-calls" class="trace"></section></main>
<script type="application/json" id="calls">${data}</script>
<script>${script}</script>
</body>
</html>
`;
}

/* The first later call of the client whose list of elements has not this text. */
async function findGone(calls, call, text) {
  for (const other of calls.near(call, 1)) {
    const found = other.totalMs == null || other.failure ? [] : elementsOf(replyOf(await readCall(other)));
    if (found.length > 1 && !found.some(element => element.text === text)) {
      return other;
    }
  }
  return null;
}

/* The button and the panel. */
export function startExport(trace) {
  const { calls } = trace;
  const state = { asserts: [] };
  const number = id => make("input", { type: "number", id, min: "1", oninput: () => show() });
  const first = number("export-first");
  const last = number("export-last");
  const asserts = make("ul", { class: "asserted" });
  const status = make("div", { id: "export-status", role: "status" });
  const chosen = () => {
    const [from, to] = [Number(first.value) || 0, Number(last.value) || Infinity];
    return (trace.found ?? []).filter(call => call.sequence >= from && call.sequence <= to && call.totalMs != null);
  };
  const save = async form => {
    const list = chosen();
    const [title, ending] = FORMS[form];
    if (!list.length) {
      fill(status, make("p", { class: "bad" }, "There are no answered calls in this range."));
      return;
    }
    fill(status, make("p", { class: "hint" }, `Writing ${list.length} calls …`));
    try {
      const text = form === "html" ? await makePage(list)
        : (await ask("export-calls", { form, sequences: list.map(call => call.sequence), asserts: state.asserts })).script;
      const name = `squint-trace-${list[0].sequence}-${list.at(-1).sequence}.${ending}`;
      download(name, text);
      fill(status, make("p", { class: "good" }, `Saved by the browser as ${name}`),
        ["maestro", "sh"].includes(form) ? [make("pre", { tabindex: "0", "aria-label": title }, plain(text)), copyButton("Copy", () => text)] : null);
    } catch (error) {
      fill(status, make("p", { class: "bad" }, plain(`${error.message} ${error.hint ?? ""}`)));
    }
  };
  const show = () => {
    fill(asserts, state.asserts.map(item => make("li", {}, `After call ${item.after}: `, make("bdi", {}, quote(shorten(item.text, 60))), item.kind === "here" ? " is here " : " is gone ",
      make("button", { type: "button", class: "small", "aria-label": "Remove this assertion", onclick: () => {
        state.asserts.splice(state.asserts.indexOf(item), 1);
        show();
      } }, icon("close")))));
  };
  const panel = make("details", { class: "export" }, make("summary", { title: "Export these calls" }, icon("export"), make("span", {}, "Export")),
    make("div", { class: "panel" },
      make("p", { class: "hint" }, "The calls that are listed. Shift and click chooses a range."),
      make("div", { class: "bar" }, make("label", { class: "field" }, "From call ", first), make("label", { class: "field" }, "to ", last)),
      make("p", { class: "hint" }, "A test can assert elements: choose “is here” or “is gone” beside an element of an answer."),
      asserts,
      make("div", { class: "bar" }, Object.entries(FORMS).map(([form, [title]]) =>
        make("button", { type: "button", "data-form": form, onclick: () => save(form) }, title))), status));
  trace.onrange = range => {
    if (range) {
      [first.value, last.value] = range;
      panel.open = true;
    }
  };
  trace.detail.onassert = async (call, element, kind) => {
    panel.open = true;
    const at = kind === "here" ? call : await findGone(calls, call, element.text);
    if (!at) {
      fill(status, make("p", { class: "bad" }, "No later answer lists elements without ", make("bdi", {}, quote(shorten(element.text, 60))), "."));
      return;
    }
    fill(status);
    state.asserts.push({ after: at.sequence, kind, text: element.text });
    show();
  };
  document.addEventListener("pointerdown", event => {
    if (panel.open && !panel.contains(event.target) && !event.target.closest(".calls-view")) {
      panel.open = false;
    }
  });
  return panel;
}
