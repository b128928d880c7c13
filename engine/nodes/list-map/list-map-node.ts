import { EngineError } from '../../base/engine-error.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import { resolveBindings } from '../../flowspec/bindings.ts';
import { leastBytes } from '../../flowspec/checked-json.ts';
import { MAX_OUTPUT_BYTES } from '../../flowspec/flow-limits.ts';
import type { JsonValue } from '../../flowspec/json-value.ts';
import { outputTooLarge } from '../../flowspec/too-large.ts';
import { forEachItem, itemContext } from '../item-context.ts';
import { listMapType } from './list-map-type.ts';

export const listMapNode = defineNodeType(listMapType, {
  capabilities: [],
  run: async ({ input: { items }, config: { template }, clock, signal }) => {
    const filled: JsonValue[] = [];
    let bytesLeft = MAX_OUTPUT_BYTES;
    await forEachItem(items, { clock, signal }, (item, index) => {
      const made = fill(template, item, index);
      bytesLeft -= leastBytes(made, bytesLeft);
      if (bytesLeft < 0) throw outputTooLarge('The new list', MAX_OUTPUT_BYTES);
      filled.push(made);
    });
    return { items: filled };
  },
});

/** @throws EngineError as `resolveBindings` does, with the position of the item before the message */
function fill(template: JsonValue, item: JsonValue, index: number): JsonValue {
  try {
    return resolveBindings(template, itemContext(item, index));
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    const { code, message, details } = error;
    throw new EngineError({ code, message: `Item ${index}: ${message}`, details });
  }
}
