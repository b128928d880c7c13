/**
 * The dialog that shows the gallery of examples, copies one into the workspace and opens it.
 */
import { LayoutGrid, SearchX, TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { toErrorRecord } from '../../../engine/isomorphic.ts';
import type { Stores } from '../../stores/stores.ts';
import { useStores } from '../../stores/stores-context.tsx';
import type { Gallery, GalleryExample } from '../../stores/workspace/gallery.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextInput } from '../../ui/field.tsx';
import { moveGridFocus } from '../../ui/roving-focus.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { focusOpened, openPath } from '../commands/open-file.ts';
import { GalleryCard } from './gallery-card.tsx';
import { text } from './text.ts';
import './gallery.css';

type Use = GalleryExample['use'] | 'all';

/** Returns the examples of a use that contain all words of the query. */
function matching(examples: readonly GalleryExample[], use: Use, query: string): readonly GalleryExample[] {
  const words = query.toLowerCase().split(/\s+/);
  return examples.filter((example) => {
    const searched = `${example.title} ${example.shows} ${text.uses[example.use]}`.toLowerCase();
    return (use === 'all' || example.use === use) && words.every((word) => searched.includes(word));
  });
}

/** Copies an example, unless the workspace has it, and opens its file. @throws the error of the engine */
async function openExample({ engine, fileTree, openFiles }: Stores, { id }: GalleryExample): Promise<void> {
  const { path, files } = await engine.call('copyGalleryExample', id);
  fileTree.getState().reveal(path);
  void fileTree.getState().refresh([id, ...files]);
  await openPath({ openFiles }, path);
}

interface UseFilterProps {
  readonly examples: readonly GalleryExample[];
  readonly use: Use;
  readonly onChange: (use: Use) => void;
}

/** A choice of the uses that examples have. */
function UseFilter({ examples, use, onChange }: UseFilterProps) {
  const known = [...new Set(examples.map((example) => example.use))];
  if (known.length < 2) return null;
  return (
    <Segmented<Use>
      label={text.useFilter}
      value={use}
      options={[{ value: 'all', text: text.all }, ...known.map((value) => ({ value, text: text.uses[value] }))]}
      onChange={onChange}
    />
  );
}

function Problems({ problems }: Pick<NonNullable<Gallery['list']>, 'problems'>) {
  if (problems.length === 0) return null;
  return (
    <div className="gallery-problems">
      <p>{text.broken({ count: problems.length })}</p>
      <ul>
        {problems.map(({ id, message }) => (
          <li key={id}>{message}</li>
        ))}
      </ul>
    </div>
  );
}

interface ChosenProps {
  readonly example: GalleryExample | undefined;
  readonly isBusy: boolean;
  readonly error: string | null;
  readonly onUse: () => void;
}

/** What happens to the selected example, and the button for it. */
function Chosen({ example, isBusy, error, onUse }: ChosenProps) {
  const folder = example?.id ?? '';
  const note = example === undefined ? '' : (example.isCopied ? text.hasCopy : text.creates)({ folder });
  const label = example?.isCopied === true ? text.openCopy : text.use;
  return (
    <footer className="gallery-footer">
      <p role="status" data-tone={error === null ? undefined : 'error'}>
        {error ?? note}
      </p>
      <Button variant="primary" disabled={example === undefined || isBusy} onClick={onUse}>
        {isBusy ? text.copying : label}
      </Button>
    </footer>
  );
}

const nothing: NonNullable<Gallery['list']> = { examples: [], problems: [] };

interface NoExamplesProps extends Pick<Gallery, 'list' | 'error'> {
  readonly onShowAll: () => void;
}

/** Shown instead of the grid: loading, an error, or no match. */
function NoExamples({ list, error, onShowAll }: NoExamplesProps) {
  if (error !== null)
    return (
      <EmptyState icon={<TriangleAlert aria-hidden size={20} />} title={text.failed}>
        {error}
      </EmptyState>
    );
  if (list === null) return <p className="gallery-loading">{text.loading}</p>;
  if (list.examples.length === 0)
    return (
      <EmptyState icon={<LayoutGrid aria-hidden size={20} />} title={text.none}>
        {text.noneNote}
      </EmptyState>
    );
  const showAll = (
    <Button size="small" onClick={onShowAll}>
      {text.showAll}
    </Button>
  );
  return (
    <EmptyState icon={<SearchX aria-hidden size={20} />} title={text.noMatch} actions={showAll}>
      {text.noMatchNote}
    </EmptyState>
  );
}

interface GalleryBodyProps extends Pick<Gallery, 'list' | 'error'> {
  readonly onOpened: () => void;
}

function GalleryBody({ list, error: listError, onOpened }: GalleryBodyProps) {
  const stores = useStores();
  const [query, setQuery] = useState('');
  const [use, setUse] = useState<Use>('all');
  const [chosen, setChosen] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const grid = useRef<HTMLDivElement>(null);
  const { examples, problems } = list ?? nothing;
  const shown = matching(examples, use, query);
  const selected = shown.find(({ id }) => id === chosen) ?? shown[0];

  const open = (example: GalleryExample | undefined): void => {
    if (example === undefined || isBusy) return;
    setBusy(true);
    setError(null);
    openExample(stores, example).then(onOpened, (thrown: unknown) => {
      setBusy(false);
      setError(`${text.copyFailed}. ${toErrorRecord(thrown).message}`);
    });
  };
  const showAll = (): void => {
    setQuery('');
    setUse('all');
  };
  const onSearchKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') open(selected);
    else if (event.key === 'ArrowDown') grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="gallery-filters">
        <TextInput
          type="search"
          data-first-focus
          aria-label={text.search}
          placeholder={text.search}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          onKeyDown={onSearchKey}
        />
        <UseFilter examples={examples} use={use} onChange={setUse} />
      </div>
      <div className="gallery-content">
        {shown.length === 0 ? (
          <NoExamples list={list} error={listError} onShowAll={showAll} />
        ) : (
          <div ref={grid} role="listbox" aria-label={text.examples} className="gallery-grid" onKeyDown={moveGridFocus}>
            {shown.map((example) => (
              <GalleryCard
                key={example.id}
                example={example}
                isSelected={example === selected}
                onSelect={() => setChosen(example.id)}
                onUse={() => open(example)}
              />
            ))}
          </div>
        )}
        <Problems problems={problems} />
      </div>
      <Chosen example={selected} isBusy={isBusy} error={error} onUse={() => open(selected)} />
    </>
  );
}

export function GalleryDialog() {
  const { gallery } = useStores();
  const { isOpen, list, error, close } = useStore(gallery);
  const hasOpened = useRef(false);
  const focusFile = (): boolean => {
    if (!hasOpened.current) return false;
    hasOpened.current = false;
    focusOpened(document.activeElement);
    return true;
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      focusAfter={focusFile}
      title={text.title}
      description={text.description}
      size="large"
    >
      <GalleryBody
        list={list}
        error={error}
        onOpened={() => {
          hasOpened.current = true;
          close();
        }}
      />
    </Dialog>
  );
}
