/** Tests that a run repeats itself exactly, whatever breaks: connections, or the process that executes it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asRunId, asSessionId, nodeNameOf } from '../../base/ids.ts';
import type { FlowRequest } from '../../runtime/flow/run-flow.ts';
import { runRoot } from '../../runtime/flow/run-root.ts';
import type { FlowsCapability } from '../../runtime/kernel/capabilities/flows-capability.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { createCancelScope } from '../../runtime/kernel/hub/cancel-scope.ts';
import { createHub } from '../../runtime/kernel/hub/hub.ts';
import { RunPause } from '../../runtime/kernel/hub/run-pause.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { createCountingIds } from '../../testing/counting-ids.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { type RandomFlow, randomFlow, randomFlowTypes, waitingFlowPlans } from '../../testing/random-flows.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { compileText } from '../../testing/test-run.ts';
import type { Journal } from './journal.ts';
import { RunSession } from './run-session.ts';
import { StepTexts } from './step-text.ts';
import { StoredJournal, TestJournal } from './testing/test-journal.ts';

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
      const child = hub.child(asRunId(`below ${hub.taskId}`));
      const end = await runRoot(
        { ...request, flow: called, ...(host && { host }) },
        child,
        origin,
        createCancelScope(signal),
      );
      if (end.type !== 'run:end') throw new Error('It was suspended, though its host waits');
      signal.throwIfAborted();
      return end.output ?? null;
    },
  };
}

/** What survives processes. */
interface Surviving {
  readonly acted: string[];
  /** Events by number, which each process must repeat. */
  readonly log: EventEnvelope[];
  /** Nodes that were let go, with the number of messages at that time. */
  readonly letGo: Set<string>;
}

/** One process that executes the run. Its session may have several attempts. */
class TestProcess {
  readonly session: RunSession;
  readonly #random: RandomFlow;
  readonly #stored: StoredJournal;
  readonly #known: Surviving;
  readonly #pause: RunPause;
  #flush: () => void = () => undefined;

