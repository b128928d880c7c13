/**
 * RES: pops what has ended, and says what came of it, or asks what is open.
 */

import { asRunId } from '../base/ids.ts';
import { popFinished } from '../dialogue/flow-stack.ts';
import { plainReply, replyQuestion } from '../dialogue/reply-prompt.ts';
import type { FlowInstance } from '../dialogue/session-state.ts';
import type { TurnContext } from './turn-context.ts';

/** The reply of the turn; empty = there is nothing to say. */
export async function respond(turn: TurnContext): Promise<string> {
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
