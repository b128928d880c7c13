/**
 * SEARCH/REPLACE blocks, written by models and applied by `aip.file.save_changes`:
 *
 * <<<<<<< SEARCH
 *
 * old lines
 *
 * =======
 *
 * new lines
 *
 * >>>>>>> REPLACE
 */
import { scriptError } from '../script-error.ts';
import { linesOf } from './text-lines.ts';

/** A block that was not applied. */
type FailedChange = {
  readonly search: string;
  readonly replace: string;
  readonly reason: string;
};

/** The result of applying a set of blocks. */
export type ChangesInfo = {
  readonly changed_count: number;
  /** Absent if all blocks were applied. */
  readonly failed_changes?: readonly FailedChange[];
};

interface SearchReplaceBlock {
  readonly search: string;
  readonly replace: string;
}

const searchMark = '<<<<<<< SEARCH';
const middleMark = '=======';
const replaceMark = '>>>>>>> REPLACE';

type ChangeBlockSection = 'outside' | 'search' | 'replace';

/** Reads lines one by one. Each marker must be an entire line. */
class ChangeBlockReader {
  readonly changes: SearchReplaceBlock[] = [];
  place: ChangeBlockSection = 'outside';
  #search: string[] = [];
  #replace: string[] = [];

  take(line: string): void {
    if (this.place === 'outside') this.#open(line);
    else if (this.place === 'search') this.#takeSearched(line);
    else this.#takeReplacement(line);
  }

  #open(line: string): void {
    if (line === searchMark) this.place = 'search';
    else if (line.trim() !== '')
      throw scriptError(`The changes contain text outside of SEARCH/REPLACE blocks: ${line.slice(0, 100)}`);
  }

  #takeSearched(line: string): void {
    if (line === middleMark) this.place = 'replace';
    else this.#search.push(line);
  }

  #takeReplacement(line: string): void {
    if (line !== replaceMark) {
      this.#replace.push(line);
      return;
    }
    this.changes.push({ search: this.#search.join('\n'), replace: this.#replace.join('\n') });
    this.#search = [];
    this.#replace = [];
    this.place = 'outside';
  }
}

/** Returns undefined if the text has no blocks. */
function parseChanges(changes: string): readonly SearchReplaceBlock[] | undefined {
  const lines = linesOf(changes);
  if (!lines.includes(searchMark)) return undefined;
  const reader = new ChangeBlockReader();
  for (const line of lines) reader.take(line);
  if (reader.place !== 'outside')
    throw scriptError(`The last SEARCH/REPLACE block does not end with a line '${replaceMark}'`);
  return reader.changes;
}

/** Returns undefined if the search text was not found. */
function replaceFirst(text: string, { search, replace }: SearchReplaceBlock): string | undefined {
  const at = text.indexOf(search);
  if (at === -1) return undefined;
  const end = at + search.length;
  // Removing entire lines does not leave an empty line.
  const isWholeLine = (at === 0 || text[at - 1] === '\n') && replace === '';
  const lineEnd = text.startsWith('\r\n', end) ? 2 : text[end] === '\n' ? 1 : 0;
  return text.slice(0, at) + replace + text.slice(isWholeLine ? end + lineEnd : end);
}

/**
 * Applies the blocks in order, each at its first occurrence in the result of the previous ones. If a block is not found
 * in a text with `\r\n`, it is searched for again after all line ends are converted to `\n`.
 * @param changes the blocks; a text without blocks is the whole new content
 * @returns the new text and the failed blocks. A failed block does not prevent the others from being applied.
 * @throws EngineError `lua.refused-argument` if there is text outside blocks or the last block has no end
 */
export function applyChangeBlocks(
  text: string,
  changes: string,
): { readonly content: string; readonly info: ChangesInfo } {
  const blocks = parseChanges(changes);
  if (blocks === undefined) return { content: changes, info: { changed_count: 1 } };
  const failed: FailedChange[] = [];
  let content = text;
  for (const block of blocks) {
    const next = replaceAnywhere(content, block);
    if (typeof next === 'string') content = next;
    else failed.push({ ...block, reason: next.reason });
  }
  const changed_count = blocks.length - failed.length;
  return { content, info: failed.length === 0 ? { changed_count } : { changed_count, failed_changes: failed } };
}

function replaceAnywhere(text: string, block: SearchReplaceBlock): string | { readonly reason: string } {
  // An empty SEARCH part matches the start of the file, as in AIPack. No line end is added.
  if (block.search === '') return block.replace + text;
  const asItStands = replaceFirst(text, block);
  if (asItStands !== undefined) return asItStands;
  const withPlainEnds = text.includes('\r\n') ? replaceFirst(text.replaceAll('\r\n', '\n'), block) : undefined;
  return withPlainEnds ?? { reason: 'The SEARCH part was not found in the file' };
}
