/**
 * Determines which permissions a run lacks before it starts, as far as its text and inputs show this. For a flow,
 * checks the nodes that would run and the called flows; for an agent, its scripts.
 */

import { needKey, type PermissionNeed } from '../../base/consent.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { findWebAddress } from '../../base/web-address.ts';
import { resolveBindingPath } from '../../language/bindings/binding-path.ts';
import { type Binding, parseTemplate } from '../../language/bindings/binding-template.ts';
import { secretNamesOf, secretRoot } from '../../language/bindings/secret-bindings.ts';
import { calledFileOf, collectCalledFlows } from '../../language/flow/called-flows.ts';
import type { CompiledFlow, CompiledGraph, CompiledNode } from '../../language/flow/compiled-flow.ts';
import { productsAt } from '../../language/flow/product-path.ts';
import type { CalledFlow, SchemaFiles } from '../../language/flow/schema-files.ts';
import { calledDefinition, filesOf, unpackDefinition } from '../../language/flow/stored-definition.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue, textForm } from '../../language/json/json-value.ts';
import { prepareInput } from '../../language/schema/coerce-input.ts';
import type { NodeTypeLookup } from '../../runtime/flow/node-type.ts';
import { inputsOf } from '../../runtime/flow/run-flow.ts';
import type { TakenOutputs } from '../../runtime/flow/run-scope.ts';
import type { RunSecrets } from '../../runtime/kernel/hub/run-secrets.ts';
import type { Reach } from '../../runtime/kernel/requests/permission.ts';
import type { AgentJobs } from '../executor/agent-jobs.ts';
import type { LoadedAgent } from '../executor/agent-runs.ts';
import type { FlowJobs, FlowJobsOptions, FlowRunDraft } from '../executor/flow-jobs.ts';
import type { RerunFrom, StartAgent, StartRun } from '../executor/start-request.ts';
import { requestOf } from '../rerun/agent-reuse.ts';
import { scriptsReach } from './agent-permissions.ts';

/** A requested start: the action and its request. */
export type PlannedStart =
  | { readonly by: 'startRun'; readonly request: StartRun }
  | { readonly by: 'redo'; readonly request: { readonly runId: RunId; readonly text?: string } }
  | { readonly by: 'rerunFrom'; readonly request: RerunFrom }
  | { readonly by: 'startAgent'; readonly request: StartAgent };

/** A permission that a run lacks, and the nodes that need it. */
interface PlannedPermission {
  readonly need: PermissionNeed;
  /** Node IDs, which in a called flow are prefixed with the flow's path. For an agent, its path. */
  readonly nodes: readonly string[];
}

/** The permissions that a run will request. */
export interface PermissionPlan {
  readonly kind: 'flow' | 'agent' | 'conversation';
  readonly missing: readonly PlannedPermission[];
  /** The hosts to which the run sends requests, as far as its text names them. */
  readonly hosts: readonly string[];
}

interface PlannedJobs {
  readonly flows: FlowJobs;
  readonly agents: Pick<AgentJobs, 'load'>;
}

export interface PermissionPlanWorld extends Pick<FlowJobsOptions, 'capabilities' | 'openSecrets' | 'unseen'> {
  readonly registry: NodeTypeLookup;
  /** Checks whether a secret may be sent to a host; absent if there is no restriction. */
  readonly admitSecret?: RunSecrets['admit'];
}

/**
 * Placeholder for a value that is known only during the run. It is a private-use character, so it does not occur in
 * text that people write.
 */
const unknown = '\uE000';

/**
 * Matches a URL with a complete host, which must be followed by a delimiter. Otherwise, an unknown value could extend
 * it.
 */
