/**
 * Runs policies. Each starts once, under an id that was recorded before, and its outcome is also recorded.
 */
import { toErrorRecord } from '../../base/engine-error.ts';
import { asRunId, type RunId, type SessionId } from '../../base/ids.ts';
import { waitFor } from '../../base/wait-for.ts';
import type { EndedRun } from '../../host/executor/active-runs.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { FlowType } from '../catalog/catalogue.ts';
import type { FlowInstance, FlowWait } from '../session/session-state.ts';
import { readSkillResult, type SkillResult } from '../session/skill-result.ts';
import type { ConversationRuns, ConversationWorld } from './conversation-world.ts';
import type { PolicyRun } from './policy-spec.ts';
import { lastResponse, type Need } from './skill-flow.ts';
import { isTurnCancelled, type TurnJournal } from './turn-journal.ts';

/** How a run has ended or what it waits for, as JSON. */
export type RunOutcome =
  | { readonly status: 'completed'; readonly output: JsonValue }
  | { readonly status: 'failed'; readonly code: string; readonly message: string }
  | { readonly status: 'cancelled' }
  | { readonly status: 'waits'; readonly for: FlowWait }
  /** Another flow has to run first, and then the same run continues. */
  | ({ readonly status: 'needs' } & Need);

/** Maximum number of characters of a result in a conversation's state. The run contains the full result. */
const longestResult = 64 * 1024;

export class PolicyRuns {
  readonly #world: ConversationWorld;
  readonly #journal: TurnJournal;
  #current: string | undefined;

  constructor(world: ConversationWorld, journal: TurnJournal) {
    this.#world = world;
    this.#journal = journal;
  }

  /** The run that the turn waits for. */
  get current(): string | undefined {
    return this.#current;
  }

  /** Creates a run for a flow. @param make only called if the run has not started */
  async run(flow: Pick<FlowInstance, 'flowId'>, make: () => Promise<PolicyRun>): Promise<RunOutcome> {
    const runId = await this.#journal.step('run', async () => this.#world.ids.runId() as string);
    // Set before the event, because its subscribers may cancel the turn, which must include the run.
    this.#current = runId;
    this.#journal.emit({ type: 'flow:run', flowId: flow.flowId, runId });
    return await this.#outcome(flow.flowId, runId, { make });
  }

  /** Creates a run without a flow on the stack, such as that of a hook. If it asks people, the turn waits for them. */
  async runBeside(flowId: string, make: () => Promise<PolicyRun>): Promise<RunOutcome> {
    const runId = await this.#journal.step('hook', async () => this.#world.ids.runId() as string);
    return await this.#outcome(flowId, runId, { make }, 'waits');
  }

  /** Returns the current outcome of a run that was waiting. */
  async again(flowId: string, runId: string): Promise<RunOutcome> {
    return await this.#outcome(flowId, runId, {});
  }

  /** Resumes a run that needed another flow, with that flow's result. */
  async proceed(flowId: string, runId: string, found: JsonValue): Promise<RunOutcome> {
    return await this.#outcome(flowId, runId, { found });
  }

  async #outcome(
    flowId: string,
    runId: string,
    ways: RunWays,
    whenAsked: 'ends' | 'waits' = 'ends',
  ): Promise<RunOutcome> {
    this.#current = runId;
    try {
      const outcome = await this.#journal.step(`outcome:${runId}`, async (signal) => {
        const ended = async (): Promise<RunOutcome> => {
          const { sessionId } = this.#journal;
          const placed = { sessionId, flowId, runId: asRunId(runId), signal };
          const first = await runPolicy(this.#world.runs, placed, ways);
          return whenAsked === 'waits' ? await this.#answered(runId, first, signal) : first;
        };
        return (await waitFor(ended(), signal)) as unknown as JsonMap;
      });
      return outcome as unknown as RunOutcome;
    } finally {
      if (!this.#journal.signal.aborted) this.#current = undefined;
    }
  }

  /** Returns the outcome of a run after people have answered all its requests. */
  async #answered(id: string, first: RunOutcome, signal: AbortSignal): Promise<RunOutcome> {
    const { runs } = this.#world;
    const runId = asRunId(id);
    let outcome = first;
    while (outcome.status === 'waits' && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const stop = runs.watch(() => {
          stop();
          resolve();
        });
        signal.addEventListener('abort', stop, { once: true });
      });
      outcome = outcomeOf(await runs.whenEnded(runId), runs);
    }
    return outcome;
  }
}

