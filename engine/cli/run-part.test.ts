import { describe, expect, test } from 'vitest';
import { eventsOf, setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

const flow = `
flow: { name: Three, input: { who: you } }
nodes:
  - { id: first, type: echo, input: { text: "{{flow.input.who}}" } }
  - { id: second, type: echo, input: { text: "{{first.text}} b" } }
  - { id: third, type: echo, input: { text: "{{second.text}} c" } }
edges: [{ from: first, to: second }, { from: second, to: third }]`;

async function run(...flags: string[]) {
  cli.write('three.flow.yaml', flow);
  const { code, stdout, stderr } = await cli.call(['run', 'three.flow.yaml', '--json', ...flags]);
  const events = code === 2 ? [] : eventsOf(stdout).map(({ event }) => event);
  return {
    code,
    stdout,
    stderr,
    started: events.flatMap((event) => (event.type === 'task:start' ? [event.nodeId] : [])),
    end: events.at(-1),
  };
}

describe('run', () => {
  test('BB-45 --only runs one node with the last outputs of others, and reports what is missing', async () => {
    const missing = await run('--only', 'third');
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('"third" uses "second", and no run of this flow has recorded what it gives');
    await run();
    const alone = await run('--only', 'third');
    expect(alone).toMatchObject({ code: 0, started: ['third'] });
    expect(alone.end).toMatchObject({ type: 'run:end', output: { third: { text: 'you b c' } } });
  });

  test('BB-46 --to runs what a node depends on', async () => {
    const { code, started, end } = await run('--to', 'second', '--input', 'who=them');
    expect([code, started]).toEqual([0, ['first', 'second']]);
    expect(end).toMatchObject({ output: { second: { text: 'them b' } } });
  });

  test('BB-47 --pin sets an output from a file, and nodes that are then unnecessary do not run', async () => {
    cli.write('second.json', '{ "text": "mine" }');
    const { code, started, end } = await run('--pin', 'second=second.json');
    expect([code, started]).toEqual([0, ['third']]);
    expect(end).toMatchObject({ output: { third: { text: 'mine c' } } });
    const { stdout } = await cli.call(['run', 'three.flow.yaml', '--only', 'third', '--pin', 'second=second.json']);
    expect(stdout).toMatch(/second.*pinned/);
  });

  test.each([
    [['--only', 'third', '--to', 'second'], 'cannot be used with'],
    [['--only', 'thrid'], 'Did you mean "third"?'],
    [['--to', 'nobody'], 'The flow has no node "nobody"'],
    [['--pin', 'second'], '--pin second does not have the form NODE=FILE'],
    [['--pin', 'second=gone.json'], '--pin gone.json cannot be read'],
    [['--pin', 'second=broken.json'], '--pin broken.json does not contain JSON'],
    [['--pin', 'second=large.json'], '9007199254740993'],
  ])('%j is rejected with a helpful message', async (flags, words) => {
    cli.write('broken.json', '{ text');
    cli.write('large.json', '{ "id": 9007199254740993 }');
    const { code, stderr } = await run(...flags);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  test('rejects selecting nodes of an agent', async () => {
    cli.write('a.aip', '# Instruction\n\nhello\n');
    const { code, stderr } = await cli.call(['run', 'a.aip', '--only', 'x']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--only is for nodes of flows')]);
  });
});
