import { MAX_OUTPUT_BYTES } from '../../../language/flow/flow-limits.ts';
import { textForm } from '../../../language/json/json-value.ts';
import { outputTooLarge } from '../../../language/json/too-large.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import { forEachItem } from '../item-context.ts';
import { textJoinType } from './text-join-type.ts';

export const textJoinNode = defineNodeType(textJoinType, {
  capabilities: [],
  run: async ({ input: { items, separator }, clock, signal }) => {
    const texts: string[] = [];
    let left = MAX_OUTPUT_BYTES;
    await forEachItem(items, { clock, signal }, (item) => {
      const text = textForm(item);
      left -= text.length + separator.length;
      if (left < 0) throw outputTooLarge('The joined text', MAX_OUTPUT_BYTES);
      texts.push(text);
    });
    return { text: texts.join(separator) };
  },
});
