/**
 * What each n8n node type becomes.
 */
import type { WhenExpr } from '../../flow/flow-doc.ts';
import type { JsonMap, JsonValue } from '../../json/json-value.ts';
import type { MappingContext, SourceFormat, TypeMapping } from '../mapping.ts';
import { at, deepAt, entryOf, mapAt, mapsAt, numberAt, textAt } from '../read-json.ts';
import type { SourceNode } from '../source-flow.ts';
import { binding, optional } from '../texts.ts';
import { n8nCode } from './n8n-code.ts';
import { conditionOf, olderRule } from './n8n-conditions.ts';
import { n8nDataTypes, noCondition, textOf } from './n8n-data.ts';
import { mainInput, N8nTexts } from './n8n-expressions.ts';
import { n8nHttp, waitMs } from './n8n-http.ts';
import { isMainEdge, loopPort } from './n8n-loops.ts';
import { n8nNode, passingNode } from './n8n-node.ts';
import { n8nPart, n8nPromptTypes } from './n8n-prompts.ts';
import { n8nTriggerTypes } from './n8n-triggers.ts';

const ifNode = passingNode({
  known: ['conditions', 'options', 'combineOperation', 'looseTypeValidation'],
  convert({ params, texts }) {
    const condition = conditionOf(params, (field) => textOf(texts.path(field)));
    if (condition === undefined) return { why: noCondition };
    return { type: 'control.if', input: { condition: condition as unknown as JsonMap } };
  },
  when: (port, node, context) => ({ equals: { var: `${context.idOf(node)}.condition`, value: port === '0' } }),
});

/** SwitchRoutes of a Switch node, with their conditions on its collected values. */
interface SwitchRoutes {
  readonly names: readonly string[];
  readonly conditions: readonly (WhenExpr | undefined)[];
  readonly values: JsonMap;
}

function routesOf(node: SourceNode, context: MappingContext): SwitchRoutes {
  const params = mapAt(node.settings, 'parameters');
  const texts = new N8nTexts(node, context);
  const values = new Map<string, string>();
  // A case can only read the switch's own value, so that value collects everything that the rules read.
  const pathOf = (field: string): string | undefined => {
    const path = texts.path(field);
    if (path === undefined) return undefined;
    const read = optional(path);
    const known = [...values].find(([, one]) => one === read)?.[0];
    const name = known ?? `v${values.size + 1}`;
    values.set(name, read);
    return `value.${name}`;
  };
  const newer = mapsAt(mapAt(params, 'rules'), 'values');
  const older = mapsAt(mapAt(params, 'rules'), 'rules');
  const conditions =
    newer.length > 0
      ? newer.map((rule) => conditionOf(rule, pathOf))
      : older.map((rule) => olderRule(at(params, 'value1') ?? null, rule, pathOf));
  const names = conditions.map((_, place) => textAt(newer[place], 'outputKey') || `output${place}`);
  return { names: unlike(names), conditions, values: Object.fromEntries(values) };
}

function unlike(names: readonly string[]): readonly string[] {
  return names.map((name, place) => (names.indexOf(name) === place && name !== 'default' ? name : `${name}_${place}`));
}

const switchNode = passingNode({
  known: ['rules', 'options', 'value1', 'fallbackOutput', 'dataType', 'mode', 'looseTypeValidation'],
  convert({ node, params, context }) {
    if (textAt(params, 'mode') === 'expression') return { why: 'It computes the output from an expression.' };
    const { names, conditions, values } = routesOf(node, context);
    const cases = conditions.flatMap((when, place): JsonValue[] =>
      when === undefined ? [] : [{ when: when as unknown as JsonMap, route: names[place] ?? '' }],
    );
    if (cases.length === 0 || cases.length < conditions.length) return { why: noCondition };
    const isEach = deepAt(params, 'options', 'allMatchingOutputs') === true;
    const lost = isEach ? ['In n8n, all outputs that match are used. A flow takes the first one.'] : [];
    return { type: 'control.switch', input: { value: values, cases }, lost };
  },
  when(port, node, context) {
    const route = routesOf(node, context).names[Number(port)] ?? 'default';
    return { equals: { var: `${context.idOf(node)}.route`, value: route } };
  },
});

