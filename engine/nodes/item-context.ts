/**
 * What the nodes that go through a list have in common.
 */
import { z } from 'zod';
import { Breather } from '../base/breather.ts';
import type { Clock } from '../base/clock.ts';
import { type BindingContext, parsePath } from '../flowspec/binding-path.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';

/** What the settings of a list's node see of one item: the roots `item` and `loop`, and nothing else. */
export function itemContext(item: JsonValue, index: number): BindingContext {
  return new Map<string, JsonValue>([
    ['item', item],
    ['loop', { index }],
  ]);
}

/** A path from an item, as settings of a list's node have it: `item`, `item.price`. */
export const itemPath: z.ZodType<string> = z.string().superRefine((text, { addIssue }) => {
  if (text === '' || parsePath(text)?.[0] === 'item') return;
  addIssue({
    code: 'custom',
    message: `is "${text}"; write item for the whole item, or a field of it such as item.price`,
  });
});

/** The path of such a text; of none, the item itself. */
export function readItemPath(text: string | undefined): readonly string[] {
  return parsePath(text === undefined || text === '' ? 'item' : text) ?? ['item'];
}

/** JSON schema of what is named `loop` beside an item. */
export const loopSchema: JsonMap = {
  type: 'object',
  properties: { index: { type: 'integer', description: 'Place of the item in the list, from 0' } },
};

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
