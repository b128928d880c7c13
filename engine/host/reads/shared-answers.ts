/**
 * Answers requests of runs in a shared history. The host of the run receives the answer from there.
 */
import { EngineError } from '../../base/engine-error.ts';
import { hashOfCut, type SharedAsk, type SharedHistory } from '../../history/postgres/shared-history.ts';
import type { PolicyLayer } from '../../runtime/governance/policy-layer.ts';
import type { ReceivedAnswer } from '../../runtime/kernel/requests/ask.ts';
import type { ResumeRun } from '../executor/continuation.ts';
import { answererOf, decideAnswer, isAsked } from '../executor/decide-answer.ts';
import { runNotFound } from '../executor/refusals.ts';
import { readLargeParts } from './shared-history-reads.ts';

interface AnswerContext {
  /** Current time, in epoch milliseconds. */
  readonly now: number;
  /** The policies in effect. */
  readonly policies: readonly PolicyLayer[];
}

/**
 * Records the answer in a request to resume, as for a local run. It is durable when the promise resolves; the run
 * continues when a worker or its engine has received it.
 * @throws EngineError `run.not-found`, `run.invalid-state`, `answer.invalid`, and those of the history
 */
export async function answerSharedRun(
  history: SharedHistory,
  request: ResumeRun,
  context: AnswerContext,
): Promise<void> {
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
