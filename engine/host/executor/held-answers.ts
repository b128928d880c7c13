/**
 * Checks what a person gives nodes: a held node of a paused run gets an output instead of running, or another input; a
 * completed node gets another output, in a paused run or in a rerun.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { RunRecord } from '../../history/store/run-row.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import type { CompiledFlow, CompiledGraph, CompiledNode } from '../../language/flow/compiled-flow.ts';
import { DEFAULT_OUTPUT_BYTES } from '../../language/flow/flow-limits.ts';
import { findNonJson } from '../../language/json/checked-json.ts';
import { isJsonMap, type JsonValue, jsonEquals } from '../../language/json/json-value.ts';
import { inputTooLarge, outputTooLarge } from '../../language/json/too-large.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import { prepareInput } from '../../language/schema/coerce-input.ts';
import { checkAgainst } from '../../language/schema/schema-problems.ts';
import { problemsError } from '../../runtime/flow/node/prepare-node.ts';
import type { NodeType, NodeTypeLookup } from '../../runtime/flow/node-type.ts';
import type { TakenOutputs } from '../../runtime/flow/run-scope.ts';
import { stepTypesOf } from '../../runtime/flow/step-run.ts';
import { baseNodeId, loopStepsOf } from '../../runtime/kernel/events/node-places.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import type { NamedHeldAnswer } from '../../runtime/kernel/hub/run-pause.ts';
import { readResumePoint } from '../../runtime/kernel/resume/read-resume-point.ts';
import { heldNames, type ResumePoint } from '../../runtime/kernel/resume/resume-point.ts';
import { withAgentNodes } from '../../runtime/nodes/agent-as-type.ts';
import { readLog } from '../reads/read-log.ts';
import type { EarlierRun } from '../rerun/earlier-run.ts';
import type { EarlierRuns } from '../rerun/earlier-runs.ts';
import { invalidState, type ResumeRun } from './continuation.ts';
import { answererOf } from './decide-answer.ts';
import type { FlowDefinitions } from './flow-definitions.ts';
import type { RerunFrom } from './start-request.ts';

/** What finds the definitions and types of nodes. */
export interface HeldWorld {
  readonly store: RunStore;
  readonly registry: NodeTypeLookup;
  readonly definitions: FlowDefinitions;
  readonly history: EarlierRuns;
}

/** Returns a value with marks instead of all known secrets. @throws EngineError `secret.file-unreadable` */
export type MaskSecrets = <Value>(value: Value) => Promise<Value>;

/** What a person gives nodes, in any request. */
type GivenValues = Pick<ResumeRun, 'output' | 'input'> & Pick<RerunFrom, 'given'>;

/**
 * Returns a request with marks instead of secrets in what a person gives nodes, so that none is stored. Where the file
 * references the secret, an input with a mark gets it.
 * @throws EngineError `secret.file-unreadable`
 */
export async function withMaskedValues<Request extends GivenValues>(
  request: Request,
  mask: MaskSecrets,
): Promise<Request> {
  const { output, input, given } = request;
  if ((output ?? input ?? given) === undefined) return request;
  const masked = await mask({ output, input, given });
  return {
    ...request,
    ...(output === undefined ? {} : { output: masked.output }),
    ...(input === undefined ? {} : { input: masked.input }),
    ...(given === undefined ? {} : { given: masked.given }),
  };
}

/**
 * Returns what a request gives to which node; undefined if it only continues or steps.
 * @throws EngineError `run.invalid-state` if no such node is held, or several are and none is named; `node.bad-input` |
 * `node.bad-output` | `node.input-too-large` | `node.output-too-large`
 */
export function heldAnswerOf(record: RunRecord, request: ResumeRun, world: HeldWorld): NamedHeldAnswer | undefined {
  const { action, output, input } = request;
  if (action !== 'skip' && action !== 'edit') return undefined;
  const point = pointOf(record, world);
  const name = heldNode(record, request.nodeId, heldNames(point));
  const { node, nodeType } = typeOf(record, { name, point }, world);
  const value = action === 'skip' ? output : input;
  if (value === undefined) throw invalidState(record, `The new ${action === 'skip' ? 'output' : 'input'} is missing.`);
  if (action === 'skip') refuseOutput(node, nodeType, value);
  else refuseInput(node, nodeType, value);
  return { name, answer: { action, value, by: answererOf(request) } };
}

/** A request to change the output of a completed node of a paused run. */
export interface ChangeOutput extends Pick<ResumeRun, 'runId' | 'by'> {
  /** Full name of the node in its run. */
  readonly nodeId: string;
  readonly output: JsonValue;
}

