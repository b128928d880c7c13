/**
 * Prepares a node definition for its first attempt. Errors here are never retried: they are not execution failures, and
 * another attempt would fail the same way.
 */
import { EngineError } from '../../../base/engine-error.ts';
import type { RunId } from '../../../base/ids.ts';
import type { BindingContext } from '../../../language/bindings/binding-path.ts';
import { prepareBindings, type Resolver } from '../../../language/bindings/bindings.ts';
import { secretMarksIn, secretRoot } from '../../../language/bindings/secret-bindings.ts';
import type { CompiledNode } from '../../../language/flow/compiled-flow.ts';
import { MAX_OUTPUT_BYTES } from '../../../language/flow/flow-limits.ts';
import { deepFreeze, findNonJson } from '../../../language/json/checked-json.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../../language/json/json-value.ts';
import { inputTooLarge } from '../../../language/json/too-large.ts';
import { type CoercedInput, type InputProblem, prepareInput } from '../../../language/schema/coerce-input.ts';
import { renderTemplates } from '../../../language/steps/step-templates.ts';
import type { EditedInput } from '../../kernel/events/run-event.ts';
import { mayExceed } from '../../kernel/hub/event-traits.ts';
import type { Hub } from '../../kernel/hub/hub.ts';
import type { RunSecrets } from '../../kernel/hub/run-secrets.ts';
import type { OpenTask } from '../../kernel/resume/resume-point.ts';
import type { NodeType } from '../node-type.ts';
import type { EarlierOutput, NodeScope, ReuseSource, RunContext, RunScope, TakenOutput } from '../run-scope.ts';

export interface PreparedNode {
  readonly nodeType: NodeType;
  /** Input with resolved bindings, as shown in events. */
  readonly resolvedInput: JsonMap;
  /** Input as parsed by the type's schemas. Frozen, because attempts, runs and the log share it. */
  readonly input: unknown;
  readonly config: unknown;
}

/** An input that a person has given a node instead of the resolved one. */
export interface GivenInput {
  readonly input: JsonMap;
  readonly by?: string | undefined;
}

/**
 * Resolves bindings, finds the type, and validates input and config.
 * @param given replaces the resolved input. @param resolve resolves the input's bindings; created here if absent
 * @throws EngineError `binding.*` | `node.input-too-large` | `node.unknown-type` | `node.long-lived` |
 * `node.bad-input` | `node.bad-config`
 */
export function prepareNode(
  node: CompiledNode,
  { scope, context }: Pick<NodeScope, 'scope' | 'context'>,
  resolve: Resolver = prepareBindings(node.input),
  given?: GivenInput,
): PreparedNode {
  const { registry, secrets } = scope.run;
  const inner = secrets === undefined ? context : withRoot(context, () => Object.fromEntries(secrets.placeholders));
  const resolved = given === undefined ? filledIn(node, inner, resolve) : withSecrets(node, given, secrets);
  // Where the node has secret placeholders, the log and other runs contain masks.
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

/** Returns the input that a person has given a node, in this process or an earlier one. @param name full name */
export function givenInput(name: string, { pause }: Hub, open: OpenTask | undefined): GivenInput | undefined {
  const answer = pause?.answerFor(name);
  if (answer?.action !== 'edit' || !isJsonMap(answer.value)) return open?.edited;
  return { input: answer.value, by: answer.by };
}

/** Returns what the event about a node's input says about a change by a person. */
export function editOf(
  given: GivenInput | undefined,
  node: CompiledNode,
  { context }: Pick<NodeScope, 'context'>,
): { readonly edited?: EditedInput } {
  if (given === undefined) return {};
  const by = given.by === undefined ? {} : { by: given.by };
  return { edited: { ...by, before: resolveInput(node, context) ?? null } };
}

/**
 * Returns an input from a person in which masks of secrets are replaced by their placeholders, in the fields in which the
 * file references these secrets. Elsewhere, a mask is ordinary text.
 */
function withSecrets({ input }: CompiledNode, given: GivenInput, secrets: RunSecrets | undefined): JsonMap {
  if (secrets === undefined) return deepFreeze(copyOf(given.input));
  const filled = Object.entries(given.input).map(([field, value]) => {
    const marks = Object.entries(secretMarksIn({ [field]: input[field] ?? null }));
    const places = marks.map(([name, mark]) => [String(mark), secrets.placeholders.get(name) ?? ''] as const);
    return [field, replacedIn(value, places)] as const;
  });
  return deepFreeze(Object.fromEntries(filled));
}

/** The value belongs to the person's request, so it is not frozen itself. */
function copyOf(input: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(input).map(([field, value]) => [field, replacedIn(value, [])]));
}

