/**
 * Takes a value that the person has compared over into the file.
 */
import type { FlowChange, JsonValue } from '../../engine/isomorphic.ts';
import type { Stores } from './stores.ts';
import { text } from './text.ts';

interface FieldToTake {
  readonly path: string;
  /** The nodes that get the value. The first one is selected. */
  readonly nodeIds: readonly string[];
  /** Keys that lead to the field in the nodes. */
  readonly field: readonly string[];
  readonly value: JsonValue | undefined;
  /** Label of the undo step if there are several nodes. */
  readonly label?: string;
}

/** Sets the field in the file, in one undo step, and shows the file with the field instead of the comparison. */
export async function takeOver(
  { datasets, edits, liveRuns, notices, openFiles, panes, runPicks, selection }: Stores,
  { path, nodeIds, field, value, label = text.takeOver }: FieldToTake,
): Promise<void> {
  const ids = new Set(
    openFiles
      .getState()
      .files.get(path)
      ?.doc?.nodes.map(({ id }) => id),
  );
  const missing = nodeIds.find((id) => !ids.has(id));
  const [first, ...others] = nodeIds;
  if (missing !== undefined || first === undefined) {
    const detail = text.noNode({ name: missing ?? '' });
    notices.getState().add({ tone: 'error', title: text.takeOverFailed, detail });
    return;
  }
  runPicks.getState().clear();
  datasets.getState().close();
  // The edit applies to the file, which must be on screen for it.
  liveRuns.getState().loosen(path);
  const changes = nodeIds.map((id): FlowChange => ({ do: 'set-node', id, path: [...field], value }));
  try {
    const [change] = changes;
    if (others.length === 0 && change !== undefined) await edits.change(path, change);
    else edits.replace(path, await edits.textWith(path, changes), label);
  } catch (error) {
    notices.getState().addError(text.takeOverFailed, error);
    return;
  }
  selection.getState().selectNode(path, first);
  panes.getState().chooseNodeTab('configure');
}
