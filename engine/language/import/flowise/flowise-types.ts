/**
 * What each node type of Flowise agentflows becomes.
 */

import { pathText } from '../../bindings/binding-path.ts';
import type { WhenExpr } from '../../flow/flow-doc.ts';
import type { InputDoc } from '../../flow/flow-interface.ts';
import { parseJson } from '../../json/exact-json.ts';
import type { JsonMap, JsonValue } from '../../json/json-value.ts';
import { inputNameOf } from '../ids.ts';
import type { SourceFormat, TypeMapping } from '../mapping.ts';
import { at, entryOf, isBlank, mapsAt, textAt } from '../read-json.ts';
import { binding } from '../texts.ts';
import { flowiseNode, placeOf } from './flowise-node.ts';
import { isPartEdge, partTypeOf } from './flowise-parts.ts';
import { flowisePrompts } from './flowise-prompts.ts';
import { textOfHtml } from './flowise-texts.ts';

const inputTypes: Readonly<Record<string, InputDoc['type']>> = { number: 'number', boolean: 'boolean' };

const start: TypeMapping = {
  isPart: () => true,
  map({ settings }) {
    const isForm = textAt(settings, 'startInputType') === 'formInput';
    const fields = mapsAt(settings, 'formInputTypes').map((field) => {
      const options = mapsAt(field, 'addOptions').map((one) => textAt(one, 'option'));
      const doc: InputDoc = {
        type: entryOf(inputTypes, textAt(field, 'type')) ?? 'string',
        description: textAt(field, 'label'),
        ...(options.length === 0 ? {} : { enum: options }),
      };
      return [inputNameOf(textAt(field, 'name')), doc] as const;
    });
    const question: InputDoc = { type: 'string', description: 'Message', required: true };
    const hasState = mapsAt(settings, 'startState').length > 0;
    return {
      as: 'inputs',
      inputs: isForm ? Object.fromEntries(fields) : { question },
      lost: hasState ? ['A flow has no state. Nodes read the value of the node that set it.'] : [],
    };
  },
};

const sticky: TypeMapping = {
  isPart: () => true,
  map: ({ settings }) => ({ as: 'note', text: textAt(settings, 'note'), width: 320, height: 200 }),
};

const operators: Readonly<Record<string, (path: string, value: JsonValue) => WhenExpr>> = {
  equal: (path, value) => ({ equals: { var: path, value } }),
  notEqual: (path, value) => ({ not: { equals: { var: path, value } } }),
  contains: (path, value) => ({ contains: { var: path, value } }),
  notContains: (path, value) => ({ not: { contains: { var: path, value } } }),
  larger: (path, value) => ({ gt: { var: path, value } }),
  largerEqual: (path, value) => ({ gte: { var: path, value } }),
  smaller: (path, value) => ({ lt: { var: path, value } }),
  smallerEqual: (path, value) => ({ lte: { var: path, value } }),
  isEmpty: (path) => ({ or: [{ not: { exists: path } }, { equals: { var: path, value: '' } }] }),
  notEmpty: (path) => ({ and: [{ exists: path }, { not: { equals: { var: path, value: '' } } }] }),
};

const condition = flowiseNode({
  convert({ settings, texts }) {
    const values = new Map<string, string>();
    const cases = mapsAt(settings, 'conditions').flatMap((one, place): JsonValue[] => {
      const path = texts.path(at(one, 'value1'));
      const create = entryOf(operators, textAt(one, 'operation'));
      const written = textOfHtml(textAt(one, 'value2'));
      if (path === undefined || create === undefined || written.includes('{{')) return [];
      values.set(`v${place}`, `{{?${pathText(path)}}}`);
      const type = textAt(one, 'type');
      const value = type === 'number' ? Number(written) : type === 'boolean' ? written === 'true' : written;
      return [{ when: create(`value.v${place}`, value) as unknown as JsonMap, route: `case${place}` }];
    });
    if (cases.length === 0 || cases.length < mapsAt(settings, 'conditions').length) {
      return { why: 'Its conditions do not compare values of nodes with fixed values.' };
    }
    return { type: 'control.switch', input: { value: Object.fromEntries(values), cases } };
  },
  when(port, node, context) {
    const count = mapsAt(node.settings, 'conditions').length;
    const place = placeOf(port);
    return { equals: { var: `${context.idOf(node)}.route`, value: place < count ? `case${place}` : 'default' } };
  },
});

const human = flowiseNode({
  convert({ settings, texts }) {
    const isFixed = textAt(settings, 'humanInputDescriptionType') !== 'dynamic';
    const message = texts.text(at(settings, isFixed ? 'humanInputDescription' : 'humanInputModelPrompt'));
    const lost = isFixed ? [] : ['A model wrote the request. Put a prompt before it for that.'];
    return { type: 'human_approval', input: { message: message === '' ? 'Proceed?' : message }, lost };
  },
  at: ({ rest }, node, context) => [context.idOf(node), ...(rest.length === 0 ? ['comment'] : rest)],
  when: (port, node, context) => ({
    equals: { var: `${context.idOf(node)}.route`, value: placeOf(port) === 0 ? 'approved' : 'rejected' },
  }),
});

