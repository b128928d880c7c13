import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { asRunId, type RunId } from '../../base/ids.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState, type RunState } from '../../runtime/kernel/events/run-state.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { openScopes } from '../../testing/open-scopes.ts';
import { createHistory } from '../reads/history.ts';
import type { EndedRun } from './active-runs.ts';

let world: TestExecutor;
beforeEach(async () => {
  world = await createTestExecutor();
});
afterEach(() => world.close());

/** Returns a flow with these lines as nodes, and edges of the form `a b`. */
function flowOf(
  nodes: readonly string[],
  { edges = [], keys = '' }: { edges?: readonly string[]; keys?: string } = {},
) {
  const drawn = edges.map((edge) => `{ from: ${edge.split(' ')[0]}, to: ${edge.split(' ')[1]} }`);
  return `flow: { name: Of a test${keys} }\nnodes:\n${nodes.map((node) => `  - { ${node} }\n`).join('')}edges: [${drawn.join(', ')}]\n`;
}

const greet = flowOf(['id: say, type: echo, input: { text: "Hello {{flow.input.who}}" }'], {
  keys: ', inputs: { who: { type: string, required: true } }, outputs: { words: "{{say.text}}" }',
});
const calls = (input = '{ who: Ada }'): string =>
  flowOf(
    [
      `id: call, type: flow, input: { flow: greet.flow.yaml, input: ${input} }`,
      'id: after, type: echo, input: { text: "{{call.outputs.words}}!" }',
    ],
    { edges: ['call after'] },
  );

async function run(text: string, inputs?: JsonMap): Promise<EndedRun> {
  return await (await world.run(text, inputs)).ended;
}

function state(): RunState {
  return foldRun(emptyRunState, world.told);
}

function typesOf(isChild: boolean): readonly RunEvent['type'][] {
  return world.told.filter(({ rootRunId }) => (rootRunId !== undefined) === isChild).map(({ event }) => event.type);
}

