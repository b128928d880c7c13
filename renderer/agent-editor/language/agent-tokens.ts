/**
 * Tokenizes an agent file line by line: headings, and the language of each section.
 */
import {
  fenceLanguage,
  headingKind,
  type LuaToken,
  type OpenLua,
  readLua,
  type SectionKind,
} from '../../../engine/isomorphic.ts';

/** Type of a token; the theme has a color for each. */
export type TokenName =
  | ''
  | 'heading'
  | 'fence'
  | 'keyword.lua'
  | 'function'
  | 'string'
  | 'number'
  | 'comment'
  | 'key'
  | 'binding'
  | 'strong';

/** A token that extends from `start` to the next token of the line. */
export interface LineToken {
  readonly start: number;
  readonly name: TokenName;
}

/** State at the start of a line. */
export interface LineState {
  readonly section: SectionKind | null;
  /** The open fence: how many backticks end it, and its language. */
  readonly fence: { readonly isWide: boolean; readonly language: 'lua' | 'toml' | null } | null;
  readonly lua: OpenLua | null;
  /** Whether a binding continues from the previous line. */
  readonly isInBinding: boolean;
}

export const firstState: LineState = { section: null, fence: null, lua: null, isInBinding: false };

interface TokenLine {
  readonly tokens: readonly LineToken[];
  readonly end: LineState;
}

/** Tokenizes a line without its end. */
export function tokenizeLine(line: string, state: LineState): TokenLine {
  const isHeading = state.fence === null && line.startsWith('#') && !line.startsWith('##');
  if (isHeading) return headingLine(line);
  if (line.startsWith('```')) {
    const moved = throughFence(line, state);
    if (moved !== null) return { tokens: [{ start: 0, name: 'fence' }], end: moved };
  }
  if (state.fence?.language === 'lua') {
    const { tokens, open } = readLua(line, state.lua);
    return { tokens: luaTokens(tokens), end: { ...state, lua: open } };
  }
  if (state.fence?.language === 'toml') return { tokens: tomlTokens(line), end: state };
  const isPrompt = state.section !== null && fenceLanguage(state.section) === null;
  return isPrompt ? promptLine(line, state) : { tokens: [{ start: 0, name: 'comment' }], end: state };
}

function headingLine(line: string): TokenLine {
  const section = headingKind(line);
  const tokens: LineToken[] = [{ start: 0, name: 'heading' }];
  const option = line.indexOf('`');
  if (section !== null && fenceLanguage(section) === null && option !== -1)
    tokens.push({ start: option, name: 'string' });
  return { tokens, end: { ...firstState, section } };
}

/** Returns the state after a line of backticks; null if they neither start nor end a fence. */
function throughFence(line: string, state: LineState): LineState | null {
  const isWide = line.startsWith('````');
  const { fence, section } = state;
  if (fence === null) {
    const wanted = section === null ? null : fenceLanguage(section);
    const isRead = wanted !== null && line.slice(isWide ? 4 : 3).startsWith(wanted);
    return { ...state, isInBinding: false, lua: null, fence: { isWide, language: isRead ? wanted : null } };
  }
  return fence.isWide === isWide ? { ...state, fence: null, lua: null } : null;
}

const promptPart = /(?<binding>\{\{(?:(?!\}\}).)*(?:\}\}\}?|(?<open>$)))|(?<code>`[^`]+`)|(?<strong>\*\*[^*]+\*\*)/g;

function promptLine(line: string, state: LineState): TokenLine {
  const tokens: LineToken[] = [];
  let at = 0;
  let isOpen = state.isInBinding;
  if (isOpen) {
    const end = line.indexOf('}}');
    tokens.push({ start: 0, name: 'binding' });
    if (end === -1) return { tokens, end: state };
    at = end + 2;
    isOpen = false;
  }
  tokens.push({ start: at, name: '' });
  for (const { index, 0: found, groups = {} } of line.slice(at).matchAll(promptPart)) {
    tokens.push({ start: at + index, name: nameOfPart(groups) }, { start: at + index + found.length, name: '' });
    isOpen = groups['open'] !== undefined;
  }
  return { tokens, end: { ...state, isInBinding: isOpen } };
}

function nameOfPart(groups: Readonly<Record<string, string | undefined>>): TokenName {
  if (groups['binding'] !== undefined) return 'binding';
  return groups['code'] === undefined ? 'strong' : 'string';
}

const names: Readonly<Partial<Record<LuaToken['kind'], TokenName>>> = {
  keyword: 'keyword.lua',
  string: 'string',
  number: 'number',
  comment: 'comment',
};

/** Converts Lua tokens. @param words of one line */
function luaTokens(words: readonly LuaToken[]): readonly LineToken[] {
  const tokens: LineToken[] = [{ start: 0, name: '' }];
  for (const [at, word] of words.entries()) {
    const name = names[word.kind] ?? (isCalled(words, at) ? 'function' : '');
    if (name !== '') tokens.push({ start: word.start, name }, { start: word.end, name: '' });
  }
  return tokens;
}

function isCalled(words: readonly LuaToken[], at: number): boolean {
  const next = words[at + 1];
  if (words[at]?.kind !== 'name' || next === undefined) return false;
  return next.text === '(' || next.text === '{' || next.kind === 'string';
}

const tomlPart =
  /(?<comment>#.*$)|(?<string>"(?:\\.|[^"\\])*"?|'[^']*'?)|(?<key>[\w.-]+(?=\s*=))|(?<table>^\s*\[\[?[^\]]*\]?\]?)|(?<number>[+-]?\d[\w.:+-]*|\b(?:true|false|inf|nan)\b)/g;

const tomlKinds: readonly (readonly [group: string, name: TokenName])[] = [
  ['comment', 'comment'],
  ['string', 'string'],
  ['key', 'key'],
  ['table', 'heading'],
  ['number', 'number'],
];

/**
 * Tokenizes a line of TOML without its end. Multiline strings are treated as ending with the line, because options have
 * none.
 */
export function tomlTokens(line: string): readonly LineToken[] {
  const tokens: LineToken[] = [{ start: 0, name: '' }];
  for (const { index, 0: found, groups = {} } of line.matchAll(tomlPart)) {
    const name = tomlKinds.find(([group]) => groups[group] !== undefined)?.[1] ?? '';
    tokens.push({ start: index, name }, { start: index + found.length, name: '' });
  }
  return tokens;
}
