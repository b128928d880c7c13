/**
 * New flows, agents and packs.
 */
import { type FormEvent, useState } from 'react';
import { useStore } from 'zustand';
import { toErrorRecord } from '../../../engine/isomorphic.ts';
import { folderOf } from '../../stores/text/paths.ts';
import type { FileTree } from '../../stores/workspace/file-tree.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { useCommandContext } from '../commands/command-context.tsx';
import type { NewKind, NewThing } from '../commands/dialogs.ts';
import {
  type CreateDraft,
  createFromDraft,
  folderProblemOf,
  freeName,
  nameProblemOf,
  pathOfDraft,
} from './create-draft.ts';
import { FlowFields } from './create-flow-fields.tsx';

import './create-dialog.css';

/** As far as the tree knows; the engine refuses the rest. */
function isListed({ folders }: FileTree, path: string): boolean {
  return folders.get(folderOf(path))?.entries.some((entry) => entry.path === path) === true;
}

const firstSteps: CreateDraft['steps'] = [
  { key: 1, type: 'file.read' },
  { key: 2, type: 'prompt' },
  { key: 3, type: 'file.write' },
];

function useDraft({ kind, folder, beginning }: NewThing, isTaken: (path: string) => boolean) {
  const [draft, setDraft] = useState<CreateDraft>(() => ({
    kind,
    folder,
    name: freeName(kind, folder, isTaken),
    beginning,
    example: null,
    steps: firstSteps,
  }));
  const change = (part: Partial<CreateDraft>): void => setDraft((before) => ({ ...before, ...part }));
  return [draft, change] as const;
}

function CreateForm({ thing }: { readonly thing: NewThing }) {
  const { stores, dialogs } = useCommandContext();
  const tree = useStore(stores.fileTree);
  const isTaken = (path: string): boolean => isListed(tree, path);
  const [draft, change] = useDraft(thing, isTaken);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const nameProblem = nameProblemOf(draft, isTaken);
  const folderProblem = folderProblemOf(draft);
  const lacksExample = draft.kind === 'flow' && draft.beginning === 'example' && draft.example === null;
  const isReady = nameProblem === null && folderProblem === null && !lacksExample && !isBusy;

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isReady) return;
    setBusy(true);
    try {
      await createFromDraft(stores, draft);
      dialogs.getState().close();
    } catch (error) {
      setRefusal(toErrorRecord(error).message);
      setBusy(false);
    }
  };
  const edit = (part: Partial<CreateDraft>): void => {
    setRefusal(null);
    change(part);
  };
  return (
    <form className="create-form" onSubmit={(event) => void submit(event)}>
      <div className="create-fields">
        <Segmented<NewKind>
          label="What is new"
          value={draft.kind}
          options={[
            { value: 'flow', text: 'Flow' },
            { value: 'agent', text: 'Agent' },
            { value: 'pack', text: 'Pack' },
          ]}
          onChange={(next) => edit({ kind: next, name: freeName(next, draft.folder, isTaken) })}
        />
        <Field label="Name" problem={nameProblem ?? refusal ?? undefined}>
          {(control) => (
            <TextInput
              {...control}
              data-first-focus
              value={draft.name}
              onFocus={({ target }) => target.select()}
              onChange={({ target }) => edit({ name: target.value })}
            />
          )}
        </Field>
        {draft.kind === 'pack' ? null : (
          <Field label="Folder" note="empty = the workspace" problem={folderProblem ?? undefined}>
            {(control) => (
              <TextInput {...control} value={draft.folder} onChange={({ target }) => edit({ folder: target.value })} />
            )}
          </Field>
        )}
        <p className="create-path">
          Writes <code>{pathOfDraft(draft)}</code>
        </p>
        {draft.kind === 'flow' ? <FlowFields draft={draft} onChange={edit} /> : null}
      </div>
      <footer className="create-actions">
        <Button onClick={() => dialogs.getState().close()}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={!isReady}>
          Create
        </Button>
      </footer>
    </form>
  );
}

export function CreateDialog() {
  const { dialogs } = useCommandContext();
  const open = useStore(dialogs, (state) => state.open);
  const thing = useStore(dialogs, ({ newThing }) => newThing);
  return (
    <Dialog
      isOpen={open === 'new'}
      onClose={() => dialogs.getState().close()}
      title="New"
      description="It is right from the first byte: it passes the checks and can be run."
    >
      <CreateForm thing={thing} />
    </Dialog>
  );
}
