/**
 * Tests that an import accounts for everything: each node of a file has a line in the report, and each connection is an
 * edge of the flow, a value in it, or named in the report.
 */
import { expect, test } from 'vitest';
import { builtinTypes } from '../../runtime/nodes/builtin-types.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { checkFlow } from '../flow/check-flow.ts';
import type { FlowDoc } from '../flow/flow-doc.ts';
import { parseFlow } from '../flow/parse-flow.ts';
import { isJsonList } from '../json/json-value.ts';
import { importFlows } from './import-flows.ts';
import { parseSource, readSource } from './read-source.ts';
import type { ImportLine } from './report.ts';
import type { SourceEdge, SourceFlow } from './source-flow.ts';

const registry = createNodeRegistry(builtinTypes);

/** Returns the nodes without a line, and the connections without an edge, a value or a sentence. */
async function unaccounted(file: unknown): Promise<readonly string[]> {
  const text = JSON.stringify(file);
  const { flows, format } = readSource(parseSource(text), 'test');
  const imported = await importFlows({ text, name: 'test' }, async (flow) => checkFlow(flow, registry).diagnostics);
  return flows.flatMap((flow, place) => {
    const { text: written = '', lines = [] } = imported[place] ?? {};
    const doc = parseFlow(written).doc;
    expect(checkFlow(written, registry).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(lines.map(({ name, type }) => [name, type])).toEqual(flow.nodes.map(({ name, type }) => [name, type]));
    if (doc === undefined || doc === null) return ['no flow'];
    const missing = flow.edges.filter((edge) => !isAccounted(edge, { flow, doc, lines, format: format.title }));
    return missing.map(({ from, fromPort, to, toPort }) => `${from}/${fromPort} -> ${to}/${toPort}`);
  });
}

interface ImportedGraph {
  readonly flow: SourceFlow;
  readonly doc: FlowDoc;
  readonly lines: readonly ImportLine[];
  readonly format: string;
}

function isAccounted(edge: SourceEdge, { flow, doc, lines, format }: ImportedGraph): boolean {
  const lineOf = (key: string) => lines[flow.nodes.findIndex((node) => node.key === key)];
  const [from, to] = [lineOf(edge.from), lineOf(edge.to)];
  if (from === undefined || to === undefined) return false;
  const sentences = [...from.lost, ...to.lost];
  if (sentences.some((one) => one.includes(`"${edge.toPort}"`) || one.includes(`"${edge.fromPort}"`))) return true;
  if (from.lost.some((one) => one.includes(to.name))) return true;
  if (from.id !== undefined && to.id !== undefined) {
    const [starts, ends] = [withLoops(doc, from.id), withLoops(doc, to.id)];
    const isInLoop = starts.includes(to.id) || ends.includes(from.id);
    return isInLoop || doc.edges.some((one) => starts.includes(one.from) && ends.includes(one.to));
  }
  // A value of the flow's inputs, or one that became part of an output or of another node.
  return (format !== 'Rivet' && !edge.toPort.includes('model')) || to.status !== 'placeholder';
}

/** Returns a node and the loops around it. */
function withLoops({ nodes }: FlowDoc, id: string): readonly string[] {
  const loop = nodes.find(({ input }) => isJsonList(input['body']) && input['body'].includes(id));
  return loop === undefined ? [id] : [id, ...withLoops({ nodes } as FlowDoc, loop.id)];
}

/** Types of Rivet with ports, including those that only a plugin has. */
const rivetTypes: readonly (readonly [type: string, inputs: string, outputs: string, data?: object])[] = [
  ['chat', 'systemPrompt,prompt,temperature,functions', 'response,all-messages,function-call'],
  ['if', 'if,value', 'output,falseOutput'],
  ['ifElse', 'if,true,false', 'output'],
  ['match', 'input,value', 'case1,unmatched', { cases: ['YES'] }],
  ['loopController', 'continue,input1,input1Default', 'output1,break'],
  ['loopUntil', 'messages', 'messages,iteration', { targetGraph: 'g' }],
  ['assemblePrompt', 'message1,message2', 'prompt'],
  ['trimChatMessages', 'input', 'trimmed'],
  ['extractYaml', 'input', 'output,noMatch'],
  ['extractJson', 'input', 'output,noMatch'],
  ['extractRegex', 'input,regex', 'output1,matches,failed', { regex: '(a' }],
  ['extractObjectPath', 'object,path', 'match,all_matches', { path: '$.a' }],
  ['gptFunction', 'input', 'function', { name: 'search', schema: '{}' }],
  ['delegateFunctionCall', 'function-call', 'output,message'],
  ['externalCall', 'arguments', 'result'],
  ['raiseEvent', 'data', 'result'],
  ['waitForEvent', 'inputData', 'outputData,eventData'],
  ['userInput', 'questions', 'output,questionsAndAnswers'],
  ['httpCall', 'url,req_body', 'res_body,json,statusCode'],
  ['code', 'a,b', 'c,d', { code: 'return {' }],
  ['coalesce', 'conditional,input1,input2', 'output'],
  ['join', 'input1,joinString', 'output'],
  ['array', 'input1,input2', 'output,length'],
  ['split', 'string', 'splitString', { delimiter: '(', regex: true }],
  ['destructure', 'object', 'match_0,match_7', { paths: ['$[*]'] }],
  ['subGraph', 'a', 'b,error', { graphId: 'gone' }],
  ['graphInput', 'default', 'data', { id: 'second', dataType: 'string' }],
  ['graphOutput', 'value', 'valueOutput', { id: 'result' }],
  ['context', 'default', 'data', { id: 'user', dataType: 'string' }],
  ['vendor.unknown', 'x,y', 'z'],
];

test.each([false, true])(
  'each node and connection of a Rivet project is accounted for (split and disabled: %s)',
  async (isSpecial) => {
    const data = { in: { id: 'in', dataType: 'any' }, text: { text: 'a' } };
    const node = (id: string, type: string, more: object = {}) => ({ id, type, title: `The ${id}`, data: {}, ...more });
    const special = isSpecial ? { isSplitRun: true, disabled: true, variants: [{ id: 'v', data: {} }] } : {};
    const nodes = [node('in', 'graphInput', { data: data.in }), node('source', 'text', { data: data.text })];
    const connections: object[] = [];
    const connect = (from: string, outputId: string, to: string, inputId: string) =>
      connections.push({ outputNodeId: from, outputId, inputNodeId: to, inputId });
    for (const [type, inputs, outputs, settings = {}] of rivetTypes) {
      nodes.push(node(type, type, { data: settings, ...special }));
      for (const port of inputs.split(',')) {
        connect('in', 'data', type, port);
        connect('source', 'output', type, port);
      }
      for (const port of outputs.split(',')) {
        nodes.push(node(`${type}-${port}`, 'text', { data: { text: '{{input}}' } }));
        nodes.push(node(`${type}-${port}-out`, 'graphOutput', { data: { id: `${type}-${port}` } }));
        connect(type, port, `${type}-${port}`, 'input');
        connect(type, port, `${type}-${port}-out`, 'value');
      }
    }
    expect(await unaccounted({ nodes, connections })).toEqual([]);
  },
);

const flowiseTypes = [
  'llmAgentflow',
  'agentAgentflow',
  'conditionAgentflow',
  'conditionAgentAgentflow',
  'humanInputAgentflow',
  'httpAgentflow',
  'toolAgentflow',
  'customFunctionAgentflow',
  'retrieverAgentflow',
  'executeFlowAgentflow',
  'directReplyAgentflow',
  'loopAgentflow',
  'iterationAgentflow',
  'chatOpenAI',
  'seqAgent',
  'seqStart',
  'llmChain',
  'promptTemplate',
  'vendorUnknown',
];

test('each node and connection of a Flowise agentflow is accounted for', async () => {
  const all = ['startAgentflow', ...flowiseTypes, ...flowiseTypes.map((name) => `${name}_in`)];
  const nodes = all.map((id, place) => ({
    id,
    position: { x: place, y: 0 },
    data: { id, name: id.replace(/_in$/, ''), label: `The ${id}`, inputs: {} },
    ...(id.endsWith('_in') ? { parentNode: 'iterationAgentflow' } : {}),
  }));
  const edge = (source: string, port: number, target: string) => ({
    source,
    target,
    sourceHandle: `${source}-output-${port}`,
    targetHandle: target,
  });
  const edges = all
    .slice(1)
    .flatMap((id, place) => [
      edge('startAgentflow', 0, id),
      edge(all[place] ?? '', 0, id),
      edge(all[place] ?? '', 1, id),
      edge(id, 1, all[place] ?? ''),
    ]);
  expect(await unaccounted({ nodes, edges })).toEqual([]);
});

const n8nTypes = [
  'n8n-nodes-base.manualTrigger',
  'n8n-nodes-base.set',
  'n8n-nodes-base.if',
  'n8n-nodes-base.switch',
  'n8n-nodes-base.merge',
  'n8n-nodes-base.code',
  'n8n-nodes-base.splitInBatches',
  'n8n-nodes-base.httpRequest',
  'n8n-nodes-base.wait',
  'n8n-nodes-base.noOp',
  'n8n-nodes-base.webhook',
  'n8n-nodes-base.scheduleTrigger',
  'n8n-nodes-base.respondToWebhook',
  '@n8n/n8n-nodes-langchain.agent',
  '@n8n/n8n-nodes-langchain.lmChatOpenAi',
  'vendor.unknown',
];

test('each node and connection of an n8n workflow is accounted for', async () => {
  const nodes = n8nTypes.map((type) => ({ name: type, type, typeVersion: 1, position: [0, 0], parameters: {} }));
  const to = (...names: readonly string[]) => names.map((node) => ({ node, type: 'main', index: 0 }));
  const connections = Object.fromEntries(
    n8nTypes.map((type, place) => {
      const [before = type, after = type] = [n8nTypes.at(place - 1), n8nTypes[place + 1]];
      return [type, { main: [to(after, before), to(after)], ai_languageModel: [to(after)], error: [to(before)] }];
    }),
  );
  expect(await unaccounted({ nodes, connections })).toEqual([]);
});
