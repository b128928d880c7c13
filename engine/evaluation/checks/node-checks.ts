/**
 * Compares the nodes that ran with what a case expects.
 */
import type { ExpectDoc } from '../../language/cases/case-doc.ts';
import type { CheckResult } from '../../language/cases/case-result.ts';
import { nearestWord } from '../../language/findings/nearest.ts';
import { ownId, type RunNodes } from '../run-nodes.ts';

export interface KnownNodes {
  readonly nodes: RunNodes;
  /** Base names of all nodes of the flow; undefined if they are not known. */
  readonly known: ReadonlySet<string> | undefined;
}

export function nodeChecks({ ran = [], skipped = [] }: ExpectDoc, run: KnownNodes): readonly CheckResult[] {
  const counts: readonly (readonly [string, number?])[] = Array.isArray(ran)
    ? ran.map((name: string) => [name] as const)
    : Object.entries(ran as Readonly<Record<string, number>>);
  return [
    ...counts.map(([name, count]) => ranCheck(name, count, run)),
    ...skipped.map((name) => skippedCheck(name, run)),
  ];
}

function ranCheck(name: string, count: number | undefined, run: KnownNodes): CheckResult {
  const times = run.nodes.runsOf(name);
  const isOk = count === undefined ? times > 0 : times === count;
  const few = times === 0 ? 'did not run.' : `ran ${timesText(times)}, not ${timesText(count ?? 1)}.`;
  const why = (isUnknown(name, run) ? unknownNode(ownId(name), run) : undefined) ?? `Node "${name}" ${few}`;
  return {
    ...{ isOk, kind: 'ran', subject: name, got: times, ...nodeIdOf(name, run) },
    label: count === undefined ? `${name} ran` : `${name} ran ${timesText(count)}`,
    ...(count === undefined ? {} : { expected: count, path: ['expect', 'ran', name] }),
    ...(isOk ? {} : { message: why }),
  };
}

function skippedCheck(name: string, run: KnownNodes): CheckResult {
  const isOk = run.nodes.runsOf(name) === 0 && !isUnknown(name, run);
  const why = (isUnknown(name, run) ? unknownNode(ownId(name), run) : undefined) ?? `Node "${name}" ran.`;
  return {
    ...{ isOk, kind: 'skipped', subject: name, label: `${name} is skipped`, ...nodeIdOf(name, run) },
    ...(isOk ? {} : { message: why }),
  };
}

function nodeIdOf(name: string, { nodes }: KnownNodes): { readonly nodeId?: string } {
  return nodes.has(name) ? { nodeId: name } : {};
}

/** Whether the flow has no such node. A name in a loop or a called flow counts by its last part. */
function isUnknown(name: string, { known, nodes }: KnownNodes): boolean {
  return known !== undefined && !nodes.has(name) && !known.has(ownId(name)) && !name.includes('/');
}

function timesText(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** Says that the flow has no such node; undefined if it has, or if its nodes are not known. */
export function unknownNode(binding: string, { known, nodes }: KnownNodes): string | undefined {
  const name = firstName(binding);
  if (known === undefined || known.has(name) || nodes.has(name)) return undefined;
  const near = nearestWord(name, [...known]);
  return `There is no node "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`}`;
}

export function firstName(binding: string): string {
  return binding.split(/[.[/]/)[0] ?? '';
}
