/**
 * The workspace files, with commands to open, create, rename, move, copy and delete them.
 */
import {
  ChevronsDownUp,
  Copy,
  Ellipsis,
  FilePlus,
  FolderPlus,
  Pencil,
  Plus,
  RefreshCw,
  SquareArrowOutUpRight,
  Trash2,
} from 'lucide-react';
import { type ReactElement, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores-context.tsx';
import type { OpenFiles } from '../stores/text/files.ts';
import { folderOf, pathIn } from '../stores/text/paths.ts';
import type { FileEntry } from '../stores/workspace/file-tree.ts';
import { fileNameOf } from '../stores/workspace/workspace.ts';
import { IconButton } from '../ui/button.tsx';
import { ContextMenu, ContextMenuItem, ContextMenuSeparator } from '../ui/context-menu.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { TreeView } from '../ui/tree-view.tsx';
import { FileRowView, useRowDrag } from './file-row.tsx';
import { text } from './text.ts';
import { TrashDialog } from './trash-dialog.tsx';
import { type FileRow, type NewTreeEntry, newRowId, treeRows } from './tree-rows.ts';
import './workspace-tree.css';

/** Combined into one string, so that it changes only with its content. */
function pathsWithErrors({ files }: OpenFiles): string {
  return [...files.values()]
    .filter(
      ({ status, diagnostics }) => status === 'unreadable' || diagnostics.some(({ severity }) => severity === 'error'),
    )
    .map(({ path }) => path)
    .join('\n');
}

function useTreeRows(made: NewTreeEntry | null): readonly FileRow[] {
  const { fileTree, openFiles } = useStores();
  const folders = useStore(fileTree, (state) => state.folders);
  const expanded = useStore(fileTree, (state) => state.expanded);
  const errors = useStore(openFiles, pathsWithErrors);
  return useMemo(
    () => treeRows({ folders, expanded, made, withErrors: new Set(errors.split('\n')) }),
    [folders, expanded, made, errors],
  );
}

/** Returns the row that keys apply to. It follows the active file. */
function useActiveRow(activePath: string | null): [string | null, (id: string) => void] {
  const { fileTree } = useStores();
  const [activeId, setActiveId] = useState<string | null>(activePath);
  useEffect(() => {
    if (activePath === null) return;
    setActiveId(activePath);
    // An agent of a pack is outside the workspace.
    if (!/^[\\/]|^[a-z]:/i.test(activePath)) fileTree.getState().reveal(activePath);
  }, [activePath, fileTree]);
  return [activeId, setActiveId];
}

/** Whether the files are those of runs in a remote history, which can only be opened. */
function useIsRemote(): boolean {
  return useStore(useStores().workspace, ({ remote }) => remote !== null);
}

interface TreeHeaderProps {
  readonly onNew: () => void;
  readonly onMake: (kind: FileEntry['kind']) => void;
}

function TreeHeader({ onNew, onMake }: TreeHeaderProps) {
  const { workspace, fileTree } = useStores();
  const folder = useStore(workspace, (state) => state.folder) ?? '';
  const isRemote = useIsRemote();
  return (
    <div className="side-heading">
      <h2 id="side-heading" className="side-title" title={folder}>
        {fileNameOf(folder).toUpperCase()}
      </h2>
      {isRemote ? null : (
        <IconButton label={text.tree.new} onClick={onNew}>
          <Plus aria-hidden size={14} />
        </IconButton>
      )}
      <Menu
        trigger={
          <IconButton label={text.tree.more}>
            <Ellipsis aria-hidden size={14} />
          </IconButton>
        }
      >
        {isRemote ? null : (
          <>
            <MenuItem
              icon={<FilePlus aria-hidden size={14} />}
              text={text.tree.newFile}
              onSelect={() => onMake('file')}
            />
            <MenuItem
              icon={<FolderPlus aria-hidden size={14} />}
              text={text.tree.newFolder}
              onSelect={() => onMake('folder')}
            />
          </>
        )}
        <MenuItem
          icon={<ChevronsDownUp aria-hidden size={14} />}
          text={text.tree.collapseAll}
          onSelect={() => fileTree.getState().collapseAll()}
        />
        <MenuItem
          icon={<RefreshCw aria-hidden size={14} />}
          text={text.tree.refresh}
          onSelect={() => void fileTree.getState().refresh([])}
        />
      </Menu>
    </div>
  );
}

interface WorkspaceTreeProps {
  readonly onOpen: (path: string) => void;
  /** Asks what to create in a folder. */
  readonly onNew: (folder: string) => void;
}

export function WorkspaceTree({ onOpen, onNew }: WorkspaceTreeProps) {
  const { fileTree, files, openFiles } = useStores();
  const activePath = useStore(openFiles, (state) => state.activePath);
  const [made, setMade] = useState<NewTreeEntry | null>(null);
  const [renamed, setRenamed] = useState<string | null>(null);
  const [asked, setAsked] = useState<FileEntry | null>(null);
  const [menuEntry, setMenuEntry] = useState<FileEntry | null>(null);
  const [activeId, setActiveId] = useActiveRow(activePath);
  const rows = useTreeRows(made);
  const rowDrag = useRowDrag();

  const make = (folder: string, kind: FileEntry['kind']): void => {
    if (folder !== '') fileTree.getState().setExpanded(folder, true);
    setMade({ folder, kind });
    setActiveId(newRowId(folder));
  };
  const finishMade = async ({ folder, kind }: NewTreeEntry, name: string | null): Promise<void> => {
    setMade(null);
    focusTree();
    if (name === null) return;
    const path = pathIn(folder, name);
    if (!(await files.create(path, kind))) return;
    setActiveId(path);
    if (kind === 'file') onOpen(path);
  };
  const finishRename = async ({ path }: FileEntry, name: string | null): Promise<void> => {
    setRenamed(null);
    focusTree();
    const to = pathIn(folderOf(path), name ?? '');
    if (name !== null && (await files.rename(path, to))) setActiveId(to);
  };
  const duplicate = async ({ path }: FileEntry): Promise<void> => {
    const copy = await files.duplicate(path);
    if (copy !== null) setActiveId(copy);
  };
  const toggle = (row: FileRow, isExpanded: boolean): void => {
    if (row.kind === 'entry') fileTree.getState().setExpanded(row.entry.path, isExpanded);
  };
  const open = (row: FileRow): void => {
    if (row.isExpanded !== null) toggle(row, !row.isExpanded);
    else if (row.kind === 'entry') onOpen(row.entry.path);
  };
  const onKey = (row: FileRow, key: string): boolean => {
    if (row.kind !== 'entry') return false;
    if (key === 'F2') setRenamed(row.id);
    else if (key === 'Delete') setAsked(row.entry);
    else return false;
    return true;
  };
  const isTaken = (row: FileRow, name: string): boolean => {
    if (row.kind === 'note') return false;
    const folder = row.kind === 'new' ? row.entry.folder : folderOf(row.entry.path);
    const listed = fileTree.getState().folders.get(folder)?.entries ?? [];
    return listed.some((entry) => entry.name === name);
  };

  const tree = (
    <TreeView
      label={text.tree.label}
      rows={rows}
      activeId={activeId}
      onActive={({ id }) => setActiveId(id)}
      isSelected={({ id }) => id === activePath}
      onOpen={open}
      onToggle={toggle}
      onKey={(row, { key }) => onKey(row, key)}
      findsByLetters
      rowProps={rowDrag}
      onContextMenu={(row) => {
        setMenuEntry(row?.kind === 'entry' ? row.entry : null);
        if (row !== null) setActiveId(row.id);
      }}
      renderRow={(row) => (
        <FileRowView
          row={row}
          isRenamed={row.id === renamed}
          isTaken={(name) => isTaken(row, name)}
          onRenamed={(entry, name) => void finishRename(entry, name)}
          onNamed={(entry, name) => void finishMade(entry, name)}
        />
      )}
    />
  );
  const folderInFront = folderOfRow(rows, activeId);
  return (
    <section className="workspace-tree" aria-labelledby="side-heading">
      <TreeHeader onNew={() => onNew(folderInFront)} onMake={(kind) => make(folderInFront, kind)} />
      <TreeMenu
        trigger={<div className="workspace-tree-frame">{tree}</div>}
        entry={menuEntry}
        onOpen={({ path }) => onOpen(path)}
        onNew={onNew}
        onMake={make}
        onRename={({ path }) => setRenamed(path)}
        onDuplicate={(entry) => void duplicate(entry)}
        onTrash={setAsked}
      />
      <TrashDialog entry={asked} onClose={() => setAsked(null)} />
    </section>
  );
}

/** Returns the focus to the tree after a name was typed. */
function focusTree(): void {
  requestAnimationFrame(() => {
    // Unless the user has moved the focus elsewhere.
    if (document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>('.workspace-tree [role="tree"]')?.focus();
  });
}

/** Returns the folder of the active row, used when something is created without a selected folder. */
function folderOfRow(rows: readonly FileRow[], activeId: string | null): string {
  const row = rows.find(({ id }) => id === activeId);
  if (row?.kind !== 'entry') return '';
  return row.entry.kind === 'folder' ? row.entry.path : folderOf(row.entry.path);
}

interface TreeMenuProps {
  readonly trigger: ReactElement;
  /** The entry that the menu applies to. Null for the workspace. */
  readonly entry: FileEntry | null;
  readonly onOpen: (entry: FileEntry) => void;
  readonly onNew: (folder: string) => void;
  readonly onMake: (folder: string, kind: FileEntry['kind']) => void;
  readonly onRename: (entry: FileEntry) => void;
  readonly onDuplicate: (entry: FileEntry) => void;
  readonly onTrash: (entry: FileEntry) => void;
}

function EntryItems({ entry, ...props }: Omit<TreeMenuProps, 'entry' | 'trigger'> & { readonly entry: FileEntry }) {
  return (
    <>
      <ContextMenuSeparator />
      <ContextMenuItem
        icon={<Pencil aria-hidden size={14} />}
        text={text.tree.rename}
        hint="F2"
        onSelect={() => props.onRename(entry)}
      />
      <ContextMenuItem
        icon={<Copy aria-hidden size={14} />}
        text={text.tree.duplicate}
        onSelect={() => props.onDuplicate(entry)}
      />
      <ContextMenuItem text={text.tree.copyPath} onSelect={() => void navigator.clipboard.writeText(entry.path)} />
      <ContextMenuSeparator />
      <ContextMenuItem
        icon={<Trash2 aria-hidden size={14} />}
        text={text.tree.moveToTrash}
        hint={text.tree.deleteKey}
        onSelect={() => props.onTrash(entry)}
      />
    </>
  );
}

function TreeMenu({ trigger, entry, ...props }: TreeMenuProps) {
  const folder = entry === null ? '' : entry.kind === 'folder' ? entry.path : folderOf(entry.path);
  if (useIsRemote()) return trigger;
  return (
    <ContextMenu trigger={trigger}>
      {entry?.kind === 'file' ? (
        <ContextMenuItem
          icon={<SquareArrowOutUpRight aria-hidden size={14} />}
          text={text.tree.open}
          hint={text.tree.openKey}
          onSelect={() => props.onOpen(entry)}
        />
      ) : null}
      <ContextMenuItem
        icon={<Plus aria-hidden size={14} />}
        text={text.tree.new}
        onSelect={() => props.onNew(folder)}
      />
      <ContextMenuItem
        icon={<FilePlus aria-hidden size={14} />}
        text={text.tree.newFile}
        onSelect={() => props.onMake(folder, 'file')}
      />
      <ContextMenuItem
        icon={<FolderPlus aria-hidden size={14} />}
        text={text.tree.newFolder}
        onSelect={() => props.onMake(folder, 'folder')}
      />
      {entry === null ? null : <EntryItems entry={entry} {...props} />}
    </ContextMenu>
  );
}
