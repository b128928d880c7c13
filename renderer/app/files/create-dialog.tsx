/**
 * The dialog that creates flows, agents and packs.
 */
import { type FormEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useStore } from 'zustand';
import { productOfPath, productsFolder, toErrorRecord } from '../../../engine/isomorphic.ts';
import { folderOf } from '../../stores/text/paths.ts';
import type { FileTree } from '../../stores/workspace/file-tree.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { withParts } from '../../ui/with-parts.tsx';
import { useCommandContext } from '../commands/command-context.tsx';
import type { NewFileDialogTarget, NewFileKind } from '../commands/dialogs.ts';
import { focusOpened } from '../commands/open-file.ts';
import {
  type CreateDraft,
  createFromDraft,
  folderProblemOf,
  freeName,
  isDescribed,
  manifestOfDraft,
  nameProblemOf,
  pathOfDraft,
  productProblemOf,
} from './create-draft.ts';
import { FlowFields, useModelProblem } from './create-flow-fields.tsx';
import './create-dialog.css';
import { text } from './text.ts';

const words = text.create;

/** Checks only the files in the tree. The engine rejects other conflicts. */
function isListed({ folders }: FileTree, path: string): boolean {
  return folders.get(folderOf(path))?.entries.some((entry) => entry.path === path) === true;
}

/** The product that contains a folder, or else the first product in the tree. */
function productFor({ folders }: FileTree, folder: string): string {
  const around = productOfPath(`${folder}/flow.yaml`);
  const [known] = productsIn({ folders });
  return around ?? known ?? 'main';
}

function productsIn({ folders }: Pick<FileTree, 'folders'>): readonly string[] {
  const entries = folders.get(productsFolder)?.entries ?? [];
  return entries.filter(({ kind }) => kind === 'folder').map(({ name }) => name);
}

const firstSteps: CreateDraft['steps'] = [
  { key: 1, type: 'file.read' },
  { key: 2, type: 'prompt' },
  { key: 3, type: 'file.write' },
];

function useDraft(
  { kind, folder, beginning }: NewFileDialogTarget,
  product: string,
  isTaken: (path: string) => boolean,
) {
  const [draft, setDraft] = useState<CreateDraft>(() => ({
    kind,
    folder,
    product,
    name: freeName({ kind, folder, product }, isTaken),
    beginning,
    example: null,
    description: '',
    steps: firstSteps,
  }));
  const change = (part: Partial<CreateDraft>): void => setDraft((before) => ({ ...before, ...part }));
  return [draft, change] as const;
}

/** Returns whether a draft needs a choice, a text or a model before it can become a file. */
function useLackOfContent(draft: CreateDraft): boolean {
  const problem = useModelProblem();
  if (isDescribed(draft)) return draft.description.trim() === '' || problem !== null;
  return draft.kind === 'flow' && draft.beginning === 'example' && draft.example === null;
}

interface CreateFormProps {
  readonly thing: NewFileDialogTarget;
  /** Whether the file is being created. */
  readonly isBusy: boolean;
  /** Creates the file and closes the dialog. @throws the error of the engine */
  readonly create: (draft: CreateDraft) => Promise<void>;
}

