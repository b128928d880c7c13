import { defineNodeType } from '../../flow/node-type.ts';
import { textSplitType } from './text-split-type.ts';

export const textSplitNode = defineNodeType(textSplitType, {
  capabilities: [],
  run: async ({ input: { text, separator }, config: { keepEmpty } }) => {
    // Line breaks in Windows files have an additional character.
    const parts = separator === '\n' ? text.split(/\r?\n/) : text.split(separator);
    return { items: keepEmpty ? parts : parts.filter((part) => part.trim() !== '') };
  },
});
