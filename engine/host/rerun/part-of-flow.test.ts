/** Tests runs of a single node, runs up to a node, and runs with pinned outputs. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { RunEvent, RunPart } from '../../runtime/kernel/events/run-event.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { cutRun } from '../../testing/cut-run.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { testNode } from '../../testing/test-node.ts';

/**
 * `load` → `clean` → `mend` → `send`; `load` → `count`; `mend` may read `note`, which may fail. Each node records that
 * it ran.
 */
const flow = ({ when = '', more = '' } = {}): string => `
flow: { name: f, input: { who: you } }
nodes:
  - { id: load, type: act, input: { text: "{{flow.input.who}}" } }
  - { id: clean, type: act, input: { text: "{{load.text}} clean" } }
  - { id: count, type: act, input: { text: "{{load.text}} count" } }
  - { id: note, type: act, input: { text: note } }
  - { id: mend, type: act, ${when} input: { text: "{{clean.text}} mend {{?note.text}}" } }
  - { id: send, type: act, input: { text: "{{mend.text}} send" } }
  - { id: each, type: control.foreach, input: { items: ["{{mend.text}}"], body: [one] } }
  - { id: one, type: act, input: { text: "{{item}} {{count.text}}" } }${more}
edges:
  - { from: load, to: clean }
  - { from: load, to: count }
  - { from: clean, to: mend }
  - { from: mend, to: send }
  - { from: mend, to: each }
  - { from: count, to: each }`;

let world: TestExecutor;
let acted: string[];

beforeEach(async () => {
  acted = [];
  const act = testNode('act', async ({ nodeId, input }) => {
    acted.push(nodeId);
    return { text: String(input['text']) };
  });
  world = await createTestExecutor({ registry: createNodeRegistry([...builtinNodes, act]) });
});
afterEach(() => world.close());

interface Asked {
  readonly part?: RunPart;
  readonly pins?: Record<string, JsonValue>;
  readonly text?: string;
}

async function ran({ text = flow(), ...asked }: Asked = {}) {
  acted.length = 0;
  const { runId, ended } = await world.executor.startRun({ path: 'a.flow.yaml', text, inputs: {}, ...asked });
  const { status } = await ended;
  return { runId, status, ...readRun(runId), acted: [...acted] };
}

function readRun(runId: RunId) {
  const events = world.store.readEvents(runId, -1, 1000).map(({ event }) => event);
  const end = events.find((event): event is Extract<RunEvent, { type: 'run:end' }> => event.type === 'run:end');
  const taken = events.flatMap((event) => (event.type === 'node:reused' ? [event] : []));
  return { events, output: end?.output as JsonMap | undefined, taken };
}

const refused = (asked: Asked) => ran(asked).catch(toErrorRecord);

describe('BB-45 a single node', () => {
  test('runs with the latest outputs of the nodes that it uses, and is recorded like any other run', async () => {
    const whole = await ran();
    const { events, output, taken, acted: didRun, runId } = await ran({ part: { only: 'mend' } });
    expect(didRun).toEqual(['mend']);
    expect(events[0]).toMatchObject({ type: 'run:start', scope: { only: 'mend' } });
    expect(events[0]).not.toHaveProperty('pinned');
    expect(taken).toEqual([
      { type: 'node:reused', nodeId: 'clean', fromRunId: whole.runId, output: { text: 'you clean' } },
      { type: 'node:reused', nodeId: 'note', fromRunId: whole.runId, output: { text: 'note' } },
    ]);
    expect(output).toEqual({ mend: { text: 'you clean mend note' } });
    expect(world.store.getRun(runId)).toMatchObject({ number: 2, status: 'completed' });
    // Runs the whole flow again.
    const again = await world.executor.redo({ runId, text: flow() });
    await again.ended;
    expect(readRun(again.runId).events[0]).toMatchObject({ scope: { only: 'mend' }, redoOf: runId });
    expect(readRun(again.runId).output).toEqual({ mend: { text: 'you clean mend note' } });
  });

  test('prefers pins to the latest run, and the latest run to older ones', async () => {
    await ran();
    await ran({ text: flow().replace('{{load.text}} clean', '{{load.text}} cleaner'), part: { only: 'clean' } });
    expect((await ran({ part: { only: 'mend' } })).output).toEqual({ mend: { text: 'you cleaner mend note' } });
    const pinned = await ran({ part: { only: 'mend' }, pins: { clean: { text: 'mine' } } });
    expect(pinned.output).toEqual({ mend: { text: 'mine mend note' } });
    expect(pinned.events[0]).toMatchObject({ scope: { only: 'mend' }, pinned: ['clean'] });
    expect(pinned.taken[0]).toEqual({ type: 'node:reused', nodeId: 'clean', pin: true, output: { text: 'mine' } });
  });

  test('names the missing values; nothing runs or is recorded', async () => {
    expect(await refused({ part: { only: 'send' } })).toMatchObject({
      code: 'run.missing-outputs',
      message: expect.stringContaining('"mend"'),
      details: { nodeId: 'send', missing: ['mend'] },
    });
    expect(acted).toEqual([]);
    expect(world.store.listRuns({ limit: 10 })).toEqual([]);
    // A value that only an optional binding reads may be missing.
    const { output } = await ran({ part: { only: 'mend' }, pins: { clean: { text: 'x' } } });
    expect(output).toEqual({ mend: { text: 'x mend ' } });
  });

  test('a failure or a skip does not count as an output', async () => {
    await ran({
      text: flow()
        .replace('{ id: clean, type: act,', '{ id: clean, type: control.fail, policy: { continueOnError: true },')
        .replace('clean" } }', 'clean", message: no } }'),
    });
    expect(await refused({ part: { only: 'mend' } })).toMatchObject({ details: { missing: ['clean'] } });
  });

  test('runs regardless of its condition and its edges; a loop runs with its body', async () => {
    await ran();
    const off = await ran({ part: { only: 'mend' }, text: flow({ when: 'disabled: true, when: { exists: nope },' }) });
    expect(off.output).toEqual({ mend: { text: 'you clean mend note' } });
    const loop = await ran({ part: { only: 'each' } });
    expect(loop.acted).toEqual(['one']);
    expect(loop.output).toMatchObject({
      each: { iterations: [{ outputs: { one: { text: 'you clean mend note you count' } } }] },
    });
  });

  test.each([
    ['nobody', 'node.not-found'],
    ['lod', 'node.not-found'],
    ['one', 'node.in-loop'],
  ])('rejects %s with %s', async (only, code) => {
    expect(await refused({ part: { only } })).toMatchObject({ code });
    expect(await refused({ part: { to: only } })).toMatchObject({ code });
    expect(await refused({ pins: { [only]: 1 } })).toMatchObject({ code });
  });
});

