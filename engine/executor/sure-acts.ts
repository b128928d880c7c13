/**
 * What the log of a run says for certain of another level: what comes before any suggestion. What follows from one is another run.
 */
import type { CompiledFlow } from '../flowspec/compiled-flow.ts';
import { itemLoop } from '../flowspec/loops.ts';
import { nodesIn } from './earlier-run.ts';
import { nodesBehind } from './node-dependencies.ts';
import type { HeldAct } from './simulate-autonomy.ts';

/** What of a run was not predicted, and why. */
export interface NotPredicted {
  /** As the end of a sentence that begins with "because". */
  readonly why: string;
  /** Full names of nodes that may do something else than in the run. */
  readonly nodes: readonly string[];
}

/**
 * Leaves out the acts that depend on an earlier suggestion.
 * @param acts in the order of the log
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
    // Inside of a called flow, or an item, the first act is certain; what it gives may change all that comes after it.
    const first = scope === '' ? undefined : (seen.get(scope) ?? act.nodeId);
    if (first !== undefined) seen.set(scope, first);
    for (const id of behind(flow, top)) unsure.add(id);
    return first === undefined || first === act.nodeId;
  };
  const sure = acts.filter(isSure);
  const left = acts.flatMap(({ nodeId }) => (sure.some((act) => act.nodeId === nodeId) ? [] : [nodeId]));
  return { acts: sure, nodes: [...new Set([...unsure, ...left])] };
}

/** Of steps, each sees all that came before it. */
function behind(flow: CompiledFlow, id: string): readonly string[] {
  if (flow.dialect === undefined) return [...nodesBehind(flow, id)].filter((one) => one !== id);
  return flow.nodes.slice(flow.nodes.findIndex((node) => node.id === id) + 1).map((node) => node.id);
}

/** The node of the flow itself that an act is at, or in. */
function topOf(name: string): string {
  return /^[^/[]*/.exec(name)?.[0] ?? name;
}

/** The called run or the item that an act is in; empty for the flow itself. The passes of a loop build on each other: they are one. */
function scopeOf(flow: CompiledFlow, name: string): string {
  const end = Math.max(name.lastIndexOf('/'), name.lastIndexOf('].'));
  if (end === -1) return '';
  const loops = new Map(flow.nodes.flatMap(nodesIn).map(({ id, type }) => [id, type]));
  for (const match of name.matchAll(/([^./[\]]+)\[/g))
    if (loops.get(match[1] ?? '') !== itemLoop) return name.slice(0, match.index + match[0].length - 1);
  return name.slice(0, end);
}
