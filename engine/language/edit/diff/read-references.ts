/**
 * Finds the nodes that a value of a flow refers to.
 */
import { readPath } from '../../bindings/binding-path.ts';
import { isJsonMap, type JsonValue } from '../../json/json-value.ts';
import { changeBindings, changeCondition, changeInput, type PathEdits } from '../node-paths.ts';
import { textAt } from '../raw-flow.ts';

/** Keys after which a path names a node: `previous.draft`, `each.iterations.0.outputs.draft`, `polish.last.draft`. */
const namingKeys: ReadonlySet<string> = new Set(['previous', 'outputs', 'last']);

/** Returns the names of nodes in the bindings and conditions of a node or step. */
export function referencesOfNode(node: JsonValue): ReadonlySet<string> {
  const names = new Set<string>();
  if (!isJsonMap(node)) return names;
  const collect = collectorOf(names);
  for (const [key, value] of Object.entries(node)) {
    if (key === 'when') changeCondition(value, collect);
    else if (key === 'input') changeInput(textAt(node, 'type') ?? '', value, collect);
    else changeBindings(value, collect);
  }
  return names;
}

/** Returns the names of nodes in any bindings of a value. */
export function referencesIn(value: JsonValue): ReadonlySet<string> {
  const names = new Set<string>();
  changeBindings(value, collectorOf(names));
  return names;
}

/** Adds names and changes nothing. */
function collectorOf(names: Set<string>): PathEdits {
  return ({ text, offset }) => {
    const { segments } = readPath(text, offset) ?? { segments: [] };
    for (const [index, name] of segments.entries())
      if (index === 0 || namingKeys.has(segments[index - 1] ?? '')) names.add(name);
    return [];
  };
}
