/**
 * Definitions that a run has written and no person has seen since: what they may do until then.
 */
import { type AutonomyLevel, lowerOf } from '../flowspec/autonomy.ts';
import type { CompiledFlow } from '../flowspec/compiled-flow.ts';
import { parseFlow } from '../flowspec/parse-flow.ts';

/** A text that no person has seen. */
interface UnseenText {
  /** What a person last saw in its place; null = nothing was there. Absent when that is not known. */
  readonly before?: string | null | undefined;
}

/**
 * Finds out whether a run wrote a text that no person has seen since.
 * @param path of its file, relative to the workspace or absolute
 */
export type FindUnseen = (path: string, text: string) => UnseenText | undefined;

/** The level above which an unseen flow does not act, whatever it declares: that of the text that a person last saw. */
export function levelOfUnseen(
  declared: AutonomyLevel | undefined,
  unseen: UnseenText | undefined,
): AutonomyLevel | undefined {
  if (unseen === undefined) return undefined;
  const { before } = unseen;
  if (typeof before === 'string') return parseFlow(before).doc?.flow.policy?.autonomy;
  return declared === undefined ? undefined : 'semi_auto';
}

/** The flow at the lower of what it declares and what is asked for. */
export function atLevel(flow: CompiledFlow, asked: AutonomyLevel | undefined): CompiledFlow {
  const autonomy = lowerOf(flow.policy.autonomy, asked);
  return autonomy === undefined ? flow : { ...flow, policy: { ...flow.policy, autonomy } };
}
