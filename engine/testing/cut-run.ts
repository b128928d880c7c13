/**
 * Creates runs in a history as a crash leaves them.
 */
import { asRunId, asSessionId, type RunId } from '../base/ids.ts';
import type { NewRun } from '../history/store/run-store.ts';
import type { EventEnvelope, RunEvent } from '../runtime/kernel/events/run-event.ts';
import type { TestExecutor } from './executor-world.ts';

interface Cut {
  readonly text: string;
  /** Returns true for the last event before the crash; without it, the crash comes before the first event. */
  readonly after?: (event: RunEvent) => boolean;
  readonly lineage?: Pick<NewRun, 'rerunOf' | 'nodeSettings'>;
  /** The run with the log to cut; by default a run of the text. */
  readonly of?: RunId;
}

/** Adds an interrupted run to the history of `world`. */
export async function cutRun(world: TestExecutor, { text, after, lineage = {}, of }: Cut): Promise<RunId> {
  const { store } = world;
  const runId = asRunId(`cut-${store.listRuns({ limit: 100 }).length}`);
  const sessionId = asSessionId('gone');
  const described = { runId, sessionId, kind: 'flow', name: 'cut', sourcePath: 'a.flow.yaml', inputs: {} } as const;
  const events = after === undefined ? [] : await logUntil(world, { text, of, after });
  store.createRun({ ...described, definition: text, queuedAt: world.clock.now(), ...lineage });
  store.append(
    runId,
    events.map((envelope) => ({ ...asOf(envelope, runId), context: { ...envelope.context, sessionId } })),
  );
  store.giveUp(runId);
  return runId;
}

/**
 * Adds a run interrupted after `log` to the history of `world`. The log must start a run of that history and is copied
 * to the new run.
 * @returns the interrupted run
 */
export function cutBehind(world: TestExecutor, log: readonly EventEnvelope[]): RunId {
  const { store } = world;
  const [first] = log;
  const former = first === undefined ? undefined : store.getRun(first.runId);
  const definition = former === undefined ? undefined : store.readDefinition(former.definitionHash);
  if (former === undefined || definition === undefined) throw new Error('The log must begin a run of the history');
  const { kind, name, sourcePath, inputs } = former;
  const runId = asRunId(`cut-${store.listRuns({ limit: 10_000 }).length}`);
  const sessionId = asSessionId('gone');
  store.createRun({ runId, sessionId, kind, name, sourcePath, inputs, definition, queuedAt: world.clock.now() });
  store.append(
    runId,
    log.map((envelope) => ({ ...asOf(envelope, runId), context: { ...envelope.context, sessionId } })),
  );
  store.giveUp(runId);
  return runId;
}

/** Returns the event as one of the run `root`, or of its child run. */
function asOf(envelope: EventEnvelope, root: RunId): EventEnvelope {
  const { rootRunId, parentRunId } = envelope;
  if (rootRunId === undefined || parentRunId === undefined) return { ...envelope, runId: root };
  return { ...envelope, parentRunId: parentRunId === rootRunId ? root : parentRunId, rootRunId: root };
}

async function logUntil(
  world: TestExecutor,
  { text, of, after }: { text: string; of: RunId | undefined; after(event: RunEvent): boolean },
): Promise<readonly EventEnvelope[]> {
  const run = of === undefined ? await world.run(text) : undefined;
  await run?.ended;
  const log = world.store.readEvents(run?.runId ?? of ?? asRunId(''), -1, 1000);
  return log.slice(0, log.findIndex(({ event }) => after(event)) + 1);
}
