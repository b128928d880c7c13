/**
 * A program that starts a run, prints its id when it waits for a person, and then does nothing until it is killed.
 * Called as `<workspace> <path of the flow>`.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createEngine } from '../index.ts';

const [workspace = '', file = ''] = process.argv.slice(2);
const engine = await createEngine({ workspace, homeFolder: path.join(workspace, 'no-home'), isTrusted: true });
const text = readFileSync(path.join(workspace, file), 'utf8');
const { runId } = await engine.startRun({ path: file, text, inputs: {} });
const { status } = await engine.whenEnded(runId);
process.stdout.write(`${JSON.stringify({ runId, status })}\n`);
setInterval(() => undefined, 60_000);
