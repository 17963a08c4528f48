// Cases in the Test Anything Protocol, one after another.
import { inspect } from 'node:util';

let count = 0;
let failed = 0;

// Run body; what it throws makes the case fail, and the next one runs.
export async function test(name, body) {
    count++;
    try {
        await body();
        console.log(`ok ${count} - ${name}`);
    } catch (error) {
        failed++;
        console.log(`not ok ${count} - ${name}`);
        const words = error?.stack ?? inspect(error);
        console.log(words.replace(/^/gm, '# '));
    }
}

// The plan, and the exit status of the process.
export function finish() {
    console.log(`1..${count}`);
    process.exitCode = failed ? 1 : 0;
}
