/**
 * Separates the thoughts of a model from its answer where it writes both into one text. Local models mark their thoughts
 * with tags, and a server that does not know the tags passes them on as part of the answer.
 */

interface ThoughtTag {
  readonly open: string;
  readonly close: string;
  /** Whether it also counts at the start of a later line. The other names are common elements of XML answers. */
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
/** The end of a text from a character on with which marks begin. */
const markStart = /[<[◁][^<[◁]*$/;

function escaped(text: string): string {
  return text.replace(/[[\]|/]/g, '\\$&');
}

function isSame(text: string, mark: string): boolean {
  return text.length === mark.length && text.toLowerCase() === mark.toLowerCase();
}

/** Part of a text that is thoughts, their tags included. UTF-16 units; the end is not included. */
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

/** The separated parts of an answer. */
export interface SplitAnswer {
  readonly text: string;
  /** Empty = it has none. Blocks of thoughts are separated by an empty line. */
  readonly thoughts: string;
  readonly ranges: readonly ThoughtRange[];
}

/** Separates a complete text. */
export function splitThoughts(answer: string): SplitAnswer {
  const splitter = new ThoughtSplitter();
  splitter.push(answer);
  return splitter.end();
}

/**
 * Separates a text that arrives in pieces. A closing tag without an opening one (templates of DeepSeek put the opening tag into
 * the prompt) turns everything before it into thoughts. Its pieces have been passed on as text by then; the result is right.
 */
export class ThoughtSplitter {
  readonly #listener: ThoughtListener;
  readonly #ranges: ThoughtRange[] = [];
  /** Received, but not decided yet. */
  #held = '';
  /** Where `#held` starts in the whole. */
  #at = 0;
  #text = '';
  #thoughts = '';
  /** Blanks at the end of the thoughts so far; dropped when nothing follows. */
  #thoughtBlanks = '';
  /** The tag of the thoughts that are being read. */
  #open: OpenThoughts | undefined;
  #isBlockEmpty = true;
  /** Where the text since the last thoughts starts, in `#text` and in the whole. */
  #segment = { inText: 0, at: 0 };
  #isAfterThoughts = false;
  #isAtLineStart = true;
  /** The characters that opened the code block around this line. */
  #fence: string | undefined;
  /** Quotation marks and backticks on this line so far. */
  #quotes = { double: 0, back: 0 };
  /** Closing tags that belong to an opening tag mentioned within a line, or to one inside of thoughts. */
  #mentions = new Map<ThoughtTag, number>();
  #nested: ThoughtTag | undefined;

  constructor(listener: ThoughtListener = {}) {
    this.#listener = listener;
  }

  push(piece: string): void {
    this.#held += piece;
    while (this.#held !== '' && this.#step(false));
  }

  /** Ends the text; thoughts without a closing tag reach to its end. */
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

  /** Decides about the next characters; false when that takes more of them. */
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
    // What remains is the beginning of a closing tag, which the end of the answer has cut.
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

  /** A tag within a line: text, unless it closes thoughts that lack an opening tag. */
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

  /** Characters at the end of what is held that may be the beginning of a tag. */
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
