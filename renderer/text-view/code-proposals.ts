/**
 * What may be written in the code of a node: below `input` what is bound there, else what the language has.
 */
import type { CodeFieldProps, CodeName } from '../ui/code-field.ts';

/** A proposal of a language that other areas know. */
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
  /** What may be written at an offset of Lua. */
  readonly completeLua: (code: string, offset: number) => readonly CodeProposal[];
}

/** `input.a.b.` before a place: the names that lead there; undefined = something else stands there. */
function inputPathBefore(text: string): readonly string[] | undefined {
  const [, names] = /(?:^|[^\w$.])input((?:\??\.\w+|\[\d+\])*)\??\.\w*$/.exec(text) ?? [];
  return names?.match(/\w+/g) ?? (names === undefined ? undefined : []);
}

const input: CodeProposal = { label: 'input', kind: 'variable', insert: 'input', doc: 'What is bound in the input.' };
const log: CodeProposal = { label: 'console.log', kind: 'function', insert: 'console.log($0)', isSnippet: true };

function ofName({ name, detail, description }: CodeName): CodeProposal {
  return { label: name, kind: 'field', insert: name, detail, doc: description };
}

/** What may be written at an offset of code. */
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
  return isBelow ? [] : [input, log];
}
