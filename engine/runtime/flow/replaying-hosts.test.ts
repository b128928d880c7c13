/** Tests that a host that replays a run from its records gets the same commands in the same order, and the same log. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asRunId, asSessionId } from '../../base/ids.ts';
import { createCountingIds } from '../../testing/counting-ids.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { type RandomFlow, randomFlow, randomFlowTypes, waitingFlowPlans } from '../../testing/random-flows.ts';
import { type Completion, ReplayingHost } from '../../testing/replaying-host.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { compileText } from '../../testing/test-run.ts';
import type { FlowsCapability } from '../kernel/capabilities/flows-capability.ts';
import { foldRun } from '../kernel/events/fold-run.ts';
import type { EventEnvelope, RunEvent } from '../kernel/events/run-event.ts';
import { emptyRunState } from '../kernel/events/run-state.ts';
import { createCancelScope } from '../kernel/hub/cancel-scope.ts';
import { createHub } from '../kernel/hub/hub.ts';
import { builtinNodes } from '../nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../nodes/node-registry.ts';
import type { FlowRequest } from './run-flow.ts';
import { runRoot } from './run-root.ts';

interface Life {
  readonly journal: readonly Completion[];
  readonly commands: readonly string[];
  readonly worked: readonly string[];
  readonly log: readonly EventEnvelope[];
  readonly last: RunEvent;
  /** Number of commands and events at each completion, by number of completions delivered. */
  readonly places: readonly { readonly commands: number; readonly events: number }[];
}

/** Returns a decision about an interrupted node, or an answer to a request. */
function answerTo(name: string): unknown {
  return name.includes('?') ? { payload: { approved: true }, by: `for ${name}`, at: 7 } : { decision: 'approve' };
}

const called = compileText(`
flow: { name: Called, policy: { maxParallel: 2 } }
nodes:
  - { id: first, type: test.asks, input: {} }
  - { id: pause, type: control.wait, input: { ms: 3 } }
  - { id: each, type: control.foreach, input: { items: [0, 1, 2], body: [ask], maxParallel: 2 } }
  - { id: ask, type: test.asks, input: {} }
edges: [{ from: pause, to: each }]`);

/** Runs the only flow that is called, as a child of the caller. */
function callingOf(request: Omit<FlowRequest, 'flow' | 'host'>): FlowsCapability {
  return {
    async run(_call, { hub, host, signal }) {
      const origin = { sourcePath: 'called.flow.yaml', definitionHash: '1'.repeat(64) };
      const scope = createCancelScope(signal);
      const child = hub.child(asRunId(`below ${hub.taskId}`));
      const end = await runRoot({ ...request, flow: called, ...(host && { host }) }, child, origin, scope);
      if (end.type !== 'run:end') throw new Error('It was suspended, though its host waits');
      signal.throwIfAborted();
      return end.output ?? null;
    },
  };
}

/** Runs the flow from its start, with what earlier processes have completed. */
async function live(
  { flow }: RandomFlow,
  life: { journal?: readonly Completion[]; incarnation: string; seed: number; acted: string[]; cancelAfter?: number },
): Promise<Life> {
  const { journal = [], incarnation, acted, cancelAfter } = life;
  let seed = life.seed;
  const choose = (count: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * count);
  };
  const host = new ReplayingHost({
    ...{ journal, incarnation, choose, answer: answerTo },
    ...(cancelAfter === undefined ? {} : { cancelAfter }),
  });
  const log: EventEnvelope[] = [];
  const clock = { now: () => host.now(), setTimer: () => () => undefined };
  const { hub, subscribe } = createHub({ runId: asRunId('run'), sessionId: asSessionId('session'), clock });
  subscribe((events) => log.push(...events));
  let last: RunEvent | undefined;
  const { capabilities } = createFakeCapabilities();
  const shared = {
    ...{ inputs: {}, ids: createCountingIds(), capabilities },
    registry: createNodeRegistry([...builtinNodes, ...randomFlowTypes(acted)]),
  };
  const request = { ...shared, flow, host, capabilities: { ...capabilities, flows: callingOf(shared) } };
  const origin = { sourcePath: 'test.flow.yaml', definitionHash: '0'.repeat(64) };
  const ended = runRoot(request, hub, origin, createCancelScope()).then((end) => {
    last = end;
  });
  const places: { commands: number; events: number }[] = [];
  await host.run(
    () => last !== undefined,
    () => {
      hub.flush();
      places.push({ commands: host.commands.length, events: log.length });
    },
  );
  await ended;
  if (last === undefined) throw new Error('The run has not ended');
  return { journal: host.journal, commands: host.commands, worked: host.worked, log, last, places };
}

