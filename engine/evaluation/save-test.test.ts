/** Tests that a run of the history becomes a test, which passes without calling anything. */
import { existsSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonMap } from '../language/json/json-value.ts';
import { writeMcpProgram } from '../testing/mcp-program.ts';
import { SavedTests } from '../testing/saved-tests.ts';

let tests: SavedTests;
beforeEach(async () => {
  tests = await SavedTests.open();
});
afterEach(() => tests.close());

const flow = (nodes: readonly string[], edges = '', more = ''): string =>
  `flow: { name: A${more} }\nnodes:\n${nodes.map((node) => `  - ${node}\n`).join('')}edges: [${edges}]\n`;
const ask = (prompt: string, id = 'ask'): string =>
  `{ id: ${id}, type: prompt, config: { model: "p::tiny" }, input: { prompt: ${JSON.stringify(prompt)} } }`;
const fetchNode = (path: string, more = ''): string =>
  `{ id: fetch, type: http.request, input: { url: "${tests.world.base}${path}" }${more} }`;

test('13.13 a run with a model and a web server becomes a test', async () => {
  tests.models.plan({ pieces: ['Dear ', 'Ann'] });
  const text = flow([fetchNode('/a'), ask('Greet {{fetch.body.ok}} {{flow.input.name}}')], '{ from: fetch, to: ask }');
  const runId = await tests.run(text, { name: 'Ann' });
  const saved = await tests.save(runId);
  expect(saved).toEqual({
    ...{ file: 'a.test.yaml', name: 'run 1', cassette: 'a.cassettes/run-1.cassette.yaml' },
    ...{ calls: 2, missing: [], masked: 0, notes: [] },
  });
  expect(tests.read('a.test.yaml')).toBe(`target: a.flow.yaml
cases:
  - name: run 1
    input:
      name: Ann
    cassette: a.cassettes/run-1.cassette.yaml
    expect:
      outputs:
        ask.text: Dear Ann
`);
  expect(tests.read('a.cassettes/run-1.cassette.yaml')).toContain('Greet true Ann');
  // A change of the prompt is noticed.
  tests.write('a.flow.yaml', text.replace('Greet', 'Thank'));
  expect(await tests.test('a.test.yaml')).toMatchObject([{ isOk: false }]);
});