const http = flowiseNode({
  convert({ settings, texts }) {
    const pairs = (key: string): JsonMap =>
      Object.fromEntries(mapsAt(settings, key).map((one) => [textAt(one, 'key'), texts.text(at(one, 'value'))]));
    const query = Object.entries(pairs('queryParams')).map(([key, value]) => `${encodeURIComponent(key)}=${value}`);
    const url = [texts.text(at(settings, 'url')), ...(query.length === 0 ? [] : [query.join('&')])].join('?');
    const headers = pairs('headers');
    const written = texts.text(at(settings, 'body'));
    const body = parseJson(written) ?? written;
    const lost = isBlank(at(settings, 'credential')) ? [] : ['Not imported: its credentials. Use a secret.'];
    const input = {
      url,
      method: textAt(settings, 'method') || 'GET',
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...(isBlank(body) ? {} : { body }),
    };
    return { type: 'http.request', input, lost };
  },
  at: ({ rest }, node, context) => [context.idOf(node), 'body', ...(rest[0] === 'data' ? rest.slice(1) : rest)],
});

/** Names that Flowise provides and scripts of flows do not have. */
const missing = /\brequire\b|\bfetch\b|\bimport\(|\$flow\b|\$vars\b|\bprocess\b/;

const customFunction = flowiseNode({
  convert({ settings, texts }) {
    const code = textAt(settings, 'customFunctionJavascriptFunction');
    if (code.trim() === '') return { why: 'It contains no code.' };
    const variables = mapsAt(settings, 'customFunctionInputVariables').map(
      (one) => [textAt(one, 'variableName'), texts.text(at(one, 'variableValue'))] as const,
    );
    const names = variables.map(([name]) => name).filter((name) => /^\w+$/.test(name));
    const prelude = names.map((name) => `const $${name} = input.${name};\n`).join('');
    const word = missing.exec(code)?.[0];
    const lost = word === undefined ? [] : [`The code uses ${word}, which scripts don't have.`];
    const script = `${prelude}const output = await (async () => {\n${code.trimEnd()}\n})();\nreturn { output };\n`;
    return { type: 'script.js', input: Object.fromEntries(variables), config: { code: script }, lost };
  },
  at: ({ rest }, node, context) => [context.idOf(node), 'output', ...rest],
});

const reply = flowiseNode({
  convert: ({ settings, texts }) => ({ type: 'echo', input: { text: texts.text(at(settings, 'directReplyMessage')) } }),
  at: (_, node, context) => [context.idOf(node), 'text'],
});

const iteration = flowiseNode({
  convert({ node, settings, texts, context }) {
    const body = context.bodyOf(node);
    const path = texts.path(at(settings, 'iterationInput'));
    const written = parseJson(textOfHtml(textAt(settings, 'iterationInput')));
    const items = path === undefined ? written : binding(path);
    if (body.length === 0) return { why: 'It contains no nodes.' };
    if (items === undefined) return { why: 'The list that it runs for is not the output of a node.' };
    return { type: 'control.foreach', input: { items, as: context.itemOf(node), body } };
  },
  at: ({ rest }, node, context) => [context.idOf(node), 'iterations', ...rest],
});

const tool = flowiseNode({
  convert({ settings, texts }) {
    const name = textAt(settings, 'toolAgentflowSelectedTool');
    if (!/^[\w.-]+$/.test(name)) return { why: 'No tool is selected.' };
    const values = mapsAt(settings, 'toolInputArgs').map(
      (one) => [textAt(one, 'inputArgName'), texts.text(at(one, 'inputArgValue'))] as const,
    );
    const lost = [`Not imported: the tool ${name} and its settings. Add a tool with this name, or choose another one.`];
    return { type: 'tool', input: Object.fromEntries(values), config: { tool: name }, lost };
  },
  at: ({ rest }, node, context) => [context.idOf(node), ...(rest[0] === 'content' ? rest.slice(1) : rest)],
});

/** Loop: returns to an earlier node, which is a setting and not an edge. */
const loop: TypeMapping = {
  map({ settings }, context) {
    const target = textAt(settings, 'loopBackToNode');
    const node = context.flow.nodes.find(({ key }) => target === key || target.startsWith(`${key}-`));
    const count = textAt(settings, 'maxLoopCount');
    const limit = count === '' ? '' : `, up to ${count} times`;
    return {
      as: 'placeholder',
      why: `It returns to ${node?.name ?? 'an earlier node'}${limit}. Put the nodes that repeat into a control.loop.`,
    };
  },
};

/** Why types have no counterpart, and what to use instead. */
const advice: Readonly<Record<string, string>> = {
  retrieverAgentflow: 'A flow has no document stores. Use a service through a tool or http.request.',
  seqLoop: 'It returns to an earlier node. Put the nodes that repeat into a control.loop.',
  supervisor:
    'A flow has no supervisor. Let a prompt choose the next node, and connect nodes by edges with conditions.',
  worker: 'A flow has no workers. Use a prompt with tools.',
  executeFlowAgentflow: 'The agentflow that it calls is not in the file. Import it too, and call it with a flow node.',
};

const types: Readonly<Record<string, TypeMapping>> = {
  ...Object.fromEntries(
    Object.entries(advice).map(([type, why]) => [type, { map: () => ({ as: 'placeholder' as const, why }) }]),
  ),
  toolAgentflow: tool,
  loopAgentflow: loop,
  startAgentflow: start,
  stickyNoteAgentflow: sticky,
  stickyNote: sticky,
  ...flowisePrompts,
  conditionAgentflow: condition,
  humanInputAgentflow: human,
  httpAgentflow: http,
  customFunctionAgentflow: customFunction,
  directReplyAgentflow: reply,
  iterationAgentflow: iteration,
};

/** Agentflows of Flowise. */
export const flowiseFormat: SourceFormat = {
  title: 'Flowise',
  key: 'x-flowise',
  typeOf: ({ type }) => entryOf(types, type) ?? partTypeOf(type),
  isOrder: (edge) => !isPartEdge(edge),
  isValue: isPartEdge,
};
