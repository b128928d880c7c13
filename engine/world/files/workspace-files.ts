/**
 * File operations that flows may perform in the workspace.
 */
import type { FileHandle } from 'node:fs/promises';
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type {
  FileBytes,
  FilesCapability,
  FileText,
  OpenedFile,
} from '../../runtime/kernel/capabilities/files-capability.ts';
import { replaceFile, replaceWith } from './atomic-write.ts';
import { toReadError, toWriteError } from './file-error.ts';
import { readPieces } from './file-pieces.ts';
import { type FolderHolder, inFolderOf, systemHolder, whileOpen } from './folders/folder-holder.ts';
import type { HeldFolder } from './folders/held-folder.ts';
import type { HeldEntry } from './folders/move-entry.ts';
import { readTextFile, readWholeFile } from './read-text.ts';
import { refuseProtected, resolveInWorkspace, type WorkspacePath } from './workspace-path.ts';

const maxFileBytes = 16 * 1024 * 1024;
const maxTotalBytes = 64 * 1024 * 1024;

/** Writes a file and records the write. @param real its real path @param rootRunId the run that writes, if known */
type NoteWrite = <T>(real: string, write: () => Promise<T>, rootRunId: RunId | undefined) => Promise<T>;

/**
 * Creates nodes' access to workspace files. A single file may have up to 16 MiB, and all files of one glob up to 64
 * MiB together.
 * @param root absolute path of the workspace folder
 * @param holder holds folders while files in them are read and written
 * @param noting records writes
 * @param rootRunId the run that writes; see `FilesCapability.forRun`
 */
export function createWorkspaceFiles(
  root: string,
  holder: FolderHolder = systemHolder,
  noting: NoteWrite = (_, write) => write(),
  rootRunId?: RunId,
): FilesCapability {
  return {
    forRun: (runId) => createWorkspaceFiles(root, holder, noting, runId),
    async readText(path, signal) {
      return await readOne(await resolveInWorkspace(root, path), holder, signal);
    },
    async readGlobs(globs, signal) {
      const read = (file: WorkspacePath) => readOne(file, holder, signal);
      return await readAll(globs, { root, holder, signal }, read, ({ text }) => Buffer.byteLength(text));
    },
    async readBytes(path, signal) {
      return await readOneAsBytes(await resolveInWorkspace(root, path), holder, signal);
    },
    async readBytesOfGlobs(globs, signal) {
      const read = (file: WorkspacePath) => readOneAsBytes(file, holder, signal);
      return await readAll(globs, { root, holder, signal }, read, ({ sizeBytes }) => sizeBytes);
    },
    async withOpened(paths, use, signal) {
      const found = await Promise.all(paths.map((path) => resolveInWorkspace(root, path)));
      return await openAll(found, { holder, signal }, use);
    },
    async save(path, fill) {
      const file = await resolveInWorkspace(root, path);
      refuseProtected(file);
      const filled = filling(fill);
      try {
        // Filling may take minutes, so only the replacement itself is noted: others may change the file until then.
        const placing: Placing = (place) => noting(file.real, place, rootRunId);
        const put = (folder: HeldFolder, name: string) => replaceBy({ folder, name }, filled.write, placing);
        await inFolderOf(holder, file.real, put, 'made');
        return filled.result();
      } catch (error) {
        throw filled.hasThrown(error) ? error : toWriteError(error, file.shown);
      }
    },
    async writeText(path, text, mode) {
      const file = await resolveInWorkspace(root, path);
      refuseProtected(file);
      try {
        const change = mode === 'append' ? append : replace;
        const put = (folder: HeldFolder, name: string) => change({ folder, name, shown: file.shown }, text);
        const write = () => inFolderOf(holder, file.real, put, 'made');
        const sizeBytes = await noting(file.real, write, rootRunId);
        return { path: file.shown, sizeBytes };
      } catch (error) {
        throw toWriteError(error, file.shown);
      }
    },
  };
}

interface WorkspaceReadScope {
  readonly root: string;
  readonly holder: FolderHolder;
  readonly signal: AbortSignal;
}

/** Reads all matching files, within the total limit. */
async function readAll<File>(
  globs: readonly string[],
  where: WorkspaceReadScope,
  read: (file: WorkspacePath) => Promise<File>,
  sizeOf: (file: File) => number,
): Promise<File[]> {
  // Loaded with the first glob, because most runs use no globs.
  const { findByGlobs } = await import('./glob-files.ts');
  const files: File[] = [];
  let totalBytes = 0;
  for (const path of await findByGlobs(where.root, globs, where)) {
    const file = await read(path);
    totalBytes += sizeOf(file);
    if (totalBytes > maxTotalBytes) throw tooMuch(globs);
    files.push(file);
  }
  return files;
}

