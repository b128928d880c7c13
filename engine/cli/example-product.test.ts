import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RunEvent } from '../isomorphic.ts';
import { eventsOf, setUpBuiltCli } from '../testing/cli-fixture.ts';

const cli = setUpBuiltCli();
const example = path.resolve(import.meta.dirname, '../../resources/workspace');

function copyExample(): void {
  for (const name of ['products', 'scripted-model.yaml'])
    cpSync(path.join(example, name), path.join(cli.folder, name), { recursive: true });
  mkdirSync(path.join(cli.folder, '.millrace'));
}

/** Runs a command. Each call opens the history again, as a separate process does. */
async function call(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly last: RunEvent | undefined; readonly runId: string }> {
  const { code, stdout } = await cli.call([...args, '--json']);
  const last = eventsOf(stdout).at(-1);
  return { code: code ?? -1, last: last?.event, runId: last?.runId ?? '' };
}

test('MF-063 MF-064 MF-072 the example product asks, waits, is approved by other calls, and completes', async () => {
  copyExample();
  expect(await cli.call(['list', 'returns'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('returns/refund (default)'),
  });
  expect(
    await cli.call(['validate', 'products/returns/flows/refund.yaml', 'products/returns/manifest.yaml']),
  ).toMatchObject({ code: 0, stderr: '' });
  const begun = await call('run', 'returns');
  expect(begun).toMatchObject({ code: 3, last: { type: 'run:suspended', reason: 'user_input', nodeId: 'intake' } });
  const { runId } = begun;
  const answer = (reason: string) =>
    cli.write(
      'answer.json',
      JSON.stringify({ user_input_response: { form_id: 'intake', values: { order: 'A-17', price: 40, reason } } }),
    );
  answer('bored');
  expect((await cli.call(['resume', runId, '--answer', 'answer.json'])).code).toBe(2);
  answer('late');
  const first = await call('resume', runId, '--answer', 'answer.json');
  expect(first).toMatchObject({ code: 3, last: { type: 'run:suspended', reason: 'approval', nodeId: 'agree' } });
  expect(await call('resume', runId)).toMatchObject({ code: 3, last: { nodeId: 'agree' } });
  cli.write(
    'approval.json',
    '{ "approval_payload": { "approved": true, "note": "with our thanks" }, "resolved_by": "kim" }',
  );
  // Killed during a model call, which has to be repeated because its response is unknown.
  const killed = cli.start(['resume', runId, '--answer', 'approval.json', '--json']);
  await killed.whenPrinted('"model:request"');
  killed.child.kill('SIGKILL');
  await killed.result;
  const second = await call('resume', runId);
  expect(second).toMatchObject({ code: 3, last: { type: 'run:suspended', nodeId: 'agree_again' } });
  expect(await call('resume', runId, '--approve')).toMatchObject({
    code: 0,
    last: { type: 'run:end', status: 'completed', output: { path: 'returned/A-17.md' } },
  });
  expect(readFileSync(path.join(cli.folder, 'returned/A-17.md'), 'utf8')).toBe(
    '# Refund for A-17\n\n20 are paid back: 50 % for what is late.\n\nWe are sorry for the trouble. Your money is on its way.\n\nNote: with our thanks\n',
  );
  const log = eventsOf((await cli.call(['runs', 'events', runId])).stdout).map(({ event }) => event);
  expect(log.filter(({ type }) => type === 'tool:attempt')).toHaveLength(2);
  expect((await cli.call(['resume', runId, '--approve'])).code).toBe(2);
});

test('MF-064 the example product stops when a person rejects', async () => {
  copyExample();
  const { runId } = await call('run', 'returns/refund');
  cli.write(
    'answer.json',
    '{ "user_input_response": { "form_id": "intake", "values": { "order": "B", "price": 1, "reason": "broken" } } }',
  );
  await call('resume', runId, '--answer', 'answer.json');
  expect(await call('resume', runId, '--reject')).toMatchObject({
    code: 1,
    last: { type: 'run:end', status: 'failed', error: { code: 'approval.rejected' } },
  });
});
