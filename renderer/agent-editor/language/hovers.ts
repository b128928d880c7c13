/**
 * Describes the word at a position of an agent file.
 */
import { optionDocs } from '../../../engine/isomorphic.ts';
import { type AgentTextContext, placeAt } from './agent-place.ts';
import { apiModules, memberAt } from './lua-api.ts';
import { chainAt } from './lua-chain.ts';
import {
  contextNames,
  fileFields,
  globalNames,
  type KnownName,
  promptNames,
  responseFields,
  stageVariables,
} from './script-names.ts';
import { stageOf } from './stages.ts';

interface AgentHover {
  /** Start of the word in the text. */
  readonly start: number;
  readonly end: number;
  /** Signature as code; absent if there is only text. */
  readonly signature?: string;
  /** Description as markdown. */
  readonly doc: string;
}

/** @param text with the line end `\n` */
export function hoverAgent(text: string, offset: number): AgentHover | null {
  const place = placeAt(text, offset);
  if (place.kind === 'heading') return headingHover(place);
  if (place.kind === 'lua') return luaHover(place, offset - place.codeStart);
  const word = wordAt(text, offset);
  if (word === null) return null;
  if (place.kind === 'toml') return optionHover(word);
  return place.kind === 'prompt' ? promptHover(word, place) : null;
}

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function wordAt(text: string, offset: number): Word | null {
  const start = offset - (/[\w.]*$/.exec(text.slice(Math.max(0, offset - 200), offset))?.[0].length ?? 0);
  const end = offset + (/^\w*/.exec(text.slice(offset, offset + 200))?.[0].length ?? 0);
  return end > start ? { text: text.slice(start, end), start, end } : null;
}

function headingHover({ stage, code, codeStart }: AgentTextContext): AgentHover | null {
  if (stage === null) return null;
  const { doc } = stageOf(stage);
  return { start: codeStart, end: codeStart + code.length, doc };
}

function optionHover({ text, start, end }: Word): AgentHover | null {
  const doc = Object.entries(optionDocs).find(([name]) => name === text)?.[1];
  return doc === undefined ? null : { start, end, signature: `${text}: ${doc.type}`, doc: doc.summary };
}

function promptHover({ text, start, end }: Word, { before }: AgentTextContext): AgentHover | null {
  const isInside = before.lastIndexOf('{{') > before.lastIndexOf('}}');
  const known = isInside ? find(promptNames, text.split('.')[0] ?? '') : undefined;
  return known === undefined ? null : { start, end, signature: text, doc: known.summary };
}

function luaHover({ code, codeStart, stage }: AgentTextContext, offset: number): AgentHover | null {
  const chain = chainAt(code, offset);
  if (chain === null) return null;
  const about = aboutNames(chain.names, stage);
  return about === null ? null : { ...about, start: codeStart + chain.start, end: codeStart + chain.end };
}

function aboutNames(
  names: readonly string[],
  stage: AgentTextContext['stage'],
): Omit<AgentHover, 'start' | 'end'> | null {
  const member = memberAt(names);
  if (member !== undefined) {
    return { signature: member.fullName + member.signature.slice(member.name.length), doc: member.summary };
  }
  const [root = '', field, ...further] = names;
  const module = root === 'aip' && field !== undefined && further.length === 0 ? apiModules.get(field) : undefined;
  if (module !== undefined) return { signature: `aip.${module.name}`, doc: module.summary };
  const variables = [...(stageVariables[stage ?? 'system'] ?? []), ...globalNames];
  const known = field === undefined ? find(variables, root) : find(fieldsOf(root), field);
  if (known === undefined || further.length > 0) return null;
  const isFunction = known.type.startsWith(`${known.name}(`);
  return { signature: isFunction ? known.type : `${names.join('.')}: ${known.type}`, doc: known.summary };
}

function fieldsOf(root: string): readonly KnownName[] {
  if (root === 'CTX') return contextNames;
  if (root === 'input') return fileFields;
  return root === 'ai_response' ? responseFields : [];
}

function find(names: readonly KnownName[], name: string): KnownName | undefined {
  return names.find((one) => one.name === name);
}
