/**
 * Detects files of another format than they are opened as, so that one message replaces many errors about keys.
 */
import type { JsonMap } from '../json/json-value.ts';

/** A heading of agent files alone on its line; in YAML it would be a comment. */
const agentHeading =
  /^# (?:Options|Before All|Data|System|Instruction|Inst|User|Assistant|Output|After All)[ \t]*(?:`.*)?$/im;

/** A top-level key of flows that agents do not have. Two of them are not a coincidence. */
const flowKey = /^["']?(flow|nodes|edges)["']?[ \t]*:/gm;

const stepFlowKey = /^["']?(?:steps|autonomy_level)["']?[ \t]*:/m;

/** Returns true for a map with the keys of step flows, and without nodes. */
export function looksLikeStepFlow(root: JsonMap): boolean {
  if ('nodes' in root) return false;
  return 'steps' in root || ('autonomy_level' in root && !('flow' in root));
}

/** Returns true for text with a heading of agent files. */
export function looksLikeAgent(text: string): boolean {
  return agentHeading.test(text);
}

/**
 * Returns what the text of an agent file actually is: a flow, or a step flow; undefined if it has a heading of agents,
 * or is neither.
 */
export function otherThanAgent(text: string): 'flow' | 'step flow' | undefined {
  if (looksLikeAgent(text)) return undefined;
  if (new Set([...text.matchAll(flowKey)].map(([, key]) => key)).size > 1) return 'flow';
  return stepFlowKey.test(text) ? 'step flow' : undefined;
}
