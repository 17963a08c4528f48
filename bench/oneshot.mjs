// One conversion in its own process: node oneshot.mjs IN OUT
import { readFileSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';

const [input, output] = process.argv.slice(2);
const jpeg = await sharp(readFileSync(input))
    .resize({ width: 1000, height: 1000, fit: 'inside' })
    .jpeg({ quality: 70 })
    .toBuffer();
writeFileSync(output, jpeg);
