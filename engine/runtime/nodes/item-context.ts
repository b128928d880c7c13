import { Breather } from '../../base/breather.ts';
import type { Clock } from '../../base/clock.ts';
import { type BindingContext, parsePath } from '../../language/bindings/binding-path.ts';
import type { JsonValue } from '../../language/json/json-value.ts';

/** Returns the bindings for a list node's settings: only the roots `item` and `loop`. */
export function itemContext(item: JsonValue, index: number): BindingContext {
  return new Map<string, JsonValue>([
    ['item', item],
    ['loop', { index }],
  ]);
}

/** Parses the path of a setting that refers to part of an item; without a path, it refers to the item itself. */
export function readItemPath(text: string | undefined): readonly string[] {
  return parsePath(text === undefined || text === '' ? 'item' : text) ?? ['item'];
}

/**
 * Calls `work` for each item in order, and yields to other work at least every 10 ms.
 * @throws errors from `work`; the signal's reason
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
