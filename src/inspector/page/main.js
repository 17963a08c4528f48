// Starts the page: its views, and the state of the connection.
import { byId, fill } from "./dom.js";
import { startArchive } from "./archive.js";
import { startBeside } from "./beside.js";
import { startCalls } from "./calls.js";
import { startCard } from "./card.js";
import { startGate } from "./gate.js";
import { showDevices, startHealth } from "./health.js";
import { startJournals } from "./journals.js";
import { live, startLive } from "./live.js";
import { connection, readAbout, repeat } from "./net.js";
import { startTree } from "./tree.js";

const VIEWS = ["live", "calls", "journals", "archive", "health"];
const STATES = { connected: "Connected", lost: "Server not reachable; trying again",
  closed: "Run squint inspect again: this page may no longer use the server" };

function showView(name) {
  for (const view of VIEWS) {
    const isShown = view === name;
    byId(`view-${view}`).hidden = !isShown;
    byId(`tab-${view}`).setAttribute("aria-selected", String(isShown));
    byId(`tab-${view}`).tabIndex = isShown ? 0 : -1;
  }
  history.replaceState(null, "", `#${name}`);
  live.isShown = name === "live";
  live.run();
  document.dispatchEvent(new CustomEvent("viewchange", { detail: name }));
}

function startTabs() {
  VIEWS.forEach((name, index) => {
    const tab = byId(`tab-${name}`);
    tab.addEventListener("click", () => showView(name));
    tab.addEventListener("keydown", event => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) {
        const next = VIEWS[(index + step + VIEWS.length) % VIEWS.length];
        showView(next);
        byId(`tab-${next}`).focus();
      }
    });
  });
}

connection.addEventListener("change", ({ detail }) => {
  const line = byId("connection");
  fill(line, STATES[detail]);
  line.className = detail === "connected" ? "good" : "bad";
});

startGate();
startTree();
startCard();
startTabs();
startArchive();
startHealth();
startJournals();
startCalls();
repeat(async () => {
  const about = await readAbout();
  startLive(about.readOnly);
  startBeside();
  showView(VIEWS.includes(location.hash.slice(1)) ? location.hash.slice(1) : "live");
  showDevices().catch(() => {});
  return false;
});
