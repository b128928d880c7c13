/**
 * The program of the thread that searches files. What a person types may be a regular expression that takes for ever, which
 * only the end of its thread can stop.
 */
import { lstat } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { EngineError, type ErrorRecord, toErrorRecord } from '../base/engine-error.ts';
import { readTextFile } from './read-text.ts';
import { createFileFilter, createLineSearch, type LineSearch, type SearchQuery } from './search-query.ts';
import { type SearchMatch, searchText } from './search-text.ts';
import { resolveInWorkspace } from './workspace-path.ts';

/** What the thread is started with. */
export interface SearchOrder {
  /** The workspace, absolute. */
  readonly root: string;
  readonly query: SearchQuery;
  readonly paths: readonly string[];
  /** By path: what stands for the text on the disk. */
  readonly texts: ReadonlyMap<string, string>;
  readonly maxMatches: number;
  readonly maxFileBytes: number;
  /** One Int32: the index of the path that is worked on. */
  readonly progress: SharedArrayBuffer;
}

/** What it says: files with matches in the order of the paths, then one of the others. */
export type SearchReport =
  | { readonly kind: 'file'; readonly path: string; readonly matches: readonly SearchMatch[] }
  | { readonly kind: 'end'; readonly isCut: boolean; readonly tooLarge: number }
  | { readonly kind: 'error'; readonly error: ErrorRecord };

/** So many files are read at the same time. */
const readAtOnce = 16;

const order = workerData as SearchOrder;

interface Task {
  readonly path: string;
  readonly index: number;
}

type Read = { readonly text: string } | { readonly isTooLarge: boolean };

/** Links are not followed: what they lead to is searched where it lies, if it lies in the workspace. */
async function readTask({ path }: Task): Promise<Read> {
  const text = order.texts.get(path);
  if (text !== undefined) return { text };
  try {
    const { real, shown } = await resolveInWorkspace(order.root, path);
    if ((await lstat(`${order.root}/${shown}`)).isSymbolicLink()) return { isTooLarge: false };
    return {
      text: await readTextFile(real, { maxBytes: order.maxFileBytes, shownPath: shown, keepsMark: true }),
    };
  } catch (error) {
    // No text, gone since it was listed, or not to be read: nothing in it can be found.
    return { isTooLarge: EngineError.is(error) && error.code === 'files.too-large' };
  }
}

async function* readAll(tasks: readonly Task[]): AsyncIterable<readonly [Task, Read]> {
  for (let start = 0; start < tasks.length; start += readAtOnce) {
    const group = tasks.slice(start, start + readAtOnce);
    yield* await Promise.all(group.map(async (task) => [task, await readTask(task)] as const));
  }
}

async function searchAll(tasks: readonly Task[], search: LineSearch): Promise<SearchReport> {
  const progress = new Int32Array(order.progress);
  let tooLarge = 0;
  let left = order.maxMatches;
  for await (const [{ path, index }, read] of readAll(tasks)) {
    Atomics.store(progress, 0, index);
    if ('isTooLarge' in read) {
      tooLarge += read.isTooLarge ? 1 : 0;
      continue;
    }
    // One more than may be told, to know whether there are more.
    const matches = searchText(read.text, search, left + 1);
    const told = matches.slice(0, left);
    if (told.length > 0) post({ kind: 'file', path, matches: told });
    if (matches.length > left) return { kind: 'end', isCut: true, tooLarge };
    left -= told.length;
  }
  return { kind: 'end', isCut: false, tooLarge };
}

function post(report: SearchReport): void {
  parentPort?.postMessage(report);
}

async function work(): Promise<SearchReport> {
  const search = createLineSearch(order.query);
  const isMeant = createFileFilter(order.query);
  const tasks = order.paths.map((path, index) => ({ path, index })).filter(({ path }) => isMeant(path));
  return searchAll(tasks, search);
}

work().then(post, (error: unknown) => post({ kind: 'error', error: toErrorRecord(error) }));
