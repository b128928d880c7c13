/**
 * Determines from a run's log which effects are certain at another autonomy level: those before any suggestion. After a
 * suggestion, the run could have continued differently.
 */
import type { CompiledFlow } from '../../language/flow/compiled-flow.ts';
import { itemLoop } from '../../language/flow/loops.ts';
import { nodesIn } from '../rerun/earlier-run.ts';
import { nodesBehind } from '../rerun/node-dependencies.ts';
import type { HeldAct } from './simulate-autonomy.ts';

/** The consequences that were not predicted for a run, and the reason. */
export interface NotPredicted {
  /** The reason, as the end of a sentence that starts with "because". */
  readonly why: string;
  /** Full names of nodes that may behave differently from the run. */
  readonly nodes: readonly string[];
}

/**
 * Returns the effects that do not depend on an earlier suggestion.
 * @param acts in log order
 */
export function sureActs(
  flow: CompiledFlow,
  acts: readonly HeldAct[],
): { readonly acts: readonly HeldAct[]; readonly nodes: readonly string[] } {
  const unsure = new Set<string>();
  const seen = new Map<string, string>();
  const isSure = (act: HeldAct): boolean => {
    const top = topOf(act.nodeId);
    if (unsure.has(top)) return false;
    const scope = scopeOf(flow, act.nodeId);
    // Inside a called flow or an item, the first effect is certain. Its result may change everything after it.
    const first = scope === '' ? undefined : (seen.get(scope) ?? act.nodeId);
    if (first !== undefined) seen.set(scope, first);
    for (const id of behind(flow, top)) unsure.add(id);
    return first === undefined || first === act.nodeId;
  };
  const sure = acts.filter(isSure);
  const left = acts.flatMap(({ nodeId }) => (sure.some((act) => act.nodeId === nodeId) ? [] : [nodeId]));
  return { acts: sure, nodes: [...new Set([...unsure, ...left])] };
}

/** Returns the nodes that may see a node's output: those reachable from it or, in a step flow, all later steps. */
function behind(flow: CompiledFlow, id: string): readonly string[] {
  if (flow.dialect === undefined) return [...nodesBehind(flow, id)].filter((one) => one !== id);
  return flow.nodes.slice(flow.nodes.findIndex((node) => node.id === id) + 1).map((node) => node.id);
}

/** Returns the top-level node that has or contains the effect. */
function topOf(name: string): string {
  return /^[^/[]*/.exec(name)?.[0] ?? name;
}

/**
 * Returns the called run or item that contains an effect; empty for the flow itself. The iterations of a loop build on
 * each other, so they share one scope.
 */
function scopeOf(flow: CompiledFlow, name: string): string {
  const end = Math.max(name.lastIndexOf('/'), name.lastIndexOf('].'));
  if (end === -1) return '';
  const loops = new Map(flow.nodes.flatMap(nodesIn).map(({ id, type }) => [id, type]));
  for (const match of name.matchAll(/([^./[\]]+)\[/g))
    if (loops.get(match[1] ?? '') !== itemLoop) return name.slice(0, match.index + match[0].length - 1);
  return name.slice(0, end);
}
