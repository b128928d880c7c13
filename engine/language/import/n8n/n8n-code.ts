/**
 * n8n Code nodes: their code stays as it is, between lines that provide n8n's names for the data.
 */
import type { JsonMap, JsonValue } from '../../json/json-value.ts';
import type { TypeMapping } from '../mapping.ts';
import { textAt } from '../read-json.ts';
import { binding } from '../texts.ts';
import { type N8nNode, n8nNode } from './n8n-node.ts';

const named = /\$(?:\(|node\[|items\()\s*(["'`])(.+?)\1/g;

/** Names that n8n provides and scripts of flows do not have. */
const missing =
  /\b(require|import|fetch|Buffer|DateTime|getBinaryDataBuffer|\$(?:now|today|env|vars|execution|workflow|jmespath|getWorkflowStaticData|prevNode))\b|this\.helpers|(\.binary)\b/g;

function convertCode({ node, params, texts, context }: N8nNode) {
  if (/python/i.test(textAt(params, 'language'))) return { why: 'It is Python code. Use command.run to run Python.' };
  const code = textAt(params, 'jsCode') || textAt(params, 'functionCode');
  if (code.trim() === '') return { why: 'It contains no code.' };
  const list = texts.list();
  const current = texts.current([]);
  const items: JsonValue = list !== undefined ? binding(list) : current === undefined ? [{}] : [binding(current)];
  const nodes = new Map<string, JsonValue>();
  const lost: string[] = [];
  for (const name of new Set([...code.matchAll(named)].map((found) => found[2] ?? ''))) {
    const source = context.named(name);
    const path = source === undefined ? undefined : context.path(node, source, { port: '0', rest: [] });
    if (path === undefined) lost.push(`The code reads the node ${name}, which has no output here.`);
    else nodes.set(name, [binding(path)]);
  }
  const used = [...new Set([...code.matchAll(missing)].map(([word]) => word))];
  if (used.length > 0) lost.push(`The code uses ${used.join(', ')}, which scripts don't have.`);
  const input: JsonMap = { items, ...(nodes.size === 0 ? {} : { nodes: Object.fromEntries(nodes) }) };
  const isPerItem = textAt(params, 'mode') === 'runOnceForEachItem' || node.type.endsWith('functionItem');
  return { type: 'script.js', input, config: { code: scriptOf(code, isPerItem, nodes.size > 0) }, lost };
}

const prelude = `// Provides the data by the names that the imported code uses.
const items = input.items.map((json) => ({ json: json ?? {} }));
const $input = { all: () => items, first: () => items[0], last: () => items.at(-1), item: items[0] };
`;
const nodesPrelude = `const $ = (name) => {
  const all = (input.nodes[name] ?? []).map((json) => ({ json }));
  return { all: () => all, first: () => all[0], last: () => all.at(-1), item: all[0] };
};
const $items = (name) => $(name).all();
const $node = Object.fromEntries(Object.keys(input.nodes).map((name) => [name, $(name).item]));
`;

function scriptOf(code: string, isPerItem: boolean, hasNodes: boolean): string {
  const start = `${prelude}${hasNodes ? nodesPrelude : ''}`;
  const end = 'return { items: [result].flat().map((item) => item?.json ?? item) };\n';
  const body = code.trimEnd();
  if (!isPerItem) {
    return `${start}const $json = items[0]?.json;\nconst item = items[0];\nconst result = await (async () => {\n${body}\n})();\n${end}`;
  }
  return `${start}const result = [];\nfor (const item of items) {\n  const $json = item.json;\n  const $input = { item };\n  result.push(await (async () => {\n${body}\n  })());\n}\n${end}`;
}

/** Mapping of Code nodes of all versions. */
export const n8nCode: TypeMapping = n8nNode({
  known: ['jsCode', 'functionCode', 'language', 'mode', 'pythonCode', 'notice'],
  convert: convertCode,
  at: ({ rest, isList }, node, context) =>
    isList === true ? [context.idOf(node), 'items'] : [context.idOf(node), 'items', '0', ...rest],
});
