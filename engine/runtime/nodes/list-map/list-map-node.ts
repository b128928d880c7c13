import { EngineError } from '../../../base/engine-error.ts';
import { resolveBindings } from '../../../language/bindings/bindings.ts';
import { MAX_OUTPUT_BYTES } from '../../../language/flow/flow-limits.ts';
import { leastBytes } from '../../../language/json/checked-json.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import { outputTooLarge } from '../../../language/json/too-large.ts';
import { defineNodeType } from '../../flow/node-type.ts';
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

/** @throws EngineError as `resolveBindings` does, with the item's position before the message */
function fill(template: JsonValue, item: JsonValue, index: number): JsonValue {
  try {
    return resolveBindings(template, itemContext(item, index));
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    const { code, message, details } = error;
    throw new EngineError({ code, message: `Item ${index}: ${message}`, details });
  }
}
