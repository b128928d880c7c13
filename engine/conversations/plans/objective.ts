/**
 * The objective of a plan: the person's first message and later ones. Bounded, because it is part of the state.
 */
import { cutText } from '../../base/cut-text.ts';
import type { FlowBirth, FlowInstance, Objective, SessionState } from '../session/session-state.ts';

/** Number of later messages to keep, most recent ones. */
const keptSince = 10;
/** Maximum number of characters of each message. */
const keptText = 1000;

/**
 * Returns the plan with its objective: the message of the turn, unless it has one from an earlier flow. Other flows
 * have none.
 */
export function withObjective(birth: FlowBirth, { turn }: Pick<SessionState, 'turn'>): FlowBirth {
  const text = turn?.message.text ?? '';
  if (birth.intent !== 'Plan' || birth.objective !== undefined || text === '') return birth;
  return { ...birth, objective: { text: cutText(text, keptText), since: [] } };
}

/** Returns the flows with a new message added to the objectives of their plans. */
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
