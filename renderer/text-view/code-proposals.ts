/**
 * Completions for the code of a node: bound values below `input`, or else names of the language.
 */
import { javaScriptGlobals, listMethods, textMethods } from '../../engine/isomorphic.ts';
import type { CodeFieldProps, CodeName } from '../ui/code-field.ts';
import { text } from './text.ts';

/** A completion of a language supported by another feature. */
export interface CodeProposal {
  readonly label: string;
  readonly kind: string;
  readonly insert: string;
  readonly isSnippet?: true;
  readonly detail?: string;
  /** Markdown. */
  readonly doc?: string;
}

export interface CodeHelp extends Pick<CodeFieldProps, 'language' | 'inputNames'> {
  /** Returns the completions at an offset in Lua code. */
  readonly completeLua: (code: string, offset: number) => readonly CodeProposal[];
}

/** Returns the names in `input.a.b.` before a position. Undefined if the text is something else. */
function inputPathBefore(code: string): readonly string[] | undefined {
  const [, names] = /(?:^|[^\w$.])input((?:\??\.\w+|\[\d+\])*)\??\.\w*$/.exec(code) ?? [];
  return names?.match(/\w+/g) ?? (names === undefined ? undefined : []);
}

function named(label: string, rest: Omit<CodeProposal, 'label'>): CodeProposal {
  return { label, ...rest };
}

const input = named('input', { kind: 'variable', insert: 'input', doc: text.completions.input });
const log = named('console.log', { kind: 'function', insert: 'console.log($0)', isSnippet: true });

const keywords =
  'async|await|break|case|catch|class|const|continue|delete|do|else|false|finally|for|function|if|in|instanceof|let|new|null|of|return|switch|this|throw|true|try|typeof|while|yield'.split(
    '|',
  );
const anywhere: readonly CodeProposal[] = [
  input,
  log,
  ...keywords.map((word) => ({ label: word, kind: 'keyword', insert: word })),
  ...Array.from(javaScriptGlobals.keys(), (name) => ({ label: name, kind: 'variable', insert: name })),
];

/** Returns the members of a built-in name, or of a list or text literal. Empty for anything else. */
function memberNames(before: string): readonly string[] {
  const [, owner = ''] = /([\w$]+|["'`\]])\??\.\w*$/.exec(before) ?? [];
  const isOfOther = /[.\w$]\??\.$/.test(before.slice(0, before.lastIndexOf(owner)));
  if (owner === ']') return listMethods;
  if (/^["'`]$/.test(owner)) return textMethods;
  return isOfOther ? [] : (javaScriptGlobals.get(owner) ?? []);
}

function ofLanguage(name: string): CodeProposal {
  return { label: name, kind: /^[A-Z][A-Z\d_]*$/.test(name) ? 'constant' : 'function', insert: name };
}

function ofName({ name, detail, description }: CodeName): CodeProposal {
  return { label: name, kind: 'field', insert: name, detail, doc: description };
}

/** Returns the completions at an offset in code. */
export function proposalsAt(
  { language, inputNames, completeLua }: CodeHelp,
  code: string,
  offset: number,
): readonly CodeProposal[] {
  const before = code.slice(0, offset);
  const path = inputPathBefore(before);
  if (path !== undefined) return inputNames(path).map(ofName);
  const isBelow = /\.\w*$/.test(before);
  if (language === 'lua') return [...(isBelow ? [] : [input]), ...completeLua(code, offset)];
  return isBelow ? memberNames(before).map(ofLanguage) : anywhere;
}
