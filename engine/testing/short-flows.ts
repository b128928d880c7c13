/**
 * Flows of few words, for tests of edits that take nodes out of them.
 */
import type { JsonMap } from '../flowspec/json-value.ts';

/** A flow with these nodes (`id: input`) and edges. */
export function flowOf(nodes: Readonly<Record<string, JsonMap>>, edges: readonly object[], outputs?: JsonMap): string {
  const list = Object.entries(nodes).map(([id, { type = 'constant', ...rest }]) => ({ id, type, input: {}, ...rest }));
  return JSON.stringify({ flow: { name: 'x', ...(outputs && { outputs }) }, nodes: list, edges });
}

/** A node that gives a value. */
export const by = (value: string): JsonMap => ({ input: { value } });

/** Outputs of a flow that say nothing of its nodes. */
export const done = { done: 'yes' };

/** A loop that repeats, with a node before it and one behind it. */
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
