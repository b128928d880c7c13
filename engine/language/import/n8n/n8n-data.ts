/**
 * n8n nodes that change data: fields, lists and code.
 */
import { pathText } from '../../bindings/binding-path.ts';
import { parseJson } from '../../json/exact-json.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import type { SourceField, TypeMapping } from '../mapping.ts';
import { at, mapAt, mapsAt, numberAt, textAt } from '../read-json.ts';
import type { SourceNode } from '../source-flow.ts';
import { binding } from '../texts.ts';
import { conditionOf } from './n8n-conditions.ts';
import { mainInput, N8nTexts } from './n8n-expressions.ts';
import { type N8nNode, n8nNode, passingNode } from './n8n-node.ts';

const perItem =
  'n8n runs the nodes after it once for each item. A flow runs them once: they read the first item. Use control.foreach or list nodes for all of them.';
const needsList = 'It works on a list of items, and the node before it returns a single value.';

/** Returns the path of a node's items, or of the first one. */
function listAt(key: string): NonNullable<TypeMapping['at']> {
  return ({ rest, isList }: SourceField, node, context) =>
    isList === true ? [context.idOf(node), key] : [context.idOf(node), key, '0', ...rest];
}

/** Edit Fields (Set). */
const set = n8nNode({
  known: [
    'assignments',
    'values',
    'fields',
    'mode',
    'jsonOutput',
    'options',
    'duplicateItem',
    'keepOnlySet',
    'include',
  ].concat('includeOtherFields'),
  convert({ params, texts, node }) {
    const raw = textAt(params, 'mode') === 'raw' ? textAt(params, 'jsonOutput') : undefined;
    if (raw === undefined) return { type: 'constant', input: { value: nested(fieldsOf(params, texts)) } };
    const text = texts.text(raw);
    const value = parseJson(text);
    if (value === undefined) return { why: 'Its JSON contains expressions that a flow cannot compute.' };
    return { type: 'constant', input: { value }, ...(keepsOthers(node) ? { lost: [perItem] } : {}) };
  },
  at: ({ rest, isList }, node, context) => (isList === true ? undefined : [context.idOf(node), 'value', ...rest]),
  passes({ rest: [first] }, node, context) {
    if (first === undefined || !keepsOthers(node)) return undefined;
    const fields = fieldsOf(mapAt(node.settings, 'parameters'), new N8nTexts(node, context));
    const isOwn = fields.some(([name]) => name === first || name.startsWith(`${first}.`));
    return isOwn ? undefined : mainInput(node, context);
  },
});

/** Whether a node also returns the fields that it received. */
function keepsOthers({ settings }: SourceNode): boolean {
  const params = mapAt(settings, 'parameters');
  const version = numberAt(settings, 'typeVersion') ?? 1;
  return version < 3 ? params['keepOnlySet'] !== true : params['includeOtherFields'] === true || version < 3.3;
}

function fieldsOf(params: JsonMap, texts: N8nTexts): readonly (readonly [string, JsonValue])[] {
  const newest = mapsAt(mapAt(params, 'assignments'), 'assignments');
  if (newest.length > 0) return newest.map((field) => [textAt(field, 'name'), typed(field, 'value', texts)]);
  const newer = mapsAt(mapAt(params, 'fields'), 'values');
  if (newer.length > 0) {
    return newer.map((field) => {
      const key = Object.keys(field).find((name) => name.endsWith('Value')) ?? 'stringValue';
      return [textAt(field, 'name'), typed(field, key, texts)];
    });
  }
  const values = mapAt(params, 'values');
  return Object.keys(values).flatMap((type) =>
    mapsAt(values, type).map((field) => [textAt(field, 'name'), typed({ ...field, type }, 'value', texts)] as const),
  );
}

function typed(field: JsonMap, key: string, texts: N8nTexts): JsonValue {
  const value = texts.value(at(field, key) ?? '');
  if (typeof value !== 'string' || value.includes('{{')) return value;
  return ofType(value, textAt(field, 'type').replace('Value', ''));
}

/** Converts text to the type of a field; text of another form stays as it is. */
function ofType(text: string, type: string): JsonValue {
  const parsed = parseJson(text.trim());
  const isOfType =
    type === 'array' ? isJsonList(parsed) : type === 'object' ? isJsonMap(parsed) : typeof parsed === type;
  return type !== 'string' && parsed !== undefined && isOfType ? parsed : text;
}

/** A dot in the name of a field means a field of a map. */
function nested(fields: readonly (readonly [string, JsonValue])[]): JsonMap {
  const result = new Map<string, JsonValue>();
  for (const [name, value] of fields) {
    const [first = '', ...rest] = name.split('.');
    if (rest.length === 0) result.set(first, value);
    else {
      const inner = result.get(first);
      const others = isJsonMap(inner) ? Object.entries(inner) : [];
      result.set(first, nested([...others, [rest.join('.'), value]]));
    }
  }
  return Object.fromEntries(result);
}

