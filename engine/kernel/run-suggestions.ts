/**
 * What a run has only suggested.
 */
import { taskNameOf } from '../base/ids.ts';
import type { Suggestion } from '../flowspec/autonomy.ts';
import type { RunState } from './run-state.ts';

export interface NodeSuggestion extends Suggestion {
  /** The node; in a run that a node called, behind the name of that node and a `/`. */
  readonly nodeId: string;
}

/** Lists what was suggested in a run and in the runs that it called, in the order in which it came to the nodes. */
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