const wholeHost = /^https?:\/\/[^/?#\\]+[/?#]/i;

/**
 * Plans the permissions of a start. @throws EngineError the errors of the start, such as `flow.invalid` and
 * `secret.missing`, if the run cannot start even with all permissions
 */
export async function planPermissions(
  start: PlannedStart,
  { flows, agents }: PlannedJobs,
  world: PermissionPlanWorld,
): Promise<PermissionPlan> {
  const plan = new PermissionPlanner(world);
  const planned = plannedWork(start, flows);
  const kind = 'agent' in planned ? 'agent' : 'flow';
  if (world.capabilities.permissions === undefined) return plan.result(kind);
  if ('agent' in planned) {
    await plan.addAgent(await agents.load(planned.agent));
    return plan.result(kind);
  }
  const { draft, idle } = await draftOf(planned.flow, flows, world);
  const { request, flow, definition, taken = new Map() } = draft;
  const { path, text, inputs } = request;
  await plan.add({ ...{ flow, path, text, definition, idle, taken, prefix: '' }, inputs: inputsOf({ flow, inputs }) });
  const files = filesOf(definition);
  const reached = new Set(collectCalledFlows(filesCalledBy(running(flow, idle), files)).map((called) => called.path));
  for (const called of collectCalledFlows(files))
    await plan.addCalled(called, { flows, isReached: reached.has(called.path) });
  return plan.result(kind);
}

type FlowStart = Exclude<PlannedStart, { readonly by: 'startAgent' }>;

/** Returns the agent or flow that a request starts. */
function plannedWork(
  start: PlannedStart,
  flows: FlowJobs,
): { readonly agent: StartAgent } | { readonly flow: FlowStart } {
  if (start.by === 'startAgent') return { agent: start.request };
  if (start.by === 'startRun') return { flow: start };
  const { runId, text } = start.request;
  const record = flows.recordOf(runId);
  if (record.kind === 'flow') return { flow: start };
  return { agent: { ...requestOf(record), ...(text === undefined ? {} : { text }) } };
}

/**
 * Returns the run that would be recorded, and the IDs of nodes that will not run because they are skipped or because
 * their outputs are given or reused.
 */
async function draftOf(
  start: FlowStart,
  flows: FlowJobs,
  { registry }: PermissionPlanWorld,
): Promise<{ readonly draft: FlowRunDraft; readonly idle: ReadonlySet<string> }> {
  if (start.by !== 'rerunFrom') {
    const { by, request } = start;
    const draft = by === 'redo' ? flows.readRedo(request.runId, request.text) : flows.readStart(request);
    return { draft: await draft, idle: new Set((await draft).taken?.keys()) };
  }
  const { draft, rerun } = await flows.readRerun(start.request);
  const still = rerun.plan(registry).filter(({ fate }) => fate !== 'runs' && fate !== 'maybe');
  return { draft, idle: new Set(still.map(({ nodeId }) => nodeId)) };
}

interface PermissionPlanFlow {
  readonly flow: CompiledFlow;
  readonly path: string;
  readonly text: string;
  readonly definition: string;
  /** Prefix of the node IDs. */
  readonly prefix: string;
  /** The known inputs. */
  readonly inputs: JsonMap;
  /** Outputs that replace nodes. */
  readonly taken: TakenOutputs;
  /** IDs of nodes that do not run. */
  readonly idle: ReadonlySet<string>;
}

class PermissionPlanner {
  readonly #world: PermissionPlanWorld;
  readonly #missing = new Map<string, { readonly need: PermissionNeed; readonly nodes: string[] }>();
  readonly #hosts = new Set<string>();

  constructor(world: PermissionPlanWorld) {
    this.#world = world;
  }

  result(kind: PermissionPlan['kind']): PermissionPlan {
    return { kind, missing: [...this.#missing.values()], hosts: [...this.#hosts] };
  }

  async addAgent({ place, definition, doc }: LoadedAgent): Promise<void> {
    const { unseen, capabilities } = this.#world;
    const isUnseen = unseen?.(place.file, unpackDefinition(definition).text) !== undefined;
    const hub = { isUnseen, products: productsAt(place.shownPath) };
    const reach = scriptsReach(place, doc);
    if (reach === undefined) return;
    const needs = (await capabilities.permissions?.missing(reach, { hub, secrets: undefined })) ?? [];
    for (const need of needs) this.#note(need, place.shownPath);
  }

  /**
   * Adds the needs of a called flow. A run opens the secrets of all called flows before it starts, but nodes count only
   * if their flow is called.
   */
  async addCalled(
    called: CalledFlow,
    { flows, isReached }: { readonly flows: FlowJobs; readonly isReached: boolean },
  ): Promise<void> {
    const definition = calledDefinition(called);
    const flow = flows.definitions.compiledAsKept(called.path, definition);
    const { path, text } = called;
    const idle = new Set(isReached ? [] : flow.nodes.map(({ id }) => id));
    const prefix = `${path}: `;
    await this.add({ flow, path, text, definition, prefix, idle, inputs: {}, taken: new Map() });
  }

  async add(planned: PermissionPlanFlow): Promise<void> {
    const { flow, path, text, definition, prefix, idle } = planned;
    const { openSecrets, unseen, capabilities } = this.#world;
    const isUnseen = unseen?.(path, text) !== undefined;
    const names = secretNamesOf(flow);
    const hash = (): string => capabilities.hash.sha256(definition);
    const wish = names.length === 0 ? undefined : await wishIn(() => openSecrets(names, { path, hash, isUnseen }));
    if (wish !== undefined) this.#note(wish, `${prefix}${flow.name}`);
    const secrets = namedSecrets(names, this.#world.admitSecret);
    const hub = { isUnseen, products: productsAt(path) };
    for (const node of running(flow, idle)) {
      for (const reach of this.#reachesOf(node, planned)) {
        if (reach.effect === 'web') this.#noteHost(reach.url);
        const needs = (await capabilities.permissions?.missing(reach, { hub, secrets })) ?? [];
        for (const need of needs) this.#note(need, `${prefix}${node.id}`);
      }
    }
  }

  #reachesOf(node: CompiledNode, known: PlannedValues): readonly Reach[] {
    const nodeType = this.#world.registry.get(node.type);
    if (nodeType?.reaches === undefined) return [];
    const input = prepareInput(nodeType.inputSchema, knownIn(node.input, known) as JsonMap);
    const config = prepareInput(nodeType.configSchema, node.config);
    if (!input.ok || !config.ok) return [];
    return nodeType.reaches(config.value as never, input.value as never).flatMap((reach): readonly Reach[] => {
      if (reach.effect !== 'web') return [{ ...reach, target: reach.target.replaceAll(unknown, '…') }];
      const [named = ''] = reach.url.split(unknown, 1);
      if (named !== reach.url && !wholeHost.test(named)) return [];
      return [{ ...reach, url: reach.url.replaceAll(unknown, '0') }];
    });
  }

  #noteHost(url: string): void {
    const host = findWebAddress(url)?.host;
    if (host !== undefined) this.#hosts.add(host);
  }

  #note(need: PermissionNeed, node: string): void {
    const key = needKey(need);
    const known = this.#missing.get(key);
    if (known === undefined) this.#missing.set(key, { need, nodes: [node] });
    else if (!known.nodes.includes(node)) known.nodes.push(node);
  }
}

/**
 * Returns the nodes that may run, including those in loop bodies. @param idle IDs of nodes that do not run; their
 * bodies do not run either
 */
function running({ nodes }: CompiledGraph, idle: ReadonlySet<string>): readonly CompiledNode[] {
  return nodes.flatMap((node) => {
    if (node.disabled || idle.has(node.id)) return [];
    return [node, ...(node.body === undefined ? [] : running(node.body, idle))];
  });
}

/** Returns the flows that these nodes call, as definition files. */
function filesCalledBy(nodes: readonly CompiledNode[], files: SchemaFiles): SchemaFiles {
  return new Map(
    nodes.flatMap((node) => {
      const file = calledFileOf(node, files);
      return file === undefined ? [] : [[node.id, file] as const];
    }),
  );
}

/** The values of bindings that are known before the run starts. */
type PlannedValues = Pick<PermissionPlanFlow, 'inputs' | 'taken'>;

/** Returns the value after filling in all known bindings. */
function knownIn(value: JsonValue, known: PlannedValues): JsonValue {
  if (typeof value === 'string') return value.includes('{{') ? knownText(value, known) : value;
  if (isJsonList(value)) return value.map((item) => knownIn(item, known));
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, knownIn(item, known)]));
}

