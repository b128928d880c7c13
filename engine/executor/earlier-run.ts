/**
 * A run of the history, read for a later one that takes results over from it.
 */
import type { RunId } from '../base/ids.ts';
import type { CompiledFlow } from '../flowspec/compiled-flow.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { isValueHandle } from '../flowspec/value-handle.ts';
import { foldRun } from '../kernel/fold-run.ts';
import { emptyRunState, type NodeState } from '../kernel/run-state.ts';
import type { RunStore } from '../store/run-store.ts';
import { readLog } from './read-log.ts';

/** A run of the history, with what its nodes were and gave. */
export interface EarlierRun {
  readonly runId: RunId;
  readonly flow: CompiledFlow;
  readonly nodeSettings: Readonly<Record<string, string>>;
  readonly nodes: ReadonlyMap<string, NodeState>;
  /** The value itself where a handle stands for it. */
  readonly whole: (value: JsonValue) => JsonValue;
  /** SHA-256 of text, in hex, as handles have it. */
  readonly hash: (text: string) => string;
}

/**
 * Reads an earlier run from the history. A node that was reused in it has no input in its own log: that of the run it was
 * taken from counts.
 */
export function readEarlierRun(
  { runId, flow }: { readonly runId: RunId; readonly flow: CompiledFlow },
  { store, hash }: { readonly store: RunStore; readonly hash: (text: string) => string },
): EarlierRun {
  return {
    runId,
    flow,
    nodeSettings: store.getRun(runId)?.nodeSettings ?? {},
    nodes: readNodes(runId, store),
    whole: (value) => (isValueHandle(value) ? (store.readValue(value.$value) ?? value) : value),
    hash,
  };
}

function readNodes(runId: RunId, store: RunStore): ReadonlyMap<string, NodeState> {
  const nodes = new Map(foldRun(emptyRunState, [...readLog(store, runId)]).nodes);
  const sources = new Map<RunId, ReadonlyMap<string, NodeState>>();
  for (const [id, node] of nodes) {
    const { status, fromRunId } = node;
    if (status !== 'reused' || fromRunId === undefined) continue;
    let source = sources.get(fromRunId);
    if (source === undefined) {
      source = readNodes(fromRunId, store);
      sources.set(fromRunId, source);
    }
    const input = source.get(id)?.input;
    if (input !== undefined) nodes.set(id, { ...node, input });
  }
  return nodes;
}
