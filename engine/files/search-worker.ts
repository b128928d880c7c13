/**
 * The program of the thread that searches files. What a person types may be a regular expression that takes for ever, which
 * only the end of its thread can stop.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { type ErrorRecord, toErrorRecord } from '../base/engine-error.ts';
import { createFileReader } from './read-searched.ts';
import { createFileFilter, createLineSearch, type SearchQuery } from './search-query.ts';
import { type SearchMatch, searchText } from './search-text.ts';

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

const order = workerData as SearchOrder;

function searchAll(): SearchReport {
  const search = createLineSearch(order.query);
  const isMeant = createFileFilter(order.query);
  const read = createFileReader(order.root, order.maxFileBytes);
  const progress = new Int32Array(order.progress);
  let tooLarge = 0;
  let left = order.maxMatches;
  for (const [index, path] of order.paths.entries()) {
    if (!isMeant(path)) continue;
    Atomics.store(progress, 0, index);
    const unsaved = order.texts.get(path);
    const found = unsaved === undefined ? read(path) : { text: unsaved };
    if (found === 'too-large') tooLarge += 1;
    if (typeof found === 'string') continue;
    // One more than may be told, to know whether there are more.
    const matches = searchText(found.text, search, left + 1);
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

try {
  post(searchAll());
} catch (error) {
  post({ kind: 'error', error: toErrorRecord(error) });
}
