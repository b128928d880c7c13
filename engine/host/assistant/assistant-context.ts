/**
 * Collects the data about a flow that the assistant's model receives.
 */
import { cutText } from '../../base/cut-text.ts';
import type { RunId } from '../../base/ids.ts';
import { visibleText } from '../../base/strange-signs.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { readWholeRun } from '../../runtime/kernel/capabilities/read-run.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import { baseNodeId } from '../../runtime/kernel/events/node-places.ts';
import { emptyRunState, type NodeState } from '../../runtime/kernel/events/run-state.ts';
import { createRedactor } from '../../world/secrets/redactor.ts';
import { describeNodeTypes } from '../workspace/node-type-list.ts';
import type { AssistantSubject } from './assistant.ts';
import type { AssistantWorld } from './assistant-world.ts';
import { checkProposed, problemsForModel } from './check-proposed.ts';

/** Characters of the flow's text. The model can read the rest with a tool. */
const mostText = 100_000;
/** Characters of one value of a run. */
const mostValue = 2_000;
/** Nodes of a failed run that are described. */
const mostNodes = 5;
/** Names of flows, tools or agents. */
const mostNames = 200;

/** Returns the data, as it is sent. */
export async function assistantData(subject: AssistantSubject, world: AssistantWorld): Promise<string> {
  const { file, text, selection = [], runId } = subject;
  const [problems, failure, names, types] = await Promise.all([
    checkProposed({ path: file, text }, world),
    runId === undefined ? undefined : failureOf(runId, selection, world.engine),
    namesIn(world),
    describeNodeTypes(world.engine, undefined),
  ]);
  return [
    piece('open flow', `path: ${file}`),
    piece('text of the open flow', cutText(text, mostText)),
    piece('problems', JSON.stringify(problemsForModel(problems), null, 1)),
    ...(selection.length === 0 ? [] : [piece('selected nodes', JSON.stringify(selection.slice(0, mostNames)))]),
    ...(failure === undefined ? [] : [piece('last failure', JSON.stringify(failure, null, 1))]),
    piece('workspace', JSON.stringify(names, null, 1)),
    piece('node types', typeLines(types)),
  ].join('\n\n');
}

/** Text inside a piece can neither end it nor begin the request, and a person can see all of it. */
function piece(name: string, content: string): string {
  const text = visibleText(content)
    .replaceAll(/<(?=\s*\/?\s*data\b)/gi, '<\\')
    .replaceAll(/(person['’]s\s+request\s*):/gi, '$1\\:');
  return `<data name="${name}">\n${text}\n</data>`;
}

function typeLines(listed: JsonMap | undefined): string {
  const types = (listed?.['types'] ?? []) as readonly { readonly type: string; readonly description: string }[];
  return types.map(({ type, description }) => `${type}: ${cutText(description, 200)}`).join('\n');
}

async function namesIn({ engine }: AssistantWorld): Promise<JsonMap> {
  const [flows, tools, agents] = await Promise.all([engine.listFlows(), engine.listTools(), engine.listAgents()]);
  return {
    flows: firstOf(flows.map(({ path }) => path)),
    tools: firstOf(tools.map(({ name }) => name)),
    agents: firstOf(agents.map(({ agent }) => agent)),
  };
}

function firstOf(names: readonly string[]): readonly string[] {
  const left = names.length - mostNames;
  const shown = names.slice(0, mostNames).map((name) => cutText(name, 300));
  return left > 0 ? [...shown, `(${left} more)`] : shown;
}

/** Returns the errors of a run, masked as in exports; undefined if nothing failed. Selected nodes come first. */
async function failureOf(
  runId: RunId,
  selection: readonly string[],
  history: Parameters<typeof readWholeRun>[0],
): Promise<JsonMap | undefined> {
  const { run, events } = await readWholeRun(history, runId);
  const { nodes, error } = foldRun(emptyRunState, events);
  const all = [...nodes.values()].filter(({ status }) => status === 'failed');
  if (run.status !== 'failed' && all.length === 0) return undefined;
  const isSelected = ({ nodeId }: NodeState): boolean => selection.includes(baseNodeId(nodeId));
  const failed = [...all.filter(isSelected), ...all.filter((node) => !isSelected(node))].slice(0, mostNodes);
  const { redact } = createRedactor(() => [], { isForOthers: true });
  const told = { ...(error === undefined ? {} : { error: errorOf(error) }), nodes: failed.map(nodeFacts) };
  return bounded(redact(told)) as JsonMap;
}

function errorOf({ code, message }: { readonly code: string; readonly message: string }): JsonMap {
  return { code, message };
}

function nodeFacts({ nodeId, nodeType = '', attempts, input, error }: NodeState): JsonMap {
  return {
    ...{ node: nodeId, type: nodeType, attempts },
    ...(error === undefined ? {} : { error: errorOf(error) }),
    ...(input === undefined ? {} : { input }),
  };
}

/** Shortens each field of a failure after it is masked, so that no cut secret remains. */
function bounded(value: JsonValue): JsonValue {
  if (typeof value === 'string') return cutText(value, mostValue);
  if (Array.isArray(value)) return value.map(bounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      if (name !== 'input') return [name, bounded(field)];
      const json = JSON.stringify(field);
      return [name, json.length <= mostValue ? field : cutText(json, mostValue)];
    }),
  );
}
