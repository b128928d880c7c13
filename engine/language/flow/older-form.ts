/**
 * Constructs from before format 1 that are now written differently. Each is rejected once, with the current notation.
 * Public examples and other FlowSpec runners still use them.
 */
import type { Finding } from '../findings/finding.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import type { ValuePath } from '../schema/schema-problems.ts';
import type { NodeDoc } from './flow-doc.ts';

/** A construct of the older format, and the paths whose errors would only repeat it. */
export interface OlderConstruct {
  readonly finding: Finding;
  readonly covers: readonly ValuePath[];
}

/** Keys of `flow` that were previously at the top of the file. */
const headerKeys = ['name', 'version', 'description', 'input', 'policy', 'nodePacks'] as const;

/**
 * Returns all constructs of the older format in a file that is a map; empty for files in the current format. Never
 * throws.
 */
export function olderConstructs(root: JsonMap): readonly OlderConstruct[] {
  const nodes = isJsonList(root['nodes']) ? root['nodes'] : [];
  const edges = isJsonList(root['edges']) ? root['edges'] : [];
  return [
    ...header(root),
    ...nodes.flatMap((node, index) => (isJsonMap(node) ? nodeConstructs(node, index) : [])),
    ...edges.flatMap((edge, index) => (isJsonMap(edge) ? edgeConstructs(edge, index, edges) : [])),
  ];
}

/** Whether an edge is a loop edge of the older format. */
function isLoopEdge(edge: JsonValue): boolean {
  return isJsonMap(edge) && (edge['type'] === 'loop' || 'maxIterations' in edge);
}

/** Returns the message about a type of the older format; undefined for all others. */
export function insteadOfType(type: string): string | undefined {
  return Object.hasOwn(olderTypes, type) ? olderTypes[type] : undefined;
}

const asksModel =
  'Use type: prompt, which supports any model. Move system to input.system and the model to config.model. Instead of structuredOutput, use config.output.schema and read value. If the node has tools, write an agent file and use type: agent.';

const olderTypes: Readonly<Record<string, string>> = {
  'claude.agent': asksModel,
  'anthropic.text': asksModel,
  'control.merge': 'Remove the node, or use type: control.noop. Every node waits for all edges that lead to it.',
  'control.subflow': 'Use type: flow, with the path of the other flow in input.flow.',
  'data.map': 'Use type: list.map.',
  'data.filter': 'Use type: list.filter.',
  'data.json.parse': 'Use type: json.parse.',
  'data.template': 'Use type: template.',
};

/**
 * Returns the finding for a prompt file in the input of a model node; paths are relative to the node. Null if there is
 * none.
 * @param isPrompt whether the node has a built-in type that calls a model
 */
export function promptFileFinding({ type, input }: NodeDoc, isPrompt: boolean): Finding | null {
  if (!('promptFile' in input) || !(isPrompt || insteadOfType(type) === asksModel)) return null;
  return {
    code: 'flow.older-form',
    severity: 'error',
    message: insteadOfPromptFile,
    path: ['input', 'promptFile'],
    focus: 'key',
  };
}

const insteadOfPromptFile =
  'Nodes cannot read prompts from a file. Write the text in prompt, or add a file.read node before this one and write prompt: "{{read.text}}" with the id of that node.';

function construct(path: ValuePath, message: string, covers: readonly ValuePath[] = []): OlderConstruct {
  const focus = path.length === 2 ? {} : { focus: 'key' as const };
  return {
    finding: { code: 'flow.older-form', severity: 'error', message, path, ...focus },
    covers: [path, ...covers],
  };
}

function header(root: JsonMap): readonly OlderConstruct[] {
  if ('flow' in root || typeof root['name'] !== 'string') return [];
  const found = headerKeys.filter((key) => key in root);
  const message = `Settings of the whole flow belong under the key flow. Write flow: and indent these keys below it: ${found.join(', ')}.`;
  return [construct(['name'], message, [['flow'], ...found.map((key) => [key])])];
}

