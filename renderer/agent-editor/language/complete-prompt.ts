/**
 * Completions in prompts, inside `{{` and `}}`.
 */
import { returned } from './complete-lua.ts';
import { type CompletionPlace, literal, type Proposal, type Proposals, slot } from './proposal.ts';
import { fileFields, type KnownName, promptNames } from './script-names.ts';
import { text } from './text.ts';

const docs = text.prompt;

const blocks: readonly (readonly [name: string, doc: string])[] = [
  ['if', docs.if],
  ['unless', docs.unless],
  ['each', docs.each],
  ['with', docs.with],
];

const words: readonly (readonly [label: string, doc: string])[] = [
  ['else', docs.else],
  ['this', docs.this],
  ['@index', docs.index],
  ['@key', docs.key],
  ['lookup', docs.lookup],
];

const helpers: readonly (readonly [label: string, doc: string])[] = [
  ['eq', docs.eq],
  ['ne', docs.ne],
  ['gt', docs.gt],
  ['gte', docs.gte],
  ['lt', docs.lt],
  ['lte', docs.lte],
  ['and', docs.and],
  ['or', docs.or],
  ['not', docs.not],
  ['len', docs.len],
];

export function completePrompt(place: CompletionPlace): Proposals {
  const { before, offset, text: whole } = place;
  const open = before.lastIndexOf('{{');
  if (open === -1 || before.includes('}}', open)) return { start: offset, list: [] };
  const inside = before.slice(open + 2);
  const path = /[\w@./#]*$/.exec(inside)?.[0] ?? '';
  const dot = path.lastIndexOf('.');
  if (dot === -1)
    return {
      start: offset - path.length,
      list: startOf(inside.slice(0, inside.length - path.length), whole.startsWith('}}', offset)),
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
  if (owner === 'data') return returned(ofStage('data'), text.returned.byData);
  if (owner === 'before_all') return returned(ofStage('beforeAll'), text.returned.byBeforeAll);
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
