import { useStores } from '../stores/stores-context.tsx';
import type { FileEntry } from '../stores/workspace/file-tree.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

interface TrashDialogProps {
  /** Null while the dialog is closed. */
  readonly entry: FileEntry | null;
  readonly onClose: () => void;
}

/** Asks before a file or folder is moved to the trash, and lists what else would be lost. */
export function TrashDialog({ entry, onClose }: TrashDialogProps) {
  const { files } = useStores();
  const unsaved = entry === null ? [] : files.unsavedBelow(entry.path);
  return (
    <Dialog
      isOpen={entry !== null}
      onClose={onClose}
      title={entry === null ? '' : `Move ${entry.name} to the trash?`}
      description={
        entry?.kind === 'folder'
          ? `With all that is in ${entry.path}.`
          : 'The system keeps it until the trash is emptied.'
      }
    >
      {unsaved.length === 0 ? null : (
        <div className="trash-body">
          <p>The trash gets what was saved. Unsaved text is lost of:</p>
          <ul>
            {unsaved.map((path) => (
              <li key={path}>{path}</li>
            ))}
          </ul>
        </div>
      )}
      <footer className="trash-footer">
        <Button onClick={onClose}>Keep it</Button>
        <Button
          variant="danger"
          data-first-focus
          onClick={() => {
            onClose();
            if (entry !== null) void files.trash(entry.path);
          }}
        >
          Move to the trash
        </Button>
      </footer>
    </Dialog>
  );
}
