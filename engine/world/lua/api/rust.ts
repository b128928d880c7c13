/**
 * `aip.rust`: helpers for Rust source code.
 */
import { requiredString } from '../api-arguments.ts';
import type { ApiModule } from '../api-module.ts';

/** A token of the source. Its kind determines whether braces and words in it count. */
const token = new RegExp(
  [
    /(?<comment>\/\/[^\n]*)/,
    /(?<string>[bc]?"(?:[^"\\]|\\[\s\S])*"?)/,
    // A quote starts a character literal only if another one ends it; otherwise it starts a lifetime.
    /(?<char>b?'(?:[^'\\\n]|\\(?:u\{[\da-fA-F_]*\}|x..|.))')/,
    /(?<word>r#[\p{L}_][\p{L}\p{N}_]*|[\p{L}_][\p{L}\p{N}_]*)/u,
    /(?<space>\s+)/,
    /(?<sign>[\s\S])/,
  ]
    .map((part) => part.source)
    .join('|'),
  'uy',
);

interface RustToken {
  readonly kind: string;
  readonly text: string;
}

/** Returns the length of the block comment at `at`. Block comments can be nested. */
function blockCommentEnd(code: string, at: number): number {
  const edge = /\/\*|\*\//g;
  edge.lastIndex = at;
  for (let depth = 0, match = edge.exec(code); match !== null; match = edge.exec(code)) {
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) return edge.lastIndex;
  }
  return code.length;
}

/** Returns the end of the raw string that begins at `at`; undefined if none begins there. */
function rawStringEnd(code: string, at: number): number | undefined {
  const start = /[bc]?r(#*)"/y;
  start.lastIndex = at;
  const hashes = start.exec(code)?.[1];
  if (hashes === undefined) return undefined;
  const end = code.indexOf(`"${hashes}`, start.lastIndex);
  return end === -1 ? code.length : end + 1 + hashes.length;
}

function tokenAt(code: string, at: number): RustToken {
  if (code.startsWith('/*', at)) return { kind: 'comment', text: code.slice(at, blockCommentEnd(code, at)) };
  const rawEnd = rawStringEnd(code, at);
  if (rawEnd !== undefined) return { kind: 'string', text: code.slice(at, rawEnd) };
  token.lastIndex = at;
  const groups = token.exec(code)?.groups ?? {};
  const found = Object.entries(groups).find(([, text]) => text !== undefined);
  return { kind: found?.[0] ?? 'sign', text: found?.[1] ?? code.charAt(at) };
}

function tokensOf(code: string): RustToken[] {
  const tokens: RustToken[] = [];
  for (let at = 0; at < code.length; at += tokens.at(-1)?.text.length ?? 1) tokens.push(tokenAt(code, at));
  return tokens;
}

/** Returns the index after the bracket that closes the one at `open`. */
function behindBracket(tokens: readonly RustToken[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    const { kind, text } = tokens[at] ?? { kind: '', text: '' };
    if (kind !== 'sign') continue;
    if ('([{'.includes(text)) depth++;
    if (')]}'.includes(text)) depth--;
    if (depth === 0) return at + 1;
  }
  return tokens.length;
}

/** Returns the index of the `{` that opens the body of the declaration at `start`; undefined if a `;` ends it first. */
function bodyStart(tokens: readonly RustToken[], start: number): number | undefined {
  for (let at = start; at < tokens.length; ) {
    const { kind, text } = tokens[at] ?? { kind: '', text: '' };
    if (kind === 'sign' && text === '{') return at;
    if (kind === 'sign' && ';}'.includes(text)) return undefined;
    at = kind === 'sign' && '(['.includes(text) ? behindBracket(tokens, at) : at + 1;
  }
  return undefined;
}

function nextOf(tokens: readonly RustToken[], at: number): number {
  let next = at + 1;
  while (tokens[next]?.kind === 'space' || tokens[next]?.kind === 'comment') next++;
  return next;
}

/** Whether the token starts a declaration with a body that may be omitted: `fn` with a name, or a test-only module. */
function declaresBody(tokens: readonly RustToken[], at: number): boolean {
  const { kind, text } = tokens[at] ?? { kind: '', text: '' };
  if (kind !== 'word') return false;
  if (text === 'fn') return tokens[nextOf(tokens, at)]?.kind === 'word';
  return text === 'mod' && isForTests(tokens, at);
}

/** Looks backward past other attributes and `pub` for `#[cfg(test)]`. */
function isForTests(tokens: readonly RustToken[], at: number): boolean {
  const before = tokens
    .slice(Math.max(0, at - 60), at)
    .filter((one) => one.kind !== 'comment' && one.kind !== 'space')
    .map((one) => one.text)
    .join('');
  return /#\[cfg\(test\)\](?:#\[[^[\]]*\])*(?:pub(?:\([^()]*\))?)?$/.test(before);
}

/**
 * Replaces the bodies of functions and of test-only modules with `{ ... }`. Everything else is unchanged, including
 * comments between declarations. Incomplete source is processed as far as possible.
 */
export function pruneToDeclarations(code: string): string {
  const tokens = tokensOf(code);
  let result = '';
  for (let at = 0; at < tokens.length; ) {
    const body = declaresBody(tokens, at) ? bodyStart(tokens, at + 1) : undefined;
    const end = body ?? at + 1;
    result += tokens
      .slice(at, end)
      .map((one) => one.text)
      .join('');
    if (body !== undefined) result += '{ ... }';
    at = body === undefined ? end : behindBracket(tokens, body);
  }
  return result;
}

export const rustApi: ApiModule = {
  name: 'rust',
  summary: 'Functions for Rust source code.',
  members: [
    {
      name: 'prune_to_declarations',
      signature: 'prune_to_declarations(code: string) -> string',
      summary:
        'Returns the source with the bodies of functions and test modules replaced by `{ ... }`. Keeps comments, types and declarations.',
      call: ([code]) => pruneToDeclarations(requiredString(code, 1)),
    },
  ],
};