describe('BB-30 a child flow', () => {
  test('is a separate run in the log of the root, with its own scopes, and its declared outputs are the node’s', async () => {
    world.texts.set('greet.flow.yaml', greet);
    expect((await run(calls())).status).toBe('completed');
    expect(state().output).toEqual({ after: { text: 'Hello Ada!' } });
    expect(state().nodes.get('call')?.output).toEqual({ outputs: { words: 'Hello Ada' } });
    expect(typesOf(true)).toEqual([
      'run:start',
      'phase:start',
      'task:start',
      'node:input',
      'task:complete',
      'phase:complete',
      'run:end',
    ]);
    const [child] = state().children.values();
    expect(child).toMatchObject({ name: 'Of a test', sourcePath: 'greet.flow.yaml', parentTaskId: 'node:call' });
    expect(child?.output).toEqual({ words: 'Hello Ada' });
    expect(world.told.map(({ seq }) => seq)).toEqual(world.told.map((_, index) => index));
    expect(openScopes(world.told)).toEqual([]);
  });

  test('without declared outputs, outputs those of its last nodes; without inputs, starts with its own', async () => {
    world.texts.set(
      'plain.flow.yaml',
      flowOf(['id: one, type: constant, input: { value: "{{flow.input.n}}" }'], { keys: ', input: { n: 3 }' }),
    );
    await run(flowOf(['id: call, type: flow, input: { flow: plain.flow.yaml }']));
    expect(state().nodes.get('call')?.output).toEqual({ outputs: { one: { value: 3 } } });
  });

  test('is in the history with its text and descendants, even if the files are gone', async () => {
    world.texts.set('mid.flow.yaml', calls());
    world.texts.set('greet.flow.yaml', greet);
    await run(flowOf(['id: top, type: flow, input: { flow: mid.flow.yaml }']));
    world.texts.clear();
    const starts = world.told.flatMap(({ event }) => (event.type === 'run:start' ? [event] : []));
    expect(starts.map(({ sourcePath }) => sourcePath)).toEqual(['a.flow.yaml', 'mid.flow.yaml', 'greet.flow.yaml']);
    const [, , inner] = starts.map(({ definitionHash }) => world.store.readDefinition(definitionHash));
    expect(inner).toBe(greet);
    const history = createHistory(world.store);
    const texts = await Promise.all(
      [...state().children.values()].map(async ({ runId }) => {
        return await history.readCalledDefinition(state().runId as RunId, runId as RunId);
      }),
    );
    expect(texts).toEqual([calls(), greet]);
    await expect(history.readCalledDefinition(state().runId as RunId, asRunId('other'))).rejects.toThrow(
      expect.objectContaining({ code: 'run.not-found' }),
    );
  });

  test('uses its version at the start of the run, even if its file changes before its turn', async () => {
    world.texts.set('greet.flow.yaml', greet);
    const text = flowOf(
      [
        'id: rest, type: control.wait, input: { ms: 1000 }',
        'id: call, type: flow, input: { flow: greet.flow.yaml, input: { who: Ada } }',
      ],
      { edges: ['rest call'] },
    );
    const { ended } = await world.run(text);
    world.texts.set('greet.flow.yaml', 'no flow any more');
    await vi.waitFor(() => expect(world.clock.openTimers).toBeGreaterThan(0), 20_000);
    await world.clock.advance(1000);
    expect((await ended).status).toBe('completed');
    expect(state().nodes.get('call')?.output).toEqual({ outputs: { words: 'Hello Ada' } });
  });

  test('that fails makes its node fail with the same error, and its usage counts for the node and the root', async () => {
    world.texts.set(
      'bad.flow.yaml',
      flowOf(
        ['id: ask, type: prompt, input: { prompt: hi }', 'id: no, type: control.fail, input: { message: not today }'],
        { edges: ['ask no'] },
      ),
    );
    const end = await run(
      flowOf(['id: call, type: flow, input: { flow: bad.flow.yaml }, policy: { continueOnError: true }']),
    );
    expect(end.status).toBe('completed');
    expect(state().nodes.get('call')?.error).toMatchObject({ message: 'not today', nodeId: 'call' });
    expect(state().unpricedCalls + (state().costUsd ?? 0)).toBeGreaterThan(0);
    const child = world.told.findLast(({ event, rootRunId }) => event.type === 'run:end' && rootRunId !== undefined);
    expect(child?.event).toMatchObject({ status: 'failed', failedNodes: ['no'] });
    const root = world.told.at(-1)?.event;
    expect(root?.type === 'run:end' && root.usage).toEqual(
      child?.event.type === 'run:end' ? child.event.usage : undefined,
    );
  });

  test('validates inputs that are only known during the run', async () => {
    world.texts.set('greet.flow.yaml', greet);
    const end = await run(calls('"{{flow.input.given}}"'), { given: { whom: 'Ada' } });
    expect(end.error).toMatchObject({ code: 'flow.bad-inputs', nodeId: 'call' });
    expect(end.error?.message).toContain('The input "who" is missing');
    expect(state().children.size).toBe(0);
  });

  test('is canceled with the run that called it, and canceled alone only makes its node fail', async () => {
    world.texts.set('slow.flow.yaml', flowOf(['id: rest, type: control.wait, input: { ms: 60000 }']));
    const text = flowOf(
      [
        'id: call, type: flow, input: { flow: slow.flow.yaml }, policy: { continueOnError: true }',
        'id: after, type: echo, input: { text: "{{call.error.code}}" }',
      ],
      { edges: ['call after'] },
    );
    const first = await world.run(text);
    // The first events of a child run are batched, for at most 16 ms.
    await vi.waitFor(async () => {
      await world.clock.advance(16);
      expect([...state().children.keys()]).toHaveLength(1);
    });
    const [childId] = [...state().children.keys()];
    world.executor.cancelRun(childId as never);
    expect((await first.ended).status).toBe('completed');
    expect(state().nodes.get('after')?.output).toEqual({ text: 'flow.cancelled' });

    const second = await world.run(text);
    const inner = () => world.told.filter(({ rootRunId }) => rootRunId === second.runId);
    await vi.waitFor(async () => {
      await world.clock.advance(16);
      expect(inner()).not.toHaveLength(0);
    });
    world.executor.cancelRun(second.runId);
    expect((await second.ended).status).toBe('cancelled');
    expect(inner().at(-1)?.event).toMatchObject({ type: 'run:end', status: 'cancelled' });
    expect(openScopes(world.told.filter(({ runId, rootRunId }) => (rootRunId ?? runId) === second.runId))).toEqual([]);
  });

  test('uses the model of the run, and its nodes follow its own policy', async () => {
    await world.close();
    world = await createTestExecutor({ reply: () => ({ text: 'yes', finishReason: 'stop' }) });
    world.texts.set(
      'ask.flow.yaml',
      flowOf(['id: ask, type: prompt, input: { prompt: "{{flow.input.q}}" }'], {
        keys: ', outputs: { said: "{{ask.text}}" }',
      }),
    );
    await run(flowOf(['id: call, type: flow, input: { flow: ask.flow.yaml, input: { q: why } }']));
    expect(state().nodes.get('call')?.output).toEqual({ outputs: { said: 'yes' } });
  });

  test('is called for each item in a loop', async () => {
    world.texts.set('greet.flow.yaml', greet);
    await run(
      flowOf([
        'id: each, type: control.foreach, input: { items: [Ada, Bob], maxParallel: 2, body: [call] }',
        'id: call, type: flow, input: { flow: greet.flow.yaml, input: { who: "{{item}}" } }',
      ]),
    );
    const iterations = [...state().children.values()].map(({ parentTaskId, output }) => [parentTaskId, output]);
    expect(iterations).toEqual([
      ['node:each[0].call', { words: 'Hello Ada' }],
      ['node:each[1].call', { words: 'Hello Bob' }],
    ]);
  });
});

