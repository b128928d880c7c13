import { Breather } from '../base/breather.ts';
import type { Clock } from '../base/clock.ts';
import { type BindingContext, parsePath } from '../flowspec/binding-path.ts';
import type { JsonValue } from '../flowspec/json-value.ts';

/** What the settings of a list's node see of one item: the roots `item` and `loop`, and nothing else. */
export function itemContext(item: JsonValue, index: number): BindingContext {
  return new Map<string, JsonValue>([
    ['item', item],
    ['loop', { index }],
  ]);
}

/** The path of a setting that names a part of an item; of none, the item itself. */
export function readItemPath(text: string | undefined): readonly string[] {
  return parsePath(text === undefined || text === '' ? 'item' : text) ?? ['item'];
}

/**
 * Calls `work` for each item in order, and lets others have a turn before 10 ms have passed.
 * @throws what `work` throws; the signal's reason
 */
export async function forEachItem(
  items: readonly JsonValue[],
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  work: (item: JsonValue, index: number) => void,
): Promise<void> {
  const breather = new Breather(clock);
  for (const [index, item] of items.entries()) {
    if (breather.isDue()) {
      await breather.rest();
      signal.throwIfAborted();
    }
    work(item, index);
  }
}
