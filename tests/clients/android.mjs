// android.mjs SQUINT: the Inspector's command line, squint, the real adb with a
// server of its own, and the demo phone connected to it.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { eras, makeInspector, textOf } from './inspect.mjs';
import { finish, test } from './tap.mjs';

const squint = path.resolve(process.argv[2]);
const folder = mkdtempSync(path.join(tmpdir(), 'squint-android-'));
const run = promisify(execFile);

async function freePort() {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address();
    server.close();
    return port;
}

// squint demo --adb; it ends with its standard input.
async function startPhone() {
    const phone = spawn(squint, ['demo', '--adb', '127.0.0.1:0'],
                        { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
    const [line] = await once(createInterface(phone.stdout), 'line');
    return { phone, serial: line.split(' ').at(-1) };
}

const port = await freePort();
const adbEnv = { ...process.env, HOME: folder, TMPDIR: folder, ADB_MDNS: '0',
                 ANDROID_ADB_SERVER_PORT: String(port) };
delete adbEnv.ADB_SERVER_SOCKET;

function adb(...words) {
    return run('adb', words, { env: adbEnv });
}

async function loop(era, serial, ui) {
    await adb('-s', serial, 'shell', 'squint-reset');
    await test(`${era}: list`, async () => {
        const { devices } = await ui({ operation: 'devices' });
        const phone = devices.find((device) => device.id === serial);
        assert.deepEqual([phone.kind, phone.state], ['android', 'online']);
    });
    await test(`${era}: screenshot`, async () => {
        const shot = await ui({ operation: 'screenshot' });
        assert.equal(shot.deviceId, serial);
        assert.deepEqual(shot.image, { width: 450, height: 1000 });
    });
    await test(`${era}: find and tap`, async () => {
        const { elements } = await ui({ operation: 'find',
                                        selector: { text: 'Login' } });
        const { centerX: x, centerY: y } = elements[0];
        const receipt = await ui({ operation: 'tap', x, y, receipt: 'full' });
        assert.equal(receipt.settled, true);
        assert.ok(receipt.changed, 'nothing changed');
        assert.match(JSON.stringify(receipt.elements), /Welcome back/);
    });
    await test(`${era}: fallback`, async () => {
        const { count, visualFallback } = await ui({
            operation: 'find', selector: { text: 'Nowhere' } });
        assert.equal(count, 0);
        assert.equal(visualFallback.app.packageName, 'com.squint.demo.login');
    });
    await test(`${era}: type`, async () => {
        const text = "Ada 'Q' %s é 🎉";
        const { field } = await ui({ operation: 'input', text, receipt: 'full',
                                     selector: { text: 'Username' } });
        assert.equal(field.text, text);
        await ui({ operation: 'input', text: 'secret',
                   selector: { text: 'Password' } });
    });
    await test(`${era}: wait`, async () => {
        await ui({ operation: 'tap', selector: { text: 'Sign in' } });
        const { found } = await ui({ operation: 'wait', text: 'Welcome, Ada' });
        assert.equal(found, true);
    });
    await test(`${era}: scroll`, async () => {
        await ui({ operation: 'launch',
                   packageName: 'com.squint.demo.settings' });
        const receipt = await ui({ operation: 'scroll', direction: 'down',
                                   receipt: 'fast' });
        assert.equal(receipt.settled, true);
        assert.ok(receipt.changed, 'nothing changed');
    });
}

async function main() {
    const { phone, serial } = await startPhone();
    const { call } = makeInspector(squint, folder,
                                   `tcp:127.0.0.1:${port}`);
    try {
        await adb('start-server');
        await adb('connect', serial);
        for (const era of Object.keys(eras)) {
            await loop(era, serial,
                       async (args) => textOf(await call(era, args)));
        }
    } finally {
        await adb('kill-server');
        phone.stdin.end();
        await once(phone, 'exit');
        rmSync(folder, { recursive: true });
    }
    finish();
}

if (await adb('version').catch(() => false)) {
    await main();
} else {
    console.log('1..0 # SKIP adb is not installed');
}
