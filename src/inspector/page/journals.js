// Records the calls of all clients into journals, plays them again and exports
// them.
import { byId, copyButton, fill, make, plain, plural, shorten } from "./dom.js";
import { download } from "./export.js";
import { live } from "./live.js";
import { ask, stream } from "./net.js";

const FORMS = { sh: ["Shell script", "sh"], maestro: ["Maestro flow", "yaml"] };

/* What is being recorded: null or {journal, calls, bytes}. Dispatches "change". */
class Recorder extends EventTarget {
  constructor() {
    super();
    this.recording = null;
  }

  set(recording) {
    if (JSON.stringify(recording) !== JSON.stringify(this.recording)) {
      this.recording = recording;
      live.isRecorded = Boolean(recording);
      this.dispatchEvent(new Event("change"));
    }
  }

  async act(action) {
    try {
      this.set((await ask("recording", { action })).recording);
    } catch (error) {
      fill(byId("recording"), plain(`${error.message} ${error.hint ?? ""}`));
    }
  }
}

export const recorder = new Recorder();

const fail = error => make("p", { class: "bad" }, plain(`${error.message} ${error.hint ?? ""}`));

/* "16 Nov 2026, 12:40:05" from the name of a journal. */
function nameOf(journal) {
  const started = /^squint-(\d{13})-/.exec(journal);
  return started ? new Date(Number(started[1])).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" })
    : shorten(journal, 60);
}

