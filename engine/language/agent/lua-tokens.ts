/**
 * Tokenizes Lua for editors, and for checks that read scripts without running them. Invalid Lua is tokenized as far as
 * possible.
 */

type LuaTokenKind = 'comment' | 'string' | 'number' | 'keyword' | 'name' | 'symbol';

/** A token and its offsets in the text, with an exclusive end. */
export interface LuaToken {
  readonly kind: LuaTokenKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** An unterminated long-bracket comment or string; `level` is the number of `=` in its brackets. */
export interface OpenLua {
  readonly kind: 'comment' | 'string';
  readonly level: number;
}

interface LuaWords {
  readonly tokens: readonly LuaToken[];
  /** The token left open at the end of the text; null if there is none. */
  readonly open: OpenLua | null;
}

const keywords: ReadonlySet<string> = new Set(
  'and break do else elseif end false for function goto if in local nil not or repeat return then true until while'.split(
    ' ',
  ),
);

const word =
  /(?<space>\s+)|--(?<commentLevel>\[=*\[)|(?<comment>--[^\n]*)|(?<longLevel>\[=*\[)|(?<string>"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?)|(?<number>0[xX][\da-fA-F.]+(?:[pP][+-]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<name>[A-Za-z_]\w*)|(?<symbol>\.\.\.?|::|<<|>>|\/\/|[=~<>]=|[\s\S])/uy;

/**
 * Splits Lua into tokens, omitting white space.
 * @param text an entire text or a part of it, such as one line
 * @param open the token left open before the text
 */
export function readLua(text: string, open: OpenLua | null = null): LuaWords {
  const reader = new LuaReader(text);
  if (open !== null) reader.readLong(open, 0, 0);
  while (reader.at < text.length) reader.readNext();
  return { tokens: reader.tokens, open: reader.open };
}

class LuaReader {
  readonly tokens: LuaToken[] = [];
  at = 0;
  open: OpenLua | null = null;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  readNext(): void {
    word.lastIndex = this.at;
    const { groups = {}, 0: found = '' } = word.exec(this.#text) ?? {};
    const long = groups['commentLevel'] ?? groups['longLevel'];
    if (long !== undefined) {
      const kind = groups['commentLevel'] === undefined ? 'string' : 'comment';
      this.readLong({ kind, level: long.length - 2 }, this.at, this.at + found.length);
      return;
    }
    const kind = kindOf(groups, found);
    if (kind !== null) this.#add(kind, this.at, this.at + found.length);
    this.at += Math.max(1, found.length);
  }

  /** @param from offset of the token; @param inside first offset at which it can end */
  readLong(open: OpenLua, from: number, inside: number): void {
    const closing = `]${'='.repeat(open.level)}]`;
    const found = this.#text.indexOf(closing, inside);
    this.open = found === -1 ? open : null;
    const end = found === -1 ? this.#text.length : found + closing.length;
    if (end > from) this.#add(open.kind, from, end);
    this.at = end;
  }

  #add(kind: LuaTokenKind, start: number, end: number): void {
    this.tokens.push({ kind, text: this.#text.slice(start, end), start, end });
  }
}

function kindOf(groups: Readonly<Record<string, string | undefined>>, text: string): LuaTokenKind | null {
  if (groups['space'] !== undefined) return null;
  if (groups['comment'] !== undefined) return 'comment';
  if (groups['string'] !== undefined) return 'string';
  if (groups['number'] !== undefined) return 'number';
  if (groups['name'] !== undefined) return keywords.has(text) ? 'keyword' : 'name';
  return 'symbol';
}