  constructor(random: RandomFlow, stored: StoredJournal, known: Surviving, isPaused: boolean) {
    this.#random = random;
    this.#stored = stored;
    this.#known = known;
    this.#pause = new RunPause(isPaused);
    const noHistory = { keepText: () => Promise.reject(new Error('full')), readText: () => Promise.resolve(undefined) };
    this.session = new RunSession({
      texts: new StepTexts(asRunId('run'), noHistory),
      whenRoom: () => Promise.resolve(),
      onQuiet: (waitsFor) => {
        this.#flush();
        if (waitsFor !== undefined && this.#pause.firstHeld !== undefined) this.#letGo(waitsFor);
      },
      onNews: () => undefined,
      pause: this.#pause,
      idleMs: 3_600_000,
      onStep: () => undefined,
    });
  }

  attempt(journal: Journal): Promise<void> {
    return this.session.attach(journal, () => this.#run());
  }

  async #run(): Promise<void> {
    const { session } = this;
    await session.step('start', () => Promise.resolve(null));
    const clock = { now: () => session.now(), setTimer: () => () => undefined };
    const { hub, subscribe } = createHub({ runId: asRunId('run'), sessionId: asSessionId('session'), clock });
    this.#flush = () => hub.flush();
    subscribe((events) => {
      for (const envelope of events) this.#take(envelope);
    });
    const { capabilities } = createFakeCapabilities();
    const shared = {
      ...{ inputs: {}, ids: createCountingIds(), capabilities },
      registry: createNodeRegistry([...builtinNodes, ...randomFlowTypes(this.#known.acted)]),
    };
    const { flow } = this.#random;
    const request = { ...shared, flow, host: session, capabilities: { ...capabilities, flows: callingOf(shared) } };
    await runRoot(
      request,
      hub.with({ pause: this.#pause }),
      { sourcePath: 'a.flow.yaml', definitionHash: '0'.repeat(64) },
      createCancelScope(),
    );
    hub.flush();
  }

  /** Compares a repeated event, and answers a new request. */
  #take(envelope: EventEnvelope): void {
    const { log } = this.#known;
    const former = log[envelope.seq];
    if (former !== undefined) {
      expect(envelope).toEqual(former);
      return;
    }
    log[envelope.seq] = envelope;
    const { event, runId } = envelope;
    const caller = nodeNameOf(runId.split(' ')[1]);
    const nameOf = (nodeId: string): string => (caller === undefined ? nodeId : `${caller}/${nodeId}`);
    if (event.type === 'approval:requested')
      this.#tell({ name: nameOf(event.nodeId), key: event.key, requestHash: event.requestHash });
    if (event.type === 'node:suspended' && event.request.reason === 'operator')
      this.#tell({ name: nameOf(event.nodeId), key: '', requestHash: '' });
  }

  #tell(asked: { readonly name: string; readonly key: string; readonly requestHash: string }): void {
    const { messages } = this.#stored;
    const answer = { ...asked, payload: { approved: true }, by: `for ${asked.name}`, at: 7 };
    const message = JSON.stringify({ id: `answer/${messages.length}`, at: 7, answer });
    // Messages may be delivered twice.
    messages.push(message, message);
  }

  /** Lets a held node start. Every third time, the run stays unpaused until a person pauses it again. */
  #letGo(name: string): void {
    const { messages } = this.#stored;
    const { letGo, log } = this.#known;
    const place = `${name} after ${log.length}`;
    if (letGo.has(place)) return;
    letGo.add(place);
    const isLast = letGo.size % 3 === 0;
    const kinds = isLast ? ['continue', 'pause'] : ['step'];
    for (const kind of kinds) {
      const message = JSON.stringify({ id: `${kind}/${messages.length}`, hold: { kind, at: 7, by: 'kim' } });
      messages.push(message, message);
    }
  }
}

function choosing(start: number): (count: number) => number {
  let seed = start;
  return (count) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * count);
  };
}

interface Break {
  readonly after: number;
  readonly isOfProcess: boolean;
}

/** Runs the flow through all breaks to its end. */
async function live(
  random: RandomFlow,
  breaks: readonly Break[],
  { seed, cancelAt, isPaused = false }: { seed: number; cancelAt: number; isPaused?: boolean },
) {
  const stored = new StoredJournal();
  const known: Surviving = { acted: [], log: [], letGo: new Set() };
  const choose = choosing(seed);
  let current = new TestProcess(random, stored, known, isPaused);
  for (const [place, { after, isOfProcess }] of breaks.entries()) {
    if (place === cancelAt) stored.isCanceled = true;
    const journal = new TestJournal({ stored, choose, breakAfter: after });
    await Promise.race([current.attempt(journal), journal.broken]);
    if (isOfProcess) current = new TestProcess(random, stored, known, isPaused);
  }
  await current.attempt(new TestJournal({ stored, choose }));
  return { ...known, stored };
}

const breaksOf = fc.array(fc.record({ after: fc.nat(12), isOfProcess: fc.boolean() }), { maxLength: 8 });

test('13.11 whatever connections and processes break, a random flow repeats its operations and its events', async () => {
  const property = fc.asyncProperty(
    waitingFlowPlans,
    breaksOf,
    fc.nat(),
    fc.nat(20),
    async (plan, breaks, seed, cancelAt) => {
      const { log } = await live(randomFlow(plan), breaks, { seed, cancelAt });
      expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index));
      expect(log.at(-1)?.event.type).toBe('run:end');
    },
  );
  await fc.assert(property, { numRuns: testRounds(60) });
}, 600_000);

test('13.5 a paused run that takes steps gives the same results, whatever breaks, and repeats its events', async () => {
  let heldTimes = 0;
  const property = fc.asyncProperty(waitingFlowPlans, breaksOf, fc.nat(), async (plan, breaks, seed) => {
    const paused = await live(randomFlow(plan), breaks, { seed, cancelAt: -1, isPaused: true });
    const free = await live(randomFlow(plan), [], { seed, cancelAt: -1 });
    const end = ({ log }: Surviving) => log.at(-1)?.event;
    expect(end(paused)).toMatchObject({ type: 'run:end', status: (end(free) as { status?: string }).status });
    heldTimes += paused.letGo.size;
  });
  await fc.assert(property, { numRuns: testRounds(40) });
  expect(heldTimes).toBeGreaterThan(0);
}, 600_000);

test('13.11 when only connections break, nothing that acts runs twice, and nobody is asked', async () => {
  const property = fc.asyncProperty(waitingFlowPlans, breaksOf, fc.nat(), async (plan, breaks, seed) => {
    const lost = breaks.map(({ after }) => ({ after, isOfProcess: false }));
    const { acted, log } = await live(randomFlow(plan), lost, { seed, cancelAt: -1 });
    const { acted: actedAlone } = await live(randomFlow(plan), [], { seed, cancelAt: -1 });
    expect([...acted].sort()).toEqual([...actedAlone].sort());
    const cuts = log.filter(({ event }) => event.type === 'node:suspended' && event.request.reason === 'operator');
    expect(cuts).toEqual([]);
  });
  await fc.assert(property, { numRuns: testRounds(40) });
}, 600_000);
