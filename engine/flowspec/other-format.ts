/**
 * Files of another kind than they are opened as: what they look like, so that nobody has to mend them key by key.
 */
import type { JsonMap } from './json-value.ts';

/** A heading of agent files alone in its line; as YAML it would be a comment. */
const agentHeading =
  /^# (?:Options|Before All|Data|System|Instruction|Inst|User|Assistant|Output|After All)[ \t]*(?:`.*)?$/im;

/** A key of the outermost map that flows have and agents do not; two of them are no chance. */
const flowKey = /^["']?(flow|nodes|edges)["']?[ \t]*:/gm;

const stepFlowKey = /^["']?(?:steps|autonomy_level)["']?[ \t]*:/m;

/** True for a map with the keys of step flows, and without the nodes of a flow. */
export function looksLikeStepFlow(root: JsonMap): boolean {
  if ('nodes' in root) return false;
  return 'steps' in root || ('autonomy_level' in root && !('flow' in root));
}

/** True for text with a heading of agent files. */
export function looksLikeAgent(text: string): boolean {
  return agentHeading.test(text);
}

/** What the text of an agent file is instead: a flow, or a step flow; undefined when it has a heading of agents, or is neither. */
export function otherThanAgent(text: string): 'flow' | 'step flow' | undefined {
  if (looksLikeAgent(text)) return undefined;
  if (new Set([...text.matchAll(flowKey)].map(([, key]) => key)).size > 1) return 'flow';
  return stepFlowKey.test(text) ? 'step flow' : undefined;
}