describe('BB-31 flows with paths that are only known during the run', () => {
  test('that call themselves are rejected with the chain of names', async () => {
    const on = (name: string, next: string) =>
      world.texts.set(
        name,
        flowOf([`id: call, type: flow, input: { flow: "{{flow.input.next}}" }`], {
          keys: `, input: { next: ${next} }`,
        }),
      );
    on('b.flow.yaml', 'c.flow.yaml');
    on('c.flow.yaml', 'd.flow.yaml');
    on('d.flow.yaml', 'a.flow.yaml');
    on('a.flow.yaml', 'b.flow.yaml');
    const end = await run(world.texts.get('a.flow.yaml') ?? '');
    expect(end.error).toMatchObject({ code: 'flow.not-callable', nodeId: 'call' });
    expect(end.error?.message).toContain('a.flow.yaml -> b.flow.yaml -> c.flow.yaml -> d.flow.yaml -> a.flow.yaml');
    expect(state().children.size).toBe(3);
  });

  test('are at most 16 levels deep', async () => {
    const call = 'id: call, type: flow, input: { flow: "{{flow.input.next}}" }';
    for (let level = 1; level <= 17; level++) {
      const keys = `, input: { next: ${level + 1}.flow.yaml }`;
      world.texts.set(`${level}.flow.yaml`, flowOf([call], { keys }));
    }
    const root = flowOf([call], { keys: ', input: { next: 1.flow.yaml }' });
    const end = await run(root);
    expect(end.error?.message).toContain('flow calls can be nested at most 16 deep');
    expect(end.error?.message).toContain('a.flow.yaml -> 1.flow.yaml');
    expect(state().children.size).toBe(16);
  });
});

describe('BB-33 a rerun', () => {
  const text = calls();
  const plan = async (runId: EndedRun['runId'], now = text) =>
    (await world.executor.plans.planRerun({ runId, text: now })).map(({ nodeId, fate, why }) => [nodeId, fate, why]);

  test('reuses the node as a whole if its flow, nested flows and its input are unchanged', async () => {
    world.texts.set('mid.flow.yaml', text);
    world.texts.set('greet.flow.yaml', greet);
    const root = flowOf(
      ['id: top, type: flow, input: { flow: mid.flow.yaml }', 'id: end, type: control.noop, input: {}'],
      {
        edges: ['top end'],
      },
    );
    const { runId } = await run(root);
    expect(await plan(runId, root)).toEqual([
      ['top', 'reused', ''],
      ['end', 'reused', ''],
    ]);
    const before = world.told.length;
    const { ended } = await world.executor.rerunFrom({ runId, nodeId: 'end', text: root });
    await ended;
    const types = world.told.slice(before).map(({ event }) => event.type);
    expect(types.filter((type) => type === 'run:start')).toHaveLength(1);
    expect(types).toContain('node:reused');

    world.texts.set('greet.flow.yaml', greet.replace('Hello', 'Goodbye'));
    const [first] = await plan(runId, root);
    expect(first).toEqual(['top', 'runs', 'the called flow or its dependencies have changed']);
  });

  test('runs the node if its input or text has changed, or if the flow is only known during the run', async () => {
    world.texts.set('greet.flow.yaml', greet);
    const { runId } = await run(text);
    expect((await plan(runId, calls('{ who: Bob }')))[0]?.[1]).toBe('runs');
    const bound = flowOf(['id: call, type: flow, input: { flow: "{{flow.input.f}}", input: { who: Ada } }'], {
      keys: ', input: { f: greet.flow.yaml }',
    });
    const known = 'the flow it calls is known only during the run';
    expect(await plan((await run(bound)).runId, bound)).toEqual([['call', 'runs', known]]);
  });

  test('reports that a child flow with effects would have them again', async () => {
    world.texts.set(
      'log.flow.yaml',
      flowOf(['id: log, type: file.write, input: { path: a.txt, text: hi }, config: { mode: append }']),
    );
    const root = flowOf(['id: call, type: flow, input: { flow: log.flow.yaml }']);
    const { runId } = await run(root);
    const [step] = await world.executor.plans.planRerun({ runId, text: root, nodeId: 'call' });
    expect(step?.repeatsOutside).toBe(true);
  });
});
