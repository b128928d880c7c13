/**
 * Files that change in one step.
 */
import { access, constants, type FileHandle, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing, refuseSpecial } from './file-error.ts';
import { draftName, type HeldFolder } from './held-folder.ts';

type Content = string | Uint8Array | Iterable<string> | AsyncIterable<string>;

/**
 * Replaces a file's content, or makes the file and its folders. Whoever reads sees the old content or the new one, also
 * after a crash. Keeps the permissions of the file that was there; a link stays a link, and its target is written.
 * @param file absolute
 * @param content whole, or piece by piece as it is written
 * @param fixedMode permission bits; absent = those of the file that was there
 * @throws the system's error, with nothing changed
 */
export async function writeFileAtomically(file: string, content: Content, fixedMode?: number): Promise<void> {
  const target = await followLink(file);
  const mode = fixedMode ?? (await writableMode(target));
  await mkdir(dirname(target), { recursive: true });
  const draft = join(dirname(target), draftName());
  try {
    await writeThrough(draft, { content, mode });
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Replaces or makes a file of a folder that is held, as `writeFileAtomically` does, but follows no link.
 * @param shown what messages call the file
 * @throws EngineError `files.not-writable` for what is no regular file | `files.bad-link`; the system's error; nothing is
 *   changed then
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
 * Makes a file under a name that nobody knows, and then puts it into its place in one step.
 * @param write fills the new file
 * @throws EngineError `files.not-writable` when what lies there is no regular file; what `write` throws; the system's error
 */
export async function replaceWith(
  folder: HeldFolder,
  name: string,
  write: (draft: FileHandle) => Promise<void>,
): Promise<void> {
  const draft = draftName();
  const handle = await folder.openNew(draft);
  try {
    try {
      await write(handle);
    } finally {
      await handle.close();
    }
    await folder.place(draft, name);
  } catch (error) {
    // The failure that led here is the one to report.
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

/** Permission bits of the file that is there, undefined when there is none. Replacing must not undo a write protection. */
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

/** Writes a new file and waits until the disk has it; otherwise a power cut after the rename could leave it empty. */
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

function piecesOf(content: Content): Iterable<string | Uint8Array> | AsyncIterable<string> {
  return typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
}
