// Requests to the server that this page comes from. Every request carries a
// header that other web sites cannot send.
import { pause } from "./dom.js";

const HEADERS = { "X-Squint-Inspector": "1", "Content-Type": "application/json" };

/* An answer that is an error. */
export class Refusal extends Error {
  constructor(message, hint) {
    super(message);
    this.hint = hint || "";
  }
}

/* Dispatches "change" when the connection is lost or found: detail. */
export const connection = new EventTarget();
let state = null;

function setState(next) {
  if (state !== next) {
    state = next;
    connection.dispatchEvent(new CustomEvent("change", { detail: next }));
  }
}

async function post(path, body, options = {}) {
  let response;
  try {
    response = await fetch(path, {
      method: "POST", body: JSON.stringify(body), credentials: "same-origin", cache: "no-store",
      headers: { ...HEADERS, Accept: "application/json", ...options.headers }, signal: options.signal,
    });
  } catch (error) {
    if (error.name !== "AbortError") {
      setState("lost");
    }
    throw error;
  }
  if (response.status === 401) {
    setState("closed");
    throw new Refusal("This page may no longer use the server.", "Run squint inspect again.");
  }
  setState("connected");
  return response;
}

/* Asks for one thing; returns the answer or throws a Refusal. */
export async function ask(name, body = {}, signal = undefined) {
  const response = await post(`api/${name}`, body, { signal });
  const answer = await response.json();
  if (answer.error) {
    throw new Refusal(answer.error.message ?? "failed", answer.error.hint);
  }
  return answer;
}

/* Calls receive for each event of a stream until it ends. */
export async function stream(name, body, receive, signal) {
  const response = await post(`api/${name}`, body, { signal, headers: { Accept: "text/event-stream" } });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      return;
    }
    const events = (text + value).split("\n\n");
    text = events.pop(); // not whole yet
    for (const event of events) {
      if (event.startsWith("data: ")) {
        receive(JSON.parse(event.slice(6)));
      }
    }
  }
}

/*
 * Runs work again and again while the page is visible. Waits longer after each
 * failure; work returns whether it should go on.
 */
export async function repeat(work) {
  let wait = 200;
  for (;;) {
    try {
      if (!await work()) {
        return;
      }
      wait = 200;
    } catch (error) {
      if (error.name === "AbortError") {
        return;
      }
      await pause(wait);
      wait = Math.min(wait * 2, 3000);
    }
  }
}

/* Follows a stream, and connects again when it breaks. */
export function follow(name, body, receive, signal) {
  return repeat(async () => {
    await stream(name, body(), receive, signal);
    await pause(200);
    return !signal.aborted;
  });
}

/* A client of the protocol in a session of its own. */
class Client {
  constructor(name) {
    this.name = name;
    this.session = null;
    this.starting = null;
    this.last = 0;
  }

  async send(method, params, signal) {
    const headers = this.session
      ? { "Mcp-Session-Id": this.session, "MCP-Protocol-Version": "2025-11-25" } : {};
    return post("mcp", { jsonrpc: "2.0", id: ++this.last, method, params }, { headers, signal });
  }

  async start() {
    this.session = null;
    const response = await this.send("initialize", {
      protocolVersion: "2025-11-25", capabilities: {},
      clientInfo: { name: this.name, version: "1" },
    });
    await response.json();
    this.session = response.headers.get("Mcp-Session-Id");
  }

  /* Starts the session once, also if several calls need it. */
  ready() {
    this.starting ??= this.start().catch(error => {
      this.starting = null;
      throw error;
    });
    return this.starting;
  }

  async request(method, params, signal) {
    for (let attempt = 0; ; attempt++) {
      await this.ready();
      const response = await this.send(method, params, signal);
      if (response.status === 404 && attempt === 0) {
        this.starting = null; // the server was started again
        continue;
      }
      const answer = await response.json();
      if (answer.error) {
        throw new Refusal(answer.error.message);
      }
      return answer.result;
    }
  }
}

/* What the page asks for itself is not recorded; what the person does is. */
const page = new Client("squint inspector");
const person = new Client("you");

/* Calls a tool for the person. Returns its result, which may be an error. */
export const callTool = (name, parameters, signal, client = person) =>
  client.request("tools/call", { name, arguments: parameters }, signal);

/* The JSON object in the text of a result. */
export function readText(result) {
  for (const block of result.content ?? []) {
    if (block.type === "text") {
      try {
        return JSON.parse(block.text);
      } catch {
        return { message: block.text };
      }
    }
  }
  return {};
}

/* Calls a tool and returns the object of its text; throws if it failed. */
export async function readTool(name, parameters, client = page) {
  const result = await callTool(name, parameters, undefined, client);
  const reply = readText(result);
  if (result.isError) {
    throw new Refusal(reply.message ?? "the call failed", reply.suggestion ?? reply.hint);
  }
  return { reply, pictures: result.content.filter(block => block.type === "image") };
}

let about = { readOnly: false, split: false };

/* Reads what the server offers. */
export async function readAbout() {
  about = await ask("about");
  return about;
}

/* The tool and arguments of an operation, as this server offers it. */
export function toolCall(operation, parameters) {
  return about.split ? { name: `ui_${operation.replaceAll("-", "_")}`, arguments: parameters }
    : { name: "ui", arguments: { operation, ...parameters } };
}

/* Runs an operation on the device for the person. */
export function operate(operation, parameters, client = person) {
  const call = toolCall(operation, parameters);
  return readTool(call.name, call.arguments, client);
}

/* The devices, for the page. */
export const readDevices = async () => (await operate("devices", {}, page)).reply;
