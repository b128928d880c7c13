/**
 * A list or map as a tree with search. Renders only the visible rows.
 */
import { ChevronDown, ChevronRight, ChevronsDownUp, ChevronsUpDown, ChevronUp } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useMemo, useState } from 'react';
import { visibleText } from '../../../engine/isomorphic.ts';
import { MarkedText } from '../../card/marked-text.tsx';
import { IconButton } from '../../ui/button.tsx';
import { TextInput } from '../../ui/field.tsx';
import { spaceWords } from '../../ui/space-marks.ts';
import { TreeView } from '../../ui/tree-view.tsx';
import { isLargeValue } from '../../ui/value-parts.ts';
import { shortText, startOf } from './json-text.ts';
import { text as words } from './text.ts';
import { entryPath, keysOf, mostFound, parentsOf, sizeOf, type ValueRow, ValueRows } from './tree-model.ts';
import { copyPart, PartLine } from './value-text.tsx';
import './value-tree.css';

/** Maximum number of characters of a value that are rendered in its row. */
const rowLimit = 400;

interface ValueTreeProps {
  readonly label: string;
  /** A list or a map that is not empty. */
  readonly value: object;
  /** Path of the value in bindings. Undefined if bindings cannot refer to it. */
  readonly binding: string | undefined;
}

function useTree(value: object) {
  const tree = useMemo(() => new ValueRows(value), [value]);
  const [expanded, setExpanded] = useState<{ readonly tree: ValueRows; readonly ids: ReadonlySet<string> } | null>(
    null,
  );
  const atFirst = useMemo(() => tree.openAtFirst(), [tree]);
  const ids = expanded?.tree === tree ? expanded.ids : atFirst;
  const rows = useMemo(() => tree.shown(ids), [tree, ids]);
  const setIds = (next: ReadonlySet<string>): void => setExpanded({ tree, ids: next });
  const toggle = (row: ValueRow, isExpanded: boolean): void => {
    const next = new Set(ids);
    if (isExpanded) next.add(row.id);
    else next.delete(row.id);
    setIds(next);
  };
  /** Expands everything above a row, so that it is in view. */
  const reveal = (row: ValueRow): void => setIds(new Set([...ids, ...parentsOf(row)]));
  return { tree, rows, setIds, toggle, reveal };
}

type ShownTree = ReturnType<typeof useTree>;

export function ValueTree({ label, value, binding }: ValueTreeProps) {
  const state = useTree(value);
  const { tree, rows, toggle } = state;
  const [activeId, setActiveId] = useState<string | null>(null);
  const [openId, setOpenId] = useState<string | null>(null);
  const [query, setQuery] = useState('');
  const later = useDeferredValue(query);
  const found = useMemo(() => tree.find(later), [tree, later]);
  const foundIds = useMemo(() => new Set(found.map(({ id }) => id)), [found]);
  const active = rows.find(({ id }) => id === activeId);
  const part = active === undefined ? null : { path: entryPath(binding, keysOf(active)), value: active.value };
  const isBinding = binding !== undefined;
  return (
    <div className="value-tree">
      <TreeBar
        state={state}
        query={query}
        onQuery={setQuery}
        found={found}
        activeId={activeId}
        onFind={(row) => {
          state.reveal(row);
          setActiveId(row.id);
        }}
      />
      <TreeView
        label={label}
        rows={rows}
        activeId={activeId}
        onActive={({ id }) => setActiveId(id)}
        isSelected={({ id }) => id === activeId}
        onOpen={(row, how, event) => {
          if (row.isExpanded !== null) toggle(row, !row.isExpanded);
          else if (how === 'key' || isCut(event.target)) setOpenId(row.id);
        }}
        onToggle={toggle}
        onKey={(_, event) => copyPart(event, part, isBinding)}
        ownKeys="Enter"
        findsByLetters
        namesRows={false}
        rowProps={({ id }) => ({ 'data-found': foundIds.has(id) || undefined })}
        renderRow={(row) => <Entry row={row} />}
      />
      <PartLine
        part={part}
        isBinding={isBinding}
        isOpen={openId !== null && openId === activeId}
        onClose={() => setOpenId(null)}
      />
    </div>
  );
}

/** Returns whether the clicked row shows only a part of its value. */
function isCut(target: EventTarget): boolean {
  const value = target instanceof Element ? target.closest('.tree-row')?.querySelector('.value-tree-value') : null;
  return value !== null && value !== undefined && value.scrollWidth > value.clientWidth;
}

interface TreeBarProps {
  readonly state: ShownTree;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly found: readonly ValueRow[];
  readonly activeId: string | null;
  readonly onFind: (row: ValueRow) => void;
}

function TreeBar({ state, query, onQuery, found, activeId, onFind }: TreeBarProps) {
  const at = found.findIndex(({ id }) => id === activeId);
  const go = (step: 1 | -1): void => {
    const from = at === -1 && step === -1 ? 0 : at;
    const next = found[(from + step + found.length) % found.length];
    if (next !== undefined) onFind(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    go(event.shiftKey ? -1 : 1);
  };
  return (
    <div className="value-tree-bar">
      <TextInput
        type="search"
        aria-label={words.tree.search}
        placeholder={words.tree.search}
        value={query}
        onChange={({ target }) => onQuery(target.value)}
        onKeyDown={onKeyDown}
      />
      {query === '' ? null : (
        <>
          <span className="value-tree-found" role="status">
            {foundText(at, found.length)}
          </span>
          <IconButton label={words.tree.previous} disabled={found.length === 0} onClick={() => go(-1)}>
            <ChevronUp aria-hidden size={14} />
          </IconButton>
          <IconButton label={words.tree.next} disabled={found.length === 0} onClick={() => go(1)}>
            <ChevronDown aria-hidden size={14} />
          </IconButton>
        </>
      )}
      <IconButton label={words.tree.expandAll} onClick={() => state.setIds(state.tree.all())}>
        <ChevronsUpDown aria-hidden size={14} />
      </IconButton>
      <IconButton label={words.tree.collapseAll} onClick={() => state.setIds(new Set())}>
        <ChevronsDownUp aria-hidden size={14} />
      </IconButton>
    </div>
  );
}

function foundText(at: number, count: number): string {
  if (count === 0) return words.tree.none;
  return (count === mostFound ? words.tree.foundMost : words.tree.found)({ at: at + 1, count });
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (isLargeValue(value)) return 'string';
  return typeof value;
}

function Entry({ row: { key, value, isExpanded } }: { readonly row: ValueRow }) {
  const Chevron = isExpanded === true ? ChevronDown : ChevronRight;
  return (
    <>
      <span className="value-tree-chevron">{isExpanded === null ? null : <Chevron aria-hidden size={12} />}</span>
      <bdi className="value-tree-key" data-index={typeof key === 'number' || undefined}>
        {visibleText(shortText(String(key), 100))}
      </bdi>
      <bdi
        className="value-tree-value"
        data-kind={kindOf(value)}
        title={typeof value === 'string' ? spaceWords(startOf(value, rowLimit)) : undefined}
      >
        {isExpanded === null ? <Scalar value={value} /> : sizeText(value)}
      </bdi>
    </>
  );
}

/** Text in quotes, so that it differs from numbers and null. */
function Scalar({ value }: { readonly value: unknown }) {
  if (typeof value !== 'string') return visibleText(shortText(value, rowLimit));
  return (
    <>
      "<MarkedText text={startOf(value, rowLimit)} />"
    </>
  );
}

function sizeText(value: unknown): string {
  const count = sizeOf(value);
  return Array.isArray(value) ? words.tree.items({ count }) : words.tree.fields({ count });
}
