/**
 * Detects files whose format differs from the one they are opened as, so that one message replaces many errors about
 * keys.
 */
import type { JsonMap } from '../json/json-value.ts';

/** An agent file heading alone on its line; in YAML it would be a comment. */
const agentHeading =
  /^# (?:Options|Before All|Data|System|Instruction|Inst|User|Assistant|Output|After All)[ \t]*(?:`.*)?$/im;

/** A top-level flow key that agents do not have. Two such keys are not a coincidence. */
const flowKey = /^["']?(flow|nodes|edges)["']?[ \t]*:/gm;

const stepFlowKey = /^["']?(?:steps|autonomy_level)["']?[ \t]*:/m;

/** Whether the value is a map with step flow keys and without nodes. */
export function looksLikeStepFlow(root: JsonMap): boolean {
  if ('nodes' in root) return false;
  return 'steps' in root || ('autonomy_level' in root && !('flow' in root));
}

/** Whether text has an agent file heading. */
export function looksLikeAgent(text: string): boolean {
  return agentHeading.test(text);
}

/**
 * Returns what an agent file's text actually is: a flow, or a step flow; undefined if it has an agent heading or is
 * neither.
 */
export function otherThanAgent(text: string): 'flow' | 'step flow' | undefined {
  if (looksLikeAgent(text)) return undefined;
  if (new Set([...text.matchAll(flowKey)].map(([, key]) => key)).size > 1) return 'flow';
  return stepFlowKey.test(text) ? 'step flow' : undefined;
}