function knownText(text: string, known: PlannedValues): JsonValue {
  const { parts } = parseTemplate(text);
  const [first] = parts;
  if (parts.length === 1 && typeof first === 'object') return knownValue(first, known);
  return parts.map((part) => (typeof part === 'string' ? part : textForm(knownValue(part, known)))).join('');
}

function knownValue({ path }: Binding, { inputs, taken }: PlannedValues): JsonValue {
  const [root, name = ''] = path;
  if (root === secretRoot) return placeholderOf(name);
  const flowRoot = { input: inputs };
  return (
    resolveBindingPath(path, { get: (asked) => (asked === 'flow' ? flowRoot : taken.get(asked)?.output) }) ?? unknown
  );
}

function placeholderOf(name: string): string {
  return `secret-${unknown}${name}${unknown}`;
}

/** Returns secrets by name. The hosts to which they may be sent are known, but their values are not. */
function namedSecrets(
  names: readonly string[],
  admit: RunSecrets['admit'] = () => undefined,
): Pick<RunSecrets, 'namesIn' | 'admit'> {
  return { namesIn: (text) => names.filter((name) => text.includes(placeholderOf(name))), admit };
}

/**
 * Returns the missing permission that is needed to open the secrets. @throws EngineError `secret.missing` and others
 */
async function wishIn(open: () => Promise<unknown>): Promise<PermissionNeed | undefined> {
  try {
    await open();
    return undefined;
  } catch (thrown) {
    if (!EngineError.is(thrown) || thrown.code !== 'secret.not-allowed') throw thrown;
    const { path, definitionHash, names } = thrown.details as Pick<
      Extract<PermissionNeed, { readonly kind: 'flow-secrets' }>,
      'path' | 'definitionHash' | 'names'
    >;
    return { kind: 'flow-secrets', path, definitionHash, names };
  }
}
