/**
 * Looks for something in the texts of the workspace, and lists what was found.
 */
import { ChevronDown, ChevronRight, ChevronsDownUp, ChevronsUpDown, Search } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores-context.tsx';
import type { SearchAnswer, SearchMatch } from '../stores/workspace/text-search.ts';
import { IconButton } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { TreeView } from '../ui/tree-view.tsx';
import { fileIcon } from './file-icon.ts';
import { SearchFields } from './search-fields.tsx';
import { answerSentences, partsOfMatch, type SearchRow, searchRows } from './search-rows.ts';
import './search-panel.css';

function RowView({ row }: { row: SearchRow }) {
  if (row.kind === 'match') {
    const { before, found, after } = partsOfMatch(row.match);
    return (
      <>
        <span className="search-line">
          {before}
          <mark>{found}</mark>
          {after}
        </span>
        <span className="search-number">{row.match.line}</span>
      </>
    );
  }
  const Chevron = row.isExpanded ? ChevronDown : ChevronRight;
  const Icon = fileIcon({ path: row.file.path, kind: 'file' });
  return (
    <>
      <Chevron aria-hidden className="file-chevron" size={12} />
      <Icon aria-hidden className="tree-icon" size={14} />
      <span className="search-file" title={row.file.path}>
        {row.name}
        <span className="search-folder">{row.folder}</span>
      </span>
      <span className="file-count">{row.file.matches.length}</span>
    </>
  );
}

interface ResultsProps extends Pick<SearchPanelProps, 'onOpen'> {
  readonly answer: SearchAnswer;
  readonly onEscape: () => void;
}

function Results({ answer, onOpen, onEscape }: ResultsProps) {
  const { textSearch } = useStores();
  const folded = useStore(textSearch, (state) => state.folded);
  const [activeId, setActiveId] = useState<string | null>(null);
  const [openedId, setOpenedId] = useState<string | null>(null);
  const rows = useMemo(() => searchRows(answer, folded), [answer, folded]);
  const { setFolded } = textSearch.getState();
  return (
    <TreeView<SearchRow>
      label="Search results"
      rows={rows}
      activeId={activeId}
      onActive={({ id }) => setActiveId(id)}
      isSelected={({ id }) => id === openedId}
      onOpen={(row) => {
        if (row.kind === 'file') {
          setFolded(row.id, row.isExpanded === true);
          return;
        }
        setOpenedId(row.id);
        onOpen(row.path, row.match);
      }}
      onToggle={({ id }, isExpanded) => setFolded(id, !isExpanded)}
      onKey={(_row, { key }) => {
        if (key === 'Escape') onEscape();
        return key === 'Escape';
      }}
      findsByLetters={false}
      renderRow={(row) => <RowView row={row} />}
    />
  );
}

/** What a search that found nothing, and one that has not begun, says. */
function NoResults({ hasAnswer }: { hasAnswer: boolean }) {
  return (
    <EmptyState icon={<Search aria-hidden size={20} />} title={hasAnswer ? 'Nothing was found' : 'Search in all files'}>
      {hasAnswer
        ? 'Files that git ignores, files over 2 MiB and what is no text are not searched.'
        : 'Flows, agents, notes and all other text files of this folder, with what is not saved yet.'}
    </EmptyState>
  );
}

function FoldButton({ answer }: { answer: SearchAnswer }) {
  const { textSearch } = useStores();
  const areFolded = useStore(textSearch, ({ folded }) => folded.size > 0);
  return (
    <IconButton
      label={areFolded ? 'Unfold all files' : 'Fold all files'}
      onClick={() => textSearch.setState({ folded: new Set(areFolded ? [] : answer.files.map(({ path }) => path)) })}
    >
      {areFolded ? <ChevronsUpDown aria-hidden size={14} /> : <ChevronsDownUp aria-hidden size={14} />}
    </IconButton>
  );
}

export interface SearchPanelProps {
  readonly onOpen: (path: string, match: SearchMatch) => void;
}

export function SearchPanel({ onOpen }: SearchPanelProps) {
  const { textSearch } = useStores();
  const answer = useStore(textSearch, (state) => state.answer);
  const isSearching = useStore(textSearch, (state) => state.isSearching);
  const error = useStore(textSearch, (state) => state.error);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => textSearch.getState().follow(), [textSearch]);
  const focusIn = (selector: string): void => panel.current?.querySelector<HTMLElement>(selector)?.focus();
  const sentences = answer === null ? [] : answerSentences(answer);
  const hasFound = answer !== null && answer.files.length > 0;
  return (
    <div ref={panel} className="search-panel" aria-busy={isSearching}>
      <div className="side-heading">
        <h2 id="side-heading" className="side-title">
          SEARCH
        </h2>
        {hasFound ? <FoldButton answer={answer} /> : null}
      </div>
      <SearchFields onLeave={() => focusIn('[role="tree"]')} />
      <div
        role="status"
        className={sentences.length > 1 || hasFound ? 'search-status' : 'visually-hidden'}
        data-searching={isSearching || undefined}
      >
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      {hasFound ? <Results answer={answer} onOpen={onOpen} onEscape={() => focusIn('.search-input')} /> : null}
      {hasFound || error !== null || (answer === null && isSearching) ? null : (
        <NoResults hasAnswer={answer !== null} />
      )}
    </div>
  );
}
