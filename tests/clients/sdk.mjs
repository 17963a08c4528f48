// sdk.mjs SQUINT: the SDKs' clients, old and new, in both eras. All do the
// same and must get the same answers.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jpegSize, record, tools as archiveTools } from './archive.mjs';
import { connect, kinds } from './clients.mjs';
import { finish, test } from './tap.mjs';

const squint = path.resolve(process.argv[2]);
const folder = mkdtempSync(path.join(tmpdir(), 'squint-sdk-'));
const past = record(squint, folder, 3);

// Every operation, in an order that makes sense on a phone.
const calls = [
    { operation: 'devices' },
    { operation: 'screenshot' },
    { operation: 'tap', x: 200, y: 500 },
    { operation: 'find', selector: { text: 'Login' } },
    { operation: 'find', selector: { text: 'No such thing' } },
    { operation: 'apps' },
    { operation: 'launch', packageName: 'com.squint.demo.login' },
    { operation: 'dump' },
    { operation: 'dump', compact: false },
    { operation: 'input', text: 'ada', selector: { text: 'Username' } },
    { operation: 'input', text: 'secret', selector: { text: 'Password' } },
    { operation: 'tap', selector: { text: 'Sign in' }, receipt: 'full' },
    { operation: 'wait', text: 'Welcome, ada' },
    { operation: 'accessibility-check' },
    { operation: 'visual-snapshot' },
    { operation: 'launch', packageName: 'com.squint.demo.settings' },
    { operation: 'scroll', direction: 'down' },
    { operation: 'screenshot' },
    { operation: 'swipe', from: { x: 200, y: 800 }, to: { x: 200, y: 400 } },
    { operation: 'key', name: 'back' },
    { operation: 'stop', packageName: 'com.squint.demo.settings' },
    { operation: 'screenshot', size: 'half' },
    { operation: 'screenshot', inline: false },
    { operation: 'pinch', x: 200, y: 400, scale: 2 },
    { operation: 'steps', steps: [{ operation: 'key', name: 'home' },
                                  { operation: 'screenshot' }] },
    { operation: 'rotate', orientation: 'landscape' },
    { operation: 'rotate', orientation: 'portrait' },
    { operation: 'clipboard', text: 'copied' },
    { operation: 'clipboard' },
    { operation: 'info' },
    { operation: 'wake' },
    { operation: 'reset', packageName: 'com.squint.demo.login', confirm: true },
];
// The first ones are operations that are not allowed by default, or that the
// demo phone cannot do.
const refused = [
    { operation: 'ocr' },
    { operation: 'visual-find-text', text: 'Login' },
    { operation: 'visual-find-image', name: 'button' },
    { operation: 'remember', name: 'button' },
    { operation: 'forget', name: 'button' },
    { operation: 'install', paths: ['app.apk'] },
    { operation: 'uninstall', packageName: 'com.squint.demo.login' },
    { operation: 'open', url: 'https://example.com' },
    { operation: 'permission', packageName: 'com.squint.demo.login',
      permission: 'camera', change: 'grant' },
    { operation: 'appearance', dark: 'on' },
    { operation: 'location', latitude: 48.1, longitude: 11.6 },
    { operation: 'notifications' },
    { operation: 'logs' },
    { operation: 'video' },
    { operation: 'tap', x: 9999, y: 1 },
    { operation: 'tap', x: 1, y: 1, screenshotId: 's999' },
    { operation: 'fly' },
    { operation: 'tap', wobble: 1 },
];

// What may differ between two runs and two eras.
const eraOnly = new Set(['_meta', 'resultType', 'ttlMs', 'cacheScope', 'data']);
const moving = [
    [/(screenshot|auto)-[0-9a-f]{32}/g, '$1-X'],
    [/\\"(waitedMs|sizeBytes|uptimeSeconds)\\":\d+/g, '$1'],
    [/\\"ledger\\":\{[^}]*\}/g, 'ledger'],
    [/\b\d\d:\d\d\b/g, 'HH:MM'],
];

function comparable(result) {
    let text = JSON.stringify(result, (key, value) =>
        (eraOnly.has(key) ? undefined : value), 1);
    for (const [pattern, word] of moving) {
        text = text.replace(pattern, word);
    }
    return text;
}

function ui(client, args, options) {
    return client.callTool({ name: 'ui', arguments: args },
                           ...(isV1(client) ? [undefined, options]
                                            : [options]));
}

function isV1(client) {
    return client.kind === 'v1';
}

async function listEverything(client) {
    const { tools } = await client.listTools();
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    const { prompts } = await client.listPrompts();
    assert.deepEqual(tools.map((tool) => tool.name),
                     ['ui', ...archiveTools, 'rtfm']);
    return { tools, resources, resourceTemplates, prompts };
}

async function callEverything(client) {
    const results = [];
    for (const args of calls) {
        const result = await ui(client, args);
        assert.ok(!result.isError, JSON.stringify([args, result.content]));
        results.push(result);
    }
    for (const args of refused) {
        const result = await ui(client, args);
        assert.ok(result.isError, JSON.stringify(args));
        results.push(result);
    }
    results.push(await client.callTool({ name: 'rtfm', arguments: {} }));
    const offered = (await client.listTools()).tools[0].inputSchema
        .properties.operation.enum;
    const called = new Set([...calls, ...refused]
        .map((args) => args.operation));
    assert.deepEqual(offered.filter((name) => !called.has(name)), [],
                     'operations that were not called');
    return results;
}