const loop: TypeMapping = passingNode({
  known: ['options', 'batchSize'],
  convert({ node, params, texts, context }) {
    const body = context.bodyOf(node);
    if (body.length === 0) return { why: 'Its loop has other ways in or out, so it has no body.' };
    const list = texts.list();
    const current = texts.current([]);
    const single: JsonValue[] = current === undefined ? [] : [binding(current)];
    const lost = [
      ...(list === undefined
        ? ['The items are the output of the node before it, as one item. Bind the list to run it for.']
        : []),
      ...((numberAt(params, 'batchSize') ?? 1) > 1 ? ['Items are processed one at a time, not in batches.'] : []),
    ];
    const items = list === undefined ? single : binding(list);
    return { type: 'control.foreach', input: { items, as: context.itemOf(node), body }, lost };
  },
  passes: (field, node, context) =>
    context.bodyOf(node).length > 0 && field.port === loopPort(node) ? undefined : mainInput(node, context),
});

const merge = passingNode({
  known: ['mode', 'numberInputs', 'options', 'output'],
  convert({ node, context }) {
    const inputs = context.into(node).filter(isMainEdge).length;
    const lost =
      inputs < 2
        ? []
        : ['Its inputs are not combined: nodes after it read the first one. Bind the other values by node ID.'];
    return { type: 'control.noop', input: {}, lost };
  },
});

const wait = passingNode({
  known: ['unit', 'amount', 'resume'],
  convert({ node, params }) {
    const ms = waitMs(params, numberAt(node.settings, 'typeVersion') ?? 1);
    if (ms === undefined)
      return { why: 'It waits for a call or a date. Use human_approval or user_input for a person.' };
    return { type: 'control.wait', input: { ms } };
  },
});

const stop = n8nNode({
  known: ['errorMessage', 'errorType'],
  convert: ({ params, texts }) => ({
    type: 'control.fail',
    input: { message: texts.text(textAt(params, 'errorMessage')) || 'Stopped.' },
  }),
});

const noOp = passingNode({ known: [], convert: () => ({ type: 'control.noop', input: {} }) });

const note: TypeMapping = {
  isPart: () => true,
  map({ settings }) {
    const params = mapAt(settings, 'parameters');
    const [width, height] = [numberAt(params, 'width') ?? 240, numberAt(params, 'height') ?? 160];
    return {
      as: 'note',
      text: textAt(params, 'content'),
      width: Math.round(width * 1.5),
      height: Math.round(height * 1.25),
    };
  },
};

/** App nodes with the operation "Send and Wait for Response". */
const sendAndWait = n8nNode({
  known: [
    'operation',
    'resource',
    'message',
    'subject',
    'sendTo',
    'chatId',
    'select',
    'user',
    'channelId',
    'responseType',
  ],
  convert({ params, texts }) {
    const message = [textAt(params, 'subject'), textAt(params, 'message')].filter((text) => text !== '');
    if (message.length === 0 || !['', 'approval'].includes(textAt(params, 'responseType'))) {
      return { why: 'It asks for a form. Use user_input.' };
    }
    const lost = ['The request is shown in Millrace, not sent by the app.'];
    return { type: 'human_approval', input: { message: message.map((text) => texts.text(text)).join('\n\n') }, lost };
  },
  at: ({ rest }, node, context) => [context.idOf(node), ...(rest[0] === 'data' ? rest.slice(1) : rest)],
});

/** Mappings by the name of the type, without its prefix. */
const types: Readonly<Record<string, TypeMapping>> = {
  ...n8nDataTypes,
  ...n8nPromptTypes,
  ...n8nTriggerTypes,
  code: n8nCode,
  function: n8nCode,
  functionItem: n8nCode,
  httpRequest: n8nHttp,
  if: ifNode,
  switch: switchNode,
  splitInBatches: loop,
  merge,
  wait,
  stopAndError: stop,
  noOp,
  stickyNote: note,
};

/** Packages with known types; types of others can have the same name. */
const knownPackage = /^(?:n8n-nodes-base|@n8n\/n8n-nodes-langchain)\./;

/** Workflows of n8n. */
export const n8nFormat: SourceFormat = {
  title: 'n8n',
  key: 'x-n8n',
  typeOf(node) {
    if (!knownPackage.test(node.type)) return undefined;
    if (textAt(mapAt(node.settings, 'parameters'), 'operation') === 'sendAndWait') return sendAndWait;
    const name = node.type.replace(knownPackage, '');
    return entryOf(types, name) ?? n8nPart(node);
  },
  isOrder: isMainEdge,
  isValue: () => false,
};
