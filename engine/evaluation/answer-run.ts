/**
 * Runs a flow or an agent to its end, and answers what it asks.
 */
import { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import type { Engine } from '../engine.ts';
import type { WaitingEntry } from '../history/store/waiting-store.ts';
import type { CaseAnswer } from '../language/cases/case-doc.ts';
import type { JsonMap } from '../language/json/json-value.ts';

/** How a run ended or waits. */
export interface AnsweredRun {
  /** Answers that nothing asked for. */
  readonly unused: readonly CaseAnswer[];
  /** Full names of nodes that wait without an answer. */
  readonly unanswered: readonly string[];
}

/** Waits until a run has ended, or waits for something that has no answer. */
export async function answerRun(
  engine: Engine,
  runId: RunId,
  given: readonly CaseAnswer[] = [],
  signal?: AbortSignal,
): Promise<AnsweredRun> {
  const answers = [...given];
  for (;;) {
    const { status } = await engine.whenEnded(runId);
    signal?.throwIfAborted();
    if (status !== 'suspended') return { unused: answers, unanswered: [] };
    const waiting = (await engine.listWaiting()).filter((entry) => entry.runId === runId);
    const open = waiting.find((entry) => indexOf(answers, entry) !== -1);
    if (open === undefined) return { unused: answers, unanswered: waiting.map(({ name }) => name) };
    const [answer] = answers.splice(indexOf(answers, open), 1);
    await give(engine, runId, open, answer as CaseAnswer);
  }
}

function indexOf(answers: readonly CaseAnswer[], { name, key, isPermission }: WaitingEntry): number {
  if (isPermission === true) return -1;
  return answers.findIndex((answer) => answer.node === name && (answer.key === undefined || answer.key === key));
}

async function give(
  engine: Engine,
  runId: RunId,
  { name, key, kind }: WaitingEntry,
  answer: CaseAnswer,
): Promise<void> {
  const { decision, values, comment, by } = answer;
  const said = { ...(comment === undefined ? {} : { comment }), ...(by === undefined ? {} : { by }) };
  const place = { runId, nodeId: name, ...(key === undefined ? {} : { key }), ...said };
  try {
    if (kind === 'input') await engine.resumeRun({ ...place, payload: { values: values ?? {} } });
    else await engine.resumeRun({ ...place, ...answerOf(decision, values) });
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    throw new EngineError({
      code: 'test.bad-answer',
      message: `The answer for "${name}" was refused: ${error.message} Change it in \`answers\`.`,
    });
  }
}

function answerOf(
  decision: CaseAnswer['decision'] = 'approve',
  values: JsonMap | undefined,
): { readonly payload: JsonMap } | { readonly decision: 'approve' | 'reject' } {
  return values === undefined ? { decision } : { payload: { ...values, approved: decision === 'approve' } };
}
