/**
 * Handles files and folders that are dropped on the window, and shows a hint while they are over it.
 */
import { FolderInput } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { pathOfFile } from '../../bridge/main-client.ts';
import type { Stores } from '../../stores/stores.ts';
import { useStores } from '../../stores/stores-context.tsx';
import type { CanvasHandle } from '../../stores/window/canvases.ts';
import { draggedPathType } from '../../stores/workspace/file-names.ts';
import { fileNameOf } from '../../stores/workspace/workspace.ts';
import type { CommandContext } from '../commands/command.ts';
import { useCommandContext } from '../commands/command-context.tsx';
import { folderForNew } from '../commands/file-commands.ts';
import { openPath } from '../commands/open-file.ts';
import './file-drop.css';
import { text } from './text.ts';

const words = text.drop;

/** A dropped file or folder on disk. */
interface DroppedItem {
  /** Absolute path. */
  readonly path: string;
  readonly isFolder: boolean;
  readonly file?: File;
}

interface DropDecision {
  /** The pack to install after confirmation. */
  readonly pack: string | null;
  /** Files of other programs to import. */
  readonly imports: readonly string[];
  /** The folder to offer as the workspace. */
  readonly folder: string | null;
  /** Folders in the workspace, as in `add-files`. */
  readonly inside: readonly string[];
  /** Files to open, relative to the workspace. */
  readonly open: readonly string[];
  /** Files outside the workspace. */
  readonly outside: readonly string[];
}

/**
 * Decides how to handle all dropped items together. `workspace` is the absolute path of the open folder, or null if
 * none is open.
 */
export function decideDrop(items: readonly DroppedItem[], workspace: string | null): DropDecision {
  const files = items.filter(({ isFolder }) => !isFolder).map(({ path }) => path);
  const packs = workspace === null ? [] : files.filter(isPack);
  const imports = files.filter((path) => isImport(path, pathIn(workspace, path) !== null));
  const others = files.filter((path) => !packs.includes(path) && !imports.includes(path));
  const folder = items.find(({ path, isFolder }) => isFolder && pathIn(workspace, path) !== '');
  const places = others.map((path) => [path, pathIn(workspace, path)] as const);
  const folders = items.filter(({ isFolder }) => isFolder).map(({ path }) => pathIn(workspace, path));
  return {
    pack: packs[0] ?? null,
    imports,
    folder: folder?.path ?? null,
    inside: folders.flatMap((path) => (path === null ? [] : `${path}/`)),
    open: places.flatMap(([, path]) => path ?? []),
    outside: places.flatMap(([path, place]) => (place === null ? [path] : [])),
  };
}

function isPack(path: string): boolean {
  return path.toLowerCase().endsWith('.aipack');
}

/** A JSON file of the workspace is opened as text. */
function isImport(path: string, isInside: boolean): boolean {
  return /\.rivet-(?:project|graph)$/i.test(path) || (!isInside && /\.json$/i.test(path));
}

/** Converts separators to `/` and removes trailing ones. */
function withoutEnd(path: string): string {
  return path.replaceAll('\\', '/').replace(/\/+$/, '');
}

/**
 * Returns the path relative to the workspace, with `/` as the separator. `''` is the workspace itself, null is a path
 * outside it.
 */
function pathIn(workspace: string | null, path: string): string | null {
  if (workspace === null) return null;
  const base = withoutEnd(workspace);
  const whole = withoutEnd(path);
  // A drive letter indicates Windows, where paths are case-insensitive.
  const fold = (name: string): string => (/^[a-z]:/i.test(base) ? name.toLowerCase() : name);
  if (fold(whole) === fold(base)) return '';
  return fold(whole).startsWith(`${fold(base)}/`) ? whole.slice(base.length + 1) : null;
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true;
}

/** Returns whether a file of the tree is being dragged over the canvas. */
function isRowOverCanvas({ dataTransfer, target }: DragEvent): boolean {
  const isRow = dataTransfer?.types.includes(draggedPathType) === true;
  return isRow && target instanceof Element && target.closest('.flow-canvas') !== null;
}

/** Returns the items that exist on disk. Omits files created by scripts, which exist only in memory. */
function itemsOf({ dataTransfer }: DragEvent): DroppedItem[] {
  const entries = [...(dataTransfer?.items ?? [])].map((item) => ({
    file: item.getAsFile(),
    isFolder: item.webkitGetAsEntry()?.isDirectory === true,
  }));
  return entries.flatMap(({ file, isFolder }) => {
    const path = file === null ? '' : pathOfFile(file);
    return path === '' || file === null ? [] : [{ path, isFolder, file }];
  });
}

function notifyOutside({ notices, workspace }: Stores, outside: readonly string[]): void {
  const [first = '', ...more] = outside;
  const title = words.outside({ name: fileNameOf(first), more: more.length });
  const { folder } = workspace.getState();
  const detail = folder === null ? words.noFolder : words.outsideHelp({ folder });
  notices.getState().add({ tone: 'info', title, detail });
}

