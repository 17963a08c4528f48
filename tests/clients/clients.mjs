// The clients of both SDKs with one interface: connect(kind, squint, cwd).
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 }
    from '@modelcontextprotocol/sdk/client/stdio.js';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 }
    from '@modelcontextprotocol/client/stdio';
import { environment } from './archive.mjs';

const info = { name: 'squint-tests', version: '1' };

const makers = {
    'v1': () => [new ClientV1(info), StdioV1],
    'v2 legacy': () => [new ClientV2(info), StdioV2],
    'v2 auto': () => [
        new ClientV2(info, { versionNegotiation: { mode: 'auto' } }), StdioV2],
    'v2 modern': () => [
        new ClientV2(info, { versionNegotiation: {
            mode: { pin: '2026-07-28' } } }), StdioV2],
};

export const kinds = Object.keys(makers);

// A connected client. client.complaints collects its errors.
export async function connect(kind, squint, cwd) {
    const [client, Transport] = makers[kind]();
    client.complaints = [];
    client.onerror = (error) => client.complaints.push(error);
    await client.connect(new Transport({
        command: squint, args: ['mcp'], cwd, stderr: 'inherit',
        env: environment(cwd) }));
    return client;
}