/** A run of a conversation, and its flow. */
interface PlacedRun {
  readonly sessionId: SessionId;
  readonly flowId: string;
  readonly runId: RunId;
  /** No run starts after the signal has aborted. */
  readonly signal: AbortSignal;
}

/** How to start or continue a run. */
interface RunWays {
  /** Creates the run if it has not started; absent if it has. */
  readonly make?: () => Promise<PolicyRun>;
  /** The result of another flow that the run waits for. */
  readonly found?: JsonValue;
}

/** Starts a run, or continues one that was interrupted or answered, and waits for its outcome. */
export async function runPolicy(
  runs: ConversationRuns,
  { signal, ...conversation }: PlacedRun,
  { make, found: given }: RunWays,
): Promise<RunOutcome> {
  const { runId } = conversation;
  try {
    const found = runs.find(runId);
    if (found === undefined) {
      if (make === undefined)
        return { status: 'failed', code: 'run.not-found', message: `Run ${runId} does not exist.` };
      const run = await make();
      if (signal.aborted) return { status: 'cancelled' };
      await runs.start({ ...run, conversation });
    } else if (found.status === 'interrupted') await runs.resume(runId);
    else if (found.status === 'suspended') {
      if (given !== undefined) await runs.answerNeed(runId, given);
      if (runs.isAnswered(runId)) await runs.resume(runId);
    }
    // The turn was canceled while the run was being prepared and could not be canceled yet.
    if (isTurnCancelled(signal.reason)) runs.cancel(runId);
    return outcomeOf(await runs.whenEnded(runId), runs);
  } catch (thrown) {
    const { code, message } = toErrorRecord(thrown);
    return { status: 'failed', code, message };
  }
}

function outcomeOf({ runId, status, error, waitStatus }: EndedRun, runs: ConversationRuns): RunOutcome {
  switch (status) {
    case 'completed':
      return { status, output: runs.resultOf(runId) };
    case 'skipped':
      return { status: 'completed', output: null };
    case 'cancelled':
      return { status };
    case 'failed':
      return { status, code: error?.code ?? 'internal', message: error?.message ?? 'It failed.' };
    default:
      if (status === 'interrupted' && error !== undefined)
        return { status: 'failed', code: error.code, message: error.message };
      if (status === 'suspended') {
        const need = runs.needOf(runId);
        if (need !== undefined) return { status: 'needs', ...need };
      }
      return { status: 'waits', for: waitOf(waitStatus) };
  }
}

function waitOf(status: EndedRun['waitStatus']): FlowWait {
  if (status === 'PAUSED') return 'pause';
  return status === 'PENDING_USER_INPUT' ? 'user_input' : 'approval';
}

/**
 * Returns the result reported by a policy. A failed run counts as a failure, and a run that completed without an
 * outcome counts as a success.
 */
export function resultOf(
  outcome: Extract<RunOutcome, { readonly status: 'completed' | 'failed' }>,
  policy: FlowType['policy'] | undefined,
): SkillResult {
  if (outcome.status === 'failed')
    return { outcome: 'failure', category: outcome.code, message: outcome.message, partialData: null };
  return readSkillResult(policy !== undefined && 'skill' in policy ? lastResponse(outcome.output) : outcome.output);
}

/** Limits the size of a result for the state. */
export function boundedResult(result: JsonValue, runId: string | null): JsonValue {
  const text = JSON.stringify(result);
  return text.length <= longestResult ? result : { text: `${text.slice(0, 2000)}…`, runId, isCut: true };
}