const sizeOf = bytes => bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / 1e6).toFixed(1)} MB`;

/* The button in the header. */
function startButton() {
  const button = make("button", { type: "button", id: "record",
    onclick: () => recorder.act(recorder.recording ? "stop" : "start") }, "Record");
  const status = make("span", { role: "status", id: "recording", class: "hint" });
  const show = () => {
    const { recording } = recorder;
    button.setAttribute("aria-pressed", String(Boolean(recording)));
    fill(button, make("span", { class: "dot", "aria-hidden": "true" }), recording ? "Stop recording" : "Record");
    fill(status, !recording ? "" : recording.ended ? `Recording ended: ${plain(recording.ended)}`
      : `${plural(recording.calls, "call")} recorded`);
  };
  fill(byId("recorder"), button, status);
  recorder.addEventListener("change", show);
  show();
}

const point = ({ deviceX, deviceY }) => `${deviceX},${deviceY}`;

/* What differed, or how the target was found again. */
function explain(step) {
  return [step.foundBy && (step.result === "healed" || step.foundBy === "point") ? `by ${step.foundBy}` : "",
    step.from ? `moved from ${point(step.from)} to ${point(step.to)}` : "", step.why ?? ""].filter(Boolean).join("; ");
}

const RESULTS = { healed: "found elsewhere", notCompared: "done, not compared" };

const stepRow = step => make("tr", { class: step.result === "differs" ? "wrong" : "" },
  make("th", { scope: "row" }, step.step ? `${step.call}.${step.step}` : String(step.call)),
  make("td", {}, plain(step.operation)), make("td", {}, make("bdi", {}, shorten(step.target ?? "", 60))),
  make("td", { class: "result" }, plain(RESULTS[step.result] ?? step.result)),
  make("td", {}, plain(explain(step))));

/* Plays a journal and shows each action as it is done. */
class Replay {
  constructor(journal) {
    this.journal = journal;
    this.abort = null;
    this.progress = make("progress", { value: "0", max: "1", "aria-label": "Progress of the replay" });
    this.status = make("p", { role: "status", id: "replay-status" });
    this.rows = make("tbody");
    this.area = make("div", { id: "replay", hidden: true }, this.progress, this.status,
      make("table", {}, make("caption", {}, "Actions"),
        make("thead", {}, make("tr", {}, ["Call", "Operation", "Target", "Result", "Difference"].map(title => make("th", { scope: "col" }, title)))),
        this.rows));
  }

  receive({ replay, error }) {
    if (error) {
      this.end("bad", `${error.message} ${error.hint ?? ""}`);
    } else if (replay.summary) {
      const { same, notCompared, healed, differs, skipped, notRun } = replay.summary;
      this.end(differs ? "bad" : "good", `${differs ? "Something differs" : "As recorded"}: ${same} same, ${notCompared} not compared, `
        + `${healed} found elsewhere, ${differs} different, ${skipped} skipped, ${notRun} not run`);
    } else {
      this.progress.max = replay.count;
      this.progress.value = replay.done;
      fill(this.status, `${replay.done} of ${plural(replay.count, "action")}`);
      this.rows.append(stepRow(replay.step));
    }
  }

  end(className, text) {
    this.isDone = true;
    this.status.className = className;
    fill(this.status, plain(text));
  }

  /* Plays it on the device that is chosen in the header. */
  async play(secrets) {
    this.area.hidden = false;
    this.status.className = "";
    fill(this.rows);
    this.progress.value = 0;
    if (live.lookOnly) {
      this.end("bad", "Look only is on.");
      return;
    }
    this.isDone = false;
    this.abort = new AbortController();
    fill(this.status, "Starting …");
    try {
      await stream("replay", { journal: this.journal, device: live.device, secrets },
        event => this.receive(event), this.abort.signal);
      if (!this.isDone) {
        this.end("bad", "The server ended the replay.");
      }
    } catch (error) {
      this.end("bad", error.name === "AbortError" ? "Stopped." : error.message);
    }
    this.abort = null;
  }

  stop() {
    this.abort?.abort();
  }
}

/* One field for each password that the journal does not contain. */
function makeSecrets(numbers) {
  const inputs = numbers.map(number => make("input", { type: "password", id: `secret-${number}`, "data-number": number,
    autocomplete: "off" }));
  return { read: () => Object.fromEntries(inputs.map(input => [input.dataset.number, input.value])),
    fields: inputs.map(input => make("label", { class: "field" }, `Secret ${input.dataset.number} `, input)) };
}

function makeExports(journal, area) {
  return Object.entries(FORMS).map(([form, [title, ending]]) => make("button", { type: "button", "data-export": form,
    onclick: async () => {
      try {
        const { script } = await ask("export", { journal, form });
        download(`${journal.replace(/\.jsonl$/, "")}.${ending}`, script);
        fill(area, make("p", { class: "hint" }, `${title}, saved by the browser:`),
          make("pre", { tabindex: "0", "aria-label": title }, plain(script)), copyButton("Copy", () => script));
      } catch (error) {
        fill(area, fail(error));
      }
    } }, title));
}

/* Deletes after a second click. */
function makeDelete(journal, area, done) {
  const button = make("button", { type: "button", id: "delete-journal", onclick: async () => {
    if (button.dataset.asked !== "true") {
      button.dataset.asked = "true";
      fill(button, "Click again to delete");
      return;
    }
    try {
      await ask("delete-journal", { journal });
      done();
    } catch (error) {
      fill(area, fail(error));
    }
  } }, "Delete");
  return button;
}

const describe = about => [plural(about.calls, "call"), `${about.actions} on a device`,
  `squint ${plain(about.version)}`, about.full && "ended at its limit", about.incomplete && "the last line is incomplete"]
  .filter(Boolean).join(", ");

async function showJournal(area, journal, done) {
  let about;
  fill(area, make("p", { class: "hint" }, "Reading …"));
  area.dataset.journal = journal;
  try {
    about = await ask("journal", { journal });
  } catch (error) {
    fill(area, make("h2", {}, nameOf(journal)), fail(error));
    return;
  }
  if (area.dataset.journal !== journal) {
    return; // another one was chosen meanwhile
  }
  const replay = new Replay(journal);
  const secrets = makeSecrets(about.secrets);
  const script = make("div", { id: "script" });
  fill(area, make("h2", {}, nameOf(journal)), make("p", { class: "hint" }, describe(about)),
    secrets.fields.length ? make("p", { class: "hint" }, "A journal does not contain passwords. Type them here to replay it.") : null,
    secrets.fields.length ? make("div", { class: "toolbar" }, secrets.fields) : null,
    make("div", { class: "toolbar" },
      make("button", { type: "button", id: "play", onclick: () => replay.play(secrets.read()) }, "Replay on the device"),
      make("button", { type: "button", id: "stop-replay", onclick: () => replay.stop() }, "Stop"),
      makeExports(journal, script), makeDelete(journal, script, done)),
    replay.area, script);
}

export function startJournals() {
  const note = make("p", { class: "hint", id: "journal-note" });
  const list = make("ul", { class: "journals", id: "journals", "aria-label": "Journals, newest first" });
  const area = make("div", { class: "detail", id: "journal" });
  let chosen = "";
  const choose = name => {
    chosen = name;
    showJournal(area, name, () => {
      fill(area);
      read();
    });
    [...list.querySelectorAll("button")].forEach(item => item.setAttribute("aria-pressed", String(item.dataset.journal === name)));
  };
  const read = async () => {
    try {
      const { journals, folder, keepDays, recording } = await ask("journals");
      const names = journals.filter(({ name }) => name !== recording?.journal).sort((a, b) => a.name < b.name ? 1 : -1);
      const kept = keepDays ? `, kept for ${plural(keepDays, "day")}` : "";
      fill(note, names.length ? `In ${plain(folder)}${kept}.` : "No journals yet. Record keeps every call with its answer and pictures.");
      fill(list, names.map(({ name, bytes }) => make("li", {}, make("button", { type: "button", "data-journal": name,
        "aria-pressed": String(name === chosen), onclick: () => choose(name) }, nameOf(name), " ",
      make("span", { class: "hint" }, sizeOf(bytes))))));
    } catch (error) {
      fill(note, fail(error));
    }
  };
  fill(byId("view-journals"), make("div", { class: "journals-view" }, make("div", {}, make("h2", {}, "Journals"), note, list), area));
  startButton();
  recorder.addEventListener("change", () => !byId("view-journals").hidden && read());
  document.addEventListener("viewchange", ({ detail }) => detail === "journals" && read());
}
