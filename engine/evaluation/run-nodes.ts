/**
 * The nodes of a run and its child runs by full name, and the values at bindings to them.
 */
import { parsePath } from '../language/bindings/binding-path.ts';
import { errorMarker } from '../language/bindings/markers.ts';
import { isJsonList, isJsonMap, type JsonValue } from '../language/json/json-value.ts';
import { isValueHandle } from '../language/json/value-handle.ts';
import { valueAt } from '../language/schema/schema-problems.ts';
import type { NodeState, RunState } from '../runtime/kernel/events/run-state.ts';

const ran: ReadonlySet<string> = new Set(['completed', 'failed', 'running', 'retrying', 'suspended', 'cancelled']);

/** Returns a node's name without the items of loops: `each[2].draft` is `each.draft`. */
export function baseName(name: string): string {
  return name.replace(/\[\d+\]/g, '');
}

/** Returns the ID of a node in its flow: `each[2].draft` and `each.draft` are `draft`. */
export function ownId(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/')) + 1);
}

export class RunNodes {
  readonly #nodes = new Map<string, NodeState>();
  readonly #state: RunState;
  readonly #readValue: (hash: string) => Promise<JsonValue>;

  /** @param readValue returns a value that is stored separately */
  constructor(state: RunState, readValue: (hash: string) => Promise<JsonValue>) {
    this.#state = state;
    this.#readValue = readValue;
    this.#add(state, '');
    for (const child of state.children.values()) this.#add(child, this.#prefixOf(child));
  }

  /** Returns how often a node ran. A name without items counts all of them: `each.draft`, or only `draft`. */
  runsOf(name: string): number {
    return this.#named(name).filter(({ status }) => ran.has(status)).length;
  }

  /** Whether the run has reached the node. */
  has(name: string): boolean {
    return this.#named(name).length > 0;
  }

  /** Returns the base names of the nodes that ran or were pinned. */
  covered(): readonly string[] {
    const names = [...this.#nodes].filter(([, { status }]) => ran.has(status) || status === 'reused');
    return [...new Set(names.map(([name]) => baseName(name)))].sort();
  }

  /** Returns a failed node whose error has the message. */
  failedWith(message: string): string | undefined {
    for (const [name, { error }] of this.#nodes) if (error?.message === message) return name;
    return undefined;
  }

  /**
   * Returns the node that a binding names, and the value there.
   * @param part of the node: what it returned, or what it received
   */
  async find(
    binding: string,
    part: 'output' | 'input',
  ): Promise<{ readonly nodeId?: string; readonly value: JsonValue | undefined }> {
    const path = parsePath(binding) ?? [];
    if (path[0] === 'flow' && (path[1] === 'output' || path[1] === 'input')) {
      const root = path[1] === 'output' ? this.#state.output : this.#state.inputs;
      return { value: this.#isSkipped(root, path[2]) ? undefined : await this.#at(root, path.slice(2)) };
    }
    const plain = withDots(binding);
    const nodeId = this.#longestNode(plain);
    if (nodeId === undefined) return { value: undefined };
    const rest = plain.slice(withDots(nodeId).length);
    const inNode = rest === '' ? [] : (parsePath(`x${rest}`) ?? ['x', rest]).slice(1);
    const node = this.#nodes.get(nodeId);
    return { nodeId, value: await this.#at(part === 'input' ? node?.input : outputOf(node), inNode) };
  }

  /** Returns a value with everything that is stored separately. */
  async whole(value: JsonValue): Promise<JsonValue> {
    if (isValueHandle(value)) return await this.whole(await this.#readValue(value.$value));
    if (isJsonList(value)) return await Promise.all(value.map((one) => this.whole(one)));
    if (!isJsonMap(value)) return value;
    const entries = Object.entries(value).map(async ([key, one]) => [key, await this.whole(one)] as const);
    return Object.fromEntries(await Promise.all(entries));
  }

  #add({ nodes }: RunState, prefix: string): void {
    for (const node of nodes.values()) this.#nodes.set(prefix + node.nodeId, node);
  }

  #prefixOf({ parentRunId, parentTaskId }: RunState): string {
    const parent = parentRunId === null ? undefined : this.#state.children.get(parentRunId);
    const above = parent === undefined ? '' : this.#prefixOf(parent);
    return `${above}${(parentTaskId ?? '').replace(/^node:/, '')}/`;
  }

  #named(name: string): readonly NodeState[] {
    const exact = this.#nodes.get(name);
    if (exact !== undefined) return [exact];
    return [...this.#nodes].flatMap(([full, node]) => (isNamed(full, name) ? [node] : []));
  }

  /** Whether a flow's output has a mark in place of the output of a skipped node. */
  #isSkipped(root: JsonValue | undefined, name = ''): boolean {
    const value = valueAt(root, [name]);
    return this.#nodes.get(name)?.status === 'skipped' && isJsonMap(value) && value['skipped'] === true;
  }

  /** @param plain binding with dots in place of items */
  #longestNode(plain: string): string | undefined {
    let best: string | undefined;
    for (const name of this.#nodes.keys()) {
      const start = withDots(name);
      const isStart = plain.startsWith(start) && /^(?:$|[.[])/.test(plain.slice(start.length));
      if (isStart && name.length > (best?.length ?? -1)) best = name;
    }
    return best;
  }

  async #at(root: JsonValue | undefined, path: readonly string[]): Promise<JsonValue | undefined> {
    if (root === undefined) return undefined;
    let value: JsonValue = isValueHandle(root) ? await this.whole(root) : root;
    for (const segment of path) {
      const next = valueAt(value, [segment]);
      if (next === undefined) return undefined;
      value = isValueHandle(next) ? await this.whole(next) : next;
    }
    return await this.whole(value);
  }
}

/** Replaces the items of loops: `each[2].draft` becomes `each.2.draft`, which bindings can also say. */
function withDots(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\[(\d+)\]/g, (found, item) => (item === undefined ? found : `.${item}`));
}

/** Whether a name without items means the node. */
function isNamed(full: string, name: string): boolean {
  const base = baseName(full);
  return base === name || (!name.includes('.') && !name.includes('/') && !base.includes('/') && ownId(base) === name);
}

/** Returns what later nodes read: the output, or how a tolerated attempt failed. */
function outputOf(node: NodeState | undefined): JsonValue | undefined {
  if (node?.output !== undefined || node?.error === undefined) return node?.output;
  return errorMarker(node.error, node.attempts);
}
