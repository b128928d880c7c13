/**
 * An executor with a history of its own, on a clock that the test moves.
 */
import { EngineError } from '../base/engine-error.ts';
import { asSessionId } from '../base/ids.ts';
import type { AcceptedRun } from '../executor/active-runs.ts';
import { createExecutor, type Executor, type ExecutorOptions } from '../executor/executor.ts';
import type { JsonMap } from '../flowspec/json-value.ts';
import { callKeyOf } from '../flowspec/schema-files.ts';
import { createInboxRouter } from '../kernel/inbox.ts';
import type { EventEnvelope } from '../kernel/run-event.ts';
import { builtinNodes } from '../nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../nodes/node-registry.ts';
import type { Owner } from '../store/owner.ts';
import { currentOwner } from '../store/owner.ts';
import type { RunStore } from '../store/run-store.ts';
import { openRunStore } from '../store/sqlite-run-store.ts';
import { createTestAgents } from './agent-world.ts';
import { createCountingIds } from './counting-ids.ts';
import { createFakeCapabilities, type FakeWorld } from './fake-capabilities.ts';
import { namedTexts } from './flow-texts.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';

export interface TestExecutor {
  readonly executor: Executor;
  readonly store: RunStore;
  readonly clock: ManualClock;
  /** Events in the order listeners got them. */
  readonly told: EventEnvelope[];
  /** What the history could not take. */
  readonly failures: EngineError[];
  /** Present text of definitions, by path; runs are of `a.flow.yaml`. */
  readonly texts: Map<string, string>;
  /** References of packs that were installed, in order. */
  readonly installed: readonly string[];
  /** How often people were reminded of something. */
  readonly reminders: number;
  run(text: string, inputs?: JsonMap): Promise<AcceptedRun>;
  close(): Promise<void>;
}

export interface TestExecutorOptions {
  readonly registry?: ExecutorOptions['registry'];
  /** Answers the requests to models; without it, the last message is repeated. */
  readonly reply?: FakeWorld['reply'];
  /** Tools beside those of `core`. */
  readonly tools?: FakeWorld['tools'];
  /** Judges what acts at levels of autonomy. */
  readonly governance?: FakeWorld['governance'];
  /** Runs that nobody has go on here, when they were answered. */
  readonly resumesAnswered?: true;
  /** Opens the history; without it, one in memory. */
  readonly openStore?: (context: { clock: ManualClock; owner: Owner }) => Promise<RunStore>;
}

/** Makes the executor; whoever makes it closes it. */
export async function createTestExecutor(options: TestExecutorOptions = {}): Promise<TestExecutor> {
  const { registry = createNodeRegistry(builtinNodes) } = options;
  const { openStore = (context) => openRunStore({ file: null, ...context }) } = options;
  const clock = createManualClock();
  const store = await openStore({ clock, owner: currentOwner() });
  const failures: EngineError[] = [];
  const texts = new Map<string, string>();
  const told: EventEnvelope[] = [];
  let reminders = 0;
  const ids = createCountingIds();
  const { capabilities } = createFakeCapabilities({
    ...(options.reply === undefined ? {} : { reply: options.reply }),
    ...(options.tools === undefined ? {} : { tools: options.tools }),
    ...(options.governance === undefined ? {} : { governance: options.governance }),
  });
  const { runs, agents, world, installed } = createTestAgents({ texts, clock, ids, capabilities });
  const executor = createExecutor({
    ...world,
    store,
    registry,
    agentRuns: runs,
    openSecrets: () => Promise.reject(new Error('This test has no secrets.')),
    capabilities: { ...capabilities, agents },
    onRefusedRedo: (error) => failures.push(error),
    onRefusedResume: (error) => failures.push(error),
    onReminded: () => {
      reminders += 1;
    },
    ...(options.resumesAnswered === true ? { resumesAnswered: async () => true } : {}),
    inboxes: createInboxRouter({ clock }),
    clock,
    ids,
    sessionId: asSessionId('s'),
    onRecordFailure: (error) => failures.push(error),
    async readDefinition(path) {
      const text = texts.get(path);
      if (text === undefined) throw new EngineError({ code: 'files.not-found', message: path });
      return text;
    },
    readSchemas: async (_path, names) => namedTexts(texts, names, registry),
    async readCalledFlow(_path, name) {
      const key = callKeyOf(name);
      return namedTexts(texts, [key], registry).get(key) ?? { problem: name };
    },
    maxConcurrentRuns: 4,
  });
  executor.subscribe((events) => told.push(...events));
  return {
    executor,
    store,
    clock,
    told,
    failures,
    texts,
    installed,
    get reminders() {
      return reminders;
    },
    run: (text, inputs = {}) => executor.startRun({ path: 'a.flow.yaml', text, inputs }),
    async close() {
      await executor.close();
      store.close();
    },
  };
}
