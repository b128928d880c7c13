/**
 * Manages the objective of a plan: the person's first message and later ones. Its size is limited, because it is part
 * of the state.
 */
import { cutText } from '../../base/cut-text.ts';
import type { FlowBirth, FlowInstance, Objective, SessionState } from '../session/session-state.ts';

/** Number of later messages to keep. Only the most recent ones are kept. */
const keptSince = 10;
/** Maximum number of characters of each message. */
const keptText = 1000;

/**
 * Returns a plan with its objective: the one from an earlier flow, otherwise the turn's message. Other flows are
 * returned without an objective.
 */
export function withObjective(birth: FlowBirth, { turn }: Pick<SessionState, 'turn'>): FlowBirth {
  const text = turn?.message.text ?? '';
  if (birth.intent !== 'Plan' || birth.objective !== undefined || text === '') return birth;
  return { ...birth, objective: { text: cutText(text, keptText), since: [] } };
}

/** Returns the flows after adding a new message to the plans' objectives. */
export function withObjectiveMessage(stack: readonly FlowInstance[], text: string): readonly FlowInstance[] {
  if (text === '') return stack;
  return stack.map((flow) =>
    flow.objective === undefined ? flow : { ...flow, objective: extended(flow.objective, text) },
  );
}

function extended({ text, since }: Objective, said: string): Objective {
  return { text, since: [...since, cutText(said, keptText)].slice(-keptSince) };
}

/** Formats an objective for prompts. */
export function objectiveText({ text, since }: Objective): string {
  return since.length === 0 ? text : `${text}\nSaid since: ${since.map((one) => JSON.stringify(one)).join(', ')}`;
}
