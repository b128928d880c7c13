/**
 * Finds files of a workspace that were created, changed or deleted, for triggers.
 *
 * Files that changed while nothing ran are found by their times, so that a service that restarts misses only deletions.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { globMatcher, splitGlob } from '../../base/glob.ts';
import type { NewFiring, TriggerWatch } from '../../history/store/firing-store.ts';
import { contentHash } from '../../history/store/large-value.ts';
import { durationMs, type FileChangeKind, type FilesTriggerDoc } from '../../language/triggers/trigger-doc.ts';
import { isUnlisted, walkFiles } from '../../world/files/walk-files.ts';
import type { TriggerEntry } from './trigger-list.ts';

const usualDebounceMs = 1_000;

interface FileStamp {
  readonly modifiedAt: number;
  readonly createdAt: number;
  readonly size: number;
}

interface ChangedPath {
  readonly path: string;
  readonly change: FileChangeKind;
  /** When it changed; for a deleted file, when it was changed last. */
  readonly at: number;
}

/** What is known about the files of one trigger. */
interface TriggerFiles {
  readonly files: ReadonlyMap<string, FileStamp>;
}

/** Firings for changed files, and when to look again if files are still changing. */
export interface FileFirings {
  readonly firings: readonly NewFiring[];
  /** Up to when changes are in the firings, in epoch milliseconds. */
  readonly lookedAt: number;
  /** Milliseconds; absent if nothing is changing. */
  readonly againIn?: number;
}

/** The files of triggers in a workspace. */
export class ReportedFiles {
  readonly #workspace: string;
  readonly #known = new Map<string, TriggerFiles>();

  /** @param workspace absolute path */
  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** Returns the firings for everything that has changed since the last call, or since the trigger's last look. */
  async firingsOf(
    { flow, trigger, doc, hash }: TriggerEntry,
    { files, watch, now }: { readonly files: FilesTriggerDoc; readonly watch: TriggerWatch; readonly now: number },
  ): Promise<FileFirings> {
    const name = `${flow}\n${trigger}\n${hash}`;
    const current = await this.#scan(files.glob);
    const known = this.#known.get(name);
    const { on = ['created', 'changed'] } = files;
    const changed = changesBetween(known?.files ?? seenBefore(current, watch.lookedAt), current);
    const pending = changed.filter(
      ({ at, change }) => change !== 'deleted' && now - at < debounceOf(files) && at <= now,
    );
    // Files that change together are reported together, once all of them are at rest.
    if (pending.length > 0) {
      const latest = Math.max(...pending.map(({ at }) => at));
      const lookedAt = Math.min(now, ...changed.map(({ at }) => at - 1));
      this.#known.set(name, { files: known?.files ?? seenBefore(current, watch.lookedAt) });
      return { firings: [], lookedAt, againIn: latest + debounceOf(files) - now };
    }
    this.#known.set(name, { files: current });
    const reported = changed.filter(({ change }) => on.includes(change));
    const common = { flow, trigger, priority: doc.priority ?? 0, createdAt: now, state: 'waiting' } as const;
    return { firings: firingsFor(reported, files, common), lookedAt: now };
  }

  async #scan(glob: string): Promise<ReadonlyMap<string, FileStamp>> {
    const { base, pattern } = splitGlob(glob.replace(/^\.\//, ''));
    const folder = join(this.#workspace, base);
    const matches = globMatcher(pattern === '' ? base : glob, { hidesDotNames: true });
    const paths =
      pattern === ''
        ? [base]
        : (await walkFiles(folder, { maxDepth: 64 })).map((path) => (base === '' ? path : `${base}/${path}`));
    const found = new Map<string, FileStamp>();
    for (const path of paths.filter((one) => matches(one) && !isUnlisted(one)).sort()) {
      const stats = await stat(join(this.#workspace, path)).catch(() => undefined);
      if (stats?.isFile() === true)
        found.set(path, { modifiedAt: stats.mtimeMs, createdAt: stats.birthtimeMs, size: stats.size });
    }
    return found;
  }
}

function debounceOf({ debounce }: FilesTriggerDoc): number {
  return (debounce === undefined ? undefined : durationMs(debounce)) ?? usualDebounceMs;
}

/** Returns the files as they were at a time, as far as their present times show it. */
function seenBefore(files: ReadonlyMap<string, FileStamp>, time: number): ReadonlyMap<string, FileStamp> {
  const before = [...files].filter(([, { createdAt }]) => createdAt <= time);
  return new Map(before.map(([path, file]) => [path, file.modifiedAt <= time ? file : { ...file, modifiedAt: time }]));
}

function changesBetween(
  before: ReadonlyMap<string, FileStamp>,
  after: ReadonlyMap<string, FileStamp>,
): readonly ChangedPath[] {
  const present = [...after].flatMap(([path, file]): ChangedPath[] => {
    const former = before.get(path);
    if (former === undefined) return [{ path, change: 'created', at: Math.max(file.modifiedAt, file.createdAt) }];
    const isSame = former.modifiedAt === file.modifiedAt && former.size === file.size;
    return isSame ? [] : [{ path, change: 'changed', at: file.modifiedAt }];
  });
  const deleted = [...before].flatMap(([path, { modifiedAt }]): ChangedPath[] =>
    after.has(path) ? [] : [{ path, change: 'deleted', at: modifiedAt }],
  );
  return [...present, ...deleted];
}

type CommonFiring = Omit<NewFiring, 'key' | 'event'>;

/** The time of a change is part of its key, so that two services record it once. */
function firingsFor(
  changed: readonly ChangedPath[],
  { batch }: FilesTriggerDoc,
  common: CommonFiring,
): readonly NewFiring[] {
  const { trigger } = common;
  const keyOf = ({ path, change, at }: ChangedPath): string => `${path} ${change === 'deleted' ? 'deleted ' : ''}${at}`;
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
