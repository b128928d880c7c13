/**
 * Writes files atomically.
 */
import { access, constants, type FileHandle, mkdir, open, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing, refuseSpecial } from './file-error.ts';
import { draftName, type HeldFolder } from './folders/held-folder.ts';
import { replaceByRename } from './replace-by-rename.ts';

type Content = string | Uint8Array | Iterable<string> | AsyncIterable<string | Uint8Array>;

/**
 * Replaces the content of a file, or creates the file and its folders. Readers see either the old or the new content,
 * even after a crash. Keeps an existing file's permissions. If the file is a symbolic link, writes to its target.
 * @param file absolute path
 * @param content complete, or in chunks that are written as they arrive
 * @param fixedMode permission bits; absent for the existing file's
 * @throws the system's error, with nothing changed
 */
export async function writeFileAtomically(file: string, content: Content, fixedMode?: number): Promise<void> {
  const target = await followLink(file);
  const mode = fixedMode ?? (await writableMode(target));
  await mkdir(dirname(target), { recursive: true });
  const draft = join(dirname(target), draftName());
  try {
    await writeThrough(draft, { content, mode });
    await replaceByRename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Replaces or creates a file in a held folder, like `writeFileAtomically` but without following symbolic links.
 * @param shown path for messages
 * @throws EngineError `files.not-writable` if it is not a regular file | `files.bad-link`; the system's error; in
 * which case nothing is changed
 */
export async function replaceFile(
  folder: HeldFolder,
  name: string,
  { content, shown }: { readonly content: Content; readonly shown: string },
): Promise<void> {
  const state = await folder.stat(name);
  if (state !== undefined) {
    refuseSpecial(state, 'write', shown);
    await folder.checkWritable(name);
  }
  const mode = state === undefined ? undefined : state.mode & 0o777;
  await replaceWith(folder, name, (draft) => fill(draft, { content, mode }));
}

/**
 * Creates a file under a random name, then renames it atomically.
 * @param write fills the new file
 * @param placing calls its argument, which renames the file
 * @throws EngineError `files.not-writable` if the existing entry is not a regular file; errors from `write`; the
 * system's error
 */
export async function replaceWith(
  folder: HeldFolder,
  name: string,
  write: (draft: FileHandle) => Promise<void>,
  placing: (place: () => Promise<void>) => Promise<void> = (place) => place(),
): Promise<void> {
  const draft = draftName();
  const handle = await folder.openNew(draft);
  try {
    try {
      await write(handle);
    } finally {
      await handle.close();
    }
    await placing(() => folder.place(draft, name));
  } catch (error) {
    // Keeps the original error.
    await folder.removeFile(draft).catch(() => undefined);
    throw error;
  }
}

async function followLink(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if (isMissing(error)) {
      return file;
    }
    throw error;
  }
}

/**
 * Returns the existing file's permission bits; undefined if there is no file. Replacing a file must not remove its
 * write protection.
 */
async function writableMode(file: string): Promise<number | undefined> {
  try {
    const { mode } = await stat(file);
    await access(file, constants.W_OK);
    return mode & 0o777;
  } catch (error) {
    if (isMissing(error)) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Writes a new file and waits until it is on disk. Otherwise, a power failure after the rename could leave it empty.
 */
async function writeThrough(file: string, filling: Filling): Promise<void> {
  const handle = await open(file, 'wx', filling.mode);
  try {
    await fill(handle, filling);
  } finally {
    await handle.close();
  }
}

interface Filling {
  readonly content: Content;
  readonly mode: number | undefined;
}

async function fill(handle: FileHandle, { content, mode }: Filling): Promise<void> {
  for await (const piece of piecesOf(content)) {
    await handle.writeFile(piece);
  }
  if (mode !== undefined) {
    await handle.chmod(mode);
  }
  await handle.sync();
}

function piecesOf(content: Content): Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array> {
  return typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
}
