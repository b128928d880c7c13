/**
 * Compares what a run has changed with the present.
 */
import { join } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { isMissing } from '../../world/files/file-error.ts';
import { systemHolder, whileOpen } from '../../world/files/folders/folder-holder.ts';
import { readStart } from '../../world/files/read-text.ts';
import { isSameContent, type PathState, type RecordedChange } from '../../world/files/undo/change-log.ts';
import { foldersAbove, hasCopyOf, readCopy, stateNow, stateToken } from '../../world/files/undo/put-back.ts';
import type { ChangedFile, ChangedTexts } from './changed-files.ts';

/** Larger texts are not compared. */
const maxTextBytes = 2 * 1024 * 1024;

/** Where the workspace and the run's copies are. */
interface ChangedPlace {
  /** Real path of the workspace. */
  readonly root: string;
  readonly runId: RunId;
}

/** Returns the changes. Leaves out folders with listed files, and what is as before. */
export async function changedFilesOf(
  place: ChangedPlace,
  changes: readonly RecordedChange[],
): Promise<readonly ChangedFile[]> {
  const moved = movedPaths(changes);
  const folders = new Set(changes.flatMap(({ path }) => foldersAbove(path)));
  const files: ChangedFile[] = [];
  for (const change of changes) {
    const { path, before, after } = change;
    if (after !== undefined && isSameContent(before, after)) continue;
    if (isFolderOrNothing(before) && isFolderOrNothing(after) && folders.has(path)) continue;
    const file = await changedFileOf(place, change);
    const movedFrom = moved.get(path);
    if (file !== undefined) files.push(movedFrom === undefined ? file : { ...file, movedFrom });
  }
  return files;
}

async function changedFileOf(place: ChangedPlace, change: RecordedChange): Promise<ChangedFile | undefined> {
  const { path, before, after } = change;
  const now = await stateNow(place.root, change).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  const isBefore = isSameContent(now, before);
  // The process ended before it made the change.
  if (after === undefined && isBefore) return undefined;
  const left = after === undefined ? now : after;
  const isAsLeft = after !== undefined && isSameContent(now, after);
  return {
    ...{ path, change: before === null ? 'created' : left === null ? 'deleted' : 'changed' },
    kind: (before ?? left)?.kind ?? 'file',
    ...sizesOf(before, left),
    state: isBefore ? 'put-back' : isAsLeft ? 'as-left' : 'changed-since',
    ...((await isLost(place, before)) ? { isLost: true } : {}),
    now: stateToken(now),
  };
}

function sizesOf(before: PathState, left: PathState): Pick<ChangedFile, 'bytesBefore' | 'bytesAfter'> {
  return {
    ...(before?.kind === 'file' ? { bytesBefore: before.bytes } : {}),
    ...(left?.kind === 'file' ? { bytesAfter: left.bytes } : {}),
  };
}

async function isLost({ root, runId }: ChangedPlace, before: PathState): Promise<boolean> {
  if (before === null || before.kind === 'folder') return false;
  return before.kind !== 'file' || !(await hasCopyOf(root, runId, before));
}

function isFolderOrNothing(state: PathState | undefined): boolean {
  return state === null || state?.kind === 'folder';
}

/** Returns the former paths of created files that have the content of a deleted one. */
function movedPaths(changes: readonly RecordedChange[]): ReadonlyMap<string, string> {
  const deleted = new Map<string, string[]>();
  for (const { path, before, after } of changes) {
    const hash = before?.kind === 'file' && after === null ? before.hash : undefined;
    if (hash !== undefined) deleted.set(hash, [...(deleted.get(hash) ?? []), path]);
  }
  const moved = new Map<string, string>();
  for (const { path, before, after } of changes) {
    const from = before === null && after?.kind === 'file' ? deleted.get(after.hash ?? '')?.shift() : undefined;
    if (from !== undefined) moved.set(path, from);
  }
  return moved;
}

/** Returns the texts of a changed file before the run and now. */
export async function changedTextsOf(place: ChangedPlace, { path, before }: RecordedChange): Promise<ChangedTexts> {
  const [then, now] = [await textBefore(place, before), await textNow(place.root, path)];
  return { before: then ?? null, now: now ?? null, isText: then !== undefined && now !== undefined };
}

/** Returns the text; null for no file, undefined if it cannot be shown. */
async function textBefore({ root, runId }: ChangedPlace, before: PathState): Promise<string | null | undefined> {
  if (before === null) return null;
  if (before.kind !== 'file' || before.hash === undefined || before.bytes > maxTextBytes) return undefined;
  return textIn(await readCopy(root, runId, before.hash, maxTextBytes).catch(() => undefined));
}

async function textNow(root: string, path: string): Promise<string | null | undefined> {
  const real = join(root, ...path.split('/'));
  const read = { maxBytes: maxTextBytes + 1, shownPath: path };
  try {
    const bytes = await whileOpen(systemHolder, { real, shown: path }, (file) => readStart(file, read));
    return bytes.byteLength > maxTextBytes ? undefined : textIn(bytes);
  } catch (error) {
    return EngineError.is(error) && error.code === 'files.not-found' ? null : undefined;
  }
}

function textIn(bytes: Uint8Array | undefined): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return bytes === undefined || text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
