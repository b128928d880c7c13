/**
 * One turn, from a message to the reply: what is meant, what that needs, what is said.
 */
import { asRunId } from '../base/ids.ts';
import { popFinished } from '../dialogue/flow-stack.ts';
import { plainReply, replyQuestion } from '../dialogue/reply-prompt.ts';
import type { FlowInstance } from '../dialogue/session-state.ts';
import { endTurn } from '../dialogue/turn.ts';
import { execute } from './execute.ts';
import type { TurnContext } from './turn-context.ts';
import { understand } from './understand.ts';

/** Takes the turn that is open. */
export async function takeTurn(turn: TurnContext): Promise<void> {
  const message = turn.state.turn?.message;
  if (message === undefined) return;
  await understand(turn, message);
  const { rounds, isGuarded } = await execute(turn);
  const reply = await respond(turn);
  cancelWaiting(turn);
  const outcome = isGuarded ? 'guard' : 'done';
  turn.journal.take(endTurn(turn.state, { reply, keepGoingRounds: rounds, outcome }));
}

/** RES: pops what has ended, and says what came of it, or asks what is open. Empty = there is nothing to say. */
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
  const plain = plainReply(state, await questionsOf(turn));
  // Words that a person has to act on are not left to a model, nor is what a script decides.
  const waits = turn.active?.waitsFor ?? null;
  if (!turn.asksModels || waits !== null) return plain;
  const { text } = await turn.write('reply', replyQuestion(state, catalogue));
  return typeof text === 'string' && text.trim() !== '' ? text : plain;
}

/** What the run of the Active flow asks people. */
async function questionsOf({ active, journal, world }: TurnContext): Promise<readonly string[]> {
  if (!isWaiting(active)) return [];
  const { runId } = active;
  return await journal.step('questions', async () => [...world.runs.questionsOf(asRunId(runId))]);
}

function isWaiting(flow: FlowInstance | undefined): flow is FlowInstance & { readonly runId: string } {
  return flow !== undefined && flow.waitsFor !== null && flow.runId !== null;
}

/** What runs of flows ask that are not wanted any more, nobody has to answer. */
function cancelWaiting({ state, world }: TurnContext): void {
  for (const { status, runId } of state.turn?.popped ?? []) {
    if (status !== 'Invalid' || runId === null) continue;
    if (world.runs.find(asRunId(runId))?.status === 'suspended') world.runs.cancel(asRunId(runId));
  }
}
