/**
 * Explains why a node differs between two runs: its definition, what it received, the model, or something outside.
 */
import type { ErrorRecord } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { pathText } from '../../language/bindings/binding-path.ts';
import { findBindings } from '../../language/bindings/bindings.ts';
import type { NodeDoc } from '../../language/flow/flow-doc.ts';
import { defaultItemName } from '../../language/flow/loops.ts';
import { isJsonList, isJsonMap, type JsonValue, jsonEquals } from '../../language/json/json-value.ts';
import { baseNodeId, loopStepsOf } from '../kernel/events/node-places.ts';
import type { RunKind } from '../kernel/events/run-event.ts';
import type { RunState } from '../kernel/events/run-state.ts';
import type { ComparedPair, RunSide } from './compare-runs.ts';

/** A value of both runs; undefined for one that does not have it. */
export interface ValuePair {
  /** Such as `prompt`, or `rules.text` for a binding. */
  readonly path: string;
  readonly a: JsonValue | undefined;
  readonly b: JsonValue | undefined;
}

export type DifferenceCause =
  | { readonly kind: 'definition' | 'input'; readonly values: readonly ValuePair[] }
  | { readonly kind: 'model'; readonly a: string; readonly b: string }
  /** Nothing that the runs recorded explains the difference. `isModel`: a model may respond differently each time. */
  | { readonly kind: 'outside'; readonly isModel: boolean };

/** What a node received and returned at one place. Absent values do not exist in the run. */
export interface NodeValues {
  readonly input?: JsonValue;
  readonly output?: JsonValue;
  readonly error?: ErrorRecord;
  readonly model?: string;
}

/** A node at one place in both runs. A side is null if its run did not reach the node. */
export interface NodeInRuns extends Readonly<Record<RunSide, NodeValues | null>> {
  readonly causes: readonly DifferenceCause[];
  /** The last child runs of the node, if both runs have one of the same file. */
  readonly called?: {
    readonly kind: RunKind;
    readonly sourcePath: string;
    readonly runs: Readonly<Record<RunSide, RunId>>;
  };
}

/** Returns the causes of a difference at a place, the most direct first. */
export function whyDifferent(pair: ComparedPair, place: string): readonly DifferenceCause[] {
  const id = baseNodeId(place);
  const [a, b] = [pair.a, pair.b].map(({ doc }) => doc?.nodes.find((node) => node.id === id));
  const definition = a === undefined || b === undefined ? [] : definitionChanges(a, b);
  const input = inputChanges(pair, place, [a, b]);
  const models = { a: pair.a.calls.get(place)?.model, b: pair.b.calls.get(place)?.model };
  const isOtherModel = models.a !== undefined && models.b !== undefined && models.a !== models.b;
  const causes: DifferenceCause[] = [
    ...(definition.length > 0 ? [{ kind: 'definition' as const, values: definition }] : []),
    ...(input.length > 0 ? [{ kind: 'input' as const, values: input }] : []),
    ...(isOtherModel ? [{ kind: 'model' as const, a: models.a ?? '', b: models.b ?? '' }] : []),
  ];
  const ran = [pair.a, pair.b].every(({ state }) => state.nodes.has(place));
  if (causes.length > 0 || !ran) return causes;
  return [{ kind: 'outside', isModel: models.a !== undefined }];
}

/**
 * Returns the fields of a node that two versions of a flow define differently: those of its input by their names, and
 * others such as `config.model`. Names and descriptions do not count.
 */
function definitionChanges(a: NodeDoc, b: NodeDoc): readonly ValuePair[] {
  const [before, after] = [definedFields(a), definedFields(b)];
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((path) =>
    different({ path, a: before.get(path), b: after.get(path) }),
  );
}

function definedFields({ type, input, config, when, policy, disabled }: NodeDoc): ReadonlyMap<string, JsonValue> {
  const rest = { type, when, policy, disabled };
  const options = Object.entries(config ?? {}).map(([key, value]) => [`config.${key}`, value]);
  const others = Object.entries(rest).filter(([, value]) => value !== undefined);
  return new Map([...Object.entries(input), ...options, ...others] as [string, JsonValue][]);
}

function different(pair: ValuePair): readonly ValuePair[] {
  const { a, b } = pair;
  if (a === undefined && b === undefined) return [];
  return a !== undefined && b !== undefined && jsonEquals(a, b) ? [] : [pair];
}

/** Returns the bound values that differ, or else the fields of the input. */
function inputChanges(
  { a, b }: ComparedPair,
  place: string,
  nodes: readonly (NodeDoc | undefined)[],
): readonly ValuePair[] {
  const paths = new Map(
    nodes.flatMap((node) => (node === undefined ? [] : bindingsOf(node))).map((path) => [pathText(path), path]),
  );
  const bound = [...paths].flatMap(([path, steps]) =>
    different({ path, a: valueAt(a.state, place, steps), b: valueAt(b.state, place, steps) }),
  );
  if (bound.length > 0) return bound;
  const [first, second] = nodes;
  if (first === undefined || second === undefined) return [];
  const redefined = new Set(definitionChanges(first, second).map(({ path }) => path));
  const [before, after] = [a, b].map(({ state }) => state.nodes.get(place)?.input);
  if (!isJsonMap(before) || !isJsonMap(after)) return [];
  return [...new Set([...Object.keys(after), ...Object.keys(before)])]
    .filter((key) => !redefined.has(key))
    .flatMap((path) => different({ path, a: before[path], b: after[path] }));
}

/** Returns the paths of the bindings in a node's input. */
function bindingsOf({ input }: NodeDoc): readonly (readonly string[])[] {
  return findBindings(input).flatMap(({ template }) =>
    template.parts.flatMap((part) => (typeof part === 'string' ? [] : [part.path])),
  );
}

/** Returns the value that a binding of a node had in a run. Undefined if the state does not have it. */
function valueAt({ inputs, nodes }: RunState, place: string, [root = '', ...rest]: readonly string[]) {
  if (root === 'flow') return rest[0] === 'input' ? memberOf(inputs, rest.slice(1)) : undefined;
  const steps = loopStepsOf(place).toReversed();
  for (const { loop, item } of steps) {
    const sibling = nodes.get(`${loop}[${item}].${root}`);
    if (sibling !== undefined) return memberOf(sibling.output, rest);
    const given = nodes.get(loop)?.input;
    if (!isJsonMap(given) || (given['as'] ?? defaultItemName) !== root) continue;
    const { items } = given;
    return memberOf(isJsonList(items) ? items[item] : undefined, rest);
  }
  return memberOf(nodes.get(root)?.output, rest);
}

function memberOf(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let found = value;
  for (const key of path) {
    if (isJsonList(found)) found = found[Number(key)];
    else if (isJsonMap(found) && Object.hasOwn(found, key)) found = found[key];
    // A large value is stored elsewhere. Its handle identifies it.
    else return isJsonMap(found) && '$value' in found ? found : undefined;
  }
  return found;
}
