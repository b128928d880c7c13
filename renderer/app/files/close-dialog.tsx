/**
 * Asks what is to become of unsaved edits when their tab is closed.
 */
import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import { fileNameOf } from '../../stores/workspace/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useCommandContext } from '../commands/command-context.tsx';
import './close-dialog.css';

export function CloseDialog() {
  const { dialogs } = useCommandContext();
  const { edits, openFiles } = useStores();
  const isOpen = useStore(dialogs, ({ open }) => open === 'close-file');
  const path = useStore(dialogs, ({ closing }) => closing);
  if (path === null) return null;
  const leave = (): void => dialogs.getState().close();
  const closeTab = (): void => {
    leave();
    openFiles.getState().close(path);
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={leave}
      title={`Save the changes of ${fileNameOf(path)}?`}
      description="What is not saved stays in the undo of the file, and in its local history."
    >
      <div className="close-dialog">
        <Button
          variant="primary"
          onClick={() => {
            // A file that was not saved says why, and stays.
            void edits.save(path).then((isSaved) => (isSaved ? closeTab() : leave()));
          }}
        >
          Save
        </Button>
        <Button
          variant="danger"
          onClick={() => {
            edits.revert(path);
            closeTab();
          }}
        >
          Don’t save
        </Button>
        <Button onClick={leave}>Cancel</Button>
      </div>
    </Dialog>
  );
}
