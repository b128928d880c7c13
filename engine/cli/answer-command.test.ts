/** Tests answering requests of nodes on the command line. */
import { describe, expect, test } from 'vitest';
import { createEngine } from '../index.ts';
import type { RunId } from '../isomorphic.ts';
import { eventsOf, setUpCli } from '../testing/cli-fixture.ts';
import type { CliResult } from '../testing/cli-program.ts';

const cli = setUpCli();

const pay = `
flow: { name: Pay }
nodes:
  - { id: ask, type: human_approval, input: { title: "Pay Kim?", params: { amount: 30 } } }
  - { id: paid, type: echo, input: { text: "{{ask.by}} {{ask.comment}} {{ask.params.amount}}" } }
edges: [ { from: ask, to: paid } ]`;

const form = `
flow: { name: Form }
nodes:
  - id: ask
    type: user_input
    input: { title: Why?, schema: { type: object, properties: { reason: { type: string } }, required: [reason] } }
edges: []`;

const several = `
flow: { name: Several }
nodes:
  - { id: each, type: control.foreach, input: { items: [a, b, c], body: [ask] } }
  - { id: ask, type: human_approval, input: { title: "{{item}}?" } }
edges: []`;

/** Runs a flow that asks and returns its run id. */
async function asking(text: string): Promise<string> {
  cli.write('a.flow.yaml', text);
  const { code, stdout } = await cli.call(['run', 'a.flow.yaml', '--json']);
  expect(code).toBe(3);
  return eventsOf(stdout)[0]?.runId ?? '';
}

function lastEvent({ stdout }: CliResult): unknown {
  return eventsOf(stdout).at(-1)?.event;
}

describe('millrace resume', () => {
  test('records no end of a model call that had ended before the question', async () => {
    cli.write('replies.yaml', 'replies: [{ match: Draft, reply: A draft. }]\n');
    const draft = '{ id: draft, type: prompt, input: { prompt: Draft }, config: { model: "scripted::replies.yaml" } }';
    const runId = await asking(
      pay.replace('nodes:', `nodes:\n  - ${draft}`).replace('[ {', '[ { from: draft, to: ask }, {'),
    );
    expect((await cli.call(['resume', runId, '--approve'])).code).toBe(0);
    const events = eventsOf((await cli.call(['runs', 'events', runId])).stdout).map(({ event }) => event.type);
    expect(events.filter((type) => /^agent:(?:complete|failed)$/.test(type))).toEqual(['agent:complete']);
  });

  test('12.3 --approve continues the run, with the comment and the person', async () => {
    const run = await asking(pay);
    const approved = await cli.call(['resume', run, '--approve', '--comment', 'fine', '--by', 'lee', '--json']);
    expect({ code: approved.code, stderr: approved.stderr }).toEqual({ code: 0, stderr: '' });
    expect(lastEvent(approved)).toMatchObject({ status: 'completed', output: { paid: { text: 'lee fine 30' } } });
    const second = await cli.call(['resume', run, '--reject']);
    expect({ code: second.code, stdout: second.stdout }).toEqual({ code: 2, stdout: '' });
    expect(second.stderr).toMatch(/answered by lee on \d{4}-/);
  });

  test('12.2 --reject fails with approval.rejected, exit code 1', async () => {
    const run = await asking(pay);
    const rejected = await cli.call(['resume', run, '--reject', '--comment', 'no', '--json']);
    expect(rejected.code).toBe(1);
    expect(lastEvent(rejected)).toMatchObject({ error: { code: 'approval.rejected' } });
  });

  test.each([
    [pay, { decision: 'approve', approval_payload: { approved: true, params: { amount: 5 } }, comment: 'c' }],
    [pay, { approved: true, params: { amount: 5 } }],
    [form, { user_input_response: { form_id: 'f', values: { reason: 'late' } } }],
    [form, { values: { reason: 'late' } }],
  ])('12.3 --answer accepts payloads of step flows and of our own format: %#', async (text, payload) => {
    const run = await asking(text);
    cli.write('answer.json', JSON.stringify(payload));
    const { code, stderr } = await cli.call(['resume', run, '--node', 'ask', '--answer', 'answer.json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test.each([
    [['--answer', 'answer.json'], { values: { reason: '' } }, 'missing'],
    [['--answer', 'answer.json'], { values: { reason: 'x', other: 1 } }, 'other'],
    [['--answer', 'answer.json'], [1], 'JSON object'],
    [['--approve'], {}, 'values'],
    [['--answer', 'answer.json', '--key', 'nope'], { values: { reason: 'x' } }, 'ask (input)'],
    [['--answer', 'answer.json', '--node', 'nope'], { values: { reason: 'x' } }, 'ask (input)'],
    [['--key', 'input'], {}, '--key requires an answer'],
  ])('MF-073 rejects an invalid answer with exit code 2 and keeps waiting: %j', async (args, payload, said) => {
    const run = await asking(form);
    cli.write('answer.json', JSON.stringify(payload));
    const { code, stdout, stderr } = await cli.call(['resume', run, ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(said);
    expect((await cli.call(['inbox'])).stdout).toContain('Why?');
  });

  test('12.1 i without an answer prints the open requests, exit code 3; an answer without a name requires a single request', async () => {
    const run = await asking(several);
    const plain = await cli.call(['resume', run]);
    expect(plain.code).toBe(3);
    expect(plain.stdout).toContain('each[1].ask');
    const unclear = await cli.call(['resume', run, '--approve']);
    expect({ code: unclear.code, stdout: unclear.stdout }).toEqual({ code: 2, stdout: '' });
    for (const index of [0, 1, 2]) expect(unclear.stderr).toContain(`each[${index}].ask (approval)`);
    const answer = (index: number) => cli.call(['resume', run, '--node', `each[${index}].ask`, '--approve', '--json']);
    expect((await answer(1)).code).toBe(3);
    expect((await answer(1)).code).toBe(2);
    expect((await answer(0)).code).toBe(3);
    expect((await cli.call(['resume', run, '--approve'])).code).toBe(0);
  });

  test('12.1 h for a run owned by another program, the answer takes effect there, and the exit code is 0', async () => {
    const engine = await createEngine({ workspace: cli.folder });
    try {
      const text = `
flow: { name: Both, policy: { maxParallel: 2 } }
nodes: [ { id: ask, type: human_approval, input: { title: "?" } }, { id: slow, type: control.wait, input: { ms: 60000 } } ]
edges: []`;
      const { runId } = await engine.startRun({ path: 'b.flow.yaml', text, inputs: {} });
      await expect.poll(async () => (await engine.waiting(runId)).length).toBe(1);
      const taken = cli.call(['resume', runId, '--approve', '--by', 'kim', '--json']);
      await expect.poll(() => isTold(engine, runId), { interval: 20 }).toBe(true);
      const { code, stdout, stderr } = await taken;
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
      expect(stderr).toBe('Your answer was accepted. The run is running in another program.\n');
    } finally {
      engine.cancelRun();
      await engine.close();
    }
  });
});

async function isTold(engine: Awaited<ReturnType<typeof createEngine>>, runId: RunId): Promise<boolean> {
  return (await engine.readEvents(runId, -1, 100)).some(({ event }) => event.type === 'approval:resolved');
}
