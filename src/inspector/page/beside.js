// The other devices, in small, beside the one that Live acts on. A click on one
// exchanges them.
import { byId, fill, make, pause, plain } from "./dom.js";
import { chooseDevice, drawParts, live } from "./live.js";
import { ask, readDevices, repeat } from "./net.js";

const REST_MS = 150; // after a round: the one in the middle comes first

/* One device and its picture. */
class Other {
  constructor({ id, name }) {
    this.viewer = crypto.randomUUID().replaceAll("-", "");
    this.sequence = 0;
    this.id = id;
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.status = make("span", { class: "hint" });
    this.element = make("button", { type: "button", "data-device": id, onclick: () => chooseDevice(id) },
      this.canvas, make("span", {}, plain(`${name || ""} ${id}`.trim())), this.status);
  }

  async next() {
    try {
      const answer = await ask("screen", { viewer: this.viewer, sequence: this.sequence, device: this.id,
        maxDimension: 480, waitMs: 1 });
      if (answer.parts) {
        await drawParts(this.canvas, answer);
      }
      this.sequence = answer.sequence;
      fill(this.status);
    } catch (error) {
      fill(this.status, plain(error.message));
    }
  }
}

export function startBeside() {
  const others = new Map();
  const area = byId("others");
  const choice = byId("beside");
  const isWanted = () => choice.checked && live.isWanted();
  const show = async () => {
    const { devices } = await readDevices();
    const shown = devices.filter(({ id, state }) => state === "online" && id !== live.frame?.device);
    [...others.keys()].filter(id => !shown.some(device => device.id === id)).forEach(id => others.delete(id));
    shown.filter(({ id }) => !others.has(id)).forEach(device => others.set(device.id, new Other(device)));
    fill(area, others.size ? [...others.values()].map(other => other.element) : make("p", { class: "hint" }, "There is no other device."));
  };
  let isRunning = false;
  const run = async () => {
    area.hidden = !choice.checked;
    if (isRunning || !isWanted()) {
      return;
    }
    isRunning = true;
    let middle = null;
    await repeat(async () => {
      if (middle !== live.frame?.device) {
        middle = live.frame?.device;
        await show();
      }
      for (const other of others.values()) {
        await other.next();
      }
      await pause(REST_MS);
      return isWanted();
    });
    isRunning = false;
  };
  const offer = async () => {
    const { devices } = await readDevices();
    choice.parentElement.hidden = devices.filter(({ state }) => state === "online").length < 2;
  };
  choice.addEventListener("change", run);
  byId("freeze").addEventListener("change", run);
  document.addEventListener("visibilitychange", run);
  document.addEventListener("viewchange", ({ detail }) => {
    run();
    if (detail === "live") {
      offer().catch(() => {});
    }
  });
}
