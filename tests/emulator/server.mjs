// server.mjs FOLDER TOKEN FAULT: an emulator's gRPC interface by grpc-js. Shows
// the raw frame FOLDER/frame, writes what it is asked to FOLDER/log, and prints
// its port. FAULT is "none" or how it misbehaves.
import fs from "node:fs";
import path from "node:path";
import grpc from "@grpc/grpc-js";

const [folder, token, fault] = process.argv.slice(2);
const frameFile = path.join(folder, "frame");
const SERVICE = "/android.emulation.control.EmulatorController/";
const RAW_HEADER = 16;
let clipboard = "";

const varint = (value) => {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) {
    bytes.push((value % 128) + 128);
  }
  return Buffer.from([...bytes, value]);
};
const number = (field, value) =>
  Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field, value) =>
  Buffer.concat([varint(field * 8 + 2), varint(value.length), value]);

// The fields of a message: [[number, value], ...].
const parse = (message) => {
  const fields = [];
  let at = 0;
  const take = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = message[at++];
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const key = take();
    let value = take();
    if (key % 8 === 2) {
      value = message.subarray(at, (at += value));
    }
    fields.push([Math.floor(key / 8), value]);
  }
  return fields;
};

const log = (line) => fs.appendFileSync(path.join(folder, "log"), line + "\n");

// Scales by leaving out pixels, into a square of that side.
const scale = (frame, side) => {
  const { width, height, pixels } = frame;
  const factor = side ? Math.min(1, side / Math.max(width, height)) : 1;
  const small = { width: Math.floor(width * factor),
    height: Math.floor(height * factor) };
  if (factor === 1) return frame;
  small.pixels = Buffer.alloc(small.width * small.height * 4);
  for (let y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++) {
      const from = (Math.floor(y / factor) * width + Math.floor(x / factor)) * 4;
      pixels.copy(small.pixels, (y * small.width + x) * 4, from, from + 4);
    }
  }
  return small;
};

let cached = {};
let small = {};
// The same for the same frame, since an emulator scales in no time.
const scaleOnce = (frame, side) => {
  if (small.time !== frame.time || small.side !== side) {
    small = { time: frame.time, side, frame: scale(frame, side) };
  }
  return small.frame;
};
const readFrame = () => {
  const time = fs.statSync(frameFile, { bigint: true }).mtimeNs;
  if (cached.time !== time) {
    const raw = fs.readFileSync(frameFile);
    cached = { time, width: raw.readUInt32LE(0), height: raw.readUInt32LE(4),
      pixels: raw.subarray(RAW_HEADER) };
  }
  return cached;
};

const image = (request, rotation) => {
  const format = Object.fromEntries(parse(request));
  const { width, height, pixels } = scaleOnce(readFrame(), format[3]);
  const shown = rotation ? Buffer.from(pixels).reverse() : pixels;
  const turned = bytes(2, number(1, rotation));
  const size = Buffer.concat([number(3, width), number(4, height)]);
  return Buffer.concat([
    bytes(1, Buffer.concat([number(1, 1), turned, size])),
    bytes(4, shown), number(5, 7), number(6, 1234567),
  ]);
};

const faulty = {
  none: (request) => image(request, 0),
  rotated: (request) => image(request, 1),
  off: () => bytes(1, number(1, 1)),
  huge: () => Buffer.alloc(40 << 20, 1),
  garbage: () => Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff]),
};

const getScreenshot = (request, reply) => {
  if (fault === "slow") return;
  if (fault === "status") {
    reply({ code: 13, details: "the GPU is gone: 50 %" });
    return;
  }
  reply(null, (faulty[fault] ?? faulty.none)(request));
  if (fault === "die") setImmediate(() => process.kill(process.pid, "SIGKILL"));
};

// Faults of the third touch.
const touchFaults = {
  "touch-status": (reply) =>
    reply({ code: 13, details: "the GPU is gone: 50 %" }),
  "touch-silent": () => {},
  "touch-die": () => process.kill(process.pid, "SIGKILL"),
};
let touches = 0;
const sendTouch = (request, reply) => {
  touches += 1;
  if (touches === 3 && touchFaults[fault]) touchFaults[fault](reply);
  else reply(null, Buffer.alloc(0));
};

const unary = {
  getScreenshot,
  sendTouch,
  setClipboard: (request, reply) => {
    clipboard = parse(request)[0]?.[1].toString() ?? "";
    reply(null, Buffer.alloc(0));
  },
  getClipboard: (request, reply) =>
    reply(null, clipboard ? bytes(1, Buffer.from(clipboard))
      : Buffer.alloc(0)),
};

if (fault === "touch-unknown") delete unary.sendTouch;

const describe = (name, request) => {
  const show = (message) => parse(message).map(([field, value]) =>
    typeof value === "number" ? `${field}=${value}`
      : name === "sendTouch" ? `(${show(value)})` : `${field}=${value}`)
    .join(",");
  return `${name} ${show(request)}`;
};

const isAllowed = (call) => !token
  || call.metadata.get("authorization")[0] === `Bearer ${token}`;
const REFUSED = { code: 16, details: "invalid token" };

// A picture now, and one each time the frame is written.
const stream = (call) => {
  if (!isAllowed(call)) {
    call.emit("error", REFUSED);
    return;
  }
  log(describe("streamScreenshot", call.request));
  call.write(image(call.request, 0));
  let last = cached.time;
  const timer = setInterval(() => {
    readFrame();
    if (cached.time !== last) {
      last = cached.time;
      call.write(image(call.request, 0));
      log("drawn");
    }
  }, 5);
  call.on("cancelled", () => clearInterval(timer));
};

const same = (value) => value;
const method = (name, responseStream) => ({
  path: SERVICE + name, requestStream: false, responseStream,
  requestSerialize: same, requestDeserialize: same,
  responseSerialize: same, responseDeserialize: same,
});
const definition = { streamScreenshot: method("streamScreenshot", true) };
const handlers = { streamScreenshot: stream };
for (const [name, handle] of Object.entries(unary)) {
  definition[name] = method(name, false);
  handlers[name] = (call, reply) => {
    if (!isAllowed(call)) {
      log(`refused ${name}`);
      reply(REFUSED);
      return;
    }
    log(describe(name, call.request));
    handle(call.request, reply);
  };
}

const server = new grpc.Server({ "grpc.max_send_message_length": -1 });
server.addService(definition, handlers);
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(),
  (error, port) => {
    if (error) throw error;
    console.log(port);
  });
process.stdin.on("end", () => process.exit(0));
process.stdin.resume();