describe('BB-46 up to a node', () => {
  test('runs the node and everything it depends on, by edges or by bindings', async () => {
    const { acted: didRun, output, events } = await ran({ part: { to: 'mend' } });
    expect(didRun).toEqual(['load', 'clean', 'note', 'mend']);
    expect(output).toEqual({ mend: { text: 'you clean mend note' } });
    expect(events[0]).toMatchObject({ scope: { to: 'mend' } });
  });

  test('evaluates conditions and skips nodes as usual', async () => {
    const { acted: didRun, output } = await ran({
      part: { to: 'mend' },
      text: flow({ when: 'when: { exists: nope },' }),
    });
    expect(didRun).not.toContain('mend');
    expect(output).toMatchObject({ mend: { skipped: true } });
  });
});

describe('BB-47 BB-48 pinned outputs', () => {
  test('replace their nodes, and nodes that only these need do not run', async () => {
    const { acted: didRun, output, events, taken } = await ran({ pins: { mend: { text: 'pinned' } } });
    // `count` still needs `load`; only `mend` needs `clean`.
    expect(didRun.toSorted()).toEqual(['count', 'load', 'note', 'one', 'send']);
    expect(output).toMatchObject({ send: { text: 'pinned send' } });
    expect(events[0]).toMatchObject({ pinned: ['mend'] });
    expect(events[0]).not.toHaveProperty('scope');
    expect(taken).toEqual([{ type: 'node:reused', nodeId: 'mend', pin: true, output: { text: 'pinned' } }]);
  });

  test('apply in runs up to a node as well, and nodes that are read past the pinned node run', async () => {
    const up = await ran({ part: { to: 'send' }, pins: { mend: { text: 'pinned' } } });
    expect(up.acted).toEqual(['send']);
    const past = await ran({
      part: { to: 'last' },
      pins: { mend: { text: 'p' } },
      text: flow({ more: '\n  - { id: last, type: act, input: { text: "{{mend.text}} {{clean.text}}" } }' }),
    });
    expect(past.acted).toEqual(['load', 'clean', 'last']);
    expect(past.output).toEqual({ last: { text: 'p you clean' } });
  });

  test('conditions of edges read the pinned value', async () => {
    const text = `
flow: { name: f, outputs: { out: "{{yes.text}}", first: "{{a.text}}" } }
nodes:
  - { id: a, type: act, input: { text: a } }
  - { id: is, type: control.if, input: { condition: { exists: nope } } }
  - { id: yes, type: act, input: { text: yes } }
edges:
  - { from: a, to: is }
  - { from: is, to: yes, when: { equals: { var: is.condition, value: true } } }`;
    const { acted: didRun, output } = await ran({ text, pins: { is: { condition: true } } });
    // `a` leads only to the pinned node, but the flow outputs its value.
    expect(didRun).toEqual(['a', 'yes']);
    expect(output).toEqual({ out: 'yes', first: 'a' });
  });

  test('keeps a large pinned value complete for a redo', async () => {
    const text = 'y'.repeat(20_000);
    const { runId } = await ran({ pins: { mend: { text } } });
    const again = await world.executor.redo({ runId, text: flow() });
    await again.ended;
    expect(readRun(again.runId).events[0]).toMatchObject({ pinned: ['mend'], redoOf: runId });
    expect(readRun(again.runId).output).toEqual(readRun(runId).output);
  });

  test('an interrupted run resumes with its pins, and without the nodes they made unnecessary', async () => {
    const whole = await ran({ pins: { mend: { text: 'pinned' } } });
    const cut = await cutRun(world, {
      text: flow(),
      of: whole.runId,
      after: (event) => event.type === 'task:complete' && event.nodeId === 'load',
    });
    acted.length = 0;
    const { ended } = await world.executor.resumeRun({ runId: cut });
    expect((await ended).status).toBe('completed');
    expect(acted).not.toContain('clean');
    expect(acted).not.toContain('load');
    expect(readRun(cut).output).toEqual(whole.output);
  });

  test('a single node that was interrupted resumes with its recorded values', async () => {
    await ran();
    const whole = await ran({ part: { only: 'mend' } });
    const cut = await cutRun(world, {
      text: flow(),
      of: whole.runId,
      after: (event) => event.type === 'task:start',
    });
    acted.length = 0;
    await (await world.executor.resumeRun({ runId: cut })).ended;
    expect(acted).toEqual(['mend']);
    expect(readRun(cut).output).toEqual(whole.output);
  });
});
