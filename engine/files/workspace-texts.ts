/**
 * Texts of the workspace as an editor reads and writes them: byte for byte.
 */
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import { writeFileAtomically } from './atomic-write.ts';
import { toWriteError } from './file-error.ts';
import { readTextFile } from './read-text.ts';
import { refuseProtected, resolveInWorkspace, type WorkspacePath } from './workspace-path.ts';

const maxTextBytes = 16 * 1024 * 1024;

/**
 * A file's text. A byte order mark stays, as U+FEFF.
 * @param root the workspace folder, absolute
 * @throws EngineError `files.outside` | `files.not-found` | `files.not-text` | `files.too-large` | `files.not-readable`
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
 * Replaces a file's text in one step, or makes the file and its folders; permissions stay.
 * @param root the workspace folder, absolute
 * @param expected what the caller believes to stand there; null = nothing, absent = anything
 * @throws EngineError as `FileEngine.writeFile` tells
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

/** Whether the file may be replaced: it and the folder around it can be written, and no program keeps it for itself. */
export async function isWritable({ real, isProtected }: WorkspacePath): Promise<boolean> {
  if (isProtected) return false;
  try {
    await Promise.all([access(real, constants.W_OK), access(dirname(real), constants.W_OK)]);
    return true;
  } catch {
    return false;
  }
}

/** @throws EngineError when it is no text that the same bytes could be made of again, or too long to be read again */
export function refuseUnwritable(text: string, shown: string): void {
  if (/\p{Surrogate}|\0/u.test(text)) {
    throw new EngineError({
      code: 'files.not-text',
      message: `The text for ${shown} holds half a character or a NUL, which no text file can hold. Delete it and save again.`,
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

/** What stands there; null when there is no such file. */
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
      ? `${shown} is no longer there. Save it again to make it anew, or close it.`
      : `${shown} was changed by something else since it was read. Compare the two texts, then choose one.`;
  return new EngineError({ code: 'files.changed', message, details: { text } });
}
