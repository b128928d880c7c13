/** Tests the example that asks people, with answers in another order than the requests. */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../engine.ts';
import { createEngine } from '../../index.ts';
import { createFastClock } from '../../testing/fast-clock.ts';
import type { ResumeRun } from './continuation.ts';

const file = 'refunds.flow.yaml';

let workspace: string;
let engine: Engine;
beforeAll(async () => {
  workspace = await mkdtemp(path.join(tmpdir(), 'millrace-asking-'));
  await cp(path.resolve(import.meta.dirname, '../../../resources/workspace', file), path.join(workspace, file));
  engine = await createEngine({ workspace, clock: createFastClock(5), homeFolder: path.join(workspace, 'no-home') });
});
afterAll(async () => {
  await engine.close();
  await rm(workspace, { recursive: true });
});

test('refunds asks about three refunds and a signature at once, and writes the decisions', async () => {
  const { runId } = await engine.startRun({ path: file, text: (await engine.readFlow(file)).text, inputs: {} });
  await engine.whenEnded(runId);
  expect((await engine.listWaiting()).map(({ name }) => name).sort()).toEqual([
    'each[0].decide',
    'each[1].decide',
    'each[2].decide',
    'signature',
  ]);
  const values = { name: 'Grace', ending: 'See you soon' };
  const answers: readonly Omit<ResumeRun, 'runId'>[] = [
    { nodeId: 'each[2].decide', payload: { approved: true, params: { amount: 25 }, comment: 'Sorry.' } },
    { nodeId: 'signature', payload: { user_input_response: { values } } },
    { nodeId: 'each[1].decide', decision: 'reject', comment: 'It is blue.' },
    { nodeId: 'each[0].decide', decision: 'approve', comment: 'We are sorry.' },
  ];
  for (const answer of answers) {
    await engine.resumeRun({ runId, ...answer });
    await engine.whenEnded(runId);
  }
  expect((await engine.getRun(runId)).status).toBe('completed');
  expect(await readFile(path.join(workspace, 'out/refunds.md'), 'utf8')).toBe(
    `Dear Ada, 12 are on their way to you. We are sorry.

See you soon, Grace

Dear Alan, we do not pay this back. It is blue.

See you soon, Grace

Dear Edsger, 25 are on their way to you. Sorry.

See you soon, Grace

`,
  );
});
