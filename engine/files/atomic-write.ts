/**
 * Files that change in one step.
 */
import { randomUUID } from 'node:crypto';
import { access, constants, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from './file-error.ts';

type Content = string | Uint8Array | Iterable<string>;

/**
 * Replaces a file's content, or makes the file and its folders. Whoever reads sees the old content or the new one, also
 * after a crash. Keeps the permissions of the file that was there; a link stays a link, and its target is written.
 * @param file absolute
 * @param content whole, or piece by piece as it is written
 * @throws the system's error, with nothing changed
 */
export async function writeFileAtomically(file: string, content: Content): Promise<void> {
  const target = await followLink(file);
  const mode = await writableMode(target);
  await mkdir(dirname(target), { recursive: true });
  const draft = join(dirname(target), `.${randomUUID()}.tmp`);
  try {
    await writeThrough(draft, { content, mode });
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
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
async function writeThrough(
  file: string,
  { content, mode }: { content: Content; mode: number | undefined },
): Promise<void> {
  const handle = await open(file, 'wx');
  try {
    for (const piece of piecesOf(content)) {
      await handle.writeFile(piece);
    }
    if (mode !== undefined) {
      await handle.chmod(mode);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function piecesOf(content: Content): Iterable<string | Uint8Array> {
  return typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
}
