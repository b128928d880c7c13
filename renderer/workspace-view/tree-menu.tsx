/**
 * The context menu of the workspace tree.
 */
import { Copy, FilePlus, FolderPlus, Pencil, Plus, SquareArrowOutUpRight, Trash2 } from 'lucide-react';
import type { ReactElement } from 'react';
import { folderOf } from '../stores/text/paths.ts';
import type { FileEntry } from '../stores/workspace/file-tree.ts';
import { ContextMenu, ContextMenuItem, ContextMenuSeparator } from '../ui/context-menu.tsx';

interface TreeMenuProps {
  readonly trigger: ReactElement;
  /** What it is about; null = the workspace. */
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
        text="Rename"
        hint="F2"
        onSelect={() => props.onRename(entry)}
      />
      <ContextMenuItem
        icon={<Copy aria-hidden size={14} />}
        text="Duplicate"
        onSelect={() => props.onDuplicate(entry)}
      />
      <ContextMenuItem text="Copy the path" onSelect={() => void navigator.clipboard.writeText(entry.path)} />
      <ContextMenuSeparator />
      <ContextMenuItem
        icon={<Trash2 aria-hidden size={14} />}
        text="Move to the trash…"
        hint="Delete"
        onSelect={() => props.onTrash(entry)}
      />
    </>
  );
}

export function TreeMenu({ trigger, entry, ...props }: TreeMenuProps) {
  const folder = entry === null ? '' : entry.kind === 'folder' ? entry.path : folderOf(entry.path);
  return (
    <ContextMenu trigger={trigger}>
      {entry?.kind === 'file' ? (
        <ContextMenuItem
          icon={<SquareArrowOutUpRight aria-hidden size={14} />}
          text="Open"
          hint="Enter"
          onSelect={() => props.onOpen(entry)}
        />
      ) : null}
      <ContextMenuItem icon={<Plus aria-hidden size={14} />} text="New…" onSelect={() => props.onNew(folder)} />
      <ContextMenuItem
        icon={<FilePlus aria-hidden size={14} />}
        text="New file"
        onSelect={() => props.onMake(folder, 'file')}
      />
      <ContextMenuItem
        icon={<FolderPlus aria-hidden size={14} />}
        text="New folder"
        onSelect={() => props.onMake(folder, 'folder')}
      />
      {entry === null ? null : <EntryItems entry={entry} {...props} />}
    </ContextMenu>
  );
}