/** Returns whether a file contains a run that was sent or exported. */
async function isSentRun(file: File): Promise<boolean> {
  return /^\s*\{\s*"format": ?"millrace\.run\//.test(await file.slice(0, 200).text());
}

/** Imports files one after the other, so that their names differ. Sent runs get separate windows. */
async function importAll(context: CommandContext, files: readonly File[]): Promise<void> {
  const { imports, notices, main, workspace } = context.stores;
  for (const file of files) {
    if (await isSentRun(file)) {
      await main
        .call('sent.open', { path: pathOfFile(file) })
        .catch((error: unknown) => notices.getState().addError(words.openSentFailed, error));
      continue;
    }
    if (workspace.getState().folder === null) {
      notifyOutside(context.stores, [file.name]);
      continue;
    }
    const failure = await imports.getState().read(file, folderForNew(context));
    if (failure === null) continue;
    notices.getState().add({ tone: 'error', title: text.import.failed({ name: file.name }), detail: failure });
  }
}

/** Position on the page where the items were dropped. */
interface DropPlace {
  readonly target: EventTarget | null;
  readonly at: { readonly x: number; readonly y: number };
}

/** Returns the canvas that the items were dropped on, or undefined. */
function canvasAt(stores: Stores, { target }: DropPlace): CanvasHandle | undefined {
  const isOnCanvas = target instanceof Element && target.closest('.flow-canvas') !== null;
  return isOnCanvas ? stores.canvases.getState().handles.get(stores.openFiles.getState().activePath ?? '') : undefined;
}

/** Turns files that are dropped on a canvas into nodes. Flows are always opened instead. Returns the files to open. */
function addToCanvas(stores: Stores, files: readonly string[], place: DropPlace): readonly string[] {
  const canvas = canvasAt(stores, place);
  if (canvas === undefined) return files;
  const isFlow = (path: string): boolean => /\.flow\.ya?ml$/.test(path);
  const paths = files.filter((path) => !isFlow(path));
  if (paths.length > 0) canvas.run({ do: 'add-files', paths, at: place.at });
  return files.filter(isFlow);
}

/** Performs everything that needs no confirmation. Returns the folder that needs one. */
function take(context: CommandContext, items: readonly DroppedItem[], place: DropPlace): string | null {
  const { stores } = context;
  const { pack, imports, folder, inside, open, outside } = decideDrop(items, stores.workspace.getState().folder);
  const isRead = inside.length > 0 && canvasAt(stores, place) !== undefined;
  for (const path of addToCanvas(stores, isRead ? [...open, ...inside] : open, place)) void openPath(stores, path);
  if (pack !== null) stores.packs.getState().askInstall(pack);
  if (outside.length > 0) notifyOutside(stores, outside);
  const files = items.flatMap(({ path, file }) => (file !== undefined && imports.includes(path) ? file : []));
  if (files.length > 0) void importAll(context, files);
  return isRead ? null : folder;
}

function useDrop(onFolder: (folder: string) => void): boolean {
  const context = useCommandContext();
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const { stores } = context;
    const allow = (event: DragEvent): void => {
      if (isRowOverCanvas(event)) {
        event.preventDefault();
        if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
      }
      if (!hasFiles(event)) return;
      // Without this call the window rejects drops, and the text editor would handle them itself.
      event.preventDefault();
      event.stopPropagation();
      setIsOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent): void => {
      setIsOver(false);
      const { target, clientX: x, clientY: y } = event;
      if (isRowOverCanvas(event)) {
        event.preventDefault();
        const path = event.dataTransfer?.getData(draggedPathType) ?? '';
        for (const flow of addToCanvas(stores, [path], { target, at: { x, y } })) void openPath(stores, flow);
        return;
      }
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      const folder = take(context, itemsOf(event), { target, at: { x, y } });
      if (folder !== null) onFolder(folder);
    };
    addEventListener('dragover', allow, true);
    addEventListener('dragleave', leave, true);
    addEventListener('drop', drop, true);
    return () => {
      removeEventListener('dragover', allow, true);
      removeEventListener('dragleave', leave, true);
      removeEventListener('drop', drop, true);
    };
  }, [context, onFolder]);
  return isOver;
}

/** Handles drops on the whole window. Main asks before it opens another folder. */
export function FileDrop() {
  const { main, notices, workspace } = useStores();
  const openFolder = useCallback(
    (path: string): void =>
      void main
        .call('workspace.open', { path })
        .catch((error: unknown) => notices.getState().addError(words.openFolderFailed, error)),
    [main, notices],
  );
  const isOver = useDrop(openFolder);
  const hasWorkspace = useStore(workspace, (state) => state.folder !== null);
  if (!isOver) return null;
  return (
    <div className="file-drop" role="status">
      <div className="file-drop-words">
        <FolderInput aria-hidden size={20} />
        <b>{words.title}</b>
        {hasWorkspace ? words.hint : words.hintWithoutFolder}
      </div>
    </div>
  );
}