/** Split Out: makes each entry of a list an item. */
const splitOut = n8nNode({
  known: ['fieldToSplitOut', 'options', 'include', 'operation'],
  convert({ params, texts }) {
    const [first = '', ...others] = textAt(params, 'fieldToSplitOut').split(',');
    const path = texts.current(first.trim() === '' ? [] : first.trim().split('.'));
    if (path === undefined) return { why: 'The list that it splits is not an output of a node before it.' };
    const lost = others.length === 0 ? [perItem] : [perItem, `Not imported: the fields ${others.join(', ')}.`];
    return { type: 'json.query', input: { value: binding(path) }, config: { path: '$[*]' }, lost };
  },
  at: listAt('value'),
});

/** Aggregate: makes items a list. */
const aggregate = n8nNode({
  known: ['aggregate', 'destinationFieldName', 'options', 'fieldsToAggregate'],
  convert({ params, texts }) {
    const list = texts.list();
    if (list === undefined) return { why: needsList };
    if (textAt(params, 'aggregate') === 'aggregateAllItemData') {
      const field = textAt(params, 'destinationFieldName') || 'data';
      return { type: 'constant', input: { value: { [field]: binding(list) } } };
    }
    const fields = mapsAt(mapAt(params, 'fieldsToAggregate'), 'fieldToAggregate');
    const code = fields.map((field) => {
      const name = textAt(field, 'fieldToAggregate');
      const key = textAt(field, 'outputFieldName') || name;
      return `  [${JSON.stringify(key)}]: input.items.map((item) => item?.[${JSON.stringify(name)}]),\n`;
    });
    const script = `return { value: {\n${code.join('')}} };\n`;
    return { type: 'script.js', input: { items: binding(list) }, config: { code: script } };
  },
  at: ({ rest, isList }, node, context) => (isList === true ? undefined : [context.idOf(node), 'value', ...rest]),
});

function listNode(
  known: readonly string[],
  convert: (node: N8nNode) => { type: string; config: JsonMap },
): TypeMapping {
  return n8nNode({
    known: [...known, 'options'],
    convert(node) {
      const list = node.texts.list();
      if (list === undefined) return { why: needsList };
      return { input: { items: binding(list) }, ...convert(node), lost: [perItem] };
    },
    at: listAt('items'),
  });
}

const sort = listNode(['sortFieldsUi', 'type'], ({ params }) => {
  const [field] = mapsAt(mapAt(params, 'sortFieldsUi'), 'sortField');
  const by = textAt(field, 'fieldName');
  const isDescending = textAt(field, 'order') === 'descending';
  return {
    type: 'list.sort',
    config: { ...(by === '' ? {} : { by: `item.${by}` }), ...(isDescending ? { desc: true } : {}) },
  };
});

const unique = listNode(['compare', 'fieldsToCompare', 'operation'], ({ params }) => {
  const by = textAt(params, 'fieldsToCompare');
  return { type: 'list.unique', config: by === '' ? {} : { by: `item.${by}` } };
});

/** Filter keeps items; a single value passes it or not. */
const filter: TypeMapping = n8nNode({
  known: ['conditions', 'options', 'combineOperation'],
  convert({ params, texts }) {
    const list = texts.list();
    const pathOf = (field: string): string | undefined => {
      if (list === undefined) return textOf(texts.path(field));
      const path = texts.itemPath(field);
      return path === undefined ? undefined : pathText(['item', ...path]);
    };
    const when = conditionOf(params, pathOf);
    if (when === undefined) return { why: noCondition };
    if (list === undefined) return { type: 'control.if', input: { condition: when as unknown as JsonMap } };
    const config = { when: when as unknown as JsonMap };
    return { type: 'list.filter', input: { items: binding(list) }, config, lost: [perItem] };
  },
  at: listAt('items'),
  passes: (_, node, context) =>
    new N8nTexts(node, context).list() === undefined ? mainInput(node, context) : undefined,
  when: (_, node, context) =>
    new N8nTexts(node, context).list() === undefined
      ? { equals: { var: `${context.idOf(node)}.condition`, value: true } }
      : undefined,
});

/** Why a condition could not be converted. */
export const noCondition = 'Its condition is not a comparison of a value with a fixed value.';

/** Returns a path as conditions contain it. */
export function textOf(path: readonly string[] | undefined): string | undefined {
  return path === undefined ? undefined : pathText(path);
}

const limit = passingNode({
  known: ['maxItems', 'keep'],
  convert: () => ({ type: 'control.noop', input: {}, lost: ['A flow does not count items, so nothing is limited.'] }),
});

/** Mappings by the name of the type, without its prefix. */
export const n8nDataTypes: Readonly<Record<string, TypeMapping>> = {
  set,
  splitOut,
  aggregate,
  sort,
  removeDuplicates: unique,
  filter,
  limit,
};
