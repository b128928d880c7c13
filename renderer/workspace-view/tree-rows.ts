/**
 * Converts the listed folders to the rows of the tree.
 */
import type { FileEntry, FileTree, ListedFolder } from '../stores/workspace/file-tree.ts';
import type { TreeRow } from '../ui/tree-rows.ts';
import { text } from './text.ts';

/** An entry being created in place that has no name yet. */
export interface NewTreeEntry {
  readonly folder: string;
  readonly kind: FileEntry['kind'];
}

export type FileRow = TreeRow &
  (
    | { readonly kind: 'entry'; readonly entry: FileEntry; readonly hasErrors: boolean }
    /** A field for a new name. */
    | { readonly kind: 'new'; readonly entry: NewTreeEntry }
    /** Why entries are missing. */
    | { readonly kind: 'note'; readonly text: string }
  );

interface RowSource extends Pick<FileTree, 'folders' | 'expanded'> {
  /** The entry being created, or null. */
  readonly made: NewTreeEntry | null;
  /** Open files that have errors. */
  readonly withErrors: ReadonlySet<string>;
}

function labelOf({ name, kind, change, count }: FileEntry, hasErrors: boolean): string {
  const entries = kind === 'folder' && count !== undefined ? text.tree.folder({ count }) : '';
  const parts = [name, entries, hasErrors ? text.tree.hasErrors : '', change === null ? '' : text.tree[change]];
  return parts.filter((part) => part !== '').join(', ');
}

function noteOf({ status, isCut, error, entries }: ListedFolder): string | null {
  if (error !== null) return text.tree.failed({ reason: error.message });
  if (status === 'loading' && entries.length === 0) return text.tree.loading;
  if (isCut) return text.tree.cut({ count: entries.length });
  return entries.length === 0 ? text.tree.empty : null;
}

/** Returns the ID of the row that names a new entry of a folder. */
export function newRowId(folder: string): string {
  return `new:${folder}`;
}

function newLabel({ kind }: NewTreeEntry): string {
  return kind === 'folder' ? text.tree.newFolder : text.tree.newFile;
}

/** Returns all visible rows, from top to bottom. */
export function treeRows(source: RowSource): readonly FileRow[] {
  return rowsOf(source, '', 1);
}

function rowsOf(source: RowSource, folder: string, level: number): FileRow[] {
  const listed = source.folders.get(folder);
  if (listed === undefined) return [];
  const { made } = source;
  const isHere = made !== null && made.folder === folder;
  const note = noteOf(listed);
  const size = listed.entries.length + (isHere ? 1 : 0) + (note === null ? 0 : 1);
  const flat = { level, isExpanded: null, size } as const;
  const entries = listed.entries.flatMap((entry, index) => {
    const position = index + 1 + (isHere ? 1 : 0);
    return entryRows(source, entry, { level, size, position });
  });
  return [
    ...(isHere && made !== null
      ? [{ kind: 'new', id: newRowId(folder), label: newLabel(made), entry: made, position: 1, ...flat } as const]
      : []),
    ...entries,
    ...(note === null || (isHere && listed.entries.length === 0)
      ? []
      : [{ kind: 'note', id: `note:${folder}`, label: note, text: note, position: size, ...flat } as const]),
  ];
}

function entryRows(
  source: RowSource,
  entry: FileEntry,
  place: Pick<TreeRow, 'level' | 'size' | 'position'>,
): readonly FileRow[] {
  const hasErrors = source.withErrors.has(entry.path);
  const isExpanded = entry.kind === 'folder' ? source.expanded.has(entry.path) : null;
  const label = labelOf(entry, hasErrors);
  const row: FileRow = { kind: 'entry', id: entry.path, entry, label, hasErrors, isExpanded, ...place };
  return isExpanded === true ? [row, ...rowsOf(source, entry.path, place.level + 1)] : [row];
}
