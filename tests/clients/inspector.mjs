// inspector.mjs SQUINT: the Inspector's command line as a client, in every era
// it knows. It starts a server per call, so each call has a fresh demo phone.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { jpegSize, record, tools } from './archive.mjs';
import { eras, makeInspector, textOf } from './inspect.mjs';
import { finish, test } from './tap.mjs';

const squint = path.resolve(process.argv[2]);
const folder = mkdtempSync(path.join(tmpdir(), 'squint-inspector-'));
const past = record(squint, folder, 3);
const { inspect, callTool, call } = makeInspector(squint, folder, 'off');

async function refuses(promise, status) {
    await assert.rejects(promise, (error) => {
        assert.equal(error.code, status, error.stderr);
        return true;
    });
}

for (const [era, version] of Object.entries(eras)) {
    await test(`${era}: initialize`, async () => {
        const answer = await inspect(era, 'initialize');
        assert.equal(answer.serverInfo.name, 'squint');
        assert.equal(answer.protocolVersion, version);
        for (const name of ['tools', 'resources', 'prompts', 'completions']) {
            assert.ok(answer.capabilities[name], `no ${name}`);
        }
    });
    await test(`${era}: tools/list is portable`, async () => {
        const answer = await inspect(era, 'tools/list', '--strict');
        assert.deepEqual(answer.tools.map((tool) => tool.name),
                         ['ui', ...tools, 'rtfm']);
    });
    await test(`${era}: list, get, crop`, async () => {
        const list = await callTool(era, 'list_screenshots',
                                    { ...past, intervalSeconds: 0 });
        const { screenshots, truncation } = list.structuredContent;
        assert.deepEqual(list.structuredContent, textOf(list));
        assert.deepEqual([screenshots.length, truncation.totalAvailable],
                         [3, 3]);
        const { screenshotRef } = screenshots[1];
        const got = await callTool(era, 'get_screenshot', { screenshotRef });
        assert.deepEqual(got.content.map((block) => block.type),
                         ['image', 'resource_link', 'text']);
        assert.deepEqual(jpegSize(got.content[0].data), [144, 320]);
        assert.deepEqual(got.content[1].annotations.audience, ['user']);
        const crop = await callTool(era, 'crop_screenshot', {
            screenshotRef, x: -10, y: 0, width: 30, height: 50 });
        assert.deepEqual(jpegSize(crop.content[0].data), [216, 1200]);
        const { contents } = await inspect(era, 'resources/read', '--uri',
                                           got.content[1].uri);
        assert.deepEqual(jpegSize(contents[0].blob), [1080, 2400]);
        await refuses(callTool(era, 'get_screenshot',
                               { screenshotRef: 'A'.repeat(32) }), 5);
    });
    await test(`${era}: find, tap, verify`, async () => {
        const found = textOf(await call(era, {
            operation: 'find', selector: { text: 'Settings' } }));
        const { centerX: x, centerY: y } = found.elements[0];
        const receipt = textOf(await call(era, {
            operation: 'tap', x, y, receipt: 'full' }));
        assert.deepEqual([receipt.tapped.x, receipt.tapped.y], [x, y]);
        assert.equal(receipt.tapped.coordinateSpace, 'image');
        assert.equal(receipt.settled, true);
        assert.ok(receipt.changed, 'nothing changed');
        assert.match(JSON.stringify(receipt.elements), /Search settings/);
    });
    await test(`${era}: the documented tap`, async () => {
        const { tapped } = textOf(await call(era, {
            operation: 'tap', x: 200, y: 500 }));
        assert.deepEqual([tapped.deviceX, tapped.deviceY], [480, 1200]);
    });
    await test(`${era}: a picture arrives completely`, async () => {
        const { content } = await call(era, { operation: 'screenshot',
                                              format: 'png' });
        const bytes = Buffer.from(content[0].data, 'base64');
        const at = bytes.indexOf('IHDR');
        assert.equal(content[0].mimeType, 'image/png');
        assert.deepEqual([bytes.readUInt32BE(at + 4),
                          bytes.readUInt32BE(at + 8)], [450, 1000]);
        assert.equal(bytes.length, textOf({ content }).sizeBytes);
    });
    await test(`${era}: a tool's failure is an error`, async () => {
        await refuses(call(era, { operation: 'tap', x: 9999, y: 1 }), 5);
    });
    await test(`${era}: resources`, async () => {
        const { resources } = await inspect(era, 'resources/list');
        assert.deepEqual(resources.map((one) => one.uri),
                         ['squint://health', 'squint://guide',
                          'manictime://health']);
        const { resourceTemplates } =
            await inspect(era, 'resources/templates/list');
        assert.equal(resourceTemplates.length, 2);
        const { contents } = await inspect(era, 'resources/read', '--uri',
                                           'squint://health');
        assert.equal(JSON.parse(contents[0].text).status, 'ok');
    });
    await test(`${era}: prompts`, async () => {
        const { prompts } = await inspect(era, 'prompts/list');
        assert.ok(prompts.length >= 2);
        const { messages } = await inspect(
            era, 'prompts/get', '--prompt-name', 'explore-ui',
            '--prompt-args', 'app=com.squint.demo.shop');
        assert.match(messages[0].content.text, /com\.squint\.demo\.shop/);
    });
}

await test('legacy: load', async () => {
    const summary = await call(
        'legacy', { operation: 'devices' }, '--load',
        '--load-requests', '500', '--load-concurrency', '10');
    assert.deepEqual([summary.ok, summary.errors], [500, 0]);
    console.log(`# ${summary.throughput} calls/s, p99 ` +
                `${summary.latencyMs.p99} ms`);
});

rmSync(folder, { recursive: true });
finish();
