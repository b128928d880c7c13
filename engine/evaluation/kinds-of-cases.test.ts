/** Cases of all kinds: branches, loops, rows, answers, versions, agents and judges. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EvaluationTestWorld, evaluate, messagesOf } from '../testing/evaluation-world.ts';

let world: EvaluationTestWorld;
beforeEach(async () => {
  world = await EvaluationTestWorld.open();
});
afterEach(() => world.close());

const flow = `
flow: { name: Choice, input: { kind: a, list: [1, 2, 3] } }
nodes:
- { id: pick, type: control.switch, input: { value: "{{flow.input.kind}}", cases: [{ when: { equals: { var: value, value: a } }, route: first }] } }
- { id: first, type: echo, input: { text: "first {{flow.input.kind}}" } }
- { id: other, type: echo, input: { text: other } }
- { id: each, type: control.foreach, input: { items: "{{flow.input.list}}", as: item, body: [twice] } }
- { id: twice, type: echo, input: { text: "{{item}}{{item}}" } }
edges:
- { from: pick, to: first, when: { equals: { var: pick.route, value: first } } }
- { from: pick, to: other, when: { equals: { var: pick.route, value: default } } }
`;

test('branches, loops, items and unknown nodes', async () => {
  world.write('c.flow.yaml', flow);
  world.write(
    'c.test.yaml',
    `
target: c.flow.yaml
cases:
- name: good
  expect:
    outputs: { first.text: first a, "each[1].twice.text": "22", "flow.output.other": { exists: false } }
    ran: { each.twice: 3, first: 1 }
    skipped: [other]
- name: bad
  input: { kind: b }
  expect:
    outputs: { first.text: x, frist.text: y, "each[7].twice.text": z }
    ran: { each.twice: 2, frst: 1 }
    skipped: [other, nothing]
`,
  );
  const { results } = await world.test();
  expect(messagesOf(results.get('good'))).toEqual([]);
  expect(messagesOf(results.get('bad'))).toEqual([
    'first.text has no value. Node "first" did not run.',
    'frist.text has no value. There is no node "frist". Did you mean "first"?',
    'each[7].twice.text has no value.',
    'Node "each.twice" ran 3 times, not 2 times.',
    'There is no node "frst". Did you mean "first"?',
    'Node "other" ran.',
    'There is no node "nothing".',
  ]);
});

test('rows of CSV and JSON Lines, also with odd rows', async () => {
  world.write('c.flow.yaml', flow);
  world.write('rows.csv', '\uFEFFkind;text\r\na;first a\r\n"b";nothing\r\n');
  world.write('rows.jsonl', '{"kind":"a","want":"first a"}\nnot json\n{"kind":"a"}\n[1]\n');
  world.write(
    'c.test.yaml',
    `
target: c.flow.yaml
cases:
- { from: rows.csv, map: { kind: kind }, name: "csv {{row.kind}}", expect: { outputs: { first.text: "{{row.text}}" } } }
- { from: rows.jsonl, input: { kind: "{{row.kind}}" }, expect: { outputs: { first.text: "{{row.want}}" } } }
- { from: gone.csv }
`,
  );
  const { results, summary } = await world.test();
  expect([...results.values()].map((result) => [result.name, result.row, messagesOf(result)])).toEqual([
    ['csv a', 0, []],
    ['csv b', 1, ['first.text has no value. Node "first" did not run.']],
    ['row 1: a', 0, []],
    ['row 2', 1, ['rows.jsonl, line 2: the row is not valid JSON. Fix or delete it.']],
    ['row 3', 2, [expect.stringContaining('row.want')]],
    ['row 4', 3, ['rows.jsonl, line 4: the row is not a JSON object. Fix or delete it.']],
    ['gone.csv', 0, ['There is no file gone.csv, which `from` names.']],
  ]);
  expect(summary).toMatchObject({ passed: 2, failed: 5 });
});

test('answers of people, forms, and requests without an answer', async () => {
  world.write(
    'c.flow.yaml',
    `
flow: { name: Ask }
nodes:
- { id: ask, type: human_approval, input: { title: "Go?" } }
- { id: form, type: user_input, input: { title: Who, schema: { type: object, properties: { name: { type: string } } } } }
- { id: end, type: echo, input: { text: "{{form.values.name}} {{ask.comment}}" } }
edges: [{ from: ask, to: form, when: { equals: { var: ask.route, value: approved } } }, { from: form, to: end }]
`,
  );
  world.write(
    'c.test.yaml',
    `
target: c.flow.yaml
cases:
- name: both
  answers: [{ node: ask, decision: approve, comment: fine, by: kim }, { node: form, values: { name: Ann } }]
  expect: { outputs: { end.text: Ann fine } }
- { name: none, expect: { status: suspended } }
- { name: missing }
- { name: rejected, answers: [{ node: ask, decision: reject }, { node: form, values: {} }], expect: { fails: approval.rejected } }
- { name: wrong, answers: [{ node: ask, decision: approve }, { node: form, values: { name: 7 } }] }
`,
  );
  const { results } = await world.test();
  const messages = Object.fromEntries([...results].map(([name, result]) => [name, messagesOf(result)]));
  expect(messages).toEqual({
    both: [],
    none: [],
    missing: [
      'The run waits for a person',
      'Node "ask" waits for a person, and the case has no answer for it. Add one to `answers`, or expect the status suspended.',
    ],
    rejected: ['Node "form" did not ask, so an answer of the case was not used.'],
    wrong: [expect.stringMatching(/^The answer for "form" was refused: .*name.* Change it in `answers`\.$/)],
  });
});

test('unsaved texts and versions of Git', async () => {
  const text = (word: string): string =>
    `flow: { name: V }\nnodes: [{ id: a, type: echo, input: { text: ${word} } }, { id: sub, type: flow, input: { flow: sub.flow.yaml } }, { id: r, type: file.read, input: { path: note.txt } }]\nedges: []\n`;
  const sub = (word: string): string =>
    `flow: { name: S, outputs: { said: "{{s.text}}" } }\nnodes: [{ id: s, type: echo, input: { text: ${word} } }]\nedges: []\n`;
  world.write('v.flow.yaml', text('old'));
  world.write('sub.flow.yaml', sub('old'));
  world.write('note.txt', 'old');
  const { folder } = world.web;
  const git = (...args: string[]): void => folder.git('-C', 'workspace', ...args);
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'First');
  world.write('v.flow.yaml', text('new'));
  world.write('sub.flow.yaml', sub('new'));
  world.write('note.txt', 'new');
  const expecting = (word: string): string =>
    `target: v.flow.yaml\ncases: [{ name: one, expect: { outputs: { a.text: ${word}, sub.outputs.said: ${word}, r.text: ${word} }, files: {} } }]\n`;
  world.write('v.test.yaml', expecting('new'));
  const engine = await world.engine();
  const messages = async (request: Parameters<typeof evaluate>[1]) =>
    messagesOf((await evaluate(engine, request)).results.get('one'));
  expect(await messages({})).toEqual([]);
  world.write('v.test.yaml', expecting('old'));
  expect(await messages({ version: 'HEAD' })).toEqual([]);
  const texts = {
    'v.flow.yaml': text('mine'),
    'sub.flow.yaml': sub('mine'),
    'note.txt': 'mine',
    'v.test.yaml': expecting('mine'),
  };
  expect(await messages({ texts })).toEqual([]);
  await expect(evaluate(engine, { version: 'nowhere' })).rejects.toMatchObject({ code: 'git.unknown-ref' });

  world.write('v.flow.yaml', text('ran'));
  world.write('sub.flow.yaml', sub('ran'));
  const { runId } = await engine.startRun({ path: 'v.flow.yaml', text: text('ran'), inputs: {} });
  await engine.whenEnded(runId);
  const { number } = await engine.getRun(runId);
  world.write('v.flow.yaml', text('newer'));
  world.write('sub.flow.yaml', sub('newer'));
  // Files that a run only reads are the current ones.
  const ran = expecting('ran').replace('r.text: ran', 'r.text: new');
  world.write('v.test.yaml', ran);
  expect(await messages({ version: `run:${number}` })).toEqual([]);
  await expect(evaluate(engine, { version: 'run:99' })).rejects.toMatchObject({ code: 'run.not-found' });
});

test('agents, with what they write discarded and what they run recorded', async () => {
  world.write(
    'a.aip',
    '# Data\n\n```lua\naip.file.save("out/a.txt", "from " .. input)\nlocal r = aip.cmd.exec("node", {"-e", "console.log(41+1)"})\nreturn { saved = aip.file.load("out/a.txt").content, said = r.stdout }\n```\n\n# Output\n\n```lua\nreturn data\n```\n',
  );
  world.write(
    'a.test.yaml',
    `
target: a.aip
cassette: a.cassette.yaml
cases:
- name: one
  input: [Ann]
  expect:
    outputs: { "flow.output.outputs[0].saved": from Ann, "flow.output.outputs[0].said": { contains: "42" } }
    files: { out/a.txt: from Ann }
`,
  );
  const env = { PATH: process.env['PATH'] };
  expect(messagesOf((await world.test({ record: 'missing' }, env)).results.get('one'))).toEqual([]);
  const replayed = await world.test({}, { PATH: '/nowhere' });
  expect(messagesOf(replayed.results.get('one'))).toEqual([]);
  expect(existsSync(world.at('out'))).toBe(false);
  expect(readdirSync(world.at('.')).sort()).not.toContain('out');
});

test('judges, which are recorded like other calls', async () => {
  world.write(
    'j.flow.yaml',
    'flow: { name: J }\nnodes: [{ id: a, type: echo, input: { text: "Dear {{ann}}" } }]\nedges: []\n'.replace(
      '{{ann}}',
      'Ann',
    ),
  );
  world.write(
    'j.test.yaml',
    'target: j.flow.yaml\ncassette: j.cassette.yaml\ncases: [{ name: one, expect: { judge: { prompt: "Is it polite? {{a.text}}", passIf: { atLeast: 4 } } } }]\n',
  );
  world.model.plan({ pieces: ['{"reason":"Too short.","score":2}'] });
  const recorded = await world.test({ record: 'missing' });
  expect(messagesOf(recorded.results.get('one'))).toEqual([
    expect.stringMatching(/^judge is 2; .*at least 4: Too short\.$/),
  ]);
  expect(JSON.stringify(world.model.received[0]?.body)).toContain('Is it polite? Dear Ann');
  const { results } = await world.test();
  expect(results.get('one')).toMatchObject({ isOk: false, score: 2, use: { replayed: 1 } });
  expect(world.model.received.length).toBe(1);
});

test('a node that was renamed since the test was written is found by its new name, in Git or in earlier runs', async () => {
  const text = (name: string): string =>
    `flow: { name: R }\nnodes: [{ id: first, type: echo, input: { text: a } }, { id: ${name}, type: echo, input: { text: "{{first.text}}b" } }]\nedges: [{ from: first, to: ${name} }]\n`;
  const cases =
    'target: r.flow.yaml\ncases:\n  - name: one # kept\n    expect: { outputs: { draft.text: ab }, ran: [draft] }\n';
  world.write('r.flow.yaml', text('draft'));
  world.write('r.test.yaml', cases);
  const engine = await world.engine();
  await engine.whenEnded((await engine.startRun({ path: 'r.flow.yaml', text: text('draft'), inputs: {} })).runId);
  world.write('r.flow.yaml', text('reply'));
  expect((await evaluate(engine)).results.get('one')).toMatchObject({ isOk: true, renamed: { draft: 'reply' } });
  await evaluate(engine, { isUpdate: true });
  expect(readFileSync(world.at('r.test.yaml'), 'utf8')).toBe(cases.replaceAll('draft', 'reply'));

  world.web.folder.git('-C', 'workspace', 'init', '-q');
  world.web.folder.git('-C', 'workspace', 'add', '.');
  world.web.folder.git('-C', 'workspace', 'commit', '-qm', 'First');
  world.write('r.flow.yaml', text('answer'));
  const inGit = await world.test();
  expect(inGit.results.get('one')).toMatchObject({ isOk: true, renamed: { reply: 'answer' } });
});

test('a flow as a judge, which gets the input and the output of the run', async () => {
  world.write(
    'judges/polite.flow.yaml',
    `flow: { name: Judge, input: { input: {}, output: {} }, outputs: { score: "{{grade.value}}", reason: "{{flow.input.output.a.text}} for {{flow.input.input.who}}" } }
nodes: [{ id: grade, type: constant, input: { value: 2 } }]
edges: []
`,
  );
  world.write(
    'j.flow.yaml',
    'flow: { name: J, input: { who: Ann } }\nnodes: [{ id: a, type: echo, input: { text: "Dear {{flow.input.who}}" } }]\nedges: []\n',
  );
  world.write(
    'j.test.yaml',
    'target: j.flow.yaml\ncases: [{ name: one, expect: { judge: [{ flow: judges/polite.flow.yaml }, { flow: gone.flow.yaml }] } }]\n',
  );
  const { results } = await world.test();
  expect(messagesOf(results.get('one'))).toEqual([
    'judges/polite.flow.yaml is 2; expected: at least 3: Dear Ann for Ann',
    'gone.flow.yaml failed: There is no flow gone.flow.yaml.',
  ]);
  expect(results.get('one')).toMatchObject({ score: 2 });
});

test('a damaged entry of a recording is named where its call is missing', async () => {
  world.write('d.flow.yaml', 'flow: { name: D }\nnodes: [{ id: a, type: prompt, input: { prompt: Hi } }]\nedges: []\n');
  world.write(
    'd.cassette.yaml',
    'cassette: 1\ncalls:\n- kind: model\n  request: { model: here::tiny, messages: [{ role: user, content: Hi }] }\n',
  );
  world.write('d.test.yaml', 'target: d.flow.yaml\ncassette: d.cassette.yaml\ncases: [{ name: one }]\n');
  const [message] = messagesOf((await world.test()).results.get('one'));
  expect(message).toMatch(/^Node "a": .*d\.cassette\.yaml.*line 3/s);
});

test('a result names the files that the case used, and a changed case has another hash', async () => {
  world.write(
    'c.flow.yaml',
    `
flow: { name: Caller }
nodes:
- { id: call, type: flow, input: { flow: called.flow.yaml } }
- { id: agent, type: agent, input: { agent: a.aip, inputs: [x] } }
- { id: note, type: file.read, input: { path: notes/note.txt } }
edges: []
`,
  );
  world.write(
    'called.flow.yaml',
    'flow: { name: Called }\nnodes: [{ id: a, type: echo, input: { text: x } }]\nedges: []\n',
  );
  world.write(
    'a.aip',
    '# Data\n\n```lua\nreturn require("lib.words").say(aip.file.load("own.txt").content)\n```\n\n# Output\n\n```lua\nreturn data\n```\n',
  );
  world.write('lua/lib/words.lua', 'return { say = function(x) return x end }\n');
  world.write('own.txt', 'own');
  world.write('notes/note.txt', 'note');
  world.write('unused.txt', 'x');
  world.write('s.json', '{ "type": "object" }');
  const testText = `
target: c.flow.yaml
cases:
- { name: one, expect: { outputs: { note: { schema: s.json } } } }
- { name: two }
`;
  world.write('c.test.yaml', testText);
  const { results } = await world.test();
  expect(messagesOf(results.get('one'))).toEqual([]);
  const files = ['a.aip', 'called.flow.yaml', 'lua/lib/words.lua', 'notes/note.txt', 'own.txt'];
  expect(results.get('two')?.files).toEqual(files);
  expect(results.get('one')?.files).toEqual([...files, 's.json']);

  const engine = await world.engine();
  const hashes = async (text: string) => {
    const [file] = await engine.listTests({ texts: { 'c.test.yaml': text } });
    return file?.cases.map(({ hash }) => hash);
  };
  const [first, second] = (await hashes(testText)) ?? [];
  expect(await hashes(testText.replace('- { name: two }', '# moved\n- { name: "two" }'))).toEqual([first, second]);
  expect(await hashes(testText.replace('name: two', 'name: two, input: {}'))).toEqual([
    first,
    expect.not.stringMatching(second ?? ''),
  ]);
});
