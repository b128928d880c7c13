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
  ['nothing', line, [], 'No nodes are selected. Select at least one node.'],
  ['a node that does not exist', line, ['gone'], 'No nodes are selected. Select at least one node.'],
  [
    'a path that leads back',
    line,
    ['a', 'c'],
    '"b" runs between "a" and "c", so the new node would have to wait for itself. Select "b" as well, or deselect "a" or "c".',
  ],
  [
    'a loop with half of its body',
    loops,
    ['each', 'draft'],
    'The selection includes only a part of the loop "each": its body also contains "review". Select the whole body as well, or only the loop, which includes its body.',
  ],
  [
    'half of a loop with a node outside of it',
    loops,
    ['list', 'draft'],
    'The selection includes only a part of the loop "each": "draft" is in its body, but "list" is not. Select the whole loop with its body, or only nodes of that body.',
  ],
  [
    'a body with results that are read as a whole',
    whole,
    ['in'],
    '"end" reads all of "each.iterations", and the extraction would move "in" within it. Select the whole loop as well, or read single values of its nodes.',
  ],
  [
    'a last node that may be skipped',
    line,
    ['b', 'c'],
    'The output of the flow comes from its last nodes, and "c" may be skipped or fail, so the extraction would change that output. Declare flow.outputs, then extract.',
  ],
  [
    'a node that is read without an edge',
    loose,
    ['b'],
    '"b" reads from "a", but no edge connects them, so their order is undefined. Add an edge, then extract.',
  ],
  [
    'a node that reads without an edge',
    loose,
    ['a'],
    '"b" reads from "a", but no edge connects them, so their order is undefined. Add an edge, then extract.',
  ],
  [
    'a flow with errors',
    flowOf({ a: by('1') }, [{ from: 'a', to: 'b' }]),
    ['a'],
    'The flow has errors: an edge starts or ends at a node that does not exist. Fix them, then extract.',
  ],
])('BB-34 rejects %s with an explanation, and leaves the text unchanged', (_, file, nodes, words) => {
  expect(extractIn(file, nodes)).toBe(words);
});
