/**
 * The names available in settings that cannot use the flow: templates and conditions of lists use the item, cases of a
 * switch the value, and Handlebars templates the input of their node.
 */
import {
  type FieldScope,
  type FlowDoc,
  isJsonMap,
  type JsonMap,
  loopSchema,
  type NodeTypeCatalog,
  parsePath,
  pathText,
} from '../../../engine/isomorphic.ts';
import {
  type BindingPathStep,
  bindingCandidates,
  bindingFlowOf,
  type Candidate,
  stepsOf,
  withDeeper,
} from './binding-candidates.ts';
import { alternativesOf, typeText } from './schema-fields.ts';
import { text as words } from './text.ts';
import { createValueSchemas, memberSchema, schemaAt, type ValueNode, type ValueSchemas } from './value-schemas.ts';

export interface FieldScopeRequest {
  /** The body of a loop is excluded because it uses bindings, like the flow. */
  readonly sees: Exclude<FieldScope, 'body'>;
  /** The typed part of a path, or of a tag in a template. */
  readonly begun: string;
  /** The text before it. */
  readonly before: string;
}

type FieldScopeRoots = Readonly<Record<string, JsonMap>>;

/** Returns the names that a setting of a node can use. */
export function fieldScopeCandidates(
  doc: FlowDoc,
  nodeId: string,
  {
    catalog,
    sees,
    ...wish
  }: Omit<FieldScopeRequest, 'sees'> & { readonly sees: FieldScope; readonly catalog: NodeTypeCatalog },
): readonly Candidate[] {
  if (sees === 'body') return bindingCandidates(doc, { bodyOf: nodeId }, catalog)(wish.begun);
  const flow = bindingFlowOf(doc);
  const node = flow.nodes.find(({ id }) => id === nodeId);
  return node === undefined ? [] : seenAt(node, createValueSchemas(flow, catalog), { ...wish, sees });
}

/** Returns the same for a node in unfinished text. */
export function seenAt(
  node: ValueNode,
  values: ValueSchemas,
  { sees, begun, before }: FieldScopeRequest,
): readonly Candidate[] {
  if (sees === 'input') return templateCandidates(values.of(node.input, node.id), { begun, before });
  const roots = rootsOf(node, values, sees);
  const all = Object.entries(roots).flatMap(([name, schema]): readonly Candidate[] => [
    ...(name === 'loop' ? [] : [{ path: name, detail: typeText(schema), description: rootWords[sees] }]),
    ...stepsOf(schema).map((step) => candidateOf(pathText([name, step.name]), step)),
  ]);
  return withDeeper(all, begun, ([root = '', ...rest]) => stepsOf(schemaAt(roots[root] ?? {}, rest)));
}

/** Returns the segments that can follow a path there, one level at a time. */
export function stepsSeen(
  node: ValueNode,
  values: ValueSchemas,
  { sees, path: [root, ...rest] }: { readonly sees: FieldScopeRequest['sees']; readonly path: readonly string[] },
): readonly BindingPathStep[] {
  if (sees === 'input') return [];
  const roots = rootsOf(node, values, sees);
  if (root !== undefined) return stepsOf(schemaAt(roots[root] ?? {}, rest));
  return Object.entries(roots).map(([name, schema]) => ({
    name,
    kind: name === 'loop' ? 'loop' : 'item',
    detail: name === 'loop' ? words.types.loop : typeText(schema),
    description: name === 'loop' ? words.settings.loop : rootWords[sees],
  }));
}

const rootWords = { item: words.settings.item, value: words.settings.value } as const;

function rootsOf({ id, input }: ValueNode, values: ValueSchemas, sees: 'item' | 'value'): FieldScopeRoots {
  if (sees === 'value') return { value: values.of(input['value'], id) };
  return { item: memberSchema(values.of(input['items'], id)), loop: loopSchema };
}

function candidateOf(path: string, { detail, description }: BindingPathStep): Candidate {
  return { path, detail, description };
}

/** A block of a template that contains the caret. */
interface TemplateBlock {
  readonly helper: string;
  /** The value that plain names refer to fields of. */
  readonly context: JsonMap;
  /** Names defined by the block with `as |name|`. */
  readonly names: FieldScopeRoots;
}

