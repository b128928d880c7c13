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
import { withParts } from '../ui/with-parts.tsx';
import { text } from './text.ts';
import './install-dialog.css';

const fileEnding = '.aipack';

const examples = {
  name: <code>{'ns@name'}</code>,
  url: <code>{'https://example.org/name.aipack'}</code>,
  git: <code>{'git+ssh://git@example.org/me/name.git'}</code>,
  file: <code>{fileEnding}</code>,
};

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
        aria-label={text.install.file}
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file !== undefined) packs.getState().offerFile(file);
        }}
      />
      <Button onClick={() => input.current?.click()}>
        <FolderOpen aria-hidden size={14} />
        {text.install.chooseFile}
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
    if (uri.trim() === '') return setProblem(text.install.missing);
    setProblem(undefined);
    const failure = await packs.getState().install(uri.trim());
    if (failure === null) packs.getState().askInstall(null);
    else setProblem(failure);
  };

  return (
    <form className="install" onSubmit={(event) => void submit(event)}>
      <div className="install-body">
        <Field label={text.install.pack} note={text.install.packNote} problem={problem}>
          {(control) => (
            <TextInput {...control} value={uri} disabled={isBusy} onChange={(event) => setUri(event.target.value)} />
          )}
        </Field>
        <p className="install-hint">{withParts(text.install.examples, examples)}</p>
        <p className="install-hint">{text.install.warning}</p>
      </div>
      <footer className="install-actions">
        <FileButton />
        <span className="install-gap" role="status">
          {isBusy ? text.install.installing : ''}
        </span>
        <Button type="submit" variant="primary" disabled={isBusy}>
          {text.install.install}
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
      title={text.install.title}
      description={text.install.description}
    >
      {asked === null ? null : <InstallForm key={asked} initial={asked} />}
    </Dialog>
  );
}
