/**
 * What each Rivet node type becomes.
 */
import type { WhenExpr } from '../../flow/flow-doc.ts';
import type { InputDoc } from '../../flow/flow-interface.ts';
import { parseJson } from '../../json/exact-json.ts';
import { isJsonList, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import { inputNameOf } from '../ids.ts';
import type { SourceFormat, TypeMapping } from '../mapping.ts';
import { at, entryOf, isBlank, mapAt, numberAt, textAt } from '../read-json.ts';
import type { SourceNode } from '../source-flow.ts';
import { plainText } from '../texts.ts';
import { rivetChats } from './rivet-chats.ts';
import { RivetInputs, type RivetNode, rivetNode } from './rivet-node.ts';
import { rivetScripts } from './rivet-scripts.ts';

function dataOf({ settings }: SourceNode): JsonMap {
  return mapAt(settings, 'data');
}

const inputTypes: Readonly<Record<string, InputDoc['type']>> = {
  number: 'number',
  boolean: 'boolean',
  object: 'object',
};

function inputTypeOf(dataType: string): InputDoc['type'] {
  return dataType.endsWith('[]') ? 'array' : (entryOf(inputTypes, dataType) ?? 'string');
}

/** Graph Input and Context. */
const graphInput: TypeMapping = {
  isPart: () => true,
  map(node, context) {
    const data = dataOf(node);
    const name = textAt(data, 'id');
    const value = at(data, 'defaultValue');
    const type = inputTypeOf(textAt(data, 'dataType'));
    const hasDefault = !isBlank(value) && (typeof value === type || (type === 'array' && isJsonList(value)));
    const doc: InputDoc = { type, ...(hasDefault ? { default: value as JsonValue } : {}) };
    const isConnected = new RivetInputs(node, context).source('default') !== undefined;
    return {
      as: 'inputs',
      inputs: { [inputNameOf(name)]: doc },
      lost: isConnected ? ['Its connected default value was not imported.'] : [],
    };
  },
  at: ({ rest }, node) => ['flow', 'input', inputNameOf(textAt(dataOf(node), 'id')), ...rest],
};

const graphOutput: TypeMapping = {
  isPart: () => true,
  map(node, context) {
    const inputs = new RivetInputs(node, context);
    const name = inputNameOf(textAt(dataOf(node), 'id'));
    return { as: 'output', name, value: inputs.optional('value') ?? null, lost: inputs.lost };
  },
};

const comment: TypeMapping = {
  isPart: () => true,
  map(node) {
    const data = dataOf(node);
    const [width, height] = [numberAt(data, 'width') ?? 300, numberAt(data, 'height') ?? 200];
    return { as: 'note', text: textAt(data, 'text'), width, height };
  },
};

const text = rivetNode({
  convert: ({ data, inputs }) => ({ type: 'echo', input: { text: inputs.text(textAt(data, 'text')) } }),
  ports: { output: ['text'] },
});

function constant(key: string): TypeMapping {
  return rivetNode({
    convert({ data, inputs }) {
      const port = inputs.value('input') ?? inputs.value('value');
      return { type: 'constant', input: { value: port ?? at(data, key) ?? null } };
    },
    ports: { output: ['value'], value: ['value'] },
  });
}

/** The template of an object is JSON text with ports in it. */
const object = rivetNode({
  convert({ data, inputs }) {
    const value = parseJson(inputs.text(textAt(data, 'jsonTemplate')));
    return value === undefined
      ? { why: 'Its template is not JSON when its inputs are bindings.' }
      : { type: 'constant', input: { value } };
  },
  ports: { output: ['value'] },
});

const array = rivetNode({
  convert({ data, inputs }) {
    const value = inputs.numbered('input').map((port) => inputs.optional(port) ?? null);
    const lost = data['flatten'] === true ? ['Lists in it are not joined to one list.'] : [];
    return { type: 'constant', input: { value }, lost };
  },
  ports: { output: ['value'] },
});

const join = rivetNode({
  convert({ data, inputs }) {
    const items = inputs.numbered('input').map((port) => inputs.optional(port) ?? '');
    const separator = plainText(textAt(data, 'joinString').replaceAll('\\n', '\n'));
    return { type: 'text.join', input: { items, separator } };
  },
  ports: { output: ['text'] },
});

const split = rivetNode({
  convert({ data, inputs }) {
    const separator = textAt(data, 'delimiter').replaceAll('\\n', '\n') || '\n';
    return { type: 'text.split', input: { text: inputs.value('string') ?? '', separator: plainText(separator) } };
  },
  ports: { splitString: ['items'] },
});

const extractJson = rivetNode({
  convert: ({ inputs }) => ({ type: 'json.parse', input: { text: inputs.value('input') ?? '' } }),
  ports: { output: ['value'] },
});

const extractObjectPath = rivetNode({
  convert({ data, inputs }) {
    const path = textAt(data, 'path');
    if (data['usePathInput'] === true || path === '')
      return { why: 'Its path is an input, and must be fixed in a flow.' };
    return { type: 'json.query', input: { value: inputs.value('object') ?? null }, config: { path } };
  },
  ports: { match: ['value'], all_matches: ['value'] },
});

const toJson = rivetNode({
  convert: ({ inputs }) => ({ type: 'echo', input: { text: ` ${inputs.value('data') ?? ''}`.trimStart() } }),
  ports: { json: ['text'], output: ['text'] },
});

/** True for everything but nothing, false, zero and empty text. */
function truthy(path: string): WhenExpr {
  return { and: [{ exists: path }, { not: { in: { var: path, value: [false, 0, ''] } } }] };
}

const ifNode = rivetNode({
  convert({ inputs }) {
    const path = inputs.path('if');
    inputs.path('value');
    if (path === undefined) return { why: 'Nothing is connected to its condition.' };
    return { type: 'control.if', input: { condition: truthy(path.join('.')) as unknown as JsonMap } };
  },
  ports: {},
  passes: (_, node, context) => context.into(node).find(({ toPort }) => toPort === 'value'),
  when: (port, node, context) => ({
    equals: { var: `${context.idOf(node)}.condition`, value: port !== 'falseOutput' },
  }),
});

const delay = rivetNode({
  convert: ({ data, inputs }) => ({
    type: 'control.wait',
    input: { ms: inputs.value('delay') ?? numberAt(data, 'delay') ?? 0 },
  }),
  ports: {},
  passes: (field, node, context) =>
    context.into(node).find(({ toPort }) => toPort === field.port.replace('output', 'input')),
});

const userInput = rivetNode({
  convert({ data, inputs }) {
    const title = inputs.value('questions') ?? plainText(textAt(data, 'prompt'));
    const schema = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };
    return { type: 'user_input', input: { title: title === '' ? 'Answer' : title, schema } };
  },
  ports: { output: ['values', 'answer'] },
});

