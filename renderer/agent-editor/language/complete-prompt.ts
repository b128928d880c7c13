/**
 * Completions in prompts, inside of `{{` and `}}`.
 */
import { returned } from './complete-lua.ts';
import { type CompletionPlace, literal, type Proposal, type Proposals, slot } from './proposal.ts';
import { fileFields, type KnownName, promptNames } from './script-names.ts';

const blocks: readonly (readonly [name: string, doc: string])[] = [
  ['if', 'The part to `{{/if}}` only when the value is neither missing, false, 0 nor empty.'],
  ['unless', 'The part to `{{/unless}}` only when the value is missing or empty.'],
  ['each', 'The part to `{{/each}}` for each entry, in it `{{this}}`, `{{@index}}`, `{{@key}}`.'],
  ['with', 'The part to `{{/with}}` with the names of the value.'],
];

const words: readonly (readonly [label: string, doc: string])[] = [
  ['else', 'The part that holds when the condition does not.'],
  ['this', 'The entry that `#each` is at.'],
  ['@index', 'The place of the entry that `#each` is at, from 0.'],
  ['@key', 'The name of the entry that `#each` is at.'],
  ['lookup', '`lookup list key`: the entry with this name.'],
];

const helpers: readonly (readonly [label: string, doc: string])[] = [
  ['eq', '`(eq a b)`: whether both are the same.'],
  ['ne', '`(ne a b)`: whether they differ.'],
  ['gt', '`(gt a b)`: greater.'],
  ['gte', '`(gte a b)`: greater or the same.'],
  ['lt', '`(lt a b)`: less.'],
  ['lte', '`(lte a b)`: less or the same.'],
  ['and', '`(and a b)`: both hold.'],
  ['or', '`(or a b)`: one of them holds.'],
  ['not', '`(not a)`: it does not hold.'],
  ['len', '`(len a)`: how many entries or characters it has.'],
];

export function completePrompt(place: CompletionPlace): Proposals {
  const { before, offset, text } = place;
  const open = before.lastIndexOf('{{');
  if (open === -1 || before.includes('}}', open)) return { start: offset, list: [] };
  const inside = before.slice(open + 2);
  const path = /[\w@./#]*$/.exec(inside)?.[0] ?? '';
  const dot = path.lastIndexOf('.');
  if (dot === -1)
    return {
      start: offset - path.length,
      list: startOf(inside.slice(0, inside.length - path.length), text.startsWith('}}', offset)),
    };
  const owner = path.slice(0, dot).replace(/^(?:\.\.\/)*/, '');
  return { start: offset - (path.length - dot - 1), list: fieldsOf(owner, place).map(fieldProposal) };
}

/** @param isClosed whether `}}` follows the position */
function startOf(before: string, isClosed: boolean): readonly Proposal[] {
  const names = [...promptNames.map(nameProposal), ...words.map(wordProposal)];
  if (before.endsWith('(')) return [...helpers.map(helperProposal), ...names];
  return before.trim() === ''
    ? [
        ...promptNames.map(nameProposal),
        ...blocks.map((block) => blockProposal(block, isClosed)),
        ...words.map(wordProposal),
      ]
    : names;
}

function fieldsOf(owner: string, { fieldsOf: ofStage }: CompletionPlace): readonly KnownName[] {
  if (owner === 'data') return returned(ofStage('data'), 'Data');
  if (owner === 'before_all') return returned(ofStage('beforeAll'), 'Before All');
  return owner === 'input' ? fileFields : [];
}

function nameProposal({ name, type, summary }: KnownName): Proposal {
  return { label: name, kind: 'variable', insert: name, detail: type, doc: summary, isFirst: true };
}

function fieldProposal({ name, type, summary }: KnownName): Proposal {
  return { label: name, kind: 'field', insert: name, detail: type, doc: summary };
}

function blockProposal([name, doc]: (typeof blocks)[number], isClosed: boolean): Proposal {
  const insert = `#${name} ${slot('data')}${literal('}}')}$0{{/${name}${isClosed ? '' : literal('}}')}`;
  return { label: `#${name}`, kind: 'keyword', insert, isSnippet: true, doc };
}

function wordProposal([label, doc]: (typeof words)[number]): Proposal {
  return { label, kind: 'variable', insert: label, doc };
}

function helperProposal([label, doc]: (typeof helpers)[number]): Proposal {
  return { label, kind: 'function', insert: label, doc };
}
