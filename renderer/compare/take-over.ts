/**
 * Takes a value of the first of two compared runs over into the file.
 */
import type { JsonValue } from '../../engine/isomorphic.ts';
import type { Stores } from '../stores/stores.ts';
import { text } from './text.ts';

interface FieldToTake {
  readonly path: string;
  readonly nodeId: string;
  /** Keys that lead to the field in the node. */
  readonly field: readonly string[];
  readonly value: JsonValue | undefined;
}

/** Sets the field in the file, in one undo step, and shows the file with the field instead of the comparison. */
export async function takeOver(
  { edits, liveRuns, notices, openFiles, panes, runPicks, selection }: Stores,
  { path, nodeId, field, value }: FieldToTake,
): Promise<void> {
  const file = openFiles.getState().files.get(path);
  if (file?.doc?.nodes.some(({ id }) => id === nodeId) !== true) {
    const detail = text.tab.noNode({ name: nodeId });
    notices.getState().add({ tone: 'error', title: text.tab.takeOverFailed, detail });
    return;
  }
  runPicks.getState().clear();
  // The edit applies to the file, which must be on screen for it.
  liveRuns.getState().loosen(path);
  await edits.change(path, { do: 'set-node', id: nodeId, path: [...field], value });
  selection.getState().selectNode(path, nodeId);
  panes.getState().chooseNodeTab('configure');
}
