/**
 * Which permissions a flow lacks, as far as its text and its inputs say, before it runs: in itself and in the flows that it calls.
 */

import { needKey, type PermissionNeed } from '../base/consent.ts';
import { EngineError } from '../base/engine-error.ts';
import { findWebAddress } from '../base/web-address.ts';
import type { NodeTypeLookup } from '../flow/node-type.ts';
import { inputsOf } from '../flow/run-flow.ts';
import { lookUp } from '../flowspec/binding-path.ts';
import { type Binding, parseTemplate } from '../flowspec/binding-template.ts';
import { flowsBelow } from '../flowspec/called-flows.ts';
import { prepareInput } from '../flowspec/coerce-input.ts';
import type { CompiledFlow, CompiledGraph, CompiledNode } from '../flowspec/compiled-flow.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue, textForm } from '../flowspec/json-value.ts';
import { productsAt } from '../flowspec/product-path.ts';
import { secretNamesOf, secretRoot } from '../flowspec/secret-bindings.ts';
import { calledDefinition, filesOf } from '../flowspec/stored-definition.ts';
import type { Reach } from '../kernel/permission.ts';
import type { RunSecrets } from '../kernel/run-secrets.ts';
import type { FlowJobs, FlowJobsOptions, StartRun } from './flow-jobs.ts';

/** A permission that a flow lacks, and the nodes that need it. */
interface PlannedPermission {
  readonly need: PermissionNeed;
  /** Ids; of a called flow behind its path. */
  readonly nodes: readonly string[];
}

/** What a flow will ask a person for. */
export interface PermissionPlan {
  readonly missing: readonly PlannedPermission[];
  /** The hosts that it sends requests to, as far as its text names them. */
  readonly hosts: readonly string[];
}

export interface PermissionPlanWorld extends Pick<FlowJobsOptions, 'capabilities' | 'openSecrets' | 'unseen'> {
  readonly registry: NodeTypeLookup;
  /** @throws EngineError `secret.host-not-allowed` when one of the secrets may not go there; absent = each may go anywhere */
  readonly admitSecret?: RunSecrets['admit'];
}

/** Stands for a value that is known only when the flow runs. No text that a person writes has it. */
const unknown = '\uE000';

/** An address names its host when something follows it, so that what is unknown cannot belong to it. */
const wholeHost = /^https?:\/\/[^/?#\\]+[/?#]/i;

/** @throws EngineError `flow.invalid` | `secret.missing`: such a flow cannot start, whatever it is permitted */
export async function planPermissions(
  request: Pick<StartRun, 'path' | 'text'> & Partial<Pick<StartRun, 'inputs'>>,
  definitions: FlowJobs['definitions'],
  world: PermissionPlanWorld,
): Promise<PermissionPlan> {
  const { path, text, inputs = {} } = request;
  if (world.capabilities.permissions === undefined) return { missing: [], hosts: [] };
  const { flow, definition } = await definitions.compiled({ path, text });
  const plan = new Plan(world);
  await plan.add({ flow, path, text, definition, prefix: '', inputs: inputsOf({ flow, inputs }) });
  for (const called of flowsBelow(filesOf(definition))) {
    const kept = calledDefinition(called);
    const compiled = definitions.compiledAsKept(called.path, kept);
    await plan.add({ ...called, flow: compiled, definition: kept, prefix: `${called.path}: `, inputs: {} });
  }
  return plan.result();
}

interface PlannedFlow {
  readonly flow: CompiledFlow;
  readonly path: string;
  readonly text: string;
  readonly definition: string;
  /** Precedes the ids of its nodes. */
  readonly prefix: string;
  /** Those that are known. */
  readonly inputs: JsonMap;
}

class Plan {
  readonly #world: PermissionPlanWorld;
  readonly #missing = new Map<string, { readonly need: PermissionNeed; readonly nodes: string[] }>();
  readonly #hosts = new Set<string>();

  constructor(world: PermissionPlanWorld) {
    this.#world = world;
  }

  result(): PermissionPlan {
    return { missing: [...this.#missing.values()], hosts: [...this.#hosts] };
  }

  async add(planned: PlannedFlow): Promise<void> {
    const { flow, path, text, definition, prefix } = planned;
    const { openSecrets, unseen, capabilities } = this.#world;
    const isUnseen = unseen?.(path, text) !== undefined;
    const names = secretNamesOf(flow);
    const hash = (): string => capabilities.hash.sha256(definition);
    const wish = names.length === 0 ? undefined : await wishIn(() => openSecrets(names, { path, hash, isUnseen }));
    if (wish !== undefined) this.#note(wish, `${prefix}${flow.name}`);
    const secrets = namedSecrets(names, this.#world.admitSecret);
    const hub = { isUnseen, products: productsAt(path) };
    for (const node of nodesIn(flow)) {
      for (const reach of this.#reachesOf(node, planned.inputs)) {
        if (reach.effect === 'web') this.#noteHost(reach.url);
        const needs = (await capabilities.permissions?.missing(reach, { hub, secrets })) ?? [];
        for (const need of needs) this.#note(need, `${prefix}${node.id}`);
      }
    }
  }

  #reachesOf(node: CompiledNode, inputs: JsonMap): readonly Reach[] {
    const nodeType = this.#world.registry.get(node.type);
    if (nodeType?.reaches === undefined) return [];
    const input = prepareInput(nodeType.inputSchema, knownIn(node.input, inputs) as JsonMap);
    const config = prepareInput(nodeType.configSchema, node.config);
    if (!input.ok || !config.ok) return [];
    return nodeType.reaches(config.value as never, input.value as never).flatMap((reach): readonly Reach[] => {
      if (reach.effect === 'command') return [{ ...reach, target: reach.target.replaceAll(unknown, '…') }];
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

/** Also those in bodies of loops; those that are switched off reach nothing. */
function nodesIn({ nodes }: CompiledGraph): readonly CompiledNode[] {
  return nodes.flatMap((node) => (node.disabled ? [] : [node, ...(node.body === undefined ? [] : nodesIn(node.body))]));
}

/** The value with its bindings filled in, as far as they are known. */
function knownIn(value: JsonValue, inputs: JsonMap): JsonValue {
  if (typeof value === 'string') return value.includes('{{') ? knownText(value, inputs) : value;
  if (isJsonList(value)) return value.map((item) => knownIn(item, inputs));
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, knownIn(item, inputs)]));
}

function knownText(text: string, inputs: JsonMap): JsonValue {
  const { parts } = parseTemplate(text);
  const [first] = parts;
  if (parts.length === 1 && typeof first === 'object') return knownValue(first, inputs);
  return parts.map((part) => (typeof part === 'string' ? part : textForm(knownValue(part, inputs)))).join('');
}

function knownValue({ path }: Binding, inputs: JsonMap): JsonValue {
  const [root, name = ''] = path;
  if (root === secretRoot) return placeholderOf(name);
  const flowRoot = { input: inputs };
  return lookUp(path, { get: (asked) => (asked === 'flow' ? flowRoot : undefined) }) ?? unknown;
}

function placeholderOf(name: string): string {
  return `secret-${unknown}${name}${unknown}`;
}

/** Secrets by their names alone: where they may go is known, and no value is. */
function namedSecrets(
  names: readonly string[],
  admit: RunSecrets['admit'] = () => undefined,
): Pick<RunSecrets, 'namesIn' | 'admit'> {
  return { namesIn: (text) => names.filter((name) => text.includes(placeholderOf(name))), admit };
}

/** The permission that opening the secrets lacks. @throws EngineError `secret.missing` and others */
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
