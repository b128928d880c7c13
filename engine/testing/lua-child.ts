/**
 * A program that runs one script and closes nothing: it must exit on its own and print only its own output. Arguments:
 * the script, and optionally how many of it run at once (default 1).
 */
import { runLua } from './run-lua.ts';

const [, , code = '', times = '1'] = process.argv;
const { signal } = new AbortController();
const [value] = await Promise.all(Array.from({ length: Number(times) }, () => runLua(code, { signal })));
process.stdout.write(`${JSON.stringify(value)}\n`);
