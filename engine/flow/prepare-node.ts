/**
 * Everything between a node as written and its first attempt. What goes wrong here is no execution failure: trying
 * again would give the same, so it is never retried.
 */
import { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import type { BindingContext } from '../flowspec/binding-path.ts';
import { prepareBindings, type Resolver } from '../flowspec/bindings.ts';
import { deepFreeze, findNonJson } from '../flowspec/checked-json.ts';
import { type InputProblem, type PreparedInput, prepareInput } from '../flowspec/coerce-input.ts';
import type { CompiledNode } from '../flowspec/compiled-flow.ts';
import { MAX_OUTPUT_BYTES } from '../flowspec/flow-limits.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import { secretMarksIn, secretRoot } from '../flowspec/secret-bindings.ts';
import { renderTemplates } from '../flowspec/steps/step-templates.ts';
import { inputTooLarge } from '../flowspec/too-large.ts';
import { mayExceed } from '../kernel/event-traits.ts';
import type { NodeType } from './node-type.ts';
import type { EarlierOutput, NodeScope, ReuseSource, RunContext, RunScope, TakenOutput } from './run-scope.ts';

export interface PreparedNode {
  readonly nodeType: NodeType;
  /** With bindings resolved, as it stands in events. */
  readonly resolvedInput: JsonMap;
  /** As the type's schemas give them, frozen: attempts, runs and the log share them. */
  readonly input: unknown;
  readonly config: unknown;
}

/**
 * Resolves bindings, finds the type, checks input and config.
 * @param resolve fills in the bindings of its input; parsed here when absent
 * @throws EngineError `binding.*` | `node.input-too-large` | `node.unknown-type` | `node.long-lived` | `node.bad-input` | `node.bad-config`
 */
export function prepareNode(
  node: CompiledNode,
  { scope, context }: Pick<NodeScope, 'scope' | 'context'>,
  resolve: Resolver = prepareBindings(node.input),
): PreparedNode {
  const { registry, secrets } = scope.run;
  const inner = secrets === undefined ? context : withRoot(context, () => Object.fromEntries(secrets.placeholders));
  const resolved = filledIn(node, inner, resolve);
  // The log and other runs have marks where the node has placeholders.
  const masked = secrets === undefined ? resolved : secrets.mask(resolved);
  const resolvedInput = masked === resolved ? resolved : deepFreeze(masked);
  if (isTooLarge(resolvedInput)) throw inputTooLarge(`The input of node "${node.id}"`, MAX_OUTPUT_BYTES);
  const nodeType = registry.get(node.type);
  if (nodeType === undefined) {
    throw new EngineError({ code: 'node.unknown-type', message: `Unknown node type: ${node.type}`, nodeId: node.id });
  }
  if (nodeType.longLived === true && registry.allowsLongLived?.(node.type) !== true) throw longLivedError(node);
  const input = prepareInput(nodeType.inputSchema, resolved);
  if (!input.ok) throw problemsError(node, 'input', input.problems);
  const config = preparedConfig(node, nodeType);
  if (!config.ok) throw problemsError(node, 'config', config.problems);
  return { nodeType, resolvedInput, input: deepFreeze(input.value), config: deepFreeze(config.value) };
}

/** What bindings see where secrets may be named. */
function withRoot(context: BindingContext, secrets: () => JsonMap): BindingContext {
  const { stepValues } = context;
  return { get: (root) => (root === secretRoot ? secrets() : context.get(root)), stepValues };
}

/** @throws EngineError `binding.*`; of a step, whose templates may name what is missing, only `node.input-too-large` */
function filledIn({ input }: CompiledNode, context: BindingContext, resolve = prepareBindings(input)): JsonMap {
  const { stepValues } = context;
  // Of a map comes a map.
  if (stepValues === undefined) return resolve(context) as JsonMap;
  return deepFreeze(renderTemplates(input, stepValues()));
}

/** The input with its bindings resolved, marks in place of secrets; undefined when one of them is missing or faulty. */
export function resolveInput(node: CompiledNode, context: BindingContext): JsonMap | undefined {
  try {
    return filledIn(
      node,
      withRoot(context, () => secretMarksIn(node.input)),
    );
  } catch (error) {
    if (EngineError.is(error)) return undefined;
    throw error;
  }
}

/** Returns what a node of the flow itself takes over from an earlier run; undefined when it has to run. */
export function takenFrom(reuse: ReuseSource, node: CompiledNode, context: BindingContext): EarlierOutput | undefined {
  const input = resolveInput(node, context);
  const found = input === undefined ? undefined : reuse.find(node, input);
  if (found === undefined) reuse.noteRun(node.id);
  return found;
}

/** Returns what a node in an item takes over; undefined when it has to run. */
export function takenInItem({ id }: CompiledNode, { prefix, reused }: RunScope): EarlierOutput | undefined {
  const output = reused?.outputOf(id);
  if (reused === undefined || output === undefined) return undefined;
  const from = `${reused.from}.${id}`;
  return { output, fromRunId: reused.fromRunId, ...(from === prefix + id ? {} : { fromNodeId: from }) };
}

/** Returns what knows the markers in an output of an earlier run, by the full names that nodes have in this one. @param name the node's own */
export function markersIn(
  { fromRunId, fromNodeId: from = '' }: { readonly fromRunId?: RunId; readonly fromNodeId?: string },
  name: string,
  { reuse }: Pick<RunContext, 'reuse'>,
): ((name: string) => boolean) | undefined {
  if (reuse === undefined || fromRunId === undefined) return undefined;
  return (inner) => reuse.isMarker(fromRunId, from === '' ? inner : from + inner.slice(name.length));
}

/** Tells what a node takes instead of running. @param nodeId its full name @returns its output */
export function tellTaken(nodeId: string, taken: TakenOutput, { harness, run }: RunScope): JsonValue {
  const { meta, output, ...from } = { meta: undefined, ...taken };
  const value = deepFreeze(output);
  if (meta !== undefined) run.steps?.keep(nodeId, meta, harness.hub);
  harness.hub.emit({ type: 'node:reused', nodeId, ...from, output: value });
  return value;
}

/** Bindings may name one large value many times, and each of them is written into the log. */
function isTooLarge(input: JsonMap): boolean {
  return mayExceed(input, MAX_OUTPUT_BYTES) && findNonJson(input, MAX_OUTPUT_BYTES)?.isTooLong === true;
}

const noConfig = {};
const emptyConfigs = new WeakMap<NodeType, PreparedInput>();

/** Most nodes have no config of their own; what their type makes of that is found out once. */
function preparedConfig({ config }: CompiledNode, nodeType: NodeType): PreparedInput {
  for (const _key in config) return prepareInput(nodeType.configSchema, config);
  let prepared = emptyConfigs.get(nodeType);
  if (prepared === undefined) {
    prepared = prepareInput(nodeType.configSchema, noConfig);
    emptyConfigs.set(nodeType, prepared);
  }
  return prepared;
}

function longLivedError({ id, type }: CompiledNode): EngineError {
  return new EngineError({
    code: 'node.long-lived',
    message: `Node "${id}": the type ${type} does not end by itself, and this program does not allow it.`,
    nodeId: id,
  });
}

/** One error `node.bad-PART` that names every problem: `Node "ask": input.prompt is missing`. */
export function problemsError(
  node: CompiledNode,
  part: 'input' | 'config' | 'output',
  problems: readonly InputProblem[],
): EngineError {
  const sentences = problems.map(({ path, message }) => `${[part, ...path].join('.')} ${message}`);
  return new EngineError({
    code: `node.bad-${part}`,
    message: `Node "${node.id}": ${sentences.join('; ')}`,
    nodeId: node.id,
    details: problems.map(({ path, message }) => ({ path, message })),
  });
}
