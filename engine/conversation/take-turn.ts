/**
 * One turn, from a message to the reply: what is meant, what that needs, what is said.
 */
import { asRunId } from '../base/ids.ts';
import { endTurn } from '../dialogue/turn.ts';
import { execute } from './execute.ts';
import { respond } from './respond.ts';
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

/** What runs of flows ask that are not wanted any more, nobody has to answer. */
function cancelWaiting({ state, world }: TurnContext): void {
  for (const { status, runId } of state.turn?.popped ?? []) {
    if (status !== 'Invalid' || runId === null) continue;
    if (world.runs.find(asRunId(runId))?.status === 'suspended') world.runs.cancel(asRunId(runId));
  }
}
