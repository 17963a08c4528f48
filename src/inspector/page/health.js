// Devices, why some cannot be used, and the findings of squint doctor.
import { byId, fill, make, plain } from "./dom.js";
import { ask, readDevices } from "./net.js";
import { live } from "./live.js";

const WORDS = { ok: "OK", note: "Note", wrong: "Fix this" };

function deviceTable(devices) {
  return make("table", {}, make("caption", {}, "Devices"),
    make("thead", {}, make("tr", {}, ["Device", "Kind", "State", "What to do"].map(title => make("th", { scope: "col" }, title)))),
    make("tbody", {}, devices.map(device => make("tr", {},
      make("th", { scope: "row" }, make("bdi", {}, plain(device.id)), " ", make("span", { class: "hint" }, plain(device.name))),
      make("td", {}, plain(device.kind)), make("td", {}, plain(device.state)),
      make("td", {}, plain([device.why, device.hint].filter(Boolean).join(" ")))))));
}

function findingTable({ findings, usable }) {
  return make("table", {}, make("caption", {}, usable ? "squint doctor: squint can be used" : "squint doctor: something is wrong"),
    make("thead", {}, make("tr", {}, ["About", "Verdict", "Finding", "What to do"].map(title => make("th", { scope: "col" }, title)))),
    make("tbody", {}, findings.map(finding => make("tr", { class: finding.verdict },
      make("th", { scope: "row" }, plain(finding.about)), make("td", {}, WORDS[finding.verdict] ?? plain(finding.verdict)),
      make("td", {}, plain(finding.text)), make("td", {}, plain(finding.hint ?? ""))))));
}

/* Offers the devices in the header. */
export async function showDevices() {
  const reply = await readDevices();
  const select = byId("device");
  const chosen = live.device;
  live.kinds = new Map(reply.devices.map(({ id, kind }) => [id, kind]));
  fill(select, make("option", { value: "" }, "Default"), reply.devices.map(device =>
    make("option", { value: device.id }, `${plain(device.id)} (${plain(device.state)})`)));
  select.value = chosen;
  return reply;
}

async function show() {
  const area = byId("health");
  fill(area, make("p", { class: "hint", role: "status" }, "Checking …"));
  try {
    const [devices, doctor] = await Promise.all([showDevices(), ask("doctor")]);
    fill(area, deviceTable(devices.devices),
      (devices.problems ?? []).map(problem => make("p", { class: "bad" }, plain(`${problem.kind}: ${problem.message}`))),
      findingTable(doctor.findings));
  } catch (error) {
    fill(area, make("p", { class: "bad" }, plain(`${error.message} ${error.hint ?? ""}`)));
  }
}

export function startHealth() {
  fill(byId("view-health"),
    make("div", { class: "toolbar" }, make("h2", {}, "Devices and health"),
      make("button", { type: "button", id: "check", onclick: show }, "Check again")),
    make("div", { id: "health" }));
  document.addEventListener("viewchange", ({ detail }) => detail === "health" && show());
}
