/**
 * Separates a model's thinking from its response if both are in the same text. Local models mark their thinking with
 * tags, and a server that does not know the tags passes them on as part of the response.
 */

interface ThoughtTag {
  readonly open: string;
  readonly close: string;
  /** Whether the tag also counts at the start of a later line. The other names are common elements in XML responses. */
  readonly onAnyLine: boolean;
}

const element = (name: string, onAnyLine: boolean): ThoughtTag => ({
  open: `<${name}>`,
  close: `</${name}>`,
  onAnyLine,
});

const tags: readonly ThoughtTag[] = [
  // DeepSeek, Qwen, MiniMax and most others; prompts for Claude; Seed-OSS.
  element('think', true),
  element('thinking', true),
  element('seed:think', true),
  // Mistral.
  { open: '[THINK]', close: '[/THINK]', onAnyLine: true },
  // Kimi.
  { open: '◁think▷', close: '◁/think▷', onAnyLine: true },
  // Cohere.
  { open: '<|START_THINKING|>', close: '<|END_THINKING|>', onAnyLine: true },
  // OpenThinker.
  { open: '<|begin_of_thought|>', close: '<|end_of_thought|>', onAnyLine: false },
  // Gemma and others.
  element('thought', false),
  element('reasoning', false),
];

const marks = tags.flatMap(({ open, close }) => [open, close]);
const longestMark = Math.max(...marks.map(({ length }) => length));
const anyMark = new RegExp(marks.map(escaped).join('|'), 'gi');
const markOrLineEnd = new RegExp(`${anyMark.source}|\n`, 'gi');
/** Matches the end of a text from a character that can start a tag. */
const markStart = /[<[◁][^<[◁]*$/;

function escaped(text: string): string {
  return text.replace(/[[\]|/]/g, '\\$&');
}

function isSame(text: string, mark: string): boolean {
  return text.length === mark.length && text.toLowerCase() === mark.toLowerCase();
}

/** A range of thinking in text, including its tags, in UTF-16 units; the end is exclusive. */
interface ThoughtRange {
  readonly start: number;
  readonly end: number;
}

interface ThoughtListener {
  readonly onText?: (piece: string) => void;
  readonly onThoughts?: (piece: string) => void;
}

interface OpenThoughts {
  readonly tag: ThoughtTag;
  readonly start: number;
}

/** A response's separated parts. */
export interface SplitAnswer {
  readonly text: string;
  /** Empty if there is none. Blocks of thinking are separated by an empty line. */
  readonly thoughts: string;
  readonly ranges: readonly ThoughtRange[];
}

/** Splits a complete text. */
export function splitThoughts(answer: string): SplitAnswer {
  const splitter = new ThoughtSplitter();
  splitter.push(answer);
  return splitter.end();
}

/**
 * Splits text that arrives in pieces. A closing tag without an opening one turns everything before it into thinking,
 * because DeepSeek's templates put the opening tag into the prompt. Its pieces were already passed on as text by then,
 * but the result is correct.
 */
export class ThoughtSplitter {
  readonly #listener: ThoughtListener;
  readonly #ranges: ThoughtRange[] = [];
  /** Received but not yet classified. */
  #held = '';
  /** Position of `#held` in the entire text. */
  #at = 0;
  #text = '';
  #thoughts = '';
  /** Whitespace at the end of the thinking so far; dropped if nothing follows. */
  #thoughtBlanks = '';
  /** The opening tag of the current thinking. */
  #open: OpenThoughts | undefined;
  #isBlockEmpty = true;
  /** Start of the text since the last thinking, in `#text` and in the entire text. */
  #segment = { inText: 0, at: 0 };
  #isAfterThoughts = false;
  #isAtLineStart = true;
  /** The characters that opened the enclosing code block. */
  #fence: string | undefined;
  /** Quotation marks and backticks on this line so far. */
  #quotes = { double: 0, back: 0 };
  /** Number of closing tags that belong to an opening tag within a line or inside of thinking. */
  #mentions = new Map<ThoughtTag, number>();
  #nested: ThoughtTag | undefined;

  constructor(listener: ThoughtListener = {}) {
    this.#listener = listener;
  }

  push(piece: string): void {
    this.#held += piece;
    while (this.#held !== '' && this.#step(false));
  }

  /** Ends the text. Thinking without a closing tag extends to the end. */
  end(): SplitAnswer {
    while (this.#held !== '' && this.#step(true));
    if (this.#open !== undefined) this.#closeThoughts(this.#open.start);
    const isThoughtsLast = this.#ranges.length > 0 && this.#segment.inText === this.#text.length;
    return {
      text: isThoughtsLast ? this.#text.trimEnd() : this.#text,
      thoughts: this.#thoughts,
      ranges: this.#ranges,
    };
  }

  /** Classifies the next characters; returns false if it needs more characters. */
  #step(isEnd: boolean): boolean {
    if (this.#open !== undefined) return this.#readThoughts(this.#open, isEnd);
    if (this.#isAfterThoughts) {
      this.#take(this.#held.length - this.#held.trimStart().length);
      if (this.#held === '') return false;
      this.#isAfterThoughts = false;
    }
    return this.#isAtLineStart ? this.#readLineStart(isEnd) : this.#readLine(isEnd);
  }

  #readThoughts(open: OpenThoughts, isEnd: boolean): boolean {
    const { tag } = open;
    anyMark.lastIndex = 0;
    for (let mark = anyMark.exec(this.#held); mark !== null; mark = anyMark.exec(this.#held)) {
      if (isSame(mark[0], tag.open)) this.#nested = tag;
      if (!isSame(mark[0], tag.close)) continue;
      this.#think(this.#take(mark.index));
      this.#take(mark[0].length);
      this.#closeThoughts(open.start);
      return true;
    }
    const keptLength = this.#lengthOfCutMark();
    this.#think(this.#take(this.#held.length - keptLength));
    // The rest is the start of a closing tag that the end of the response cut off.
    if (isEnd) this.#take(keptLength);
    return false;
  }

  #closeThoughts(start: number): void {
    this.#ranges.push({ start, end: this.#at });
    this.#open = undefined;
    this.#thoughtBlanks = '';
    this.#segment = { inText: this.#text.length, at: this.#at };
    this.#isAfterThoughts = true;
    this.#startLine();
  }

  #readLineStart(isEnd: boolean): boolean {
    const isFirst = this.#text === '';
    const [blanks = ''] = (isFirst ? /^\s*/ : /^[ \t]*/).exec(this.#held) ?? [];
    const rest = this.#held.slice(blanks.length);
    if (rest === '' && !isEnd) return false;
    if (this.#fence === undefined) {
      const tag = tags.find(
        ({ open, onAnyLine }) => (onAnyLine || isFirst) && isSame(rest.slice(0, open.length), open),
      );
      if (tag !== undefined) {
        this.#open = { tag, start: this.#at + blanks.length };
        this.#isBlockEmpty = true;
        this.#nested = undefined;
        this.#take(blanks.length + tag.open.length);
        return true;
      }
      if (!isEnd && rest.length < longestMark && isPartOfMark(rest)) return false;
    }
    const [ticks] = /^(?:`+|~+)/.exec(rest) ?? [''];
    if (ticks === rest && !isEnd) return false;
    if (ticks.length >= 3) this.#meetFence(ticks);
    this.#isAtLineStart = false;
    this.#say(this.#take(blanks.length));
    return true;
  }

  #meetFence(ticks: string): void {
    if (this.#fence === undefined) this.#fence = ticks;
    else if (ticks.startsWith(this.#fence)) this.#fence = undefined;
  }

  #readLine(isEnd: boolean): boolean {
    markOrLineEnd.lastIndex = 0;
    const found = (this.#fence === undefined ? markOrLineEnd : /\n/).exec(this.#held);
    if (found === null) {
      this.#say(this.#take(this.#held.length - (isEnd ? 0 : this.#lengthOfCutMark())));
      return false;
    }
    this.#say(this.#take(found.index));
    if (found[0] === '\n') {
      this.#say(this.#take(1));
      this.#startLine();
    } else {
      this.#meetMark(found[0]);
    }
    return true;
  }

  #startLine(): void {
    this.#isAtLineStart = true;
    this.#quotes = { double: 0, back: 0 };
  }

  /** Handles a tag within a line: it is text unless it closes thinking without an opening tag. */
  #meetMark(mark: string): void {
    const opened = tags.find(({ open }) => isSame(mark, open));
    const closed = tags.find(({ close }) => isSame(mark, close));
    const mentions = closed === undefined ? 0 : (this.#mentions.get(closed) ?? 0);
    if (opened !== undefined) this.#mentions.set(opened, (this.#mentions.get(opened) ?? 0) + 1);
    if (closed !== undefined && mentions > 0) this.#mentions.set(closed, mentions - 1);
    if (closed === undefined || mentions > 0 || !this.#canClose(closed)) {
      this.#say(this.#take(mark.length));
      return;
    }
    const thoughts = this.#text.slice(this.#segment.inText);
    this.#text = this.#text.slice(0, this.#segment.inText);
    this.#take(mark.length);
    this.#isBlockEmpty = true;
    this.#think(thoughts);
    this.#nested = undefined;
    this.#closeThoughts(this.#segment.at);
  }

  #canClose(tag: ThoughtTag): boolean {
    const isQuoted = this.#quotes.double % 2 === 1 || this.#quotes.back % 2 === 1;
    const isFirst = this.#ranges.length === 0;
    return tag.onAnyLine && !isQuoted && (isFirst || this.#nested === tag);
  }

  /** Returns the number of characters at the end of `#held` that may be the start of a tag. */
  #lengthOfCutMark(): number {
    const [tail = ''] = markStart.exec(this.#held.slice(-longestMark)) ?? [];
    return isPartOfMark(tail) ? tail.length : 0;
  }

  #take(length: number): string {
    const taken = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    this.#at += length;
    return taken;
  }

  #say(piece: string): void {
    if (piece === '') return;
    for (const sign of piece) {
      if (sign === '"') this.#quotes.double++;
      else if (sign === '`') this.#quotes.back++;
    }
    this.#text += piece;
    this.#listener.onText?.(piece);
  }

  #think(piece: string): void {
    const words = this.#isBlockEmpty ? piece.trimStart() : this.#thoughtBlanks + piece;
    const trimmed = words.trimEnd();
    this.#thoughtBlanks = words.slice(trimmed.length);
    if (trimmed === '') return;
    const between = this.#isBlockEmpty && this.#thoughts !== '' ? '\n\n' : '';
    this.#isBlockEmpty = false;
    this.#thoughts += between + trimmed;
    this.#listener.onThoughts?.(between + trimmed);
  }
}

function isPartOfMark(text: string): boolean {
  return text !== '' && marks.some((mark) => text.length < mark.length && isSame(text, mark.slice(0, text.length)));
}
