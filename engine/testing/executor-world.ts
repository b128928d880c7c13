/**
 * An executor with a separate history and a clock controlled by the test.
 */
import { EngineError } from '../base/engine-error.ts';
import { asSessionId } from '../base/ids.ts';
import type { Owner } from '../history/store/owner.ts';
import { currentOwner } from '../history/store/owner.ts';
import type { RunStore } from '../history/store/run-store.ts';
import { openRunStore } from '../history/store/sqlite-run-store.ts';
import type { AcceptedRun } from '../host/executor/active-runs.ts';
import { createExecutor, type Executor, type ExecutorOptions } from '../host/executor/executor.ts';
import { callKeyOf } from '../language/flow/schema-files.ts';
import type { JsonMap } from '../language/json/json-value.ts';
import type { EventEnvelope } from '../runtime/kernel/events/run-event.ts';
import { createInboxRouter } from '../runtime/kernel/requests/agent-inbox.ts';
import { builtinNodes } from '../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../runtime/nodes/node-registry.ts';
import { createTestAgents } from './agent-world.ts';
import { createCountingIds } from './counting-ids.ts';
import { createFakeCapabilities, type FakeWorld } from './fake-capabilities.ts';
import { namedTexts } from './flow-texts.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';

export interface TestExecutor {
  readonly executor: Executor;
  readonly store: RunStore;
  readonly clock: ManualClock;
  /** Events in the order in which subscribers received them. */
  readonly told: EventEnvelope[];
  /** Errors of the history. */
  readonly failures: EngineError[];
  /** Current text of definitions by path; runs use `a.flow.yaml`. */
  readonly texts: Map<string, string>;
  /** References of installed packs, in order. */
  readonly installed: readonly string[];
  /** Number of reminders sent to people. */
  readonly reminders: number;
  run(text: string, inputs?: JsonMap): Promise<AcceptedRun>;
  close(): Promise<void>;
}

export interface TestExecutorOptions {
  readonly registry?: ExecutorOptions['registry'];
  /** Responds to model requests; without it, the last message is repeated. */
  readonly reply?: FakeWorld['reply'];
  /** Tools in addition to those of `core`. */
  readonly tools?: FakeWorld['tools'];
  /** Checks effects by autonomy level. */
  readonly governance?: FakeWorld['governance'];
  /** Whether the price of a model is known; all are known by default. */
  readonly isPriced?: ExecutorOptions['isPriced'];
  readonly policies?: ExecutorOptions['policies'];
  /** Answered runs without an owner are resumed here. */
  readonly resumesAnswered?: true;
  /** Start of the runs' ids; `run` by default. */
  readonly idPrefix?: string;
  /** Opens the history; in memory by default. */
  readonly openStore?: (context: { clock: ManualClock; owner: Owner }) => Promise<RunStore>;
}

/** Creates the executor, which the caller must close. */
export async function createTestExecutor(options: TestExecutorOptions = {}): Promise<TestExecutor> {
  const { registry = createNodeRegistry(builtinNodes) } = options;
  const { openStore = (context) => openRunStore({ file: null, ...context }) } = options;
  const clock = createManualClock();
  const store = await openStore({ clock, owner: currentOwner() });
  const failures: EngineError[] = [];
  const texts = new Map<string, string>();
  const told: EventEnvelope[] = [];
  let reminders = 0;
  const ids = createCountingIds(options.idPrefix);
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
    ...(options.isPriced === undefined ? {} : { isPriced: options.isPriced }),
    ...(options.policies === undefined ? {} : { policies: options.policies }),
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
