/**
 * What each Rivet node type becomes.
 */
import type { WhenExpr } from '../../flow/flow-doc.ts';
import type { InputDoc } from '../../flow/flow-interface.ts';
import { parseJson } from '../../json/exact-json.ts';
import { isJsonList, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import { inputNameOf } from '../ids.ts';
import type { ConvertedNode, SourceFormat, TypeMapping } from '../mapping.ts';
import { at, entryOf, isBlank, mapAt, numberAt, textAt } from '../read-json.ts';
import type { SourceNode } from '../source-flow.ts';
import { plainText } from '../texts.ts';
import { rivetChats } from './rivet-chats.ts';
import { RivetInputs, type RivetNode, rivetNode } from './rivet-node.ts';
import { rivetScripts } from './rivet-scripts.ts';
import { rivetValues } from './rivet-values.ts';

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
  passes: (_, node, context) => context.into(node).find(({ toPort }) => toPort === 'value'),
};

const comment: TypeMapping = {
  isPart: () => true,
  map(node) {
    const data = dataOf(node);
    const [width, height] = [numberAt(data, 'width') ?? 300, numberAt(data, 'height') ?? 200];
    return { as: 'note', text: textAt(data, 'text'), width, height };
  },
};

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

/** A node that passes each input on as the output with the same number. */
function passing(convert: (node: RivetNode) => ConvertedNode): TypeMapping {
  return rivetNode({
    convert(node) {
      for (const port of node.inputs.numbered('input')) node.inputs.path(port);
      return convert(node);
    },
    ports: {},
    passes: (field, node, context) =>
      context.into(node).find(({ toPort }) => toPort === field.port.replace('output', 'input')),
  });
}

const delay = passing(({ data, inputs }) => ({
  type: 'control.wait',
  input: { ms: inputs.value('delay') ?? numberAt(data, 'delay') ?? 0 },
}));

const trimChatMessages = rivetNode({
  convert({ inputs }) {
    inputs.path('input');
    return { type: 'control.noop', input: {}, lost: ['It does not shorten the messages.'] };
  },
  ports: {},
  passes: (_, node, context) => context.into(node).find(({ toPort }) => toPort === 'input'),
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

/** Why types have no counterpart, and what to use instead. */
const advice: Readonly<Record<string, string>> = {
  loopController: 'A flow has no loop controller. Put the nodes that repeat into a control.loop.',
  loopUntil: 'Put a flow node that calls the graph into a control.loop.',
  chatLoop: 'Use a conversation, or a user_input and a prompt in a control.loop.',
  externalCall: 'It calls a function of the program that runs the project. Use a tool.',
  raiseEvent: 'It sends an event to the program that runs the project. Use a tool.',
  waitForEvent: 'It waits for the program that runs the project. Use user_input.',
  setGlobal: 'A flow has no global variables. Bind to the node that computes the value.',
  getGlobal: 'A flow has no global variables. Bind to the node that computes the value.',
  gptFunction: 'A flow does not define tools. Add a tool to the workspace and to the prompt.',
  delegateFunctionCall: 'A prompt calls its tools itself. Add tools to the prompt.',
  mcpDiscovery: 'Connect the MCP server in the settings, and add its tools to the prompt.',
  mcpToolCall: 'Connect the MCP server in the settings, and use a tool node.',
  mcpGetPrompt: 'Connect the MCP server in the settings, and write the prompt in the flow.',
  graphReference: 'A flow can only call a flow that is known. Use a flow node.',
  callGraph: 'A flow can only call a flow that is known. Use a flow node.',
  cron: 'A node cannot start runs. Add a trigger to the flow.',
  extractYaml: 'No node reads YAML. Let the model write JSON, and use json.parse.',
};

const rivetAdvice: Readonly<Record<string, TypeMapping>> = Object.fromEntries(
  Object.entries(advice).map(([type, why]) => [type, { map: () => ({ as: 'placeholder', why }) }]),
);

const types: Readonly<Record<string, TypeMapping>> = {
  ...rivetChats,
  ...rivetScripts,
  ...rivetValues,
  ...rivetAdvice,
  graphInput,
  graphOutput,
  context: graphInput,
  comment,
  if: ifNode,
  delay,
  userInput,
  readFile,
  writeFile,
  httpCall,
  abortGraph: abort,
  subGraph,
  trimChatMessages,
  passthrough: passing(() => ({ type: 'control.noop', input: {} })),
};

/** Projects of Rivet. */
export const rivetFormat: SourceFormat = {
  title: 'Rivet',
  key: 'x-rivet',
  typeOf: ({ type }) => entryOf(types, type),
  isOrder: () => true,
  isValue: () => true,
};
