/**
 * The list of tools of a server, page by page. What is odd about one page or entry leaves the others as they are.
 */
import { type Clock, elapsedSince } from '../base/clock.ts';
import { messageOf } from './mcp-failure.ts';
import type { Fields } from './read-message.ts';
import { seenText } from './shown-text.ts';

/** For one page, and for all of them, in milliseconds. */
const pageTimeoutMs = 30_000;
const listTimeoutMs = 120_000;

/** More are not read; a page may hold any number. */
const mostTools = 1_000;
const mostPages = 100;

/** Tools of a server as it lists them, and what was left out, in sentences. */
export interface ToolPages {
  readonly entries: readonly unknown[];
  readonly problems: readonly string[];
}

/** Requests a page. @throws what went wrong */
export type AskPage = (cursor: string | undefined, timeoutMs: number) => Promise<Fields>;

/** @throws what went wrong with the first page */
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
      list.stop(`Page ${list.page} of the list of tools could not be read: ${seenText(messageOf(error), 300)}.`);
    }
  }
  return list;
}

class ToolPageList implements ToolPages {
  entries: unknown[] = [];
  problems: readonly string[] = [];
  /** Of the page that comes next. */
  cursor: string | undefined;
  /** The number of the page that comes next. */
  page = 1;
  isOver = false;
  readonly #cursors = new Set<string>();
  #lastPage = '';

  /** Ends the list, and keeps what has come before. */
  stop(why: string): void {
    this.isOver = true;
    this.entries = this.entries.slice(0, mostTools);
    this.problems = [`${why} The ${this.entries.length} tools before that are used.`];
  }

  /** Takes the answer for the page. @throws Error when it holds no list */
  take({ tools, nextCursor }: Fields): void {
    if (!Array.isArray(tools)) throw new Error('its answer to tools/list holds no list of tools');
    const text = JSON.stringify(tools);
    if (text !== this.#lastPage) this.entries = [...this.entries, ...(tools as readonly unknown[])];
    this.#lastPage = text;
    if (this.entries.length > mostTools) this.stop(`The server lists more than ${mostTools} tools.`);
    else this.#turnTo(nextCursor);
  }

  #turnTo(cursor: unknown): void {
    const isEnd = cursor === undefined || cursor === null;
    // Some servers mean the end by an empty text, and others their first page.
    if (isEnd || (cursor === '' && this.#cursors.has(''))) this.isOver = true;
    else if (typeof cursor !== 'string' && typeof cursor !== 'number')
      this.stop('The list of tools continues at a place (nextCursor) that is neither a text nor a number.');
    else if (this.#cursors.has(String(cursor)))
      this.stop(`The list of tools repeats itself (nextCursor ${JSON.stringify(seenText(String(cursor), 100))}).`);
    else if (this.page === mostPages) this.stop(`The server lists more than ${mostPages} pages of tools.`);
    else {
      this.cursor = String(cursor);
      this.#cursors.add(this.cursor);
      this.page++;
    }
  }
}
