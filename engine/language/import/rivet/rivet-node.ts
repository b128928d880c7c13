/**
 * What the mappings of all Rivet node types have in common.
 */
import type { JsonMap } from '../../json/json-value.ts';
import type { ConvertedNode, MappingContext, TypeMapping } from '../mapping.ts';
import { mapAt, mapsAt } from '../read-json.ts';
import type { SourceNode } from '../source-flow.ts';
import { binding, optional, replaceTokens } from '../texts.ts';

/** Reads the values that arrive at a node's ports. */
export class RivetInputs {
  readonly lost: string[] = [];
  readonly #node: SourceNode;
  readonly #context: MappingContext;
  readonly #used = new Set<string>();

  constructor(node: SourceNode, context: MappingContext) {
    this.#node = node;
    this.#context = context;
  }

  /** Returns the node that is connected to a port. */
  source(port: string): SourceNode | undefined {
    const edge = this.#context.into(this.#node).find(({ toPort }) => toPort === port);
    return edge === undefined ? undefined : this.#context.node(edge.from);
  }

  /** Returns the path of the value at a port; undefined if nothing is connected. */
  path(port: string): readonly string[] | undefined {
    this.#used.add(port);
    const edge = this.#context.into(this.#node).find(({ toPort }) => toPort === port);
    const source = edge === undefined ? undefined : this.#context.node(edge.from);
    if (edge === undefined || source === undefined) return undefined;
    const path = this.#context.path(this.#node, source, { port: edge.fromPort, rest: [] });
    if (path === undefined) this.lost.push(`The value "${edge.fromPort}" of ${source.name} was not imported.`);
    return path;
  }

  /** Returns a binding to the value at a port; undefined if nothing is connected. */
  value(port: string): string | undefined {
    const path = this.path(port);
    return path === undefined ? undefined : binding(path);
  }

  /** Returns a binding that is empty if the value is missing; undefined if nothing is connected. */
  optional(port: string): string | undefined {
    const path = this.path(port);
    return path === undefined ? undefined : optional(path);
  }

  /** Returns the connected ports with a name and a number, such as `input1`, by number. */
  numbered(name: string): readonly string[] {
    const numberOf = (port: string): number => Number(port.slice(name.length));
    const ports = this.#context.into(this.#node).map(({ toPort }) => toPort);
    return [...new Set(ports)]
      .filter((port) => port.startsWith(name) && numberOf(port) > 0)
      .sort((left, right) => numberOf(left) - numberOf(right));
  }

  /** Replaces `{{port}}` by bindings. */
  text(text: string): string {
    return replaceTokens(text, (port) => (this.source(port) === undefined ? undefined : this.value(port)), this.lost);
  }

  /** Returns sentences about connected ports that were not read. */
  unread(): readonly string[] {
    const ports = new Set(this.#context.into(this.#node).map(({ toPort }) => toPort));
    return [...ports].filter((port) => !this.#used.has(port)).map((port) => `Not imported: the input "${port}".`);
  }
}

/** What a mapping can use. */
export interface RivetNode {
  readonly node: SourceNode;
  readonly data: JsonMap;
  readonly inputs: RivetInputs;
  readonly context: MappingContext;
}

interface RivetMapping extends Omit<TypeMapping, 'map' | 'at'> {
  convert(node: RivetNode): ConvertedNode;
  /** Output fields by port. `*` is every other port, by its own name. */
  readonly ports: Readonly<Record<string, readonly string[]>>;
}

/** Creates the mapping of a type that becomes a node. */
export function rivetNode({ convert, ports, ...rest }: RivetMapping): TypeMapping {
  return {
    ...rest,
    map(node, context) {
      const inputs = new RivetInputs(node, context);
      const converted = convert({ node, data: mapAt(node.settings, 'data'), inputs, context });
      if ('why' in converted) return { as: 'placeholder', why: converted.why };
      const lost = [...(converted.lost ?? []), ...inputs.lost, ...inputs.unread(), ...lostOfNode(node)];
      return { as: 'node', ...converted, lost: [...new Set(lost)] };
    },
    at({ port, rest: below }, node, context) {
      const field = Object.hasOwn(ports, port) ? ports[port] : ports['*']?.concat(port);
      return field === undefined ? undefined : [context.idOf(node), ...field, ...below];
    },
  };
}

/** What belongs to nodes of all types, and to no node of a flow. */
function lostOfNode({ settings }: SourceNode): readonly string[] {
  const variants = mapsAt(settings, 'variants').length;
  return [
    ...(settings['isSplitRun'] === true
      ? ['It runs once per item in Rivet, and once in a flow. Put it into a control.foreach.']
      : []),
    ...(variants === 0 ? [] : [`Not imported: its variants (${variants}).`]),
  ];
}