async function expectRepeats(random: RandomFlow, whole: Life, cut: number, acted: string[]): Promise<void> {
  const journal = whole.journal.slice(0, cut);
  const before = acted.length;
  const again = await live(random, { journal, incarnation: `life ${cut}`, seed: cut, acted });
  const place = whole.places[cut];
  expect(again.places[cut]).toEqual(place);
  expect(again.commands.slice(0, place?.commands)).toEqual(whole.commands.slice(0, place?.commands));
  expect(again.log.slice(0, place?.events)).toEqual(whole.log.slice(0, place?.events));
  const finished = new Set(journal.flatMap(({ kind, name }) => (kind === 'step' ? [name] : [])));
  expect(again.worked.filter((name) => finished.has(name))).toEqual([]);
  expect(again.log.map(({ seq }) => seq)).toEqual(again.log.map((_, index) => index));
  const state = foldRun(emptyRunState, again.log);
  expect(state.status).toBe(again.last.type === 'run:end' ? again.last.status : '');
  // A node with outside effects that had started does not start again without a decision.
  const begun = new Set(journal.flatMap(({ name }) => (name.endsWith('/begun') ? [name.split('#')[0]] : [])));
  const asked = new Set(
    again.commands.flatMap((one) => (one.startsWith('signal ') ? [one.slice(7).split('/cut')[0]] : [])),
  );
  for (const id of acted.slice(before)) if (begun.has(id)) expect(asked).toContain(id);
}

test('interrupted after any completion, a random flow repeats its commands and its log, and nothing completed is repeated', async () => {
  const property = fc.asyncProperty(
    waitingFlowPlans,
    fc.nat(),
    fc.option(fc.nat(40)),
    async (plan, seed, cancelAfter) => {
      const random = randomFlow(plan);
      const acted: string[] = [];
      const cancel = cancelAfter === null ? {} : { cancelAfter };
      const whole = await live(random, { incarnation: 'first', seed, acted, ...cancel });
      for (let cut = 0; cut < whole.places.length; cut++) await expectRepeats(random, whole, cut, acted);
    },
  );
  await fc.assert(property, { numRuns: testRounds(4) });
}, 600_000);

test('every attempt has a unique name, also in loops', async () => {
  const random = randomFlow({
    nodes: [{ kind: 'loop', when: undefined, isDisabled: false, continueOnError: undefined, ms: 2 }],
    ...{ links: [], failFast: true, maxParallel: 1, turn: 0 },
  });
  const { commands } = await live(random, { incarnation: 'first', seed: 1, acted: [] });
  expect(commands).toContain('step n0[0].said_n0#1');
  expect(commands).toContain('step n0[2].said_n0#1');
  expect(commands).toContain('timer n0[1].last_n0#1/0');
});

const waits = { when: undefined, isDisabled: false, continueOnError: undefined, ms: 2 } as const;

test('12.1 a waiting node releases its slot if the host waits for answers, and receives them in any order', async () => {
  const random = randomFlow({
    nodes: [
      { ...waits, kind: 'asks' },
      { ...waits, kind: 'wait' },
      { ...waits, kind: 'call' },
    ],
    ...{ links: [], failFast: true, maxParallel: 1, turn: 0 },
  });
  const texts = new Set<unknown>();
  for (let seed = 0; seed < 6; seed++) {
    const { log, last, commands } = await live(random, { incarnation: 'first', seed, acted: [] });
    const { nodes } = foldRun(emptyRunState, log);
    texts.add(log.flatMap(({ event }) => (event.type === 'approval:resolved' ? [event.key] : [])).join());
    expect(nodes.get('n0')?.output).toEqual({ text: 'n0 for n0?one for n0?other for n0?last' });
    expect(commands.filter((one) => one.startsWith('signal n0'))).toEqual(
      ['one', 'other', 'last'].map((key) => `signal n0?${key}`),
    );
    const placeOf = (isIt: (event: RunEvent) => boolean): number => log.findIndex(({ event }) => isIt(event));
    const hasWaited = placeOf((event) => event.type === 'task:complete' && event.nodeId === 'n0');
    expect(placeOf((event) => event.type === 'task:start' && event.nodeId === 'n1')).toBeLessThan(hasWaited);
    expect(last).toMatchObject({ status: 'completed', unpricedCalls: 5 });
  }
  expect(texts.size).toBeGreaterThan(1);
});
