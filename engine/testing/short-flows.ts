/**
 * Short flows for tests of edits that remove nodes.
 */
import type { JsonMap } from '../language/json/json-value.ts';

/** Returns a flow with these nodes (`id: input`) and edges. */
export function flowOf(nodes: Readonly<Record<string, JsonMap>>, edges: readonly object[], outputs?: JsonMap): string {
  const list = Object.entries(nodes).map(([id, { type = 'constant', ...rest }]) => ({ id, type, input: {}, ...rest }));
  return JSON.stringify({ flow: { name: 'x', ...(outputs && { outputs }) }, nodes: list, edges });
}

/** Returns a node with a value. */
export const by = (value: string): JsonMap => ({ input: { value } });

/** Flow outputs that do not refer to its nodes. */
export const done = { done: 'yes' };

/** A loop that repeats, with a node before it and one after it. */
export const loops = flowOf(
  {
    list: by('1'),
    each: { type: 'control.loop', input: { body: ['draft', 'review'], until: { exists: 'review.value' } } },
    draft: by('{{list.value}} {{?previous.review.value}} {{loop.index}}'),
    review: by('{{draft.value}}'),
    end: by('{{each.last.review.value}}'),
  },
  [
    { from: 'list', to: 'each' },
    { from: 'draft', to: 'review' },
    { from: 'each', to: 'end' },
  ],
  done,
);