// The client itself validates structured content with the schema.
async function listGetCrop(client) {
    const use = (name, args) => client.callTool({ name, arguments: args });
    const list = await use('list_screenshots', { ...past, links: true });
    const shots = list.structuredContent.screenshots;
    assert.equal(shots.length, 3);
    assert.equal(list.content.length, 4);
    const { screenshotRef } = shots[0];
    const got = await use('get_screenshot', { screenshotRef, full: 'inline' });
    assert.deepEqual(jpegSize(got.content[0].data), [144, 320]);
    assert.deepEqual(got.content[0].annotations.audience,
                     ['user', 'assistant']);
    assert.deepEqual(jpegSize(got.content[1].data), [900, 2000]);
    assert.deepEqual(got.content[1].annotations.audience, ['user']);
    const crop = await use('crop_screenshot', {
        screenshotRef, x: 0.5, y: 0.75, width: 0.5, height: 0.5,
        coordinateUnits: 'normalized' });
    assert.deepEqual(jpegSize(crop.content[0].data), [540, 600]);
    const sheet = await use('contact_sheet', past);
    assert.equal(sheet.content[0].type, 'image');
    const uri = `manictime://screenshot/${screenshotRef}`;
    const { contents } = await client.readResource({ uri });
    assert.deepEqual(jpegSize(contents[0].blob), [1080, 2400]);
    const { completion } = await client.complete({
        ref: { type: 'ref/resource',
               uri: 'squint://screenshot/{screenshotRef}' },
        argument: { name: 'screenshotRef', value: '' } });
    assert.equal(completion.values.length, 3);
    return [list, got, crop, sheet, contents, completion];
}

async function readEverything(client) {
    const results = [];
    for (const uri of ['squint://health', 'squint://guide',
                       'manictime://health']) {
        results.push(await client.readResource({ uri }));
    }
    results.push(await client.getPrompt({
        name: 'explore-ui', arguments: { goal: 'the shop' } }));
    results.push(await client.complete({
        ref: { type: 'ref/prompt', name: 'explore-ui' },
        argument: { name: 'app', value: 'com.squint.demo.sh' } }));
    assert.deepEqual(results.at(-1).completion.values,
                     ['com.squint.demo.shop']);
    await assert.rejects(client.readResource({ uri: 'squint://no-such' }));
    return results;
}

// The call ends for the client; the server does not answer it, and answers
// other calls without delay.
async function cancelWait(client) {
    const abort = new AbortController();
    const waiting = ui(client, { operation: 'wait', text: 'No such thing',
                                 timeoutMs: 9000 }, { signal: abort.signal });
    await sleep(150);
    abort.abort('changed my mind');
    await assert.rejects(waiting);
    const before = performance.now();
    await ui(client, { operation: 'screenshot' });
    const took = performance.now() - before;
    assert.ok(took < 400, `the next call took ${took} ms`);
    await sleep(300);
}

// Other calls are answered while a call runs.
async function answerMeanwhile(client) {
    let over = false;
    const waiting = ui(client, { operation: 'wait', text: 'No such thing',
                                 timeoutMs: 800 });
    waiting.finally(() => { over = true; });
    await client.readResource({ uri: 'squint://health' });
    await client.listTools();
    assert.ok(!over, 'answered only after the call');
    const result = await waiting;
    assert.equal(JSON.parse(result.content[0].text).found, false);
}

async function subscribe(client) {
    const uri = 'squint://health';
    if (client.era === '2026-07-28') {
        const subscription = await client.listen({
            resourceSubscriptions: [uri] });
        await subscription.close();
    } else {
        await client.subscribeResource({ uri });
        await client.unsubscribeResource({ uri });
        await client.ping();
        await client.setLoggingLevel('warning');
    }
}

const versions = { 'v1': '2025-11-25', 'v2 legacy': '2025-11-25',
                   'v2 auto': '2026-07-28', 'v2 modern': '2026-07-28' };
const answers = {};

async function tryClient(kind) {
    const parts = { listEverything, callEverything, listGetCrop,
                    readEverything, answerMeanwhile, subscribe, cancelWait };
    let client;
    answers[kind] = {};
    await test(`${kind}: connects`, async () => {
        client = await connect(kind, squint, folder);
        client.kind = kind;
        client.era = versions[kind];
        assert.equal(client.getServerVersion().name, 'squint');
        assert.match(client.getInstructions(), /Look, act, verify/);
        if (!isV1(client)) {
            assert.equal(client.getNegotiatedProtocolVersion(), client.era);
        }
    });
    for (const [name, part] of Object.entries(parts)) {
        await test(`${kind}: ${name}`, async () => {
            const answer = await part(client);
            assert.deepEqual(client.complaints, []);
            if (answer) {
                answers[kind][name] = comparable(answer);
            }
        });
    }
    await test(`${kind}: closes`, async () => {
        const before = performance.now();
        await client.close();
        const took = performance.now() - before;
        assert.ok(took < 600, `closing took ${took} ms`);
        assert.deepEqual(client.complaints, []);
    });
}

for (const kind of kinds) {
    await tryClient(kind);
}
for (const kind of kinds.slice(1)) {
    for (const [name, answer] of Object.entries(answers[kinds[0]])) {
        await test(`${kind} gets the answers of ${kinds[0]}: ${name}`, () => {
            assert.equal(answers[kind][name], answer);
        });
    }
}
rmSync(folder, { recursive: true });
finish();
