// Counts o200k tokens: each line of standard input is a JSON string, each line
// of standard output the number of its tokens.
import { createInterface } from 'node:readline';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

for await (const line of createInterface({ input: process.stdin })) {
    console.log(countTokens(JSON.parse(line)));
}
