/**
 * Lists a server's tools page by page. A problem with one page or entry does not affect the others.
 */
import { type Clock, elapsedSince } from '../../base/clock.ts';
import { seenText } from '../../language/json/shown-text.ts';
import { messageOf } from './mcp-failure.ts';
import type { MessageFields } from './read-message.ts';

/** Timeouts for one page and for all pages, in milliseconds. */
const pageTimeoutMs = 30_000;
const listTimeoutMs = 120_000;

/** Maximum number of tools; a page may contain any number. */
const mostTools = 1_000;
const mostPages = 100;

/** Tools as listed by a server, and sentences about skipped entries. */
export interface ToolPages {
  readonly entries: readonly unknown[];
  readonly problems: readonly string[];
}

/** Requests a page. @throws the cause of the failure */
export type AskPage = (cursor: string | undefined, timeoutMs: number) => Promise<MessageFields>;

/** Lists all tools. @throws the first page's error */
export async function listToolPages(ask: AskPage, clock: Clock, signal: AbortSignal): Promise<ToolPages> {
  const list = new ToolPageList();
  const begunAt = clock.now();
  while (!list.isOver) {
    const leftMs = listTimeoutMs - elapsedSince(begunAt, clock);
    if (leftMs <= 0) {
      list.stop(`The server took more than ${listTimeoutMs / 1_000} seconds to list its tools.`);
      break;
    }
    try {
      list.take(await ask(list.cursor, Math.min(pageTimeoutMs, leftMs)));
    } catch (error) {
      if (list.page === 1 || signal.aborted) throw error;
      list.stop(`Page ${list.page} of the tool list could not be read: ${seenText(messageOf(error), 300)}.`);
    }
  }
  return list;
}

class ToolPageList implements ToolPages {
  entries: unknown[] = [];
  problems: readonly string[] = [];
  /** Cursor of the next page. */
  cursor: string | undefined;
  /** Number of the next page. */
  page = 1;
  isOver = false;
  readonly #cursors = new Set<string>();
  #lastPage = '';

  /** Ends the list and keeps the entries so far. */
  stop(why: string): void {
    this.isOver = true;
    this.entries = this.entries.slice(0, mostTools);
    this.problems = [`${why} Only the ${this.entries.length} tools before that are available.`];
  }

  /** Adds a page's response. @throws Error if it contains no list */
  take({ tools, nextCursor }: MessageFields): void {
    if (!Array.isArray(tools)) throw new Error('its response to tools/list does not contain a list of tools');
    const text = JSON.stringify(tools);
    if (text !== this.#lastPage) this.entries = [...this.entries, ...(tools as readonly unknown[])];
    this.#lastPage = text;
    if (this.entries.length > mostTools) this.stop(`The server lists more than ${mostTools} tools.`);
    else this.#turnTo(nextCursor);
  }

  #turnTo(cursor: unknown): void {
    const isEnd = cursor === undefined || cursor === null;
    // Some servers use an empty string to mark the end, others for their first page.
    if (isEnd || (cursor === '' && this.#cursors.has(''))) this.isOver = true;
    else if (typeof cursor !== 'string' && typeof cursor !== 'number')
      this.stop('The cursor of the next page of the tool list (nextCursor) is neither a string nor a number.');
    else if (this.#cursors.has(String(cursor)))
      this.stop(`The tool list repeats itself (nextCursor ${JSON.stringify(seenText(String(cursor), 100))}).`);
    else if (this.page === mostPages) this.stop(`The server lists more than ${mostPages} pages of tools.`);
    else {
      this.cursor = String(cursor);
      this.#cursors.add(this.cursor);
      this.page++;
    }
  }
}
