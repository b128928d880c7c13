/**
 * A program that runs one script, without closing anything: it must end by itself, and say only what it says itself.
 * Argument: the script.
 */
import { runLua } from './run-lua.ts';

const value = await runLua(process.argv[2] ?? '');
process.stdout.write(`${JSON.stringify(value)}\n`);
