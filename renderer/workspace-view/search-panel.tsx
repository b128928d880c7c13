/**
 * Searches the text of workspace files, and lists the results.
 */
import { ChevronDown, ChevronRight, ChevronsDownUp, ChevronsUpDown, Search } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores-context.tsx';
import type { FoundFile, SearchAnswer, SearchMatch } from '../stores/workspace/text-search.ts';
import { fileNameOf } from '../stores/workspace/workspace.ts';
import { IconButton } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { numberText } from '../ui/language.ts';
import type { TreeRow } from '../ui/tree-rows.ts';
import { TreeView } from '../ui/tree-view.tsx';
import { fileIcon } from './file-row.tsx';
import { SearchFields } from './search-fields.tsx';
import { text } from './text.ts';
import './search-panel.css';

/** A row of the result tree: a file, or one of its matches. */
type SearchRow = TreeRow &
  (
    | { readonly kind: 'file'; readonly file: FoundFile; readonly name: string; readonly folder: string }
    | { readonly kind: 'match'; readonly path: string; readonly match: SearchMatch }
  );

/** The text of a match's line in three parts. The part before the match is truncated so that the match is visible. */
interface MatchParts {
  readonly before: string;
  readonly found: string;
  readonly after: string;
}

/** Number of UTF-16 units that fit before a match without moving it out of view. */
const mostBefore = 24;

function partsOfMatch({ text: line, start, end }: SearchMatch): MatchParts {
  const before = line.slice(0, start);
  // Truncates by whole characters, because half of one would be drawn as a question mark.
  const kept = before.length <= mostBefore ? before : `…${[...before].slice(3 - mostBefore).join('')}`;
  return { before: kept, found: line.slice(start, end), after: line.slice(end) };
}

/** Returns all visible rows, from top to bottom. */
function searchRows(answer: SearchAnswer, folded: ReadonlySet<string>): readonly SearchRow[] {
  return answer.files.flatMap((file, index): SearchRow[] => {
    const { path, matches } = file;
    const name = fileNameOf(path);
    const folder = path.slice(0, Math.max(0, path.length - name.length - 1));
    const isExpanded = !folded.has(path);
    const head: SearchRow = {
      kind: 'file',
      id: path,
      file,
      name,
      folder,
      label: text.search.file({ path, count: matches.length }),
      level: 1,
      isExpanded,
      position: index + 1,
      size: answer.files.length,
    };
    return isExpanded ? [head, ...matchRows(file)] : [head];
  });
}

function matchRows({ path, matches }: FoundFile): SearchRow[] {
  return matches.map((match, index) => ({
    kind: 'match',
    id: `${path}\0${index}`,
    path,
    match,
    label: text.search.line({ line: match.line, content: match.text.trim() }),
    level: 2,
    isExpanded: null,
    position: index + 1,
    size: matches.length,
  }));
}

/** Describes how much was found and what was not searched, one sentence each. */
function answerSentences({ files, end, slowPath, tooLarge, isCut }: SearchAnswer): readonly string[] {
  const matches = files.reduce((sum, file) => sum + file.matches.length, 0);
  const stopped = {
    all: [],
    matches: [text.search.firstOnly],
    slow: [slowPath === null ? text.search.slow : text.search.slowFile({ path: slowPath })],
    time: [text.search.time],
  }[end];
  return [
    text.search.found({ matches, files: files.length }),
    ...stopped,
    ...(tooLarge === 0 ? [] : [text.search.tooLarge({ count: tooLarge })]),
    ...(isCut ? [text.search.cut] : []),
  ];
}

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
      <span className="file-count">{numberText(row.file.matches.length)}</span>
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
      label={text.search.results}
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

/** Shown before the first search, and if there were no matches. */
function NoResults({ hasAnswer }: { hasAnswer: boolean }) {
  return (
    <EmptyState icon={<Search aria-hidden size={20} />} title={hasAnswer ? text.search.nothing : text.search.start}>
      {hasAnswer ? text.search.nothingNote : text.search.startNote}
    </EmptyState>
  );
}

function FoldButton({ answer }: { answer: SearchAnswer }) {
  const { textSearch } = useStores();
  const areFolded = useStore(textSearch, ({ folded }) => folded.size > 0);
  return (
    <IconButton
      label={areFolded ? text.search.expandAll : text.search.collapseAll}
      onClick={() => textSearch.setState({ folded: new Set(areFolded ? [] : answer.files.map(({ path }) => path)) })}
    >
      {areFolded ? <ChevronsUpDown aria-hidden size={14} /> : <ChevronsDownUp aria-hidden size={14} />}
    </IconButton>
  );
}

interface SearchPanelProps {
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
          {text.search.title}
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
