/**
 * Rows of the workspace tree that are dragged into folders.
 */
import { type DragEvent, useState } from 'react';
import { useStores } from '../stores/stores-context.tsx';
import { folderOf, isAtOrBelow, pathIn } from '../stores/text/paths.ts';
import { fileNameOf } from '../stores/workspace/workspace.ts';
import type { FileRow } from './tree-rows.ts';

const dragType = 'application/x-millrace-path';

function folderBehind(row: FileRow): string | null {
  if (row.kind !== 'entry') return null;
  return row.entry.kind === 'folder' ? row.entry.path : folderOf(row.entry.path);
}

/** @returns what the element of a row needs for it */
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
        event.dataTransfer.setData(dragType, row.entry.path);
        event.dataTransfer.effectAllowed = 'move';
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
