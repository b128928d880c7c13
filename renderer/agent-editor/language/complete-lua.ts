/**
 * Completions in scripts.
 */
import type { SectionKind } from '../../../engine/isomorphic.ts';
import { optionNames } from './complete-options.ts';
import { apiModules, type LuaApiMember, type LuaApiModule } from './lua-api.ts';
import { chainBefore, localNames } from './lua-chain.ts';
import { type CompletionPlace, type Proposal, type Proposals, slot } from './proposal.ts';
import {
  contextNames,
  fileFields,
  globalNames,
  type KnownName,
  responseFields,
  stageVariables,
} from './script-names.ts';
import { text } from './text.ts';

const keywords = [
  ...['and', 'break', 'do', 'else', 'elseif', 'end', 'false', 'for', 'function', 'goto', 'if', 'in', 'local', 'nil'],
  ...['not', 'or', 'repeat', 'return', 'then', 'true', 'until', 'while'],
];

const nothing = (start: number): Proposals => ({ start, list: [] });

export function completeLua(place: CompletionPlace): Proposals {
  const { code, codeStart, offset, stage } = place;
  const chain = chainBefore(code, offset - codeStart);
  if (chain === null) return nothing(offset);
  const start = codeStart + chain.start;
  const owners = chain.names.slice(0, -1);
  if (owners.length > 0) return { start, list: membersOf(owners, place) };
  const directives = chain.wordBefore === 'return' ? directivesOf(stage) : [];
  const own = localNames(code.slice(0, chain.start)).map(
    (name): Proposal => ({ label: name, kind: 'variable', insert: name }),
  );
  const known = [...(stageVariables[stage ?? 'system'] ?? []), ...globalNames];
  const words = keywords.map((word): Proposal => ({ label: word, kind: 'keyword', insert: word }));
  return { start, list: [...directives, ...own, ...known.map(variableProposal), ...words] };
}

/** Returns completions for Lua outside an agent file, and therefore without a stage. */
export function completeScript(code: string, offset: number): readonly Proposal[] {
  const place = { kind: 'lua', stage: null, before: '', code, codeStart: 0, text: code, offset } as const;
  return completeLua({ ...place, fieldsOf: () => [] }).list;
}

function membersOf(owners: readonly string[], place: CompletionPlace): readonly Proposal[] {
  const [root = '', ...further] = owners;
  if (root === 'aip' || root === 'utils') return apiMembers(further);
  if (further.length > 0) return [];
  return fieldsOfVariable(root, place).map(fieldProposal);
}

function apiMembers([name, ...further]: readonly string[]): readonly Proposal[] {
  if (name === undefined) {
    return [...apiModules.values()].flatMap((module) =>
      module.isFunction ? [...module.members.values()].map(memberProposal) : [moduleProposal(module)],
    );
  }
  const module = apiModules.get(name);
  if (module === undefined || module.isFunction || further.length > 0) return [];
  return [...module.members.values()].map(memberProposal);
}

function fieldsOfVariable(name: string, { stage, fieldsOf }: CompletionPlace): readonly KnownName[] {
  if (name === 'CTX') return contextNames;
  const isKnown = (stageVariables[stage ?? 'system'] ?? []).some((variable) => variable.name === name);
  if (!isKnown) return [];
  if (name === 'input') return fileFields;
  if (name === 'ai_response') return responseFields;
  if (name === 'options') return optionNames;
  if (name === 'data') return returned(fieldsOf('data'), text.returned.byData);
  return name === 'before_all' ? returned(fieldsOf('beforeAll'), text.returned.byBeforeAll) : [];
}

/** Returns the fields that a stage returns. @param summary says which stage it is */
export function returned(names: readonly string[], summary: string): readonly KnownName[] {
  return names.map((name) => ({ name, type: 'any', summary }));
}

/** Returns the directives that a stage may return instead of a value. */
function directivesOf(stage: SectionKind | null): readonly Proposal[] {
  const skip = directive('skip', `aip.flow.skip("${slot('why')}")`);
  const redo = directive('redo_run', 'aip.flow.redo_run()');
  const before = directive('before_all_response', `aip.flow.before_all_response({ inputs = ${slot('inputs')} \\})`);
  const data = directive('data_response', `aip.flow.data_response({ data = ${slot('data')} \\})`);
  if (stage === 'beforeAll') return [before, skip, redo];
  if (stage === 'data') return [data, skip];
  if (stage === 'output') return [skip];
  return stage === 'afterAll' ? [redo] : [];
}

function directive(name: string, insert: string): Proposal {
  const member = apiModules.get('flow')?.members.get(name);
  const about = member === undefined ? {} : { detail: member.signature, doc: member.summary };
  const label = `aip.flow.${name}`;
  return { label, kind: 'function', insert, isSnippet: true, isFirst: true, ...about };
}

function moduleProposal({ name, summary }: LuaApiModule): Proposal {
  return { label: name, kind: 'module', insert: name, doc: summary };
}

function memberProposal({ name, signature, summary, parameters }: LuaApiMember): Proposal {
  const about = { detail: signature.slice(name.length), doc: summary };
  if (parameters === null) return { label: name, kind: 'constant', insert: name, ...about };
  const insert = parameters.length === 0 ? `${name}()` : `${name}($0)`;
  return { label: name, kind: 'function', insert, isSnippet: true, ...about };
}

function variableProposal({ name, type, summary }: KnownName): Proposal {
  const isFunction = type.startsWith(`${name}(`);
  return {
    label: name,
    kind: isFunction ? 'function' : 'variable',
    insert: isFunction ? `${name}($0)` : name,
    ...(isFunction ? { isSnippet: true } : {}),
    detail: isFunction ? type.slice(name.length) : type,
    doc: summary,
  };
}

function fieldProposal({ name, type, summary }: KnownName): Proposal {
  return { label: name, kind: 'field', insert: name, detail: type, doc: summary };
}
