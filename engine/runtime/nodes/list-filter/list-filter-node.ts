import { evaluateWhen } from '../../../language/bindings/when.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import { forEachItem, itemContext } from '../item-context.ts';
import { listFilterType } from './list-filter-type.ts';

export const listFilterNode = defineNodeType(listFilterType, {
  capabilities: [],
  run: async ({ input: { items }, config: { when }, clock, signal }) => {
    const kept: JsonValue[] = [];
    await forEachItem(items, { clock, signal }, (item, index) => {
      if (evaluateWhen(when, itemContext(item, index)).result) kept.push(item);
    });
    return { items: kept };
  },
});
