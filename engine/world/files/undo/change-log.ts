/**
 * The list of the files that a run has changed: `changes.jsonl` in the run's folder below `.millrace/undo`. Earlier
 * contents are next to it, named by their hash. Any program may have written there, so nothing in it is trusted.
 */
import { z } from 'zod';
import { asRunId, type RunId } from '../../../base/ids.ts';

/** Name of the list in a run's folder. */
export const logName = 'changes.jsonl';

/** Whether a name in a run's folder is that of a copy. */
export function isCopyName(name: string): boolean {
  return /^[\da-f]{64}$/.test(name);
}

const fileState = z.object({
  kind: z.literal('file'),
  bytes: z.int().min(0),
  /** Permission bits. */
  mode: z.int().min(0).max(0o777),
  /** SHA-256 in hex; absent for a file that is too large to read. */
  hash: z.string().refine(isCopyName).optional(),
  /** Changes with every write to the file; absent if there is a hash. */
  stamp: z.string().max(200).optional(),
});
const pathState = z.union([fileState, z.object({ kind: z.enum(['folder', 'link', 'other']) })]).nullable();

/** What is at a path; null for nothing. */
export type PathState = Readonly<z.output<typeof pathState>>;

/** The part of a `PathState` that describes a file. */
export type FileState = Readonly<z.output<typeof fileState>>;

const at = z.number();
const path = z.string().min(1).max(8_192);
const id = z
  .string()
  .refine(isLogId)
  .transform((text) => asRunId(text));
const logLine = z.union([
  z.object({ path, before: pathState, at }),
  z.object({ path, after: pathState, at }),
  /** A changed file outside the workspace, which has no copy. */
  z.object({ outside: path, at }),
  /** Where files were put back: the run whose changes were undone. */
  z.object({ undoOf: id, at }),
  /** The folder that lists what was put back. */
  z.object({ undoneBy: id, at }),
]);

/** A line of the list. Paths are relative to the workspace, with `/`. `at` is in epoch milliseconds. */
export type ChangeLine = z.input<typeof logLine>;

/** A path that a run has changed. */
export interface RecordedChange {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** Before the run's first change. */
  readonly before: PathState;
  /** After the run's last change; undefined if the process ended in the middle of it. */
  readonly after: PathState | undefined;
}

/** The content of the list. */
export interface ChangeList {
  /** In the order of the first changes. */
  readonly changes: readonly RecordedChange[];
  /** Absolute paths of changed files outside the workspace. */
  readonly outside: readonly string[];
  /** The run whose files were put back; undefined for a run. */
  readonly undoOf: RunId | undefined;
  /** The ids under which files of this run were put back, and when, oldest first. */
  readonly undos: readonly { readonly id: RunId; readonly at: number }[];
}

/** Whether an id can be the name of a run's folder. */
export function isLogId(id: string): boolean {
  return /^[\w-]{1,100}$/.test(id);
}

/**
 * Reads the list. Incomplete lines, which a kill leaves behind, are ignored.
 * @param ignoresCase whether names that differ only in case are the same file
 */
export function readChangeList(lines: string, ignoresCase: boolean): ChangeList {
  const paths = new ChangedPaths(ignoresCase);
  const outside = new Set<string>();
  const undos: { id: RunId; at: number }[] = [];
  let undoOf: RunId | undefined;
  for (const text of lines.split('\n')) {
    const line = lineIn(text);
    if (line === undefined) continue;
    if ('outside' in line) outside.add(line.outside);
    else if ('undoOf' in line) undoOf = line.undoOf;
    else if ('undoneBy' in line) undos.push({ id: line.undoneBy, at: line.at });
    else paths.take(line);
  }
  return { changes: paths.list(), outside: [...outside], undoOf, undos };
}

type PathLine = Extract<z.output<typeof logLine>, { readonly path: string }>;

/** Joins the lines of each path. */
class ChangedPaths {
  readonly #ignoresCase: boolean;
  readonly #changes = new Map<string, RecordedChange>();

  constructor(ignoresCase: boolean) {
    this.#ignoresCase = ignoresCase;
  }

  take(line: PathLine): void {
    const key = this.#ignoresCase ? line.path.normalize('NFC').toLowerCase() : line.path;
    const known = this.#changes.get(key);
    if ('after' in line) {
      if (known !== undefined) this.#changes.set(key, { ...known, after: line.after });
    } else if (known === undefined) this.#changes.set(key, { path: line.path, before: line.before, after: undefined });
  }

  list(): readonly RecordedChange[] {
    return [...this.#changes.values()];
  }
}

function lineIn(line: string): z.output<typeof logLine> | undefined {
  if (line === '') return undefined;
  try {
    return logLine.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** Whether two states have the same content. Permissions are not compared. */
export function isSameContent(one: PathState, other: PathState): boolean {
  if (one === null || other === null) return one === other;
  if (one.kind !== 'file' || other.kind !== 'file') return one.kind === other.kind;
  if (one.hash !== undefined && other.hash !== undefined) return one.hash === other.hash;
  return one.stamp !== undefined && one.stamp === other.stamp;
}
