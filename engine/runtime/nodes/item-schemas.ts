/**
 * Schemas of nodes that iterate over a list.
 */
import { z } from 'zod';
import { parsePath } from '../../language/bindings/binding-path.ts';
import type { JsonMap } from '../../language/json/json-value.ts';

/** A path into an item, as used in list node settings: `item`, `item.price`. */
export const itemPath: z.ZodType<string> = z.string().superRefine((text, { addIssue }) => {
  if (text === '' || parsePath(text)?.[0] === 'item') return;
  addIssue({
    code: 'custom',
    message: `is "${text}"; write item for the whole item, or a field such as item.price`,
  });
});

/** JSON Schema of the binding root `loop`. */
export const loopSchema: JsonMap = {
  type: 'object',
  properties: { index: { type: 'integer', description: 'Zero-based index of the item in the list' } },
};