async function readOneAsBytes(
  { shown, real }: WorkspacePath,
  holder: FolderHolder,
  signal: AbortSignal,
): Promise<FileBytes> {
  const bytes = await whileOpen(holder, { real, shown }, (file) =>
    readWholeFile(file, { maxBytes: maxFileBytes, shownPath: shown, signal }),
  );
  return { path: shown, base64: Buffer.from(bytes).toString('base64'), sizeBytes: bytes.byteLength };
}

async function readOne({ shown, real }: WorkspacePath, holder: FolderHolder, signal: AbortSignal): Promise<FileText> {
  const text = await whileOpen(holder, { real, shown }, (file) =>
    readTextFile(file, { maxBytes: maxFileBytes, shownPath: shown, signal }),
  );
  return { path: shown, text };
}

/** Opens files one after the other, and closes all of them when `use` is done. */
async function openAll<T>(
  files: readonly WorkspacePath[],
  where: Pick<WorkspaceReadScope, 'holder' | 'signal'>,
  use: (opened: readonly OpenedFile[]) => Promise<T>,
): Promise<T> {
  const handles: FileHandle[] = [];
  try {
    const opened: OpenedFile[] = [];
    for (const { real, shown } of files) {
      const handle = await inFolderOf(where.holder, real, (folder, name) => folder.openFile(name, 'read', shown)).catch(
        (error: unknown) => {
          throw toReadError(error, shown);
        },
      );
      handles.push(handle);
      const { size } = await handle.stat();
      opened.push({
        path: shown,
        sizeBytes: size,
        pieces: () => readPieces(handle, { end: size, signal: where.signal }),
      });
    }
    return await use(opened);
  } finally {
    await Promise.all(handles.map((handle) => handle.close()));
  }
}

/**
 * Wraps a function that fills a file, and detects whether an error came from that function. Such errors are reported
 * unchanged.
 */
function filling<T>(fill: (write: (piece: Uint8Array) => Promise<void>) => Promise<T>) {
  let result: T | undefined;
  let failure: { readonly thrown: unknown } | undefined;
  return {
    result: () => result as T,
    hasThrown: (error: unknown) => failure !== undefined && failure.thrown === error,
    async write(draft: FileHandle): Promise<void> {
      let writing: { readonly thrown: unknown } | undefined;
      const write = async (piece: Uint8Array): Promise<void> => {
        await draft.writeFile(piece).catch((thrown: unknown) => {
          writing = { thrown };
          throw thrown;
        });
      };
      try {
        result = await fill(write);
      } catch (thrown) {
        if (writing?.thrown !== thrown) failure = { thrown };
        throw thrown;
      }
      await draft.sync();
    },
  };
}

type Placing = NonNullable<Parameters<typeof replaceWith>[3]>;

/** Keeps the existing file's permissions. */
async function replaceBy(
  { folder, name }: HeldEntry,
  fill: (draft: FileHandle) => Promise<void>,
  placing: Placing,
): Promise<void> {
  const state = await folder.stat(name);
  const write = async (draft: FileHandle): Promise<void> => {
    await fill(draft);
    if (state !== undefined) await draft.chmod(state.mode & 0o777);
  };
  await replaceWith(folder, name, write, placing);
}

interface ShownWorkspaceEntry extends HeldEntry {
  readonly shown: string;
}

/** Both return the file's resulting size in bytes. */
async function replace({ folder, name, shown }: ShownWorkspaceEntry, text: string): Promise<number> {
  await replaceFile(folder, name, { content: text, shown });
  return Buffer.byteLength(text);
}

async function append({ folder, name, shown }: ShownWorkspaceEntry, text: string): Promise<number> {
  const file = await folder.openFile(name, 'append', shown);
  try {
    await file.writeFile(text);
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

function tooMuch(globs: readonly string[]): EngineError {
  return new EngineError({
    code: 'files.too-large',
    message: `The files that match ${globs.join(', ')} are larger than ${maxTotalBytes / 1024 / 1024} MiB in total. Match fewer files.`,
    details: { maxBytes: maxTotalBytes },
  });
}
