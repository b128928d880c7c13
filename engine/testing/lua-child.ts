/**
 * A program that runs one script, without closing anything: it must end by itself, and say only what it says itself.
 * Arguments: the script; how many of it run at once, 1 without.
 */
import { runLua } from './run-lua.ts';

const [, , code = '', times = '1'] = process.argv;
const { signal } = new AbortController();
const [value] = await Promise.all(Array.from({ length: Number(times) }, () => runLua(code, { signal })));
process.stdout.write(`${JSON.stringify(value)}\n`);
