/**
 * Runs a sent run again with its recorded results: edges, conditions, loops and child flows are evaluated again, and each
 * node that computes or acts returns what it returned then. Nothing is called, written or asked, and no code runs.
 */
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { asSessionId, type RunId } from '../../base/ids.ts';
import { contentHash } from '../../history/store/large-value.ts';
import { secretNamesOf } from '../../language/bindings/secret-bindings.ts';
import { noSchemaFiles } from '../../language/flow/schema-files.ts';
import { packDefinition } from '../../language/flow/stored-definition.ts';
import { isJsonMap, type JsonMap } from '../../language/json/json-value.ts';
import type { SharedCapabilities } from '../../runtime/kernel/capabilities/capabilities.ts';
import type { RunHost } from '../../runtime/kernel/capabilities/run-host.ts';
import { stopReason } from '../../runtime/kernel/hub/cancel-scope.ts';
import { Suspension } from '../../runtime/kernel/hub/harness.ts';
import type { RunListener } from '../../runtime/kernel/hub/hub-core.ts';
import type { RunSecrets } from '../../runtime/kernel/hub/run-secrets.ts';
import { createInboxRouter } from '../../runtime/kernel/requests/agent-inbox.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { type AcceptedRun, ActiveRuns } from '../executor/active-runs.ts';
import { FlowCalls } from '../executor/flow-caller.ts';
import { FlowDefinitions } from '../executor/flow-definitions.ts';
import { createFlowJob } from '../executor/flow-run-job.ts';
import { createIdSource } from '../executor/id-source.ts';
import { recordRun } from '../executor/run-job.ts';
import { atLevel } from '../executor/unseen-texts.ts';
import { warn } from '../executor/warn.ts';
import { partAgain } from '../rerun/part-of-flow.ts';
import type { ReceivedRun } from './received-run.ts';
import { RecordedSteps } from './recorded-steps.ts';

const registry = createNodeRegistry(builtinNodes);

/** Replays a sent run in its own history. */
export class Replays {
  readonly #received: ReceivedRun;
  readonly #clock: Clock;
  readonly #runs: ActiveRuns;

  constructor(received: ReceivedRun, clock: Clock) {
    this.#received = received;
    this.#clock = clock;
    const { store } = received;
    this.#runs = new ActiveRuns({ store, clock, sessionId, maxConcurrentRuns: 4, onRecordFailure: warn });
  }

  /** @throws EngineError `replay.agent` | `flow.invalid` */
  start(): AcceptedRun {
    const { store, runId: rerunOf, definitions, sourcePath } = this.#received;
    const record = store.getRun(rerunOf);
    const stored = definitions.get(sourcePath);
    if (record === undefined || stored === undefined || record.kind === 'agent') throw onlyFlows();
    const [first] = store.readEvents(rerunOf, -1, 1);
    const start = first?.event.type === 'run:start' ? first.event : undefined;
    const definition = packDefinition(stored);
    const compiled = new FlowDefinitions({ registry, readSchemas: async () => noSchemaFiles });
    const whole = compiled.compiledAsKept(sourcePath, definition);
    const recorded = new RecordedSteps(store, rerunOf);
    const given = recorded.whole(record.inputs);
    const inputs: JsonMap = isJsonMap(given) ? given : {};
    const clock = this.#clock;
    const ids = createIdSource(clock);
    const { name } = record;
    const { runId, number, definitionHash } = recordRun(
      { kind: 'flow', name, sourcePath, definition, inputs, rerunOf },
      { store, clock, ids, sessionId, onRecordFailure: warn },
    );
    const flow = atLevel(partAgain(whole, start ?? {}, recorded.taken.keys()), start?.autonomy);
    const world = { registry, capabilities: noCapabilities, clock, ids, inboxes: createInboxRouter({ clock }) };
    const calls = new FlowCalls({
      ...{ ...world, definitions: compiled, openSecrets: async (names: readonly string[]) => secretsOf(names) },
      readCalledFlow: async (_, named) => ({ problem: `The sent run does not contain the flow ${named}.` }),
    });
    const job = createFlowJob(
      {
        ...{ runId, number, flow, definition, inputs, origin: { sourcePath, definitionHash, rerunOf } },
        ...{ taken: recorded.taken, secrets: secretsOf(secretNamesOf(flow)) },
        host: createReplayHost(recorded, clock),
      },
      world,
      calls,
    );
    return this.#runs.enter(job);
  }

  has(runId: RunId): boolean {
    return this.#runs.has(runId);
  }

  cancel(runId: RunId): void {
    this.#runs.cancel(runId);
  }

  subscribe(listener: RunListener): () => void {
    return this.#runs.subscribe(listener);
  }

  /** Cancels all replays and waits for them. */
  close(): Promise<void> {
    return this.#runs.end();
  }
}

const sessionId = asSessionId('replay');

/** Name of a step: full name of the node, attempt, and the part or the repetition of it. */
const stepName = /^(.*)#(\d+)(?:[:.~]\d+)*$/s;
/** Number of steps after which other work of this process gets its turn. */
const stepsAtOnce = 50;
const never = new Promise<never>(() => undefined);

/** Returns a host that does no work: steps and answers are recorded, and nothing waits. */
function createReplayHost(recorded: RecordedSteps, clock: Clock): RunHost {
  let steps = 0;
  return {
    async step<T>(name: string, work: () => Promise<T>): Promise<T> {
      if (name.endsWith('/begun')) return await work();
      steps += 1;
      if (steps % stepsAtOnce === 0) await new Promise(setImmediate);
      const [, node = name, attempt = '1'] = stepName.exec(name) ?? [];
      return recorded.attemptOf(node, Number(attempt)) as T;
    },
    async timer(_name, _ms, purpose, signal) {
      if (signal?.aborted === true) throw stopReason(signal);
      if (purpose !== 'wait') await untilAbort(signal);
    },
    async signal<T>(name: string): Promise<T> {
      const answer = recorded.answerTo(name.replace(/~\d+$/, ''));
      if (answer === undefined) throw new Suspension();
      return answer as T;
    },
    now: () => clock.now(),
    onCancel: () => () => undefined,
    incarnation: 'replay',
    keepsSteps: true,
  };
}

function untilAbort(signal: AbortSignal | undefined): Promise<never> {
  if (signal === undefined) return never;
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(stopReason(signal)), { once: true });
  });
}

/** Steps do not run, so that nodes use only what concerns the flow itself. */
const noCapabilities = new Proxy(
  { hash: { sha256: contentHash } },
  {
    get(target, name) {
      if (name === 'hash') return target.hash;
      // These are absent without rules and people.
      return name === 'governance' || name === 'permissions' ? undefined : refusing;
    },
    ownKeys: () => ['hash', 'agents', 'code', 'answers', 'tools', 'model', 'files', 'web', 'commands', 'templates'],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  },
) as unknown as SharedCapabilities;

const refusing = new Proxy(
  {},
  {
    get: () => () => {
      throw new EngineError({ code: 'replay.refused', message: 'A replay calls nothing outside the run.' });
    },
  },
);

/** The file contains no secrets. */
function secretsOf(names: readonly string[]): RunSecrets {
  return {
    placeholders: new Map(names.map((name) => [name, '[secret]'])),
    mask: (value) => value,
    stream: (emit) => ({ push: emit, end: () => undefined }),
    namesIn: () => [],
    fill: (text) => text,
    admit: () => undefined,
  };
}

function onlyFlows(): EngineError {
  return new EngineError({
    code: 'replay.agent',
    message: 'Only runs of flows can be replayed, and this is a run of an agent.',
  });
}
