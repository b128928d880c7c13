import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventsOf, setUpCli } from '../testing/cli-fixture.ts';
import type { CliResult } from '../testing/cli-program.ts';

const cli = setUpCli();

const flow = (second = 'b'): string => `
flow: { name: Three, input: { who: you } }
nodes:
  - { id: first, type: echo, input: { text: "{{flow.input.who}}" } }
  - { id: second, type: echo, input: { text: "{{first.text}} ${second}" } }
  - { id: third, type: echo, input: { text: "{{second.text}} c" } }
edges: [{ from: first, to: second }, { from: second, to: third }]`;

async function ranOnce(): Promise<string> {
  cli.write('three.flow.yaml', flow());
  const { stdout } = await cli.call(['run', 'three.flow.yaml', '--json']);
  return eventsOf(stdout)[0]?.runId ?? '';
}

function jsonLines({ stdout }: CliResult): unknown[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('rerun', () => {
  test('reuses what has not changed and runs the rest, as a new run', async () => {
    const runId = await ranOnce();
    const { code, stdout, stderr } = await cli.call(['rerun', runId, '--from', 'second', '--json']);
    const events = eventsOf(stdout);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(events[0]).toMatchObject({ seq: 0, event: { type: 'run:start', rerunOf: runId, rerunFromNode: 'second' } });
    expect(events[0]?.runId).not.toBe(runId);
    expect(events.flatMap(({ event }) => (event.type === 'node:reused' ? event.nodeId : []))).toEqual(['first']);
    expect(events.flatMap(({ event }) => (event.type === 'task:start' ? event.nodeId : []))).toEqual([
      'second',
      'third',
    ]);
    expect(events.at(-1)?.event).toMatchObject({ type: 'run:end', output: { third: { text: 'you b c' } } });
  });

  test('--output gives a node its output in this run, and says who gave it', async () => {
    const runId = await ranOnce();
    cli.write('given.json', '{ "text": "given" }');
    const output = ['--output', 'first=given.json'];
    const plan = await cli.call(['rerun', runId, ...output, '--plan']);
    expect(plan.stdout).toMatch(/^given {7}first\nruns again {2}second: .+\nmay run {5}third: .+\n$/);
    const { code, stdout } = await cli.call(['rerun', runId, ...output, '--by', 'Kim', '--json']);
    const again = eventsOf(stdout)[0]?.runId ?? '';
    const events = eventsOf(stdout).map(({ event }) => event);
    const given = { by: 'Kim', before: { text: 'you' } };
    const reused = { type: 'node:reused', nodeId: 'first', output: { text: 'given' }, given };
    expect([code, events]).toEqual([0, expect.arrayContaining([expect.objectContaining(reused)])]);
    expect(events.at(-1)).toMatchObject({ type: 'run:end', output: { third: { text: 'given b c' } } });
    const bundle = await cli.call(['runs', 'export', 'latest']);
    expect(JSON.stringify(JSON.parse(bundle.stdout))).toContain(JSON.stringify({ given }).slice(1, -1));
    await cli.call(['runs', 'export', 'latest', '--format', 'trace', '--out', 'trace']);
    expect(readFileSync(path.join(cli.folder, 'trace/_workspace', again, 'runtime/events.jsonl'), 'utf8')).toContain(
      '"given":{"by":"Kim"',
    );

    cli.write('wrong.json', '{}');
    const refusalOf = async (...args: string[]) => {
      const refused = await cli.call(['rerun', runId, ...args]);
      return `${refused.code} ${refused.stderr}`;
    };
    expect(await refusalOf('--output', 'first=wrong.json')).toMatch(/"first": output\.text/);
    expect(await refusalOf('--output', 'first')).toMatch(/^2 .*NODE=FILE/s);
    expect(await refusalOf('--from', 'second', '--by', 'Kim')).toMatch(/^2 .*--by requires an output/s);
    expect((await cli.call(['runs', 'list'])).stdout.trimEnd().split('\n')).toHaveLength(2);
  });

  test('--plan prints what would run and why, and runs nothing', async () => {
    const runId = await ranOnce();
    cli.write('three.flow.yaml', flow('changed'));
    const plan = await cli.call(['rerun', runId, '--from', 'third', '--plan']);
    expect(plan.code).toBe(0);
    expect(plan.stdout).toMatch(/^reused {6}first\nruns again {2}second: .+\nruns again {2}third: .+\n$/);
    const json = await cli.call(['rerun', runId, '--from', 'third', '--plan', '--json']);
    expect(jsonLines(json)).toEqual([
      { nodeId: 'first', fate: 'reused', why: '', whyParts: [] },
      { nodeId: 'second', fate: 'runs', why: expect.stringMatching(/./), whyParts: expect.any(Array) },
      { nodeId: 'third', fate: 'runs', why: expect.stringMatching(/./), whyParts: expect.any(Array) },
    ]);
    expect((await cli.call(['runs', 'list'])).stdout.trimEnd().split('\n')).toHaveLength(1);
  });

  test('--plan without a node prints what must run because of changes', async () => {
    const runId = await ranOnce();
    const same = await cli.call(['rerun', runId, '--plan']);
    expect(same.stdout).toBe('reused      first\nreused      second\nreused      third\n');
    cli.write('three.flow.yaml', flow('changed'));
    const { code, stdout } = await cli.call(['rerun', runId, '--plan']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^reused {6}first\nruns again {2}second: .+\nmay run {5}third: .+\n$/);
  });

  test('prints the problems of a file that is now invalid and exits with 2', async () => {
    const runId = await ranOnce();
    cli.write('three.flow.yaml', 'flow: { name: Three }\nnodes: []');
    for (const flags of [[], ['--plan']]) {
      const { code, stdout, stderr } = await cli.call(['rerun', runId, '--from', 'first', ...flags]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^three\.flow\.yaml:1:1 error flow\.missing-key /);
    }
  });

  test('rejects a missing node, file or run', async () => {
    const runId = await ranOnce();
    const node = await cli.call(['rerun', runId, '--from', 'secand']);
    expect({ code: node.code, stdout: node.stdout }).toEqual({ code: 2, stdout: '' });
    expect(node.stderr).toContain('Did you mean "second"?');
    rmSync(path.join(cli.folder, 'three.flow.yaml'));
    const file = await cli.call(['rerun', runId, '--from', 'second']);
    expect({ code: file.code, stdout: file.stdout }).toEqual({ code: 2, stdout: '' });
    expect(file.stderr).toContain('three.flow.yaml');
    const run = await cli.call(['rerun', 'nobody', '--from', 'second']);
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 2, stdout: '' });
    expect(run.stderr).toContain("Run nobody is not in this workspace's history");
    const flag = await cli.call(['rerun', runId]);
    expect({ code: flag.code, stdout: flag.stdout }).toEqual({ code: 2, stdout: '' });
    expect(flag.stderr).toContain('--from NODE');
  });
});

