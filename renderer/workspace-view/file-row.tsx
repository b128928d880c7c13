/**
 * A row of the workspace tree.
 */
import {
  Bot,
  ChevronDown,
  ChevronRight,
  CircleX,
  File,
  FileText,
  Folder,
  type LucideIcon,
  MessagesSquare,
  Package,
  Workflow,
} from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { useStores } from '../stores/stores-context.tsx';
import { folderOf, isAtOrBelow, kindOfPath, pathIn, stemLength } from '../stores/text/paths.ts';
import { draggedPathType, nameProblem } from '../stores/workspace/file-names.ts';
import type { FileEntry } from '../stores/workspace/file-tree.ts';
import { fileNameOf } from '../stores/workspace/workspace.ts';
import { numberText } from '../ui/language.ts';
import { NameField } from '../ui/name-field.tsx';
import { text } from './text.ts';
import type { FileRow, NewTreeEntry } from './tree-rows.ts';

/** Returns the icon of a file or folder in lists. */
export function fileIcon({ path, kind }: Pick<FileEntry, 'path' | 'kind'>): LucideIcon {
  if (kind === 'folder') return Folder;
  if (path.endsWith('pack.toml')) return Package;
  const document = kindOfPath(path);
  if (document === 'flow') return Workflow;
  if (document === 'agent') return Bot;
  if (document === 'dialogue') return MessagesSquare;
  return /\.(?:md|txt)$/.test(path) ? FileText : File;
}

const letters = { modified: 'M', untracked: 'U' } as const;

function Chevron({ isExpanded }: { isExpanded: boolean | null }) {
  if (isExpanded === null) return null;
  const Icon = isExpanded ? ChevronDown : ChevronRight;
  return <Icon aria-hidden className="file-chevron" size={12} />;
}

interface FileRowViewProps {
  readonly row: FileRow;
  readonly isRenamed: boolean;
  /** Returns whether a name exists in the same folder. */
  readonly isTaken: (name: string) => boolean;
  readonly onRenamed: (entry: FileEntry, name: string | null) => void;
  readonly onNamed: (made: NewTreeEntry, name: string | null) => void;
}

export function FileRowView({ row, isRenamed, isTaken, onRenamed, onNamed }: FileRowViewProps) {
  const problemOf = (name: string): string | null =>
    nameProblem(name) ?? (isTaken(name) ? text.tree.taken({ name }) : null);
  if (row.kind === 'note') return <span className="file-note">{row.text}</span>;
  if (row.kind === 'new') {
    const Icon = row.entry.kind === 'folder' ? Folder : File;
    return (
      <>
        <Icon aria-hidden className="tree-icon" size={14} />
        <NameField
          label={row.entry.kind === 'folder' ? text.tree.nameOfFolder : text.tree.nameOfFile}
          value=""
          problemOf={problemOf}
          onDone={(name) => onNamed(row.entry, name)}
        />
      </>
    );
  }
  const { entry } = row;
  const Icon = fileIcon(entry);
  return (
    <>
      <Chevron isExpanded={row.isExpanded} />
      <Icon aria-hidden className="tree-icon" size={14} />
      {isRenamed ? (
        <NameField
          label={text.tree.newName({ name: entry.name })}
          value={entry.name}
          selected={entry.kind === 'folder' ? entry.name.length : stemLength(entry.name)}
          problemOf={problemOf}
          onDone={(name) => onRenamed(entry, name)}
        />
      ) : (
        <span className="tree-name" title={entry.path}>
          {entry.name}
        </span>
      )}
      {row.hasErrors ? <CircleX aria-hidden className="file-errors" size={13} /> : null}
      {entry.count === undefined || row.isExpanded === true ? null : (
        <span className="file-count">{numberText(entry.count)}</span>
      )}
      {entry.change === null || entry.kind === 'folder' ? null : (
        <span className="file-change" data-change={entry.change} title={text.tree[entry.change]}>
          {letters[entry.change]}
        </span>
      )}
    </>
  );
}

function folderBehind(row: FileRow): string | null {
  if (row.kind !== 'entry') return null;
  return row.entry.kind === 'folder' ? row.entry.path : folderOf(row.entry.path);
}

/** Lets rows be dragged into folders. @returns the props for the element of a row */
export function useRowDrag(): (row: FileRow) => Readonly<Record<string, unknown>> {
  const { files, fileTree } = useStores();
  const [dragged, setDragged] = useState<string | null>(null);
  const [target, setTarget] = useState<string | null>(null);
  const mayDrop = (folder: string | null): folder is string =>
    dragged !== null && folder !== null && !isAtOrBelow(folder, dragged) && folderOf(dragged) !== folder;
  const end = (): void => {
    setDragged(null);
    setTarget(null);
  };
  return (row) => {
    if (row.kind !== 'entry') return {};
    const folder = folderBehind(row);
    return {
      draggable: true,
      'data-drop': row.id === target || undefined,
      onDragStart: (event: DragEvent) => {
        const { kind, path } = row.entry;
        event.dataTransfer.setData(draggedPathType, kind === 'file' ? path : `${path}/`);
        event.dataTransfer.effectAllowed = 'copyMove';
        setDragged(row.entry.path);
      },
      onDragOver: (event: DragEvent) => {
        if (!mayDrop(folder)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'move';
        setTarget(row.id);
      },
      onDragLeave: () => setTarget((before) => (before === row.id ? null : before)),
      onDragEnd: end,
      onDrop: (event: DragEvent) => {
        if (!mayDrop(folder) || dragged === null) return;
        event.preventDefault();
        end();
        if (folder !== '') fileTree.getState().setExpanded(folder, true);
        void files.rename(dragged, pathIn(folder, fileNameOf(dragged)));
      },
    };
  };
}
