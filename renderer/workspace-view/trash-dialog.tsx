import { useStores } from '../stores/stores-context.tsx';
import type { FileEntry } from '../stores/workspace/file-tree.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { text } from './text.ts';

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
      title={entry === null ? '' : text.trash.title({ name: entry.name })}
      description={entry?.kind === 'folder' ? text.trash.folder({ path: entry.path }) : text.trash.file}
    >
      {unsaved.length === 0 ? null : (
        <div className="trash-body">
          <p>{text.trash.unsaved}</p>
          <ul>
            {unsaved.map((path) => (
              <li key={path}>{path}</li>
            ))}
          </ul>
        </div>
      )}
      <footer className="trash-footer">
        <Button onClick={onClose}>{text.trash.cancel}</Button>
        <Button
          variant="danger"
          data-first-focus
          onClick={() => {
            onClose();
            if (entry !== null) void files.trash(entry.path);
          }}
        >
          {text.trash.move}
        </Button>
      </footer>
    </Dialog>
  );
}
