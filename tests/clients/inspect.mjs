// Functions that run the Inspector's command line. It starts a server per call.
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const inspector = path.join(
    path.dirname(createRequire(import.meta.url).resolve(
        '@modelcontextprotocol/inspector/package.json')),
    'clients/launcher/build/index.js');

// The eras it supports, and the revision that each negotiates.
export const eras = { legacy: '2025-11-25', auto: '2026-07-28',
                      modern: '2026-07-28' };

// {inspect, callTool, call} for a squint in that folder with that adb server.
// Only variables named by -e are passed to the server.
export function makeInspector(squint, folder, adbServer) {
    const env = { ...process.env, HOME: folder };
    const variable = `SQUINT_ANDROID_ADB_SERVER=${adbServer}`;

    // The result of one method; fails with the Inspector's output.
    async function inspect(era, method, ...words) {
        const argv = [inspector, '--cli', squint, 'mcp', '--protocol-era', era,
                      '--method', method, '--format', 'json', '--cwd', folder,
                      '-e', variable, ...words];
        const { stdout } = await run(process.execPath, argv, { env });
        const answer = stdout ? JSON.parse(stdout) : {};
        return answer.result ?? answer;
    }

    async function callTool(era, name, args, ...words) {
        return inspect(era, 'tools/call', '--tool-name', name,
                       '--tool-args-json', JSON.stringify(args), ...words);
    }

    async function call(era, args, ...words) {
        return callTool(era, 'ui', args, ...words);
    }

    return { inspect, callTool, call };
}

// The JSON in a result's text.
export function textOf(result) {
    return JSON.parse(result.content.find((b) => b.type === 'text').text);
}
