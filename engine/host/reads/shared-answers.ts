/**
 * Answers requests of runs in a shared history. The host of the run receives the answer from there.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { hashOfCut, type SharedAsk, type SharedHistory } from '../../history/postgres/shared-history.ts';
import type { PolicyLayer } from '../../runtime/governance/policy-layer.ts';
import type { PauseAction } from '../../runtime/kernel/hub/run-pause.ts';
import type { ReceivedAnswer } from '../../runtime/kernel/requests/ask.ts';
import type { ResumeRun } from '../executor/continuation.ts';
import { answererOf, decideAnswer, isAsked, systemUser } from '../executor/decide-answer.ts';
import { runNotFound } from '../executor/refusals.ts';
import { readLargeParts } from './shared-history-reads.ts';

interface AnswerContext {
  /** Current time, in epoch milliseconds. */
  readonly now: number;
  /** The policies in effect. */
  readonly policies: readonly PolicyLayer[];
}

/**
 * Records the answer in a request to resume, or a person's decision about a paused run, as for a local run. It is durable when the promise resolves; the run
 * continues when a worker or its engine has received it.
 * @throws EngineError `run.not-found`, `run.invalid-state`, `answer.invalid`, and those of the history
 */
export async function answerSharedRun(
  history: SharedHistory,
  request: ResumeRun,
  context: AnswerContext,
): Promise<void> {
  if (request.action !== undefined) return await letGo(history, request, request.action);
  const answers = await history.readTogether(async (reads) => {
    if ((await reads.findSummary(request.runId)) === undefined) throw runNotFound(request.runId);
    const asks = await reads.asksOf(request.runId);
    const values = await readLargeParts(reads, asks);
    const former = await reads.answersOf(request.runId);
    const snapshot = {
      asks: () => asks,
      answers: () => former,
      readValue: (hash: string) => values.get(hash),
    };
    const decided = decideAnswer(snapshot, request, context);
    if (decided === undefined) return decisionsOf(request, asks, context.now);
    if ('refused' in decided) throw decided.refused;
    return [decided.answer];
  });
  for (const answer of answers) await history.claimAnswer(request.runId, answer);
}

/** Requests that a run start nothing new. @throws EngineError `run.not-found` | `run.invalid-state`, and those of the history */
export async function pauseSharedRun(history: SharedHistory, runId: RunId): Promise<void> {
  if (!(await history.request(runId, 'pause', systemUser())))
    throw await notTaken(history, runId, "can't be paused. Only a run that is queued or running can");
}

async function letGo(history: SharedHistory, request: ResumeRun, action: PauseAction): Promise<void> {
  const { runId } = request;
  if (action !== 'continue' && action !== 'step')
    throw invalidState(
      `Run ${runId} can only continue or take a step. Values of a run in a shared history can't be changed.`,
    );
  if (!(await history.request(runId, action, answererOf(request))))
    throw await notTaken(history, runId, 'is not paused');
}

async function notTaken(history: SharedHistory, runId: RunId, problem: string): Promise<EngineError> {
  const isOfWorkers = (await history.hostOf(runId)) !== undefined;
  return invalidState(
    isOfWorkers
      ? `Run ${runId} ${problem}.`
      : `No worker runs ${runId}. Pause or continue it on the machine that runs it.`,
  );
}

/** Returns a decision for each node with interrupted work that the request names. */
function decisionsOf(request: ResumeRun, asks: readonly SharedAsk[], now: number): readonly ReceivedAnswer[] {
  const { runId, nodeId, decision, comment } = request;
  if (decision === undefined)
    throw invalidState(`Run ${runId} continues by itself. Approve or reject one of its requests.`);
  const by = answererOf(request);
  const cuts = asks.filter((ask) => !isAsked(ask) && !ask.isAnswered && isMeant(ask.name, nodeId));
  if (cuts.length === 0)
    throw invalidState(`Run ${runId} has no open request${nodeId === undefined ? '' : ` of node "${nodeId}"`}.`);
  return cuts.map(({ name, askedSeq }) => ({
    name,
    key: '',
    requestHash: hashOfCut(askedSeq),
    payload: { approved: decision === 'approve', ...(comment === undefined ? {} : { comment }) },
    at: now,
    ...(by === undefined ? {} : { by }),
  }));
}

/** A decision about a node includes everything that waits below it. */
function isMeant(name: string, nodeId: string | undefined): boolean {
  return nodeId === undefined || name === nodeId || name.startsWith(`${nodeId}/`);
}

function invalidState(message: string): EngineError {
  return new EngineError({ code: 'run.invalid-state', message });
}