function CreateForm({ thing, isBusy, create }: CreateFormProps) {
  const { stores, dialogs } = useCommandContext();
  const tree = useStore(stores.fileTree);
  const isTaken = (path: string): boolean => isListed(tree, path);
  const [draft, change] = useDraft(thing, productFor(tree, thing.folder), isTaken);
  const [refusal, setRefusal] = useState<string | null>(null);
  const nameProblem = nameProblemOf(draft, isTaken);
  const folderProblem = folderProblemOf(draft);
  const productProblem = productProblemOf(draft);
  const lacksContent = useLackOfContent(draft);
  const manifest = manifestOfDraft(draft);
  const isReady = nameProblem === null && folderProblem === null && productProblem === null && !lacksContent && !isBusy;

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isReady) return;
    const { currentTarget: form } = event;
    // A disabled field would lose the focus, and keys pressed meanwhile would reach the canvas.
    if (form instanceof HTMLElement) form.closest<HTMLElement>('[role="dialog"]')?.focus();
    try {
      await create(draft);
    } catch (error) {
      setRefusal(toErrorRecord(error).message);
      if (form instanceof HTMLElement) form.querySelector<HTMLElement>('[data-first-focus]')?.focus();
    }
  };
  const edit = (part: Partial<CreateDraft>): void => {
    setRefusal(null);
    change(part);
  };
  return (
    <form className="create-form" aria-busy={isBusy} onSubmit={(event) => void submit(event)}>
      <div className="create-scroll">
        <fieldset className="create-fields" disabled={isBusy}>
          <Segmented<NewFileKind>
            label={words.kind}
            value={draft.kind}
            options={[
              { value: 'flow', text: words.flow },
              { value: 'steps', text: words.steps },
              { value: 'dialogue', text: words.conversation },
              { value: 'agent', text: words.agent },
              { value: 'pack', text: words.pack },
            ]}
            onChange={(next) => edit({ kind: next, name: freeName({ ...draft, kind: next }, isTaken) })}
          />
          <Field label={words.name} problem={nameProblem ?? refusal ?? undefined}>
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
          {draft.kind === 'steps' ? (
            <ProductField
              product={draft.product}
              known={productsIn(tree)}
              problem={productProblem}
              onChange={(product) => edit({ product })}
            />
          ) : null}
          {draft.kind === 'pack' || draft.kind === 'steps' ? null : (
            <Field label={words.folder} note={words.folderNote} problem={folderProblem ?? undefined}>
              {(control) => (
                <TextInput
                  {...control}
                  value={draft.folder}
                  onChange={({ target }) => edit({ folder: target.value })}
                />
              )}
            </Field>
          )}
          <p className="create-path">
            {withParts(
              isDescribed(draft) ? words.opens : manifest === undefined ? words.creates : words.createsListed,
              {
                path: <code>{pathOfDraft(draft)}</code>,
                manifest: <code>{manifest}</code>,
              },
            )}
          </p>
          {draft.kind === 'flow' ? <FlowFields draft={draft} onChange={edit} /> : null}
        </fieldset>
      </div>
      <footer className="create-actions">
        <Button disabled={isBusy} onClick={() => dialogs.getState().close()}>
          {words.cancel}
        </Button>
        <Button type="submit" variant="primary" disabled={!isReady}>
          {isBusy ? words.creating : isDescribed(draft) ? words.describe : words.create}
        </Button>
      </footer>
    </form>
  );
}

interface ProductFieldProps {
  readonly product: string;
  readonly known: readonly string[];
  readonly problem: string | null;
  readonly onChange: (product: string) => void;
}

/** A field for an existing product or the name of a new one. */
function ProductField({ product, known, problem, onChange }: ProductFieldProps) {
  const listId = useId();
  const isNew = problem === null && !known.includes(product);
  return (
    <Field label={words.product} note={isNew ? words.productIsNew : words.productNote} problem={problem ?? undefined}>
      {(control) => (
        <>
          <TextInput
            {...control}
            list={listId}
            spellCheck={false}
            value={product}
            onChange={({ target }) => onChange(target.value)}
          />
          <datalist id={listId}>
            {known.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

export function CreateDialog() {
  const { stores, dialogs } = useCommandContext();
  const open = useStore(dialogs, (state) => state.open);
  const thing = useStore(dialogs, ({ newThing }) => newThing);
  const [isBusy, setBusy] = useState(false);
  const hasCreated = useRef(false);
  const hasDescribed = useRef(false);
  const create = async (draft: CreateDraft): Promise<void> => {
    setBusy(true);
    try {
      await createFromDraft(stores, draft);
      hasCreated.current = true;
      hasDescribed.current = isDescribed(draft);
      dialogs.getState().close();
    } finally {
      // Must happen before the focus returns to a field, because a disabled field cannot be focused.
      flushSync(() => setBusy(false));
    }
  };
  const focusCreated = (): boolean => {
    if (!hasCreated.current) return false;
    hasCreated.current = false;
    // The panel of the assistant takes the focus itself.
    if (hasDescribed.current) return true;
    focusOpened(document.activeElement);
    return true;
  };
  return (
    <Dialog
      isOpen={open === 'new'}
      onClose={() => isBusy || dialogs.getState().close()}
      focusAfter={focusCreated}
      title={words.title}
      description={words.description}
    >
      <CreateForm thing={thing} isBusy={isBusy} create={create} />
    </Dialog>
  );
}
