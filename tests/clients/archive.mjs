// Past screenshots for the clients: today's recordings of the demo phone, in the
// user's data folder, where a server finds them without configuration.
import { execFileSync } from 'node:child_process';

export const tools = ['list_screenshots', 'get_screenshot', 'crop_screenshot',
                      'save_screenshot', 'contact_sheet',
                      'search_screenshots'];

// An environment with this home folder.
export function environment(home) {
    return { HOME: home, PATH: process.env.PATH,
             SQUINT_ANDROID_ADB_SERVER: 'off' };
}

// Record some shots; returns the first and the last day of a window.
export function record(squint, home, count) {
    let name;
    for (let i = 0; i < count; i++) {
        const said = execFileSync(squint, ['record', '--count', '1'],
                                  { env: environment(home) }).toString();
        name ??= said;
    }
    const first = name.slice(0, 10);
    const next = new Date(Date.parse(first) + 24 * 3600 * 1000);
    return { startDate: first, endDate: next.toISOString().slice(0, 10) };
}

// The size in the header of a JPEG.
export function jpegSize(base64) {
    const bytes = Buffer.from(base64, 'base64');
    for (let at = 2; at + 9 < bytes.length;) {
        const kind = bytes[at + 1];
        if (kind >= 0xc0 && kind <= 0xc3) {
            return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
        }
        at += 2 + bytes.readUInt16BE(at + 2);
    }
    return null;
}