function replacedIn(value: JsonValue, places: readonly (readonly [mark: string, placeholder: string])[]): JsonValue {
  if (typeof value === 'string') return places.reduce((text, [mark, to]) => text.replaceAll(mark, () => to), value);
  if (isJsonList(value)) return value.map((member) => replacedIn(member, places));
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replacedIn(member, places)]));
}

/** Returns the context for bindings that may reference secrets. */
function withRoot(context: BindingContext, secrets: () => JsonMap): BindingContext {
  const { stepValues } = context;
  return { get: (root) => (root === secretRoot ? secrets() : context.get(root)), stepValues };
}

/**
 * @throws EngineError `binding.*`; for a step, only `node.input-too-large`, because its templates may reference missing
 * values
 */
function filledIn({ input }: CompiledNode, context: BindingContext, resolve = prepareBindings(input)): JsonMap {
  const { stepValues } = context;
  // A map resolves to a map.
  if (stepValues === undefined) return resolve(context) as JsonMap;
  return deepFreeze(renderTemplates(input, stepValues()));
}

/** Returns the input with resolved bindings and masked secrets. @throws EngineError `binding.*` */
export function requireInput(node: CompiledNode, context: BindingContext): JsonMap {
  return filledIn(
    node,
    withRoot(context, () => secretMarksIn(node.input)),
  );
}

/** Like `requireInput`, but returns undefined if a binding is missing or invalid. */
export function resolveInput(node: CompiledNode, context: BindingContext): JsonMap | undefined {
  try {
    return requireInput(node, context);
  } catch (error) {
    if (EngineError.is(error)) return undefined;
    throw error;
  }
}

/** Returns the result that a top-level node reuses from an earlier run; undefined if it has to run. */
export function takenFrom(reuse: ReuseSource, node: CompiledNode, context: BindingContext): EarlierOutput | undefined {
  const input = resolveInput(node, context);
  const found = input === undefined ? undefined : reuse.find(node, input);
  if (found === undefined) reuse.noteRun(node.id);
  return found;
}

/** Returns the result that a node in an item reuses; undefined if it has to run. */
export function takenInItem({ id }: CompiledNode, { prefix, reused }: RunScope): EarlierOutput | undefined {
  const output = reused?.outputOf(id);
  if (reused === undefined || output === undefined) return undefined;
  const from = `${reused.from}.${id}`;
  return { output, fromRunId: reused.fromRunId, ...(from === prefix + id ? {} : { fromNodeId: from }) };
}

/**
 * Returns a function that recognizes markers in an earlier run's output, by full name in this run. @param name the
 * node's full name
 */
export function reusedOutputMarkers(
  { fromRunId, fromNodeId: from = '' }: { readonly fromRunId?: RunId; readonly fromNodeId?: string },
  name: string,
  { reuse }: Pick<RunContext, 'reuse'>,
): ((name: string) => boolean) | undefined {
  if (reuse === undefined || fromRunId === undefined) return undefined;
  return (inner) => reuse.isMarker(fromRunId, from === '' ? inner : from + inner.slice(name.length));
}

/** Emits the output that a node uses instead of running. @param nodeId its full name @returns its output */
export function emitReusedNode(nodeId: string, taken: TakenOutput, { harness, run }: RunScope): JsonValue {
  const { meta, output, ...from } = { meta: undefined, ...taken };
  const value = deepFreeze(output);
  if (meta !== undefined) run.steps?.keep(nodeId, meta, harness.hub);
  harness.hub.emit({ type: 'node:reused', nodeId, ...from, output: value });
  return value;
}

/** Bindings may reference one large value many times, and each reference is written to the log. */
function isTooLarge(input: JsonMap): boolean {
  return mayExceed(input, MAX_OUTPUT_BYTES) && findNonJson(input, MAX_OUTPUT_BYTES)?.isTooLong === true;
}

const noConfig = {};
const emptyConfigs = new WeakMap<NodeType, CoercedInput>();

/** Most nodes have no config, so the parsed default is cached by type. */
function preparedConfig({ config }: CompiledNode, nodeType: NodeType): CoercedInput {
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
    message: `Node "${id}": the type ${type} does not end by itself, which this program does not allow.`,
    nodeId: id,
  });
}

/** Creates one `node.bad-PART` error that lists every problem: `Node "ask": input.prompt is missing`. */
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