test('13.13 a case is added to a test file, with its comments, under an unused name', async () => {
  const runId = await tests.run(flow([ask('Hello')]));
  tests.write(
    'a.test.yaml',
    '# Mine\ntarget: a.flow.yaml\ncases:\n  # First\n  - name: run 1\n    cassette: a.cassettes/run-1.cassette.yaml\n',
  );
  tests.write('a.cassettes/run-1.cassette.yaml', 'cassette: 1\ncalls: []\n');
  const saved = await tests.engine.saveTest({ runId });
  expect(saved).toMatchObject({ name: 'run 1, 2', cassette: 'a.cassettes/run-1-2.cassette.yaml' });
  expect(tests.read('a.test.yaml')).toMatch(/^# Mine\n.*# First\n {2}- name: run 1\n.*- name: run 1, 2\n/s);
  await expect(tests.engine.saveTest({ runId, name: 'run 1' })).rejects.toMatchObject({ code: 'test.name-used' });
  await expect(tests.engine.saveTest({ runId, file: '../b.test.yaml' })).rejects.toMatchObject({
    code: 'files.outside',
  });
  await expect(tests.engine.saveTest({ runId, file: 'b.yaml' })).rejects.toMatchObject({ code: 'test.bad-file' });
  tests.write('c.test.yaml', 'target: a.flow.yaml\ncases: nothing\n');
  await expect(tests.engine.saveTest({ runId, file: 'c.test.yaml' })).rejects.toMatchObject({ code: 'test.bad-file' });
  expect(existsSync(tests.world.folder.at('workspace/c.cassettes'))).toBe(false);
});

test('13.13 loops, called flows and equal requests get the responses that they got', async () => {
  let count = 0;
  tests.world.answer = () => ({ body: JSON.stringify({ number: ++count }) });
  tests.models.plan(...['one', 'two', 'three'].map((word) => ({ pieces: [word] })));
  tests.write('sub/inner.flow.yaml', flow([ask('About {{flow.input.topic}}')]));
  const loop =
    '{ id: each, type: control.foreach, input: { items: "{{flow.input.topics}}", body: [get, call], maxParallel: 1 } }';
  const get = `{ id: get, type: http.request, input: { url: "${tests.world.base}/n" } }`;
  const call =
    '{ id: call, type: flow, input: { flow: sub/inner.flow.yaml, input: { topic: "{{item}} {{get.body.number}}" } } }';
  const runId = await tests.run(flow([loop, get, call], '{ from: get, to: call }'), { topics: ['a', 'b', 'c'] });
  const saved = await tests.save(runId, { file: 'tests/loop.test.yaml', name: 'Three topics!' });
  expect(saved).toMatchObject({ calls: 6, missing: [], cassette: 'tests/loop.cassettes/three-topics.cassette.yaml' });
  const text = tests.read('tests/loop.test.yaml');
  expect(text).toContain('target: ../a.flow.yaml');
  expect(text).toMatch(/ran:\s*each\.get: 3\s*each\.call: 3/);
  expect(tests.read('tests/loop.cassettes/three-topics.cassette.yaml')).toContain('About c 3');
});

test('13.13 a request that was retried twice is recorded with both refusals', async () => {
  let count = 0;
  tests.world.answer = () => (++count < 3 ? { status: 429, body: '{}' } : { body: '{"ok":"at last"}' });
  const more = ', config: { retryOn: [429] }, policy: { retry: { maxAttempts: 3, backoffMs: 1 } }';
  const runId = await tests.run(flow([fetchNode('/busy', more)]));
  expect(await tests.engine.getRun(runId)).toMatchObject({ status: 'completed' });
  expect(await tests.save(runId)).toMatchObject({ calls: 3, missing: [] });
  expect(tests.read('a.cassettes/run-1.cassette.yaml').match(/status: 429/g)).toHaveLength(2);
  expect(tests.read('a.test.yaml')).toContain('fetch.status: 200');
});

test('13.13 a failed run becomes a test of its failure', async () => {
  tests.models.plan({ status: 400, message: 'no such model' });
  const never = '{ id: never, type: echo, input: { text: "{{ask.text}}" } }';
  const runId = await tests.run(flow([ask('Hello'), never], '{ from: ask, to: never }'));
  expect(await tests.engine.getRun(runId)).toMatchObject({ status: 'failed' });
  expect(await tests.save(runId)).toMatchObject({ calls: 1, missing: [] });
  const text = tests.read('a.test.yaml');
  expect(text).toContain('fails: model.rejected');
  expect(text).toContain('skipped: [never]');
  expect(text).toMatch(/ran:\s*ask: 1/);
});

test('13.13 approvals and forms become answers, with the name and the comment of the person', async () => {
  const nodes = [
    '{ id: ok, type: human_approval, input: { title: "Go on?" } }',
    '{ id: form, type: user_input, input: { title: "Who?", schema: { type: object, properties: { who: { type: string } } } } }',
    ask('Greet {{form.values.who}}'),
  ];
  const edges = '{ from: ok, to: form, when: { equals: { var: ok.route, value: approved } } }, { from: form, to: ask }';
  const runId = await tests.run(flow(nodes, edges));
  await tests.answer(runId, { decision: 'approve', comment: 'fine', by: 'kim' });
  await tests.answer(runId, { payload: { values: { who: 'Ann' } }, by: 'lee' });
  expect(await tests.save(runId)).toMatchObject({ calls: 1, missing: [] });
  const text = tests.read('a.test.yaml');
  expect(text).toMatch(/node: ok.*decision: approve.*comment: fine.*by: kim/s);
  expect(text).toMatch(/node: form.*values: \{ who: Ann \}.*by: lee/s);
});

test('13.13 a branch that was rejected is tested, and so are written files, which stay as they are', async () => {
  const nodes = [
    '{ id: ok, type: human_approval, input: { title: "Go on?" } }',
    '{ id: pay, type: echo, input: { text: "sent" } }',
    '{ id: leave, type: file.write, input: { path: out/no.txt, text: "not sent" } }',
  ];
  const edge = (to: string, route: string) =>
    `{ from: ok, to: ${to}, when: { equals: { var: ok.route, value: ${route} } } }`;
  const runId = await tests.run(flow(nodes, `${edge('pay', 'approved')}, ${edge('leave', 'rejected')}`));
  await tests.answer(runId, { decision: 'reject', by: 'kim' });
  rmSync(tests.world.folder.at('workspace/out'), { recursive: true });
  const saved = await tests.save(runId);
  expect(saved).toMatchObject({ calls: 0 });
  expect(saved.cassette).toBeUndefined();
  const text = tests.read('a.test.yaml');
  expect(text).toContain('skipped: [pay]');
  expect(text).toMatch(/files:\s*out\/no\.txt: not sent/);
  expect(existsSync(tests.world.folder.at('workspace/out'))).toBe(false);
});

test('13.13 pinned outputs stay pinned', async () => {
  const text = flow(
    [ask('Hello'), '{ id: say, type: echo, input: { text: "{{ask.text}}!" } }'],
    '{ from: ask, to: say }',
  );
  tests.write('a.flow.yaml', text);
  const { runId } = await tests.engine.startRun({
    path: 'a.flow.yaml',
    text,
    inputs: {},
    pins: { ask: { text: 'Hi' } },
  });
  await tests.engine.whenEnded(runId);
  expect(await tests.save(runId)).toMatchObject({ calls: 0 });
  expect(tests.read('a.test.yaml')).toMatch(/pins:\s*ask:\s*text: Hi/);
});

test('13.13 a large response is recorded in full', async () => {
  const lines = Array.from({ length: 4000 }, (_, index) => `line ${index} of a long text with ümlauts`);
  tests.world.answer = () => ({ body: JSON.stringify({ lines }) });
  tests.models.plan({ pieces: [lines.join('\n').slice(0, 200_000)] });
  const runId = await tests.run(flow([fetchNode('/large'), ask('Sum up {{fetch.body}}')], '{ from: fetch, to: ask }'));
  expect(await tests.save(runId)).toMatchObject({ calls: 2, missing: [] });
  expect(tests.read('a.test.yaml').length).toBeLessThan(2000);
  expect(tests.read('a.cassettes/run-1.cassette.yaml').length).toBeGreaterThan(400_000);
});

test('13.13 a program and a tool of a server are recorded from the log', async () => {
  const reads = { annotations: { readOnlyHint: true, openWorldHint: false } };
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
  const entry = writeMcpProgram(tests.world.folder.at('workspace'), {
    tools: [{ name: 'echo', description: 'Gives back.', inputSchema, ...reads }],
  });
  tests.write('.mcp.json', JSON.stringify({ mcpServers: { files: entry } }));
  tests.write('count.cjs', "require('node:fs').appendFileSync('count.txt', 'x'); console.log('counted')");
  const program = JSON.stringify(process.execPath);
  const nodes = [
    `{ id: count, type: command.run, config: { program: ${program} }, input: { args: [count.cjs] } }`,
    '{ id: tool, type: tool, config: { tool: files.echo }, input: { text: "{{count.stdout}}" } }',
  ];
  const runId = await tests.run(flow(nodes, '{ from: count, to: tool }'));
  await tests.answer(runId, { payload: { approved: true, scope: 'once' } });
  expect(await tests.engine.getRun(runId)).toMatchObject({ status: 'completed' });
  expect(await tests.save(runId)).toMatchObject({ calls: 3, missing: [] });
  expect(tests.read('count.txt')).toBe('x');
  tests.write('.mcp.json', JSON.stringify({ mcpServers: { files: { command: 'no-such-program' } } }));
  expect(await tests.test('a.test.yaml')).toMatchObject([{ isOk: true }]);
});

test('13.13 calls that are not in the log are reported, and never invented', async () => {
  const more = ', "saveTo": "out/page.json"';
  const text = flow([`{ id: fetch, type: http.request, input: { "url": "${tests.world.base}/page"${more} } }`]);
  const runId = await tests.run(text);
  const proposal = await tests.engine.proposeTest(runId);
  expect(proposal.missing).toEqual([`The history has no response to GET ${tests.world.base}/page.`]);
  expect(proposal.calls).toBe(0);
  expect(tests.calls).toBe(1);
});

test('13.13 runs that a test cannot repeat are refused with a reason', async () => {
  const text = flow(
    [ask('Hello'), '{ id: say, type: echo, input: { text: "{{ask.text}}" } }'],
    '{ from: ask, to: say }',
  );
  const runId = await tests.run(text);
  const again = await tests.engine.rerunFrom({ runId, nodeId: 'say' });
  await tests.engine.whenEnded(again.runId);
  await expect(tests.engine.proposeTest(again.runId)).rejects.toMatchObject({
    code: 'test.not-testable',
    message: expect.stringContaining('it reuses results of an earlier run'),
  });
  const part = await tests.engine.rerunFrom({ runId, part: { only: 'ask' } } as never).catch(() => undefined);
  if (part !== undefined) await tests.engine.whenEnded(part.runId);
  const waiting = await tests.run(
    flow(['{ id: ok, type: human_approval, input: { title: "Go on?" } }']),
    {},
    'b.flow.yaml',
  );
  expect(await tests.save(waiting)).toMatchObject({ calls: 0 });
  expect(tests.read('b.test.yaml')).toContain('status: suspended');
});

test('13.13 checks are proposed with labels, and only those that are chosen are written', async () => {
  tests.models.plan({ pieces: ['A long text. '.repeat(30)] });
  const runId = await tests.run(flow([ask('Hello')]));
  const { checks } = await tests.engine.proposeTest(runId);
  const long = checks.find(({ subject }) => subject === 'ask.text');
  expect(long).toMatchObject({
    isChosen: false,
    isHeld: true,
    label: expect.stringContaining('ask.text contains "A long'),
  });
  await tests.save(runId, { checks: ['outputs:ask.text'] });
  expect(tests.read('a.test.yaml')).toMatch(/outputs:\s*ask\.text: \{ contains: A long text\./);
  await expect(tests.engine.saveTest({ runId, checks: ['outputs:no'] })).rejects.toMatchObject({
    code: 'test.no-such-check',
  });
  const expectation: JsonMap = { isExisting: true, name: 'run 1, 2' };
  expect(await tests.engine.proposeTest(runId)).toMatchObject(expectation);
});