const tagPattern = /(?<!\\)\{\{\{?~?\s*([#/]?)\s*([\w-]*)\s*([^{}]*?)~?\}\}/g;

/** Returns the blocks that are open at the end of a text, outermost first. */
function openBlocks(text: string, input: JsonMap): readonly TemplateBlock[] {
  const blocks: TemplateBlock[] = [{ helper: '', context: input, names: {} }];
  for (const [, sign, helper = '', rest = ''] of text.matchAll(tagPattern)) {
    if (sign === '/' && blocks.length > 1) blocks.pop();
    if (sign === '#') blocks.push(blockOf(helper, rest, blocks));
  }
  return blocks;
}

function blockOf(helper: string, rest: string, blocks: readonly TemplateBlock[]): TemplateBlock {
  const context = blocks.at(-1)?.context ?? {};
  const [subject = ''] = rest.split(/\s/);
  const names = /\bas\s*\|\s*([^|]*?)\s*\|/.exec(rest)?.[1]?.split(/\s+/) ?? [];
  if (helper !== 'each' && helper !== 'with') return { helper, context, names: {} };
  const value = valueNamed(subject, blocks);
  const inner = helper === 'each' ? memberSchema(value) : value;
  const [name] = names;
  return { helper, context: inner, names: name === undefined ? {} : { [name]: inner } };
}

/** Returns the value of a name inside the blocks: `this`, `../name`, a name of a block, or a field of the context. */
function valueNamed(text: string, blocks: readonly TemplateBlock[]): JsonMap {
  const up = text.match(/\.\.\//g)?.length ?? 0;
  const reach = blocks.slice(0, Math.max(1, blocks.length - up));
  const plain = text.replace(/^(?:\.\.\/)+/, '').replace(/^this(?:[./]|$)/, '');
  const context = reach.at(-1)?.context ?? {};
  if (plain === '' || plain === '.') return context;
  const path = parsePath(plain) ?? [plain];
  const named = reach.findLast(({ names }) => Object.hasOwn(names, path[0] ?? ''))?.names[path[0] ?? ''];
  return named === undefined ? schemaAt(context, path) : schemaAt(named, path.slice(1));
}

function isList(schema: JsonMap): boolean {
  return alternativesOf(schema).some(({ type }) => type === 'array');
}

/** Returns names, block helpers after `#`, and block ends after `/`. */
function templateCandidates(input: JsonMap, { begun, before }: Omit<FieldScopeRequest, 'sees'>): readonly Candidate[] {
  const blocks = openBlocks(before, input);
  const inner = blocks.at(-1) ?? { helper: '', context: input, names: {} };
  const isInside = blocks.length > 1;
  const names = namesIn(inner, blocks);
  if (begun.startsWith('/')) return isInside ? [endOf(inner)] : [];
  if (begun.startsWith('#')) return names.flatMap((name) => blocksFor(name, isList(valueNamed(name.path, blocks))));
  const all = isInside ? [...names, endOf(inner)] : names;
  return withDeeper(all, begun, (path) => stepsOf(valueNamed(pathText(path), blocks)));
}

function namesIn({ helper, context, names }: TemplateBlock, blocks: readonly TemplateBlock[]): readonly Candidate[] {
  const own = Object.entries(names).map(([path, schema]) => ({
    path,
    detail: typeText(schema),
    description: words.settings.blockItem,
  }));
  const fields = isJsonMap(context) ? stepsOf(context).filter(({ name }) => name !== '0') : [];
  const plain = fields.map((step) => candidateOf(step.name, step));
  if (helper !== 'each') return [...own, ...plain];
  const outside = stepsOf(blocks.at(-2)?.context ?? {}).map((step) => candidateOf(`../${step.name}`, step));
  const item = { path: 'this', detail: typeText(context), description: words.settings.blockItem };
  const index = { path: '@index', detail: words.types.number, description: words.settings.index };
  const ends = ['@first', '@last'].map((path) => ({ path, detail: words.types.boolean, description: '' }));
  return [...own, item, ...plain, index, ...ends, ...outside];
}

function blockTag(helper: 'each' | 'if', path: string): string {
  return `#${helper} ${path}`;
}

function endOf({ helper }: TemplateBlock): Candidate {
  return { path: `/${helper}`, detail: words.types.blockEnd, description: '' };
}

function blocksFor({ path, detail, description }: Candidate, isOfList: boolean): readonly Candidate[] {
  const each = { path: blockTag('each', path), detail, description: words.settings.each };
  const test = { path: blockTag('if', path), detail, description: description || words.settings.if };
  return isOfList ? [each, test] : [test];
}
