/**
 * Takes one turn, from the message to the reply: predicts the meaning, runs the required flows, and words the reply.
 */
import { EngineError } from '../../base/engine-error.ts';
import { asRunId } from '../../base/ids.ts';
import { overBudgetCode } from '../../runtime/kernel/hub/cancel-scope.ts';
import { resumedFlow, stackedFlowText } from '../meaning/acknowledgement.ts';
import { nameWords, plainNews, plainReply, replyQuestion } from '../meaning/reply-prompt.ts';
import { popFinished } from '../session/flow-stack.ts';
import { type FlowInstance, isOver, type UserMessage } from '../session/session-state.ts';
import { endTurn } from '../session/turn.ts';
import { execute } from './execute.ts';
import type { TurnContext } from './turn-context.ts';
import { understand } from './understand.ts';

/** Error code of effects that a policy has refused. */
const deniedCode = 'effect.denied';

/** Takes the open turn. */
export async function takeTurn(turn: TurnContext): Promise<void> {
  const message = turn.state.turn?.message;
  if (message === undefined) return;
  const { rounds, isGuarded } = await work(turn, message);
  const said = [await respond(turn), endWords(turn, isGuarded)].filter((words) => words !== '');
  cancelWaiting(turn);
  const ended = isGuarded ? 'guard' : 'done';
  const outcome = (turn.overBudget ?? turn.withheld) === undefined ? ended : 'failed';
  turn.journal.take(endTurn(turn.state, { reply: said.join('\n\n'), keepGoingRounds: rounds, outcome }));
}

/**
 * Predicts the meaning of the message and runs the required flows. If the budget is exhausted, open flows stay
 * unchanged, and flows that have ended are reported.
 */
async function work(turn: TurnContext, message: UserMessage): ReturnType<typeof execute> {
  try {
    const isClear = await understand(turn, message);
    // The waiting flow may be the one that the person no longer wants.
    const isAsked = turn.state.ambiguity?.level === 'confirmation' && turn.state.ambiguity.flowId === null;
    if (!isClear && (turn.active === undefined || turn.withheld !== undefined || isAsked))
      return { rounds: 0, isGuarded: false };
    return await execute(turn);
  } catch (thrown) {
    if (!EngineError.is(thrown) || thrown.code !== overBudgetCode) throw thrown;
    return { rounds: 0, isGuarded: false };
  }
}

/** Returns why the turn ends early; empty if it was complete. */
function endWords({ overBudget, withheld, state }: TurnContext, isGuarded: boolean): string {
  if (overBudget === undefined && withheld === undefined) {
    const next = state.stack.find((flow) => !isOver(flow));
    return isGuarded && next !== undefined
      ? `That is a lot for one turn. ${nameWords(next)} is next. Shall I continue?`
      : '';
  }
  const kept = state.stack.length === 0 ? '' : 'All flows in progress are kept. ';
  if (overBudget !== undefined) return `I'm stopping here. ${overBudget} ${kept}Your next message has a new budget.`;
  return `This was not sent to a model. ${withheld} ${kept}Your next message works as usual.`;
}

/**
 * Ends the turn (RES): pops ended flows and returns the reply with their results or the open question; empty if there
 * is nothing to report.
 */
async function respond(turn: TurnContext): Promise<string> {
  turn.journal.take(popFinished(turn.state));
  const intent = turn.active?.intent ?? turn.state.turn?.popped.at(-1)?.intent;
  const started = await turn.hook('start', intent);
  const draft = started.reply ?? (await written(turn));
  const finished = await turn.hook('finish', intent, { reply: draft });
  if (started.refuse !== undefined || finished.refuse !== undefined)
    turn.journal.emit({ type: 'state:flags', hasIssues: true });
  return finished.reply ?? draft;
}

async function written(turn: TurnContext): Promise<string> {
  const { state, catalogue } = turn;
  const { messages, scratchpad, summary } = turn.prompted;
  const said = {
    questions: await questionsOf(turn),
    understood: [...turn.understood, ...stackedFlowText(state, turn.journal.told)],
    resumed: resumedFlow(state, turn.journal.told),
  };
  if ((turn.overBudget ?? turn.withheld) !== undefined) return plainNews(state, said);
  const plain = plainReply(state, said);
  // A model never words replies that a person must act on, that a script determines, or that name the rule behind a
  // policy's refusal.
  const waits = turn.active?.waitsFor ?? null;
  const isRefused = state.ambiguity?.metadata['error_category'] === deniedCode;
  const isCorrecting = state.ambiguity?.metadata['correction'] !== undefined;
  if (!turn.asksModels || waits !== null || isRefused || isCorrecting) return plain;
  const question = replyQuestion({ ...state, messages, scratchpad, summary }, catalogue, said.understood);
  const { text } = await turn.write('reply', question);
  return typeof text === 'string' && text.trim() !== '' ? text : plain;
}

/** Returns the open requests of the Active flow's run. */
async function questionsOf({ active, journal, world }: TurnContext): Promise<readonly string[]> {
  if (!isWaiting(active)) return [];
  const { runId } = active;
  return await journal.step('questions', async () => [...world.runs.questionsOf(asRunId(runId))]);
}

function isWaiting(flow: FlowInstance | undefined): flow is FlowInstance & { readonly runId: string } {
  return flow !== undefined && flow.waitsFor !== null && flow.runId !== null;
}

/** Cancels the open requests of runs whose flows were dropped. */
function cancelWaiting({ state, world }: TurnContext): void {
  for (const { status, runId } of state.turn?.popped ?? []) {
    if (status !== 'Invalid' || runId === null) continue;
    if (world.runs.find(asRunId(runId))?.status === 'suspended') world.runs.cancel(asRunId(runId));
  }
}