describe('runs delete', () => {
  test('permanently deletes runs from the history by number or id', async () => {
    const [first, second] = [await ranOnce(), await ranOnce()];
    const third = await ranOnce();
    const deleted = await cli.call(['runs', 'delete', first, '#2']);
    expect(deleted).toEqual({ code: 0, stdout: '', stderr: 'Deleted run #1.\nDeleted run #2.\n' });
    const listed = await cli.call(['runs', 'list']);
    expect([first, second, third].map((run) => listed.stdout.includes(run))).toEqual([false, false, true]);
    expect((await cli.call(['runs', 'events', second])).code).toBe(2);
  });

  test('deletes nothing if one of them does not exist', async () => {
    const runId = await ranOnce();
    const refused = await cli.call(['runs', 'delete', runId, '7']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("Run #7 is not in this workspace's history");
    expect((await cli.call(['runs', 'show', runId])).code).toBe(0);
  });
});

describe('runs export', () => {
  test('writes a single JSON value with the whole run, to stdout or to a file that it replaces', async () => {
    const runId = await ranOnce();
    const toStdout = await cli.call(['runs', 'export', runId]);
    expect({ code: toStdout.code, stderr: toStdout.stderr }).toEqual({ code: 0, stderr: '' });
    const stored = await cli.call(['runs', 'events', runId]);
    expect(JSON.parse(toStdout.stdout)).toMatchObject({
      format: 'millrace.run/1',
      run: { runId, status: 'completed' },
      definition: flow(),
      events: eventsOf(stored.stdout),
    });
    cli.write('out/run.json', 'what was there before');
    const toFile = await cli.call(['runs', 'export', runId, '--output', 'out/run.json']);
    expect(toFile).toEqual({ code: 0, stdout: '', stderr: 'Wrote out/run.json.\n' });
    expect(readFileSync(path.join(cli.folder, 'out/run.json'), 'utf8')).toBe(toStdout.stdout);
    expect(readdirSync(path.join(cli.folder, 'out'))).toEqual(['run.json']);
  });

  test('writes the trace of a run to a folder, and its spans like the other formats', async () => {
    const runId = await ranOnce();
    const traced = await cli.call(['runs', 'export', runId, '--format', 'trace', '--out', 'out']);
    const folder = path.join('out', '_workspace', runId);
    expect(traced).toEqual({ code: 0, stdout: '', stderr: `Wrote ${folder}.\n` });
    expect(readdirSync(path.join(cli.folder, folder)).sort()).toEqual(['input', 'output', 'runtime']);
    const spans = await cli.call(['runs', 'export', runId, '--format', 'otlp']);
    expect(JSON.parse(spans.stdout)).toHaveProperty('resourceSpans.0.scopeSpans.0.spans.0.traceId');
    const toFile = await cli.call(['runs', 'export', runId, '--format', 'otlp', '--out', 'spans.json']);
    expect(toFile.stderr).toBe('Wrote spans.json.\n');
    expect(readFileSync(path.join(cli.folder, 'spans.json'), 'utf8')).toBe(spans.stdout);
    cli.write(path.join(folder, 'mine.txt'), 'mine');
    const foreign = await cli.call(['runs', 'export', runId, '--format', 'trace', '--out', 'out']);
    expect({ code: foreign.code, stdout: foreign.stdout }).toEqual({ code: 2, stdout: '' });
    expect(foreign.stderr).toContain('contains mine.txt, which is not part of an export');
  });

  test.each([
    [['--format', 'trace'], '--out DIR'],
    [['--content'], 'only for --format otlp'],
    [['--format', 'yaml'], 'Allowed choices are bundle, trace, otlp'],
  ])('rejects %j', async (flags, said) => {
    const runId = await ranOnce();
    const { code, stdout, stderr } = await cli.call(['runs', 'export', runId, ...flags]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(said);
  });

  test('rejects an unknown run and a path that is not writable, and leaves no files behind', async () => {
    const runId = await ranOnce();
    const unknown = await cli.call(['runs', 'export', 'nobody', '--output', 'run.json']);
    expect({ code: unknown.code, stdout: unknown.stdout }).toEqual({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain("Run nobody is not in this workspace's history");
    const place = await cli.call(['runs', 'export', runId, '--output', 'three.flow.yaml/run.json']);
    expect({ code: place.code, stdout: place.stdout }).toEqual({ code: 2, stdout: '' });
    expect(place.stderr).toContain('--output three.flow.yaml/run.json cannot be written');
    expect(readdirSync(cli.folder).sort()).toEqual(['.millrace', 'three.flow.yaml']);
  });
});

describe('rerun of one item', () => {
  const loop = `
flow: { name: Loop }
nodes:
  - { id: each, type: control.foreach, input: { items: [p, q, r, s, t], body: [say] } }
  - { id: say, type: echo, input: { text: "{{item}}" } }
edges: []`;

  test('13.15 the plan shows how many items are reused, and only that item runs', async () => {
    cli.write('loop.flow.yaml', loop);
    const { stdout } = await cli.call(['run', 'loop.flow.yaml', '--json']);
    const runId = eventsOf(stdout)[0]?.runId ?? '';
    const plan = await cli.call(['rerun', runId, '--from', 'each[3]', '--plan']);
    expect(plan.stdout).toBe('runs again  each: each[3] runs again (4 of 5 items reused)\n');
    const again = await cli.call(['rerun', runId, '--from', 'each[3]', '--json']);
    const events = eventsOf(again.stdout);
    expect(events.flatMap(({ event }) => (event.type === 'task:start' ? event.nodeId : []))).toEqual([
      'each',
      'each[3].say',
    ]);
    const wrong = await cli.call(['rerun', runId, '--from', 'each[5]']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('had no item 5 in this run')]);
  });

  test('13.15 reruns one input of an agent', async () => {
    cli.write('say.aip', '# Output\n\n```lua\nreturn input\n```\n');
    const { stdout } = await cli.call(['run', 'say.aip', '-i', 'p', '-i', 'q', '--json']);
    const runId = eventsOf(stdout)[0]?.runId ?? '';
    const plan = await cli.call(['rerun', runId, '--from', 'input:1', '--plan']);
    expect(plan.stdout).toBe('reused      input:0\nruns again  input:1: it is the input to run again\n');
    const again = eventsOf((await cli.call(['rerun', runId, '--from', 'input:1', '--json'])).stdout);
    expect(again.flatMap(({ event }) => (event.type === 'node:reused' ? event.nodeId : []))).toEqual(['input:0']);
  });
});
