// The peer's worker: reads one command per line, does it once with sharp and
// answers with one line of JSON. The protocol is described in README.md and
// shared with bench_jobs.c.
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import sharp from 'sharp';

sharp.cache(false);

const kernels = { 'catmull-rom': 'cubic', lanczos3: 'lanczos3' };

// "op<tab>key=value<tab>key=value": a value may contain spaces.
function parseCommand(line) {
    const [op, ...pairs] = line.split('\t');
    const command = { op };
    for (const pair of pairs) {
        const equals = pair.indexOf('=');
        command[pair.slice(0, equals)] = pair.slice(equals + 1);
    }
    return command;
}

const inputs = new Map();

// A file is read once, before anything is timed.
function inputBytes(path) {
    if (!inputs.has(path)) {
        inputs.clear();
        inputs.set(path, readFileSync(path));
    }
    return inputs.get(path);
}

// A raw frame: four little-endian words (width, height, format, colour space),
// then RGBA.
function openRaw(bytes) {
    const width = bytes.readUInt32LE(0);
    const height = bytes.readUInt32LE(4);
    return sharp(bytes.subarray(16), { raw: { width, height, channels: 4 } });
}

// share percent of the frame, at percent from its left and top.
async function cropPercent(picture, at, share) {
    const { width, height } = await picture.metadata();
    const part = (side, percent) => Math.floor((side * percent) / 100);
    return picture.extract({ left: part(width, at), top: part(height, at),
                             width: part(width, share),
                             height: part(height, share) });
}

async function makePicture(command, bytes) {
    const quality = Number(command.quality);
    let picture = command.raw ? openRaw(bytes) : sharp(bytes);
    if (command.upright) {
        picture = picture.autoOrient();
    }
    if (command.flatten) {
        picture = picture.flatten({ background: '#000' });
    }
    if (command.at) {
        picture = await cropPercent(picture, Number(command.at),
                                    Number(command.share));
    }
    if (command.max) {
        const side = Number(command.max);
        const kernel = kernels[command.kernel] ?? 'lanczos3';
        picture = picture.resize({ width: side, height: side, fit: 'inside',
                                   withoutEnlargement: true, kernel });
    }
    picture = picture.toFormat(command.format, quality ? { quality } : {});
    const made = await picture.toBuffer({ resolveWithObject: true });
    if (command.base64) {
        made.text = made.data.toString('base64');
    }
    return made;
}

// A page stored with a colour profile, as CMYK or rotated.
async function tag(command) {
    let picture = sharp(inputBytes(command.input)).removeAlpha();
    if (command.space) {
        picture = picture.toColourspace(command.space);
    }
    if (command.profile) {
        picture = picture.withIccProfile(command.profile);
    }
    if (command.orientation) {
        picture = picture.withMetadata({
            orientation: Number(command.orientation) });
    }
    const quality = command.format === 'png' ? {} : { quality: 95 };
    const made = await picture.toFormat(command.format, quality).toBuffer();
    writeFileSync(command.output, made);
    const { icc, orientation } = await sharp(made).metadata();
    return { bytes: made.length, profileBytes: icc?.length ?? 0,
             orientation: orientation ?? 1 };
}

// Peak signal to noise ratio of two pictures of one size, in dB.
async function compare(command) {
    const load = (path) =>
        sharp(path).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const [a, b] = await Promise.all([load(command.with), load(command.input)]);
    if (a.info.width !== b.info.width || a.info.height !== b.info.height) {
        throw new Error(`sizes differ: ${a.info.width}x${a.info.height} and ` +
                        `${b.info.width}x${b.info.height}`);
    }
    let sum = 0;
    for (let i = 0; i < a.data.length; i++) {
        sum += (a.data[i] - b.data[i]) ** 2;
    }
    const mean = sum / a.data.length;
    return { psnr: mean ? 10 * Math.log10((255 * 255) / mean) : 99 };
}

async function picture(command) {
    const bytes = inputBytes(command.input);
    const before = process.cpuUsage();
    const made = await makePicture(command, bytes);
    const spent = process.cpuUsage(before);
    if (command.output) {
        writeFileSync(command.output, made.data);
    }
    return { cpuMs: (spent.user + spent.system) / 1000,
             bytes: made.info.size, width: made.info.width,
             height: made.info.height };
}

const operations = {
    picture,
    compare,
    tag,
    version: async () => ({ sharp: sharp.versions.sharp,
                            vips: sharp.versions.vips,
                            node: process.versions.node,
                            concurrency: sharp.concurrency() }),
};

for await (const line of createInterface({ input: process.stdin })) {
    const command = parseCommand(line);
    let reply;
    try {
        if (!Object.hasOwn(operations, command.op)) {
            throw new Error(`no operation "${command.op}"`);
        }
        reply = await operations[command.op](command);
    } catch (error) {
        reply = { error: error.message };
    }
    process.stdout.write(JSON.stringify(reply) + '\n');
}
