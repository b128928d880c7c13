/**
 * Restricts definitions written by a run until a person has seen them.
 */
import { type AutonomyLevel, lowerOf } from '../../language/flow/autonomy.ts';
import type { CompiledFlow } from '../../language/flow/compiled-flow.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';

/** A text that no person has seen. */
interface UnseenText {
  /** The text that a person last saw at this path; null if there was none, absent if unknown. */
  readonly before?: string | null | undefined;
}

/**
 * Returns the text if it was written by a run and no person has seen it since.
 * @param path of the text's file, relative to the workspace or absolute
 */
export type FindUnseen = (path: string, text: string) => UnseenText | undefined;

/**
 * Returns the maximum autonomy level of an unseen flow: the level of the text that a person last saw, whatever the flow
 * declares.
 */
export function levelOfUnseen(
  declared: AutonomyLevel | undefined,
  unseen: UnseenText | undefined,
): AutonomyLevel | undefined {
  if (unseen === undefined) return undefined;
  const { before } = unseen;
  if (typeof before === 'string') return parseFlow(before).doc?.flow.policy?.autonomy;
  return declared === undefined ? undefined : 'semi_auto';
}

/** Returns the flow with the lower of its declared and the requested level. */
export function atLevel(flow: CompiledFlow, asked: AutonomyLevel | undefined): CompiledFlow {
  const autonomy = lowerOf(flow.policy.autonomy, asked);
  return autonomy === undefined ? flow : { ...flow, policy: { ...flow.policy, autonomy } };
}
