/**
 * Lists the actions that a run only suggested.
 */
import { taskNameOf } from '../../../base/ids.ts';
import type { SuggestedAction } from '../../../language/flow/autonomy.ts';
import type { RunState } from './run-state.ts';

export interface NodeSuggestion extends SuggestedAction {
  /** The node's name; in a child run, prefixed with the calling node's name and `/`. */
  readonly nodeId: string;
}

/** Returns the suggestions of a run and its child runs, in the order in which the nodes received them. */
export function suggestionsOf(run: RunState): readonly NodeSuggestion[] {
  return [run, ...run.children.values()].flatMap((one) => {
    const prefix = prefixOf(one, run);
    return [...one.nodes.values()].flatMap(({ nodeId, suggestions = [] }) =>
      suggestions.map((suggestion) => ({ ...suggestion, nodeId: prefix + nodeId })),
    );
  });
}

function prefixOf({ parentRunId, parentTaskId }: RunState, root: RunState): string {
  if (parentRunId === null || parentTaskId === null) return '';
  const caller = root.children.get(parentRunId);
  return `${caller === undefined ? '' : prefixOf(caller, root)}${taskNameOf(parentTaskId)}/`;
}
