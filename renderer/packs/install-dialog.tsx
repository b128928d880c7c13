/**
 * Asks for a pack to install: its name, a URL, a git repository or a file.
 */
import { FolderOpen } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores-context.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import './install-dialog.css';

const fileEnding = '.aipack';

/** Opens a system dialog to select a file and returns its path. */
function FileButton() {
  const { packs } = useStores();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={fileEnding}
        hidden
        aria-label="Pack file"
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file !== undefined) packs.getState().offerFile(file);
        }}
      />
      <Button onClick={() => input.current?.click()}>
        <FolderOpen aria-hidden size={14} />
        Choose a file…
      </Button>
    </>
  );
}

function InstallForm({ initial }: { initial: string }) {
  const { packs } = useStores();
  const isBusy = useStore(packs, ({ busy }) => busy !== null);
  const [uri, setUri] = useState(initial);
  const [problem, setProblem] = useState<string | undefined>();

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (uri.trim() === '') return setProblem('Say which pack.');
    setProblem(undefined);
    const failure = await packs.getState().install(uri.trim());
    if (failure === null) packs.getState().askInstall(null);
    else setProblem(failure);
  };

  return (
    <form className="install" onSubmit={(event) => void submit(event)}>
      <div className="install-body">
        <Field label="Pack" note="name, address, git repository or file" problem={problem}>
          {(control) => (
            <TextInput {...control} value={uri} disabled={isBusy} onChange={(event) => setUri(event.target.value)} />
          )}
        </Field>
        <p className="install-hint">
          Such as <code>ns@name</code>, <code>https://example.org/name.aipack</code>,{' '}
          <code>git+ssh://git@example.org/me/name.git</code> or the path of an <code>.aipack</code> file.
        </p>
        <p className="install-hint">
          A pack is somebody else's code. Its agents read this workspace and send what they read to your models; in a
          workspace that you trust they may do all that you can do.
        </p>
      </div>
      <footer className="install-actions">
        <FileButton />
        <span className="install-gap" role="status">
          {isBusy ? 'Installing…' : ''}
        </span>
        <Button type="submit" variant="primary" disabled={isBusy}>
          Install
        </Button>
      </footer>
    </form>
  );
}

export function InstallDialog() {
  const { packs } = useStores();
  const asked = useStore(packs, (state) => state.asked);
  return (
    <Dialog
      isOpen={asked !== null}
      onClose={() => packs.getState().askInstall(null)}
      title="Install a pack"
      description="It is put among your packs, for all workspaces."
    >
      {asked === null ? null : <InstallForm key={asked} initial={asked} />}
    </Dialog>
  );
}
