import type { BindingContext } from '../flowspec/binding-path.ts';
import type { JsonValue } from '../flowspec/json-value.ts';

/** What the settings of a list's node see of one item: the roots `item` and `loop`, and nothing else. */
export function itemContext(item: JsonValue, index: number): BindingContext {
  return new Map<string, JsonValue>([
    ['item', item],
    ['loop', { index }],
  ]);
}
