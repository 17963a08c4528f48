// Starts a trace that was saved as one file: its calls are in the page.
import { byId, fill, plural } from "./dom.js";
import { Calls, source } from "./source.js";
import { startTrace } from "./trace.js";

const stored = JSON.parse(byId("calls").textContent);
const whole = new Map(stored.map(call => [call.sequence, call]));
const calls = new Calls(Infinity);

const textOf = call => call.blocks.map(block => block.text ?? "").join("\n").toLowerCase();

Object.assign(source, {
  readCall: async call => whole.get(call.sequence),
  search: async text => stored.filter(call => textOf(call).includes(text.toLowerCase())).map(call => call.sequence),
});

stored.forEach(call => calls.add({ ...call, blocks: call.blocks.map(({ data, text, ...rest }) => rest) }));
fill(byId("about"), `${plural(stored.length, "call")}, ${new Date(stored[0].startedMs).toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short" })}`);
const trace = startTrace(calls, "view-calls");
trace.isFollowing = false;
trace.follow.hidden = true;
calls.select(stored[0].sequence);
