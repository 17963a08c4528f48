// http.mjs SQUINT: the SDKs' clients and the Inspector use squint serve: look,
// act, verify, in every era.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 }
    from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 }
    from '@modelcontextprotocol/client';
import { eras, textOf } from './inspect.mjs';
import { finish, test } from './tap.mjs';

const run = promisify(execFile);
const squint = path.resolve(process.argv[2]);
const folder = mkdtempSync(path.join(tmpdir(), 'squint-http-'));
const info = { name: 'squint-tests', version: '1' };
const inspector = path.join(
    path.dirname(createRequire(import.meta.url).resolve(
        '@modelcontextprotocol/inspector/package.json')),
    'clients/launcher/build/index.js');

const clients = {
    'v1': () => [new ClientV1(info), HttpV1],
    'v2 legacy': () => [new ClientV2(info), HttpV2],
    'v2 auto': () => [
        new ClientV2(info, { versionNegotiation: { mode: 'auto' } }), HttpV2],
    'v2 modern': () => [
        new ClientV2(info, { versionNegotiation: {
            mode: { pin: '2026-07-28' } } }), HttpV2],
};

// Start squint serve; return its process and address.
async function serve() {
    const server = spawn(squint, ['serve', '--listen', '127.0.0.1:0',
                                  '--token-file', path.join(folder, 'token')], {
        env: { ...process.env, HOME: folder, XDG_STATE_HOME: folder,
               SQUINT_ANDROID_ADB_SERVER: 'off' },
        stdio: ['ignore', 'inherit', 'pipe'],
    });
    for await (const line of createInterface({ input: server.stderr })) {
        const address = /http:\/\/\S+/.exec(line);
        if (address) {
            return [server, address[0]];
        }
    }
    throw new Error('squint serve did not start');
}

const [server, address] = await serve();
const token = readFileSync(path.join(folder, 'token'), 'utf8').trim();
const headers = { Authorization: `Bearer ${token}` };

async function ui(client, args) {
    return client.callTool({ name: 'ui', arguments: args });
}

for (const [kind, make] of Object.entries(clients)) {
    await test(`${kind} looks, acts and verifies`, async () => {
        const [client, Transport] = make();
        await client.connect(new Transport(new URL(address), {
            requestInit: { headers } }));
        const { tools } = await client.listTools();
        assert(tools.some((tool) => tool.name === 'ui'));
        await ui(client, { operation: 'launch',
                           packageName: 'com.squint.demo.login' });
        const shot = await ui(client, { operation: 'screenshot' });
        assert(shot.content.some((block) => block.type === 'image'));
        const { screenshotId } = textOf(shot);
        const tap = await ui(client, { operation: 'tap', x: 200, y: 500,
                                       screenshotId });
        assert(!tap.isError, JSON.stringify(tap));
        const health = await client.readResource({ uri: 'squint://health' });
        assert.equal(JSON.parse(health.contents[0].text).version !== undefined,
                     true);
        await client.close();
    });
}

for (const [era, revision] of Object.entries(eras)) {
    await test(`Inspector, ${era}: tools and a call`, async () => {
        const words = ['--cli', address, '--transport', 'http',
                       '--protocol-era', era, '--format', 'json',
                       '--header', `Authorization: Bearer ${token}`];
        const list = await run(process.execPath, [
            inspector, ...words, '--method', 'tools/list']);
        assert(list.stdout.includes('"ui"'), `${revision}: ${list.stdout}`);
        const call = await run(process.execPath, [
            inspector, ...words, '--method', 'tools/call', '--tool-name', 'ui',
            '--tool-args-json', '{"operation":"devices"}']);
        assert(call.stdout.includes('demo'), call.stdout);
    });
}

await test('v1 runs a call as a task', async () => {
    const client = new ClientV1(info, { capabilities: { tasks: {} } });
    await client.connect(new HttpV1(new URL(address), {
        requestInit: { headers } }));
    await client.listTools(); // tells the client which tools may be tasks
    const seen = [];
    for await (const message of client.experimental.tasks.callToolStream(
        { name: 'ui', arguments: { operation: 'wait', stableMs: 100 } })) {
        seen.push(message);
    }
    assert.equal(seen[0].type, 'taskCreated', JSON.stringify(seen));
    const last = seen.at(-1);
    assert.equal(last.type, 'result', JSON.stringify(last));
    assert(!last.result.isError, JSON.stringify(last));
    const { taskId } = seen[0].task;
    const task = await client.experimental.tasks.getTask(taskId);
    assert.equal(task.status, 'completed');
    const { tasks } = await client.experimental.tasks.listTasks();
    assert.deepEqual(tasks.map((each) => each.taskId), [taskId]);
    await client.close();
});

await test('a signal ends it', async () => {
    server.stderr.resume();
    server.kill('SIGTERM');
    const [status] = await once(server, 'exit');
    assert.equal(status, 0);
});
rmSync(folder, { recursive: true });
finish();