/**
 * Returns the event that changes the output, and an event of the run to which it belongs; undefined if the output stays.
 * @throws EngineError `run.invalid-state` if the run is not paused, the node has not completed, or others have used its
 * output; `node.bad-output` | `node.output-too-large`
 */
export function changedOutputOf(
  record: RunRecord,
  request: ChangeOutput,
  world: HeldWorld,
): { readonly event: RunEvent; readonly like: EventEnvelope } | undefined {
  const { nodeId: name, output } = request;
  const again = 'Run it again with this output instead.';
  if (record.status !== 'suspended' || record.waitStatus !== 'PAUSED')
    throw invalidState(
      record,
      `Outputs can only be changed while the run is paused and nothing in it is running. ${again}`,
    );
  const point = pointOf(record, world);
  const { run, local } = placeOf(name, point);
  const settled = run?.settled.get(local);
  if (run === undefined || settled?.status !== 'completed') throw invalidState(record, `"${name}" has not completed.`);
  const { node, nodeType, graph } = typeOf(record, { name, point }, world);
  const used = usersOf(local, { graph, point: run });
  if (used.length > 0)
    throw invalidState(record, `The output of "${name}" was already used by ${used.join(', ')}. ${again}`);
  refuseOutput(node, nodeType, output);
  if (jsonEquals(settled.output, output)) return undefined;
  const by = answererOf(request);
  const given = { ...(by === undefined ? {} : { by }), before: settled.output };
  const [like] = [...readLog(world.store, record.runId)].filter(({ runId }) => runId === run.runId);
  if (like === undefined) throw new Error(`Run ${run.runId} has no events.`);
  return { event: { type: 'node:reused', nodeId: local, output, pin: true, given }, like };
}

/** What is needed to check and describe the outputs that a person gives nodes of a rerun. */
interface GivenInRerun {
  readonly flow: CompiledFlow;
  readonly registry: NodeTypeLookup;
  /** The run that runs again. */
  readonly earlier: EarlierRun;
}

/**
 * Returns the outputs that a person gives nodes of a rerun, with who gave them and what they replace. A name that is not
 * in the flow is left for the check of the part that runs.
 * @throws EngineError `node.in-loop` | `node.in-call` for a node that runs elsewhere; `node.bad-output` |
 * `node.output-too-large`
 */
export function givenOutputs(request: RerunFrom, { flow, registry, earlier }: GivenInRerun): TakenOutputs {
  const by = answererOf(request);
  // Steps take no outputs, which the check of the part reports.
  const types = flow.dialect === undefined ? typesOf(flow, registry) : undefined;
  return new Map(
    Object.entries(request.given ?? {}).map(([id, output]) => {
      const node = topLevelNode(flow, id);
      const nodeType = node === undefined ? undefined : types?.get(node.type);
      if (node !== undefined && nodeType !== undefined) refuseOutput(node, nodeType, output);
      const before = earlier.nodes.get(id)?.output;
      const given = {
        ...(by === undefined ? {} : { by }),
        ...(before === undefined ? {} : { before: earlier.whole(before) }),
      };
      return [id, { output, pin: true, given }] as const;
    }),
  );
}

/** @throws EngineError `node.in-loop` | `node.in-call` */
function topLevelNode({ nodes }: CompiledFlow, name: string): CompiledNode | undefined {
  const [task = '', inner] = name.split('/', 2);
  const of = inner === undefined ? loopStepsOf(name)[0]?.loop : baseNodeId(task);
  const id = baseNodeId(name);
  const holder = nodes.find((node) => node.id === of) ?? nodes.find(({ body }) => body && nodeIn(body, id));
  if (holder === undefined) return nodes.find((node) => node.id === name);
  const [code, where] = inner === undefined ? ['node.in-loop', 'for each item of'] : ['node.in-call', 'in the run of'];
  throw new EngineError({
    code,
    message: `"${name}" runs ${where} "${holder.id}", so its output can only be changed while a run is paused. Change the output of "${holder.id}".`,
    nodeId: name,
  });
}

/** Returns the nodes that may have used a node's output: those after it that have started or were skipped, and its loops. */
function usersOf(
  name: string,
  { graph, point: { open, settled } }: { readonly graph: CompiledGraph; readonly point: ResumePoint },
): readonly string[] {
  const id = baseNodeId(name);
  const prefix = name.slice(0, name.length - id.length);
  const after = new Set([id]);
  for (const node of graph.nodes) if (node.upstream.some((before) => after.has(before))) after.add(node.id);
  const later = [...after].filter((one) => one !== id).map((one) => prefix + one);
  const loops = loopStepsOf(name);
  const isLater = (one: string): boolean =>
    loopStepsOf(one).some(({ loop, item }) => loops.some((step) => step.loop === loop && item > step.item));
  const inLaterItems = [...open.keys(), ...settled.keys()].filter(isLater);
  const ended = loops.map(({ loop }) => loop).filter((loop) => settled.has(loop));
  return [...later.filter((one) => open.has(one) || settled.has(one)), ...ended, ...inLaterItems.slice(0, 1)];
}

