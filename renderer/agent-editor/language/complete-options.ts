/**
 * Completions in options.
 */
import { optionDocs } from '../../../engine/isomorphic.ts';
import { type CompletionPlace, type Proposal, type Proposals, slot } from './proposal.ts';
import type { KnownName } from './script-names.ts';

const docs = Object.entries(optionDocs);

/** Options as fields of a table. */
export const optionNames: readonly KnownName[] = docs.map(([name, { type, summary }]) => ({ name, type, summary }));

export function completeOptions({ before, code, offset }: CompletionPlace): Proposals {
  const [, key, written = ''] = /^\s*([\w-]+)\s*=\s*([^\s,#]*)$/.exec(before) ?? [];
  if (key !== undefined) return { start: offset - written.length, list: valuesOf(key) };
  const [, name] = /^\s*([\w-]*)$/.exec(before) ?? [];
  if (name === undefined) return { start: offset, list: [] };
  const isSet = (option: string): boolean => new RegExp(`^\\s*${option}\\s*=`, 'm').test(code);
  const list = docs.filter(([option]) => option === name || !isSet(option)).map(keyProposal);
  return { start: offset - name.length, list };
}

function keyProposal([name, { type, summary, example }]: (typeof docs)[number]): Proposal {
  const insert = `${name} = ${slot(example)}`;
  return { label: name, kind: 'field', insert, isSnippet: true, detail: type, doc: summary };
}

function valuesOf(key: string): readonly Proposal[] {
  const doc = docs.find(([name]) => name === key)?.[1];
  if (doc === undefined) return [];
  const values = doc.values ?? [doc.example];
  return values.map((value) => ({ label: value, kind: 'value', insert: value, detail: doc.type, doc: doc.summary }));
}
