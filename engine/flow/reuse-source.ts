/**
 * Results of an earlier run that nodes may take over instead of running.
 */
import type { RunId } from '../base/ids.ts';
import type { CompiledNode } from '../flowspec/compiled-flow.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';

export interface ReuseSource {
  /** The run whose results they are. */
  readonly fromRunId: RunId;
  /** What the node gave, when it would surely give the same again. */
  find(node: CompiledNode, resolvedInput: JsonMap): { readonly output: JsonValue } | undefined;
  /** Tells that a node ran, so that loops behind it cannot be taken over whole. */
  noteRun(nodeId: string): void;
}
