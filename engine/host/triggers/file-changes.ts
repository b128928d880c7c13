/**
 * Finds files of a workspace that were created, changed or deleted, for triggers.
 *
 * The files at the last look are in the history. Services that share a trigger compare with the same files, so each change
 * is reported once, and what changed while nothing ran is found later. Before the first look, the times of files decide.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { globMatcher, splitGlob } from '../../base/glob.ts';
import type { NewFiring } from '../../history/store/firing-store.ts';
import { contentHash } from '../../history/store/large-value.ts';
import { parsedJson } from '../../history/store/run-row.ts';
import type { TriggerWatch } from '../../history/store/trigger-watch.ts';
import { durationMs, type FileChangeKind, type FilesTriggerDoc } from '../../language/triggers/trigger-doc.ts';
import { isUnlisted, walkFiles } from '../../world/files/walk-files.ts';
import type { TriggerEntry } from './trigger-list.ts';

const usualDebounceMs = 1_000;

/** Times in epoch milliseconds, and the size in bytes. */
interface FileStamp {
  readonly modifiedAt: number;
  readonly createdAt: number;
  /** When the file was changed or moved: two changes never have the same time. */
  readonly touchedAt: number;
  readonly size: number;
}

interface ChangedPath {
  readonly path: string;
  readonly change: FileChangeKind;
  /** When it changed; for a deleted file, when it was changed last. */
  readonly at: number;
  /** For a deleted file, the last known one. */
  readonly stamp: FileStamp;
}

/** Files by path. */
type Files = ReadonlyMap<string, FileStamp>;

/** Firings for changed files, and when to look again if files are still changing. */
export interface FileFirings {
  readonly firings: readonly NewFiring[];
  /** Up to when changes are in the firings, in epoch milliseconds. */
  readonly lookedAt: number;
  /** The state of the watch after these firings: the files that they have brought up to date. */
  readonly state: string;
  /** Milliseconds; absent if nothing is changing. */
  readonly againIn?: number;
}

interface FilesLook {
  /** Absolute path. */
  readonly workspace: string;
  readonly files: FilesTriggerDoc;
  readonly watch: TriggerWatch;
  readonly now: number;
}

/** Returns the firings for everything that has changed since the trigger's last look. */
export async function firingsForFiles(
  { flow, trigger, doc }: TriggerEntry,
  { workspace, files, watch, now }: FilesLook,
): Promise<FileFirings> {
  const { glob, batch = false, on = ['created', 'changed'] } = files;
  const current = await scan(workspace, glob);
  const seen = readFiles(watch.state, glob);
  const before = seen ?? seenBefore(current, watch.lookedAt);
  const changed = changesBetween(before, current);
  const debounce = debounceOf(files);
  const isPending = ({ at, change }: ChangedPath): boolean => change !== 'deleted' && now - at < debounce && at <= now;
  const pending = changed.filter(isPending).map(({ at }) => at);
  // Files of a batch are reported together, once all of them are at rest.
  const atRest = pending.length === 0 ? changed : batch ? [] : changed.filter((one) => !isPending(one));
  const reported = atRest.filter(({ change }) => on.includes(change));
  const common = { flow, trigger, priority: doc.priority ?? 0, createdAt: now, state: 'waiting' } as const;
  const isSame = seen !== undefined && atRest.length === 0;
  const firstAt = pending.reduce((one, other) => Math.min(one, other), now + 1);
  const lastAt = pending.reduce((one, other) => Math.max(one, other), 0);
  return {
    firings: firingsFor(reported, files, common),
    // Times of files have fractions.
    lookedAt: Math.floor(firstAt) - 1,
    state: isSame ? (watch.state ?? '') : writeFiles(glob, filesAfter(before, atRest)),
    ...(pending.length === 0 ? {} : { againIn: Math.ceil((batch ? lastAt : firstAt) + debounce - now) }),
  };
}

async function scan(workspace: string, glob: string): Promise<Files> {
  const { base, pattern } = splitGlob(glob.replace(/^\.\//, ''));
  const matches = globMatcher(pattern === '' ? base : glob, { hidesDotNames: true });
  const paths =
    pattern === ''
      ? [base]
      : (await walkFiles(join(workspace, base), { maxDepth: 64 })).map((path) =>
          base === '' ? path : `${base}/${path}`,
        );
  const found = new Map<string, FileStamp>();
  for (const path of paths.filter((one) => matches(one) && !isUnlisted(one)).sort()) {
    const stats = await stat(join(workspace, path)).catch(() => undefined);
    if (stats?.isFile() !== true) continue;
    const { mtimeMs: modifiedAt, birthtimeMs: createdAt, ctimeMs: touchedAt, size } = stats;
    found.set(path, { modifiedAt, createdAt, touchedAt, size });
  }
  return found;
}

/** Returns undefined before the first look, and if the trigger has watched other files. */
function readFiles(state: string | undefined, glob: string): Files | undefined {
  const stored = parsedJson(state) as { readonly glob: string; readonly files: [string, FileStamp][] } | undefined;
  return stored?.glob === glob && Array.isArray(stored.files) ? new Map(stored.files) : undefined;
}

function writeFiles(glob: string, files: Files): string {
  return JSON.stringify({ glob, files: [...files] });
}

function filesAfter(before: Files, changes: readonly ChangedPath[]): Files {
  const after = new Map(before);
  for (const { path, stamp, change } of changes) {
    if (change === 'deleted') after.delete(path);
    else after.set(path, stamp);
  }
  return after;
}

function debounceOf({ debounce }: FilesTriggerDoc): number {
  return (debounce === undefined ? undefined : durationMs(debounce)) ?? usualDebounceMs;
}

/** Returns the files as they were at a time, as far as their present times show it. */
function seenBefore(files: Files, time: number): Files {
  const before = [...files].filter(([, { createdAt }]) => createdAt <= time);
  return new Map(before.map(([path, file]) => [path, file.modifiedAt <= time ? file : { ...file, modifiedAt: time }]));
}

function changesBetween(before: Files, after: Files): readonly ChangedPath[] {
  const present = [...after].flatMap(([path, stamp]): ChangedPath[] => {
    const former = before.get(path);
    const { modifiedAt: at, createdAt, size } = stamp;
    if (former === undefined) return [{ path, change: 'created', at: Math.max(at, createdAt), stamp }];
    return former.modifiedAt === at && former.size === size ? [] : [{ path, change: 'changed', at, stamp }];
  });
  const deleted = [...before].flatMap(([path, stamp]): ChangedPath[] =>
    after.has(path) ? [] : [{ path, change: 'deleted', at: stamp.modifiedAt, stamp }],
  );
  return [...present, ...deleted];
}

type CommonFiring = Omit<NewFiring, 'key' | 'event'>;

/** The time of a change is part of its key, so that a change is recorded once also if the pattern is edited. */
function firingsFor(
  changed: readonly ChangedPath[],
  { batch }: FilesTriggerDoc,
  common: CommonFiring,
): readonly NewFiring[] {
  const { trigger } = common;
  const keyOf = ({ path, change, stamp }: ChangedPath): string =>
    `${path} ${change === 'deleted' ? 'deleted ' : ''}${stamp.touchedAt}`;
  if (batch !== true)
    return changed.map((one) => ({
      ...common,
      key: keyOf(one),
      event: { trigger, path: one.path, change: one.change },
    }));
  if (changed.length === 0) return [];
  const files = changed.map(({ path, change }) => ({ path, change }));
  return [{ ...common, key: contentHash(changed.map(keyOf).join('\n')), event: { trigger, files } }];
}
