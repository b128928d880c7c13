/**
 * The table of a dataset in the pane of its flow, and the result of the selected cell beside it.
 */
import { DatasetSide } from '../../case-view/dataset-side.tsx';
import { DatasetTable } from '../../case-view/dataset-table.tsx';
import { showText } from '../../stores/show-text.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { useCommand, useCommandContext } from '../commands/command-context.tsx';

export function DatasetPane() {
  const { dialogs } = useCommandContext();
  const close = useCommand('tests.closeTable');
  return <DatasetTable onAdd={(version) => dialogs.getState().askColumn(version)} onClose={close.run} />;
}

export function DatasetAside() {
  const stores = useStores();
  return <DatasetSide onText={(file, line) => void showText(stores, file, { line, column: 1 })} />;
}