function pointOf({ runId }: RunRecord, { store }: HeldWorld): ResumePoint {
  return readResumePoint(readLog(store, runId), {
    whole: (value) => (isValueHandle(value) ? (store.readValue(value.$value) ?? value) : value),
    readDefinition: (hash) => store.readDefinition(hash),
  });
}

function heldNode(record: RunRecord, nodeId: string | undefined, held: readonly string[]): string {
  const [first, second] = held;
  if (nodeId === undefined && first !== undefined && second === undefined) return first;
  if (nodeId !== undefined && held.includes(nodeId)) return nodeId;
  if (first === undefined) throw invalidState(record, 'No node is held.');
  const list = `Held nodes: ${held.join(', ')}.`;
  throw invalidState(
    record,
    nodeId === undefined ? `Name one of the nodes. ${list}` : `"${nodeId}" is not held. ${list}`,
  );
}

/** Returns the run to which a node belongs, which may be an open child run, and the node's full name in it. */
function placeOf(name: string, point: ResumePoint): { readonly run: ResumePoint | undefined; readonly local: string } {
  const [local = '', ...tasks] = name.split('/').reverse();
  let run: ResumePoint | undefined = point;
  for (const task of tasks.reverse()) run = run?.calls.get(task)?.findLast(({ end }) => end === undefined);
  return { run, local };
}

/** Finds a held node in its flow, which may be a called one. */
function typeOf(
  record: RunRecord,
  { name, point }: { readonly name: string; readonly point: ResumePoint },
  { registry, definitions, history }: HeldWorld,
): { readonly node: CompiledNode; readonly nodeType: NodeType; readonly graph: CompiledGraph } {
  const { run, local } = placeOf(name, point);
  const isRoot = run === point;
  const definition = isRoot ? history.definitionOf(record) : run?.definition;
  const path = isRoot ? record.sourcePath : run?.start?.sourcePath;
  const isFlow = (isRoot ? record.kind : run?.start?.kind) === 'flow';
  if (!isFlow || definition === undefined || path === undefined)
    throw invalidState(record, `"${name}" is not a node of a flow. It can only continue or step.`);
  const flow = definitions.compiledAsKept(path, definition);
  const { node, graph } = nodeIn(flow, baseNodeId(local)) ?? {};
  const nodeType = node === undefined ? undefined : typesOf(flow, registry).get(node.type);
  if (node === undefined || graph === undefined || nodeType === undefined)
    throw invalidState(record, `The type of "${name}" is not known here. It can only continue or step.`);
  return { node, nodeType, graph };
}

function typesOf(flow: CompiledFlow, registry: NodeTypeLookup): NodeTypeLookup {
  const all = withAgentNodes(registry, flow.types);
  return flow.dialect === undefined ? all : stepTypesOf(all);
}

function nodeIn(
  graph: CompiledGraph,
  id: string,
): { readonly node: CompiledNode; readonly graph: CompiledGraph } | undefined {
  for (const node of graph.nodes) {
    const found = node.id === id ? { node, graph } : node.body && nodeIn(node.body, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Checks an output that a person gives a node. @throws EngineError `node.bad-output` | `node.output-too-large` */
function refuseOutput(node: CompiledNode, { outputSchema }: NodeType, value: JsonValue): void {
  if (findNonJson(value, DEFAULT_OUTPUT_BYTES)?.isTooLong === true)
    throw outputTooLarge(`The output of node "${node.id}"`, DEFAULT_OUTPUT_BYTES);
  const checked = checkAgainst(outputSchema, value);
  if (!checked.ok) throw problemsError(node, 'output', checked.problems);
}

function refuseInput(node: CompiledNode, { inputSchema }: NodeType, value: JsonValue): void {
  if (!isJsonMap(value)) throw problemsError(node, 'input', [{ path: [], message: 'must be an object' }]);
  if (findNonJson(value, DEFAULT_OUTPUT_BYTES)?.isTooLong === true)
    throw inputTooLarge(`The input of node "${node.id}"`, DEFAULT_OUTPUT_BYTES);
  const checked = prepareInput(inputSchema, value);
  if (!checked.ok) throw problemsError(node, 'input', checked.problems);
}
