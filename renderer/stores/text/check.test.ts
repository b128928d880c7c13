import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changesSince, checkDocument, type DocumentCheck, emptyCheck, withChanges } from './check.ts';

const head = 'flow: { name: x }\nnodes:\n';
const first = '  - { id: a, type: echo, input: { text: one } }\n';
const second = '  - { id: b, type: echo, input: { text: two } }\n';
const edges = 'edges:\n  - { from: a, to: b }\n';
const text = `${head}${first}${second}${edges}`;

/** Returns the check as received by the other thread, which knows the previous one. */
function sent(before: DocumentCheck, now: DocumentCheck): DocumentCheck {
  return withChanges(before, structuredClone(changesSince(before, now)));
}

describe('changes between checks', () => {
  test('of a text with the same meaning return the existing document', () => {
    const before = sent(emptyCheck, checkDocument('flow', text));
    const after = sent(before, checkDocument('flow', `# A comment\n${text}`));
    expect([after.doc === before.doc, after.order === before.order]).toEqual([true, true]);
    expect(after.nodeRanges.get('a')?.line).toBe(4);
  });

  test('keep unchanged nodes, including those after an inserted or removed one', () => {
    const before = sent(emptyCheck, checkDocument('flow', text));
    const longer = sent(before, checkDocument('flow', `${head}  - { id: c, type: echo }\n${first}${second}${edges}`));
    expect(longer.doc?.nodes.slice(1)).toEqual(before.doc?.nodes);
    expect([longer.doc?.nodes[1] === before.doc?.nodes[0], longer.doc?.edges === before.doc?.edges]).toEqual([
      true,
      true,
    ]);
    const shorter = sent(longer, checkDocument('flow', text));
    expect(shorter.doc?.nodes[1]).toBe(longer.doc?.nodes[2]);
  });

  test('reproduce the check for any sequence of texts', () => {
    const lines = [
      ...text.split('\n'),
      '  - { id: a, type: echo }',
      'layout:',
      '  nodes: { a: { x: 1, y: 2 } }',
      '  - ]',
    ];
    const loop = '  - { id: l, type: control.foreach, input: { items: [1], body: [a, b] } }';
    const someText = fc
      .array(fc.constantFrom(...lines, loop), { maxLength: 9 })
      .map((some) => `${head}${some.join('\n')}`);
    fc.assert(
      fc.property(fc.array(fc.oneof(someText, fc.constant(text)), { minLength: 2, maxLength: 5 }), (texts) => {
        let told = emptyCheck;
        let before = emptyCheck;
        for (const one of texts) {
          const now = checkDocument('flow', one);
          told = withChanges(told, structuredClone(changesSince(before, now)));
          before = now;
          expect(told).toEqual(now);
        }
      }),
    );
  });
});

test('transfer that a flow is a list of steps, and that it no longer is', () => {
  const steps = 'id: a\nsteps:\n  - { id: x, type: human_approval }\n';
  const first = checkDocument('flow', steps);
  const sent = structuredClone(changesSince(emptyCheck, first));
  const there = withChanges(emptyCheck, sent);
  expect(there.doc?.steps).toEqual(first.doc?.steps);
  // Unchanged parts are the same objects.
  expect(withChanges(there, structuredClone(changesSince(first, checkDocument('flow', `${steps}# more\n`)))).doc).toBe(
    there.doc,
  );
  const nodes = checkDocument('flow', 'flow: { name: a }\nnodes: []\nedges: []\n');
  expect(withChanges(there, structuredClone(changesSince(first, nodes))).doc).not.toHaveProperty('steps');
});
