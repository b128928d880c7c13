/**
 * Reads and writes workspace text files for an editor, byte for byte.
 */
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { writeFileAtomically } from './atomic-write.ts';
import { toWriteError } from './file-error.ts';
import { readTextFile } from './read-text.ts';
import { refuseProtected, resolveInWorkspace, type WorkspacePath } from './workspace-path.ts';

const maxTextBytes = 16 * 1024 * 1024;

/**
 * Reads a file's text. A byte order mark is kept as U+FEFF.
 * @param root absolute path of the workspace folder
 * @throws EngineError `files.outside` | `files.not-found` | `files.not-text` | `files.too-large` |
 * `files.not-readable`
 */
export async function readWorkspaceText(
  root: string,
  path: string,
): Promise<{ readonly text: string; readonly isWritable: boolean }> {
  const file = await resolveInWorkspace(root, path);
  const text = await readWhole(file);
  return { text, isWritable: await isWritable(file) };
}

/**
 * Atomically replaces a file's text, or creates the file and its folders; keeps permissions.
 * @param root absolute path of the workspace folder
 * @param expected the current content that the caller expects; null for no file, absent for anything
 * @throws EngineError as documented for `FileEngine.writeFile`
 */
export async function writeWorkspaceText(
  root: string,
  { path, text, expected }: { readonly path: string; readonly text: string; readonly expected?: string | null },
): Promise<void> {
  const file = await resolveInWorkspace(root, path);
  refuseProtected(file);
  refuseUnwritable(text, file.shown);
  if (expected !== undefined) {
    const present = await readPresent(file);
    if (present !== expected) throw changed(file.shown, present);
  }
  try {
    await writeFileAtomically(file.real, text);
  } catch (error) {
    throw toWriteError(error, file.shown);
  }
}

/** Whether the file may be replaced: it and its folder are writable, and it is not a program's internal file. */
export async function isWritable({ real, isProtected }: WorkspacePath): Promise<boolean> {
  if (isProtected) return false;
  try {
    await Promise.all([access(real, constants.W_OK), access(dirname(real), constants.W_OK)]);
    return true;
  } catch {
    return false;
  }
}

/** @throws EngineError if the text cannot be encoded and decoded without changes or is too long to be read again */
export function refuseUnwritable(text: string, shown: string): void {
  if (/\p{Surrogate}|\0/u.test(text)) {
    throw new EngineError({
      code: 'files.not-text',
      message: `The text for ${shown} contains half a character or a NUL, which a text file cannot contain. Delete that character and save again.`,
    });
  }
  if (Buffer.byteLength(text) > maxTextBytes) {
    throw new EngineError({
      code: 'files.too-large',
      message: `The text for ${shown} is larger than ${maxTextBytes / 1024 / 1024} MiB, the limit for a text file. Split it.`,
      details: { maxBytes: maxTextBytes },
    });
  }
}

function readWhole({ real, shown }: WorkspacePath): Promise<string> {
  return readTextFile(real, { maxBytes: maxTextBytes, shownPath: shown, keepsMark: true });
}

/** Returns the current text; null if the file does not exist. */
async function readPresent(file: WorkspacePath): Promise<string | null> {
  try {
    return await readWhole(file);
  } catch (error) {
    if (EngineError.is(error) && error.code === 'files.not-found') return null;
    throw error;
  }
}

function changed(shown: string, text: string | null): EngineError {
  const message =
    text === null
      ? `${shown} no longer exists. Save it to create it again, or close it.`
      : `${shown} has changed on disk since it was read. Compare the two versions, then choose one.`;
  return new EngineError({ code: 'files.changed', message, details: { text } });
}
