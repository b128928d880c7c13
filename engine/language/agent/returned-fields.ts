/**
 * Finds the fields that a script returns, from the table literals after its `return` statements.
 */
import { type LuaToken, readLua } from './lua-tokens.ts';

/** A table field and the offsets of its name in the code, with an exclusive end. */
interface ReturnedField {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

interface ReturnedFields {
  readonly fields: readonly ReturnedField[];
  /** Whether every `return` has known fields or ends the stage in another way, such as with `aip.flow.skip`. */
  readonly isComplete: boolean;
}

/** Functions whose argument contains the returned data under a key. */
type ResponseFunction = 'data_response' | 'before_all_response';

const keyOf: Readonly<Record<ResponseFunction, string>> = {
  data_response: 'data',
  before_all_response: 'before_all',
};

/**
 * Finds the fields of `return { … }`, and of `data` or `before_all` in the argument of the response function. Ignores
 * returns from functions in the code.
 */
export function returnedFields(code: string, response: ResponseFunction): ReturnedFields {
  const tokens = readLua(code).tokens.filter(({ kind }) => kind !== 'comment');
  const fields = new Map<string, ReturnedField>();
  let isComplete = true;
  for (const at of outerReturns(tokens)) {
    const table = tableBehind(tokens, at + 1, response);
    if (table === 'other') isComplete = false;
    else if (table !== 'none') for (const field of fieldsAt(tokens, table)) fields.set(field.name, field);
  }
  return { fields: [...fields.values()], isComplete };
}

const openers: ReadonlySet<string> = new Set(['function', 'if', 'do', 'repeat']);
const closers: ReadonlySet<string> = new Set(['end', 'until']);

/** Returns the positions of `return` statements outside functions. */
function outerReturns(tokens: readonly LuaToken[]): number[] {
  const blocks: string[] = [];
  return tokens.flatMap(({ kind, text }, at) => {
    if (kind !== 'keyword') return [];
    if (openers.has(text)) blocks.push(text);
    else if (closers.has(text)) blocks.pop();
    return text === 'return' && !blocks.includes('function') ? [at] : [];
  });
}

/**
 * Returns the position of the returned table; `none` if nothing is returned, `other` for an expression with unknown
 * fields.
 */
function tableBehind(tokens: readonly LuaToken[], at: number, response: ResponseFunction): number | 'none' | 'other' {
  const textAt = (offset: number): string => tokens[at + offset]?.text ?? '';
  if (textAt(0) === '{') return isWhole(tokens, at) ? at : 'other';
  if (textAt(0) === '' || textAt(0) === 'nil' || textAt(0) === 'end') return 'none';
  const isFlow = /^(aip|utils)$/.test(textAt(0)) && textAt(1) === '.' && textAt(2) === 'flow' && textAt(3) === '.';
  if (!isFlow) return 'other';
  if (textAt(4) !== response) return 'none';
  const table = at + (textAt(5) === '(' ? 6 : 5);
  if (tokens[table]?.text !== '{') return 'other';
  const field = fieldsAt(tokens, table).find(({ name }) => name === keyOf[response]);
  if (field === undefined) return 'none';
  return tokens[field.at + 2]?.text === '{' ? field.at + 2 : 'other';
}

/** Whether the value is only the table and not an expression such as `{ … }[1]` or `{ … } or x`. */
function isWhole(tokens: readonly LuaToken[], at: number): boolean {
  let depth = 0;
  for (let next = at; next < tokens.length; next++) {
    depth += depthChange(tokens[next]);
    if (depth > 0) continue;
    const behind = tokens[next + 1]?.text;
    return behind === undefined || behind === ';' || /^(end|else|elseif|until)$/.test(behind);
  }
  return true;
}

function depthChange(token: LuaToken | undefined): number {
  if (token?.kind !== 'symbol') return 0;
  if (/^[({[]$/.test(token.text)) return 1;
  return /^[)}\]]$/.test(token.text) ? -1 : 0;
}

/** Returns the named fields of the table that starts at token `table`; `at` is the position of the name's token. */
function fieldsAt(tokens: readonly LuaToken[], table: number): (ReturnedField & { readonly at: number })[] {
  const found: (ReturnedField & { readonly at: number })[] = [];
  let depth = 0;
  for (let at = table; at < tokens.length; at++) {
    const token = tokens[at];
    const isName = depth === 1 && token?.kind === 'name' && tokens[at + 1]?.text === '=';
    const isFirst = /^[{,;]$/.test(tokens[at - 1]?.text ?? '');
    if (isName && isFirst) found.push({ name: token.text, start: token.start, end: token.end, at });
    depth += depthChange(token);
    if (depth === 0) break;
  }
  return found;
}
