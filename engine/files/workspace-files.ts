/**
 * What flows may do with the files of a workspace.
 */
import { EngineError } from '../base/engine-error.ts';
import type { FileBytes, FilesCapability, FileText } from '../kernel/files-capability.ts';
import { replaceFile } from './atomic-write.ts';
import { toWriteError } from './file-error.ts';
import { type FolderHolder, inFolderOf, systemHolder, whileOpen } from './folder-holder.ts';
import type { HeldEntry } from './move-entry.ts';
import { readTextFile, readWholeFile } from './read-text.ts';
import { refuseProtected, resolveInWorkspace, type WorkspacePath } from './workspace-path.ts';

const maxFileBytes = 16 * 1024 * 1024;
const maxTotalBytes = 64 * 1024 * 1024;

/**
 * The workspace's files for nodes. A single file may have 16 MiB, all files of one glob reading 64 MiB.
 * @param root the workspace folder, absolute
 * @param holder holds folders while files in them are read and written
 */
export function createWorkspaceFiles(root: string, holder: FolderHolder = systemHolder): FilesCapability {
  return {
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
    async writeText(path, text, mode) {
      const file = await resolveInWorkspace(root, path);
      refuseProtected(file);
      try {
        const write = mode === 'append' ? append : replace;
        const sizeBytes = await inFolderOf(
          holder,
          file.real,
          (folder, name) => write({ folder, name, shown: file.shown }, text),
          'made',
        );
        return { path: file.shown, sizeBytes };
      } catch (error) {
        throw toWriteError(error, file.shown);
      }
    },
  };
}

interface Reading {
  readonly root: string;
  readonly holder: FolderHolder;
  readonly signal: AbortSignal;
}

/** All files that match, within the limit for all together. */
async function readAll<File>(
  globs: readonly string[],
  where: Reading,
  read: (file: WorkspacePath) => Promise<File>,
  sizeOf: (file: File) => number,
): Promise<File[]> {
  // Loaded with the first glob, because most runs have none.
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

interface Entry extends HeldEntry {
  readonly shown: string;
}

/** Both give the size of the file afterwards, in bytes. */
async function replace({ folder, name, shown }: Entry, text: string): Promise<number> {
  await replaceFile(folder, name, { content: text, shown });
  return Buffer.byteLength(text);
}

async function append({ folder, name, shown }: Entry, text: string): Promise<number> {
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
    message: `The files that match ${globs.join(', ')} are together larger than ${maxTotalBytes / 1024 / 1024} MiB. Match fewer.`,
    details: { maxBytes: maxTotalBytes },
  });
}
