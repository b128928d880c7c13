/**
 * Evaluates once, after an edge's source has ended, whether the edge fires, and emits the result.
 */

import type { WhenTrace } from '../../language/bindings/when.ts';
import type { CompiledEdge } from '../../language/flow/compiled-flow.ts';
import type { RunScope } from './run-scope.ts';

/**
 * Keeps decisions that an earlier process made and emitted. @param trace trace of the edge's condition; undefined if it
 * has none. @param isGiven whether a person may have changed its source's output since
 */
export function decideEdge(
  { id, from, to }: CompiledEdge,
  trace: WhenTrace | undefined,
  scope: RunScope,
  isGiven: boolean,
): boolean {
  const { harness, run, prefix } = scope;
  const edgeId = prefix + id;
  const known = run.resume?.edges.get(edgeId);
  const isFired = isGiven || known === undefined ? (trace?.result ?? true) : known;
  if (known === isFired) return known;
  const type = isFired ? 'edge:fired' : 'edge:skipped';
  const event = { type, edgeId, from: prefix + from, to: prefix + to } as const;
  harness.hub.emit(trace === undefined ? event : { ...event, detail: trace });
  return isFired;
}
