import { symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EvaluationTestWorld, messagesOf } from '../../testing/evaluation-world.ts';

let world: EvaluationTestWorld;
beforeEach(async () => {
  world = await EvaluationTestWorld.open();
});
afterEach(() => world.close());

describe('what must not pass unnoticed', () => {
  const echo = 'flow: { name: G }\nnodes: [{ id: greet, type: echo, input: { text: Hello } }]\nedges: []\n';

  test('a typo in the name of a node or a value fails, whatever is expected of it', async () => {
    world.write('g.flow.yaml', echo);
    world.write(
      'g.test.yaml',
      'target: g.flow.yaml\ncases: [{ name: one, expect: { outputs: { gret.text: { notContains: x }, gret.a: { exists: false }, greet.txet: { notEquals: x }, greet.b: { exists: false } } } }]\n',
    );
    const { results } = await world.test();
    expect(messagesOf(results.get('one'))).toEqual([
      'gret.text has no value. There is no node "gret". Did you mean "greet"?',
      'There is no node "gret". Did you mean "greet"?',
      'greet.txet has no value.',
    ]);
  });

  test('an invalid case does not affect the others, and fails', async () => {
    world.write('g.flow.yaml', echo);
    world.write('g.test.yaml', 'target: g.flow.yaml\ncases: [{ name: one }, { name: two, expct: {} }]\n');
    const { results, summary } = await world.test();
    expect([...results.keys()]).toEqual(['one']);
    expect(summary).toMatchObject({ passed: 1, failed: 1 });
  });

  test('files of tests cannot be read through links that lead out of the workspace', async () => {
    world.write('g.flow.yaml', echo);
    world.write('g.test.yaml', 'target: g.flow.yaml\ncases: [{ name: one, inputFile: in.json }, { from: rows.csv }]\n');
    for (const name of ['in.json', 'rows.csv', 'h.test.yaml']) symlinkSync('/etc/hosts', world.at(name));
    const { results, reports } = await world.test();
    expect(messagesOf(results.get('one')).join()).toContain('leads out of the workspace through a link');
    expect(messagesOf(results.get('rows.csv')).join()).toContain('leads out of the workspace through a link');
    expect(JSON.stringify(reports)).not.toContain('localhost');
    expect(reports[0]).toMatchObject({ files: [{ path: 'g.test.yaml' }, { path: 'h.test.yaml', cases: [] }] });
  });

  test('texts of CSV become numbers and booleans where the flow declares these', async () => {
    world.write(
      'n.flow.yaml',
      'flow: { name: N, inputs: { n: { type: number }, yes: { type: boolean }, id: { type: string } } }\nnodes: [{ id: e, type: echo, input: { text: "{{flow.input}}" } }]\nedges: []\n',
    );
    world.write(
      'n.test.yaml',
      'target: n.flow.yaml\ncases: { from: n.csv, map: { n: n, yes: yes, id: id }, expect: { outputs: { flow.input: { equals: { n: 7.5, yes: true, id: "007" } } } } }\n',
    );
    world.write('n.csv', 'n,yes,id\n7.5,TRUE,007\nseven,TRUE,007\n');
    const { results } = await world.test();
    expect([...results.values()].map(messagesOf)).toEqual([
      [],
      [expect.stringContaining('must be a number, not "seven"')],
    ]);
  });

  test('a damaged CSV file is refused, and equal rows have different names', async () => {
    world.write('g.flow.yaml', echo);
    world.write(
      'g.test.yaml',
      'target: g.flow.yaml\ncases: [{ from: a.csv }, { from: b.csv }, { from: c.csv }, { from: d.csv, name: "{{row.x}}" }]\n',
    );
    world.write('a.csv', 'x\n"open\nlost\n');
    world.write('b.csv', 'x,x\n1,2\n');
    world.write('c.csv', Buffer.from('x\nGr\xf6\xdfe\n', 'latin1'));
    world.write('d.csv', 'x\nAnn\nAnn\n');
    const { results } = await world.test();
    expect(messagesOf(results.get('a.csv')).join()).toContain('in line 2 that is never closed');
    expect(messagesOf(results.get('b.csv')).join()).toContain('Two columns have the name "x".');
    expect(messagesOf(results.get('c.csv')).join()).toContain('not UTF-8');
    expect(results.has('Ann (2)')).toBe(true);
  });

  test('a limit of cost fails if the price of the model is not known', async () => {
    world.write(
      'p.flow.yaml',
      'flow: { name: P }\nnodes: [{ id: draft, type: prompt, input: { prompt: Hi } }]\nedges: []\n',
    );
    world.write(
      'p.test.yaml',
      'target: p.flow.yaml\ncassette: p.cassette.yaml\ncases: [{ name: one, expect: { maxUsd: 1 } }]\n',
    );
    const { results } = await world.test({ record: 'missing' });
    expect(messagesOf(results.get('one')).join()).toContain('no known price');
  });
});
