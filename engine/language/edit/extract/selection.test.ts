import { expect, test } from 'vitest';
import { extractIn } from '../../../testing/extracted-runs.ts';
import { by, done, flowOf, loops } from '../../../testing/short-flows.ts';

const line = flowOf(
  { a: by('1'), b: by('{{a.value}}'), c: { input: { value: '{{b.value}}' }, when: { exists: 'b.value' } } },
  [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c' },
  ],
);
const whole = flowOf(
  {
    each: { type: 'control.foreach', input: { items: [1], body: ['in'] } },
    in: by('{{item}}'),
    end: by('{{each.iterations}}'),
  },
  [{ from: 'each', to: 'end' }],
  done,
);
const loose = flowOf({ a: by('1'), b: by('{{a.value}}') }, [], done);

test.each([
  ['nothing', line, [], 'Nothing is selected that could become a flow. Select one node or more.'],
  ['what is gone', line, ['gone'], 'Nothing is selected that could become a flow. Select one node or more.'],
  [
    'a way that comes back',
    line,
    ['a', 'c'],
    '"b" stands between "a" and "c", so the new node would have to wait for itself. Select "b" as well, or leave out "a" or "c".',
  ],
  [
    'a loop with half of its body',
    loops,
    ['each', 'draft'],
    'The selection cuts the loop "each" in half: "review" of its body would stay behind. Select the whole body as well, or the loop alone, which takes its body along.',
  ],
  [
    'half of a loop with what stands beside it',
    loops,
    ['list', 'draft'],
    'The selection cuts the loop "each" in half: "draft" stands in its body, and "list" does not. Select the whole loop with its body, or nodes of that body only.',
  ],
  [
    'a body whose results are read as a whole',
    whole,
    ['in'],
    '"end" reads "each.iterations" as a whole, in which "in" would not stand where they do now. Take the whole loop along, or read single values of its nodes.',
  ],
  [
    'a last node that may be skipped',
    line,
    ['b', 'c'],
    'The flow gives what its last nodes give, and "c" may be skipped or fail, which only its own place can tell. Say in flow.outputs what the flow gives, then extract.',
  ],
  [
    'what is read without an edge',
    loose,
    ['b'],
    '"b" reads from "a", and no edge leads there from it, so it is left to chance which of them comes first. Draw an edge, then extract.',
  ],
  [
    'what reads without an edge',
    loose,
    ['a'],
    '"b" reads from "a", and no edge leads there from it, so it is left to chance which of them comes first. Draw an edge, then extract.',
  ],
  [
    'a flow with errors',
    flowOf({ a: by('1') }, [{ from: 'a', to: 'b' }]),
    ['a'],
    'The flow has errors: an edge leads to or from a node that is not there. Mend them first, then extract.',
  ],
])('BB-34 rejects %s with an explanation, and leaves the text unchanged', (_, file, nodes, words) => {
  expect(extractIn(file, nodes)).toBe(words);
});