function nodeConstructs(node: JsonMap, index: number): readonly OlderConstruct[] {
  const id = typeof node['id'] === 'string' ? node['id'] : 'id';
  const at = (key: string, message: string): OlderConstruct => construct(['nodes', index, key], message);
  const found: OlderConstruct[] = [];
  if ('position' in node) {
    const { x = 0, y = 0 } = isJsonMap(node['position']) ? node['position'] : {};
    const place = `layout: { nodes: { ${id}: { x: ${JSON.stringify(x)}, y: ${JSON.stringify(y)} } } }`;
    found.push(
      at(
        'position',
        `Positions belong at the end of the file. Write ${place} there and remove position, or only remove position.`,
      ),
    );
  }
  if ('body' in node) {
    const ids = isJsonList(node['body']) ? node['body'].filter((one) => typeof one === 'string') : [];
    found.push(at('body', `The body of a loop belongs in its input. Write body: [${ids.join(', ')}] under input.`));
  }
  if ('promptFile' in node) found.push(at('promptFile', insteadOfPromptFile));
  return found;
}

function edgeConstructs(edge: JsonMap, index: number, edges: readonly JsonValue[]): readonly OlderConstruct[] {
  const at = (key: string): ValuePath => ['edges', index, key];
  if (isLoopEdge(edge)) {
    return [construct(['edges', index], insteadOfLoopEdge(edge, edges), [at('type'), at('maxIterations')])];
  }
  const found: OlderConstruct[] = [];
  if (edge['type'] === 'forward') found.push(construct(at('type'), 'Remove type: forward. All edges lead forward.'));
  if ('gate' in edge) {
    const message = `Remove gate. A node runs when one of the edges that lead to it has fired. To require all of them, give the node a when with and: [...].`;
    found.push(construct(at('gate'), message));
  }
  if ('forEach' in edge) {
    const { in: items = '…', as = 'item' } = isJsonMap(edge['forEach']) ? edge['forEach'] : {};
    const input = `{ items: ${JSON.stringify(items)}, as: ${textOf(as)}, body: [${textOf(edge['to'])}] }`;
    found.push(
      construct(at('forEach'), `Edges cannot repeat a node. Use a node of type control.foreach with input: ${input}.`),
    );
  }
  return found;
}

function insteadOfLoopEdge(edge: JsonMap, edges: readonly JsonValue[]): string {
  const [from, to] = [textOf(edge['from']), textOf(edge['to'])];
  const body = between(to, from, edges).join(', ');
  const condition = 'when' in edge ? 'while: the condition of this edge' : 'while or until: a condition';
  const most = 'maxIterations' in edge ? `, maxIterations: ${textOf(edge['maxIterations'])}` : '';
  return `Edges can only lead forward. Replace this edge from "${from}" back to "${to}" with a node of type control.loop with input: { body: [${body}], ${condition}${most} }.`;
}

/**
 * Returns the nodes on all paths from one node to another over forward edges, in the order in which they are found;
 * includes both ends.
 */
function between(start: string, end: string, edges: readonly JsonValue[]): readonly string[] {
  const forward = edges.filter(isJsonMap).filter((edge) => !isLoopEdge(edge));
  const ahead = reached(start, forward, ['from', 'to']);
  const behind = reached(end, forward, ['to', 'from']);
  const inside = [...ahead].filter((id) => behind.has(id));
  return inside.length === 0 ? [...new Set([start, end])] : inside;
}

function reached(
  start: string,
  edges: readonly JsonMap[],
  [near, far]: readonly ['from' | 'to', 'from' | 'to'],
): ReadonlySet<string> {
  const next = new Map<string, string[]>();
  for (const edge of edges) {
    const others = next.get(textOf(edge[near])) ?? [];
    others.push(textOf(edge[far]));
    next.set(textOf(edge[near]), others);
  }
  const found = new Set([start]);
  // Iterating over a set includes elements added during the iteration.
  for (const id of found) for (const other of next.get(id) ?? []) found.add(other);
  return found;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
