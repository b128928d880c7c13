/**
 * The dialogs shown before a file is renamed, moved to the trash, or closed with unsaved edits.
 */
import { useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import { stemLength } from '../../stores/text/paths.ts';
import { pathProblem } from '../../stores/workspace/file-names.ts';
import { fileNameOf } from '../../stores/workspace/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { TrashDialog } from '../../workspace-view/trash-dialog.tsx';
import { useCommandContext } from '../commands/command-context.tsx';
import './file-dialogs.css';
import { text } from './text.ts';

function RenameForm({ path, onDone }: { path: string; onDone: () => void }) {
  const { files } = useStores();
  const [wanted, setWanted] = useState(path);
  const problem = wanted === path ? null : pathProblem(wanted);
  const name = fileNameOf(path);
  const nameAt = path.length - name.length;
  const nameEnd = nameAt + stemLength(name);
  const rename = async (): Promise<void> => {
    // If the name is rejected, the dialog shows why and stays open.
    if (wanted === path || (await files.rename(path, wanted))) onDone();
  };
  return (
    <form
      className="rename-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === null) void rename();
      }}
    >
      <Field label={text.rename.path} problem={problem ?? undefined}>
        {(control) => (
          <TextInput
            {...control}
            data-first-focus
            value={wanted}
            // The focus code selects the whole text right after this.
            onFocus={({ target }) => queueMicrotask(() => target.setSelectionRange(nameAt, nameEnd))}
            onChange={({ target }) => setWanted(target.value)}
          />
        )}
      </Field>
      <footer className="rename-footer">
        <Button onClick={onDone}>{text.rename.cancel}</Button>
        <Button type="submit" variant="primary" disabled={problem !== null}>
          {text.rename.rename}
        </Button>
      </footer>
    </form>
  );
}

/** The dialogs that rename and delete the active file. */
export function FileDialogs() {
  const { dialogs } = useCommandContext();
  const { openFiles } = useStores();
  const open = useStore(dialogs, (state) => state.open);
  const path = useStore(openFiles, ({ activePath }) => activePath);
  const close = (): void => dialogs.getState().close();
  if (path === null) return null;
  const name = fileNameOf(path);
  return (
    <>
      <Dialog
        isOpen={open === 'rename-file'}
        onClose={close}
        title={text.rename.title({ name })}
        description={text.rename.description}
      >
        <RenameForm path={path} onDone={close} />
      </Dialog>
      <TrashDialog entry={open === 'trash-file' ? { name, path, kind: 'file', change: null } : null} onClose={close} />
    </>
  );
}

/** Asks whether to save unsaved edits when a tab is closed. */
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
      title={text.close.title({ name: fileNameOf(path) })}
      description={text.close.description}
    >
      <div className="close-dialog">
        <Button
          variant="primary"
          onClick={() => {
            // If saving fails, the error is shown and the file stays open.
            void edits.save(path).then((isSaved) => (isSaved ? closeTab() : leave()));
          }}
        >
          {text.close.save}
        </Button>
        <Button
          variant="danger"
          onClick={() => {
            edits.revert(path);
            closeTab();
          }}
        >
          {text.close.discard}
        </Button>
        <Button onClick={leave}>{text.close.cancel}</Button>
      </div>
    </Dialog>
  );
}
