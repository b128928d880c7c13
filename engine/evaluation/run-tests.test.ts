/** Runs test files with a real web server and a real model server. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EvaluationTestWorld, evaluate, messagesOf } from '../testing/evaluation-world.ts';

let world: EvaluationTestWorld;
beforeEach(async () => {
  world = await EvaluationTestWorld.open();
});
afterEach(() => world.close());

const orderFlow = (base: string): string => `
flow: { name: Orders, input: { mail: "Where is order 7?" } }
nodes:
  - { id: orders, type: http.request, input: { url: "${base}/orders" } }
  - { id: draft, type: prompt, input: { prompt: "Answer {{flow.input.mail}} with {{orders.body.state}}" } }
  - { id: save, type: file.write, input: { path: out/reply.txt, text: "{{draft.text}}" } }
edges: [{ from: orders, to: draft }, { from: draft, to: save }]
`;

const orderTest = `# Keep this comment.
target: orders.flow.yaml
cassette: orders.cassette.yaml
cases:
  - name: late parcel   # and this one
    expect:
      outputs:
        draft.text: Hello
        orders.body: { equals: { state: sent } }
      inputs: { save.text: { contains: Hello } }
      ran: [save]
      files: { out/reply.txt: Hello }
      maxTokens: 100
`;

function writeOrders(): void {
  world.write('orders.flow.yaml', orderFlow(world.web.base));
  world.write('orders.test.yaml', orderTest);
  world.web.answer = () => ({ body: '{"state":"sent"}' });
}

describe('13.13 recording and replay', () => {
  test('13.13 nothing outside is called unless told to record, files are discarded, and runs are in no list', async () => {
    writeOrders();
    const first = await world.test();
    expect(first.summary).toMatchObject({ passed: 0, failed: 1, recorded: 0 });
    expect(messagesOf(first.results.get('late parcel'))[0]).toContain('orders.cassette.yaml');
    expect([world.web.heard.length, world.model.received.length]).toEqual([0, 0]);

    const recorded = await world.test({ record: 'missing' });
    expect(messagesOf(recorded.results.get('late parcel'))).toEqual([]);
    expect(recorded.summary).toMatchObject({ passed: 1, failed: 0, recorded: 2 });
    expect([world.web.heard.length, world.model.received.length]).toEqual([1, 1]);

    const engine = await world.engine();
    const replayed = await evaluate(engine);
    const result = replayed.results.get('late parcel');
    expect(messagesOf(result)).toEqual([]);
    expect(result).toMatchObject({ isOk: true, use: { replayed: 2, recorded: 0, tokens: 18 }, line: 5 });
    expect(result?.covered).toEqual(['draft', 'orders', 'save']);
    expect([world.web.heard.length, world.model.received.length]).toEqual([1, 1]);
    expect(existsSync(world.at('out'))).toBe(false);
    expect(await engine.listRuns({ limit: 10 })).toEqual([]);
    const runId = result?.runId;
    if (runId === undefined) throw new Error('There is no run.');
    expect(await engine.getRun(runId)).toMatchObject({ status: 'completed', startedBy: { kind: 'test' } });
    expect((await engine.readEvents(runId, -1, 100)).length).toBeGreaterThan(5);
  });

  test('13.13 runs are in the history with isKept', async () => {
    world.write('a.flow.yaml', 'flow: { name: A }\nnodes: [{ id: a, type: echo, input: { text: x } }]\nedges: []\n');
    world.write('a.test.yaml', 'target: a.flow.yaml\ncases: [{ name: one }]\n');
    const engine = await world.web.engine();
    expect((await evaluate(engine, { isKept: true })).summary).toMatchObject({ passed: 1 });
    expect(await engine.listRuns({ limit: 10 })).toMatchObject([{ startedBy: { kind: 'test' }, status: 'completed' }]);
  });

  test('13.13 a changed prompt fails, names the node and the nearest recorded request, and only its call is recorded', async () => {
    writeOrders();
    await world.test({ record: 'missing' });
    world.write('orders.flow.yaml', orderFlow(world.web.base).replace('Answer', 'Please answer'));
    const changed = await world.test();
    const [message] = messagesOf(changed.results.get('late parcel'));
    expect(message).toContain('Node "draft": ');
    expect(message).toContain('"Answer Where is order 7? with sent" -> "Please answer Where is order 7? with sent"');
    expect(message).toContain('millrace test --record missing');
    world.model.plan({ pieces: ['Dear Ann'] });
    const again = await world.test({ record: 'missing' });
    expect(again.summary.recorded).toBe(1);
    expect([world.web.heard.length, world.model.received.length]).toEqual([1, 2]);
    expect(messagesOf(again.results.get('late parcel'))).toEqual([
      'draft.text is "Dear Ann", not "Hello".',
      'input save.text does not contain "Hello".',
      'file out/reply.txt is "Dear Ann", not "Hello".',
    ]);
  });

  test('--record all makes every call again, and removes what the flow no longer calls', async () => {
    writeOrders();
    await world.test({ record: 'missing' });
    world.write('orders.flow.yaml', orderFlow(world.web.base).replace('Answer', 'Please answer'));
    expect((await world.test({ record: 'all' })).summary.recorded).toBe(2);
    const cassette = readFileSync(world.at('orders.cassette.yaml'), 'utf8');
    expect(cassette).toContain('Please answer');
    expect(cassette).not.toContain('"Answer Where');
    expect(cassette.match(/kind: /g)).toHaveLength(2);
  });

  test('--record all of one case keeps the calls of the others, and of cases in other files', async () => {
    writeOrders();
    world.write('orders.test.yaml', `${orderTest}  - name: second\n    input: { mail: Hi }\n`);
    world.write('more.test.yaml', orderTest.replace('late parcel', 'third').replace('Where is order 7?', 'Third'));
    await world.test({ record: 'missing' });
    const before = readFileSync(world.at('orders.cassette.yaml'), 'utf8');
    world.model.plan({ pieces: ['Hello again'] });
    const cases = [{ file: 'orders.test.yaml', name: 'second', entry: 1 }];
    expect((await world.test({ record: 'all', cases })).summary.recorded).toBe(2);
    const after = readFileSync(world.at('orders.cassette.yaml'), 'utf8');
    expect(after.match(/kind: /g)).toHaveLength(before.match(/kind: /g)?.length ?? 0);
    expect(after.match(/text: Hello again$/gm)).toHaveLength(1);
    const undated = (text: string): string => text.replace(/date: .* GMT/g, 'date: now');
    const restored = after.replace(/(Hi with sent[\s\S]*?text: Hello) again/, '$1').replace('[11]', '[5]');
    expect(undated(restored)).toBe(undated(before));
    await world.test({ record: 'all', files: ['orders.test.yaml'] });
    expect((await world.test()).results.get('third')?.use).toMatchObject({ replayed: 2 });
  });

  test('a failure of a call is recorded only if the case expects it, and never replaces a response', async () => {
    writeOrders();
    world.model.plan({ status: 500 });
    const { results, summary } = await world.test({ record: 'missing' });
    expect(messagesOf(results.get('late parcel'))[0]).toBe(
      'The call of here::tiny failed and was not recorded. Record it again, or expect the failure.',
    );
    expect(summary.recorded).toBe(1);
    expect(readFileSync(world.at('orders.cassette.yaml'), 'utf8').match(/kind: /g)).toHaveLength(1);
    world.model.plan({ pieces: ['Hello'] });
    expect((await world.test({ record: 'missing' })).summary).toMatchObject({ passed: 1, recorded: 1 });
    const before = readFileSync(world.at('orders.cassette.yaml'), 'utf8');
    world.model.plan({ status: 500 });
    world.web.answer = () => ({ status: 503, body: 'down' });
    expect((await world.test({ record: 'all' })).summary).toMatchObject({ failed: 1, recorded: 0 });
    expect(readFileSync(world.at('orders.cassette.yaml'), 'utf8')).toBe(before);
    world.write('orders.test.yaml', `${orderTest.split('expect:')[0]}expect: { status: failed }\n`);
    world.model.plan({ status: 400 });
    world.web.answer = () => ({ status: 404, body: 'no' });
    expect((await world.test({ record: 'all' })).summary).toMatchObject({ passed: 1 });
    expect((await world.test()).summary).toMatchObject({ passed: 1 });
  });

  test('a miss that the flow tolerates fails the case as well', async () => {
    world.write(
      'a.flow.yaml',
      `flow: { name: A }\nnodes:\n  - { id: get, type: http.request, input: { url: "${world.web.base}/x" }, policy: { continueOnError: true } }\n  - { id: end, type: echo, input: { text: done } }\nedges: [{ from: get, to: end }]\n`,
    );
    world.write('a.cassette.yaml', 'cassette: 1\ncalls: []\n');
    world.write('a.test.yaml', 'target: a.flow.yaml\ncassette: a.cassette.yaml\ncases: [{ name: one }]\n');
    const { results } = await world.test();
    expect(messagesOf(results.get('one')).join()).toContain('/x');
    expect(results.get('one')?.checks).toContainEqual(expect.objectContaining({ kind: 'status', isOk: true }));
  });

  test('the budget of a test file ends its recording', async () => {
    writeOrders();
    world.write('orders.test.yaml', `${orderTest}  - name: second\n    input: { mail: Hi }\nbudget: { tokens: 10 }\n`);
    const { results, summary } = await world.test({ record: 'missing' });
    expect(messagesOf(results.get('late parcel'))).toEqual([]);
    expect(messagesOf(results.get('second')).join()).toContain('budget (tokens: 10)');
    expect(summary).toMatchObject({ passed: 1, failed: 1 });
    expect(world.model.received.length).toBe(1);
  });

  test('a file that a run has written and nobody has seen prevents recording, not replay', async () => {
    writeOrders();
    await world.test({ record: 'missing' });
    world.write(
      'writer.flow.yaml',
      'flow: { name: W }\nnodes: [{ id: w, type: file.write, input: { path: other.flow.yaml, text: "flow: { name: X }\\nnodes: []\\n" } }]\nedges: []\n',
    );
    const engine = await world.engine();
    const text = readFileSync(world.at('writer.flow.yaml'), 'utf8');
    await engine.whenEnded((await engine.startRun({ path: 'writer.flow.yaml', text, inputs: {} })).runId);
    await expect(evaluate(engine, { record: 'missing' })).rejects.toMatchObject({ code: 'files.unseen' });
    expect((await evaluate(engine)).summary.failed).toBe(0);
  });

  test('secrets are neither needed for a replay nor written', async () => {
    const secret = 'tok-4711-very-secret-value';
    world.write(
      'a.flow.yaml',
      `flow: { name: A }\nnodes: [{ id: get, type: http.request, input: { url: "${world.web.base}/x?q={{secret.DESK}}", headers: { authorization: "Bearer {{secret.DESK}}" } } }]\nedges: []\n`,
    );
    world.write(
      'a.test.yaml',
      'target: a.flow.yaml\ncassette: a.cassette.yaml\ncases: [{ name: one, expect: { outputs: { get.body: { exists: true } } } }]\n',
    );
    world.web.answer = ({ headers }) => ({ body: JSON.stringify({ you: headers.authorization }) });
    const env = { MILLRACE_SECRET_DESK: secret };
    expect((await world.test({ record: 'missing' }, env)).summary).toMatchObject({ passed: 1, recorded: 1 });
    expect(world.web.heard[0]?.headers.authorization).toBe(`Bearer ${secret}`);
    const { results } = await world.test();
    expect(messagesOf(results.get('one'))).toEqual([]);
    await world.web.expectNoTrace([secret]);
  });
});

describe('updating', () => {
  test('new values are written to the test file, and nothing else changes', async () => {
    writeOrders();
    await world.test({ record: 'missing' });
    world.model.plan({ pieces: ['Dear: Ann'] });
    world.write('orders.flow.yaml', orderFlow(world.web.base).replace('Answer', 'Please answer'));
    await world.test({ record: 'missing', isUpdate: true });
    expect(readFileSync(world.at('orders.test.yaml'), 'utf8')).toBe(
      orderTest
        .replace('draft.text: Hello', 'draft.text: "Dear: Ann"')
        .replace('reply.txt: Hello', 'reply.txt: "Dear: Ann"'),
    );
    rmSync(world.at('orders.test.yaml'));
  });
});

describe('proposals', () => {
  const flow = (policy: string): string =>
    `flow: { name: W${policy} }\nnodes: [{ id: w, type: file.write, input: { path: out/w.txt, text: x } }]\nedges: []\n`;

  test('13.13 a proposed text is tested with the permissions of the text that the person last saw, and never recorded', async () => {
    world.write('w.flow.yaml', flow(', policy: { autonomy: semi_auto }'));
    world.write('w.test.yaml', 'target: w.flow.yaml\ncases: [{ name: one, expect: { files: [out/w.txt] } }]\n');
    const engine = await world.engine();
    const texts = { 'w.flow.yaml': flow('') };
    const mine = await evaluate(engine, { texts });
    expect(messagesOf(mine.results.get('one'))).toEqual([]);
    const proposed = await evaluate(engine, { texts, isProposal: true });
    expect(messagesOf(proposed.results.get('one')).join(' ')).toContain('The run waits for a person');
    await expect(engine.runTests({ texts, isProposal: true, record: 'missing' })).rejects.toMatchObject({
      code: 'test.unseen',
    });
  });

  test('13.13 what a run executed is tested with the permissions of the present file', async () => {
    world.write('w.flow.yaml', flow(''));
    world.write('w.test.yaml', 'target: w.flow.yaml\ncases: [{ name: one, expect: { files: [out/w.txt] } }]\n');
    const engine = await world.engine();
    const { runId } = await engine.startRun({ path: 'w.flow.yaml', text: flow(''), inputs: {} });
    await engine.whenEnded(runId);
    const version = `run:${(await engine.getRun(runId)).number}`;
    const asFile = await evaluate(engine, { version });
    expect(messagesOf(asFile.results.get('one'))).toEqual([]);
    world.write('w.flow.yaml', flow(', policy: { autonomy: semi_auto }'));
    const limited = await evaluate(engine, { version });
    expect(messagesOf(limited.results.get('one')).join(' ')).toContain('The run waits for a person');
  });

  test('13.13 the tests of a proposed text are neither reported to others nor replace the runs of the latest tests', async () => {
    world.write('w.flow.yaml', flow(''));
    world.write(
      'w.test.yaml',
      'target: w.flow.yaml\ncases: [{ name: one, expect: { outputs: { w.path: out/w.txt } } }]\n',
    );
    world.write('other.test.yaml', 'target: other.flow.yaml\ncases: [{ name: two }]\n');
    const engine = await world.engine();
    const mine = await evaluate(engine, { files: ['w.test.yaml'] });
    const runId = mine.results.get('one')?.runId;
    if (runId === undefined) throw new Error('There is no run.');
    const heard: unknown[] = [];
    const stop = engine.watchTests((report) => void heard.push(report));
    const texts = { 'w.flow.yaml': flow('').replace('out/w.txt', 'out/v.txt') };
    const { files, results } = await engine.testProposal({ path: 'w.flow.yaml', texts });
    stop();
    expect(files.map((file) => file.path)).toEqual(['w.test.yaml']);
    expect(results).toMatchObject([{ name: 'one', isOk: false }]);
    expect(heard).toEqual([]);
    expect(await engine.getRun(runId)).toMatchObject({ status: 'completed' });
  });

  test('13.13 an invalid test file is among the tests of a proposal by its name', async () => {
    world.write('w.flow.yaml', flow(''));
    world.write('w.test.yaml', 'target: w.flow.yaml\ncases: 7\n');
    const engine = await world.engine();
    const { files, results } = await engine.testProposal({ path: 'w.flow.yaml', texts: { 'w.flow.yaml': flow('') } });
    expect(files).toMatchObject([{ path: 'w.test.yaml', cases: [] }]);
    expect(files[0]?.problems).toHaveLength(1);
    expect(results).toEqual([]);
  });

  test('13.13 testing a proposal can be canceled', async () => {
    world.write('w.flow.yaml', flow(''));
    world.write('w.test.yaml', 'target: w.flow.yaml\ncases: [{ name: one }]\n');
    const engine = await world.engine();
    const proposed = { path: 'w.flow.yaml', texts: { 'w.flow.yaml': flow('') } };
    await expect(engine.testProposal(proposed, AbortSignal.abort(new Error('closed')))).rejects.toThrow('closed');
  });
});

test('the estimate of a recording counts all calls of the cases, and needs an earlier run', async () => {
  writeOrders();
  const engine = await world.engine();
  expect(await engine.estimateRecording({ record: 'missing' })).toEqual({ cases: 1 });
  const text = orderFlow(world.web.base);
  await engine.whenEnded((await engine.startRun({ path: 'orders.flow.yaml', text, inputs: {} })).runId);
  expect(await engine.estimateRecording({ record: 'missing' })).toEqual({ cases: 1, usd: { low: 0, high: 0 } });
  expect(await engine.estimateRecording({ cases: [] })).toEqual({ cases: 0 });
});