const readFile = rivetNode({
  convert: ({ data, inputs }) => ({
    type: 'file.read',
    input: { path: inputs.value('path') ?? plainText(textAt(data, 'path')) },
  }),
  ports: { content: ['text'] },
});

const writeFile = rivetNode({
  convert: ({ data, inputs }) => ({
    type: 'file.write',
    input: { path: inputs.value('path') ?? plainText(textAt(data, 'path')), text: inputs.value('content') ?? '' },
  }),
  ports: {},
});

const httpCall = rivetNode({
  convert({ data, inputs }) {
    const headers = parseJson(textAt(data, 'headers'));
    const body = inputs.value('req_body') ?? textAt(data, 'body');
    const input = {
      url: inputs.value('url') ?? plainText(textAt(data, 'url')),
      method: textAt(data, 'method') || 'GET',
      ...(isBlank(headers) ? {} : { headers: headers as JsonValue }),
      ...(body === '' ? {} : { body }),
    };
    return { type: 'http.request', input };
  },
  ports: { res_body: ['body'], json: ['body'], statusCode: ['status'], res_headers: ['headers'] },
});

const abort = rivetNode({
  convert({ data, inputs }) {
    if (data['successfully'] === true) return { why: 'A flow has no node that ends it successfully. Use conditions.' };
    return {
      type: 'control.fail',
      input: { message: inputs.value('data') ?? (textAt(data, 'errorMessage') || 'Aborted.') },
    };
  },
  ports: {},
});

/** Subgraph: a call of the flow that the other graph becomes. */
const subGraph = rivetNode({
  convert({ node, data, inputs, context }: RivetNode) {
    const file = context.fileOf(textAt(data, 'graphId'));
    if (file === undefined) return { why: 'The graph that it calls is not in the file.' };
    const ports = [...new Set(context.into(node).map(({ toPort }) => toPort))];
    const values = ports.map((port) => [inputNameOf(port), inputs.value(port) ?? null] as const);
    return { type: 'flow', input: { flow: `./${file}`, input: Object.fromEntries(values) } };
  },
  ports: { '*': ['outputs'] },
});

const types: Readonly<Record<string, TypeMapping>> = {
  ...rivetChats,
  ...rivetScripts,
  graphInput,
  graphOutput,
  context: graphInput,
  comment,
  text,
  number: constant('value'),
  boolean: constant('value'),
  object,
  array,
  join,
  split,
  extractJson,
  extractObjectPath,
  toJson,
  if: ifNode,
  delay,
  userInput,
  readFile,
  writeFile,
  httpCall,
  abortGraph: abort,
  subGraph,
  passthrough: rivetNode({
    convert: ({ inputs }) => {
      for (const port of inputs.numbered('input')) inputs.path(port);
      return { type: 'control.noop', input: {} };
    },
    ports: {},
    passes: (field, node, context) =>
      context.into(node).find(({ toPort }) => toPort === field.port.replace('output', 'input')),
  }),
};

/** Projects of Rivet. */
export const rivetFormat: SourceFormat = {
  title: 'Rivet',
  key: 'x-rivet',
  typeOf: ({ type }) => entryOf(types, type),
  isOrder: () => true,
};
