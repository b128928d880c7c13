import { expect, test } from 'vitest';
import { applyEdits } from '../../../engine/isomorphic.ts';
import { indexCatalogue } from './catalogue-index.ts';
import { completeCatalogue } from './complete-catalogue.ts';
import { mentionsOf, renamableAt } from './flow-places.ts';

const desk = `name: Desk
intents:
  Read: {}
slotTypes:
  order_id: { base: exact }
flows:
  - name: find
    intent: Read
    description: Finds.
    policy: { builtin: chat }
  - name: tidy
    intent: Internal
    policy: { builtin: summary }
  - name: refund
    ¦
    intent: Read
    policy: { flow: refund.flow.yaml }
`;

/** Returns the completions after replacing the mark with `typed`, at the cursor marked by a bar. */
function offered(typed: string, marked = desk) {
  const full = marked.replace('¦', typed.includes('¦') ? typed : `${typed}¦`);
  const offset = full.indexOf('¦');
  const text = full.replace('¦', '');
  const suggestions = completeCatalogue(indexCatalogue(text), offset);
  return {
    labels: suggestions.map(({ label }) => label),
    taking(label: string) {
      const found = suggestions.find((one) => one.label === label);
      return found === undefined ? '' : applyEdits(text, [{ ...found, text: found.insert }]);
    },
  };
}

test('completes keys of a flow that it does not have yet', () => {
  const { labels, taking } = offered('sl');
  expect(labels).toContain('slots');
  expect(labels).toContain('fallback');
  expect(labels).not.toContain('intent');
  expect(taking('slots')).toContain('    slots:\n  \n');
});

test('completes names from the file where they can be used', () => {
  expect(offered('fallback: ').labels).toEqual(['find']);
  expect(offered('dependsOn: [¦]').labels).toEqual(['tidy']);
  expect(offered('', desk.replace('    ¦\n', '').replace('intent: Internal', 'intent: ¦')).labels).toEqual([
    'Read',
    'Plan',
    'Converse',
    'Internal',
  ]);
  expect(offered('slots: { number: { type: ¦ } }').labels.slice(0, 3)).toEqual(['order_id', 'base', 'group']);
  expect(offered('slots: { number: { priority: ¦ } }').labels).toEqual(['required', 'elective', 'optional']);
  expect(offered('', desk.replace('    ¦\n', '').replace('base: exact', 'base: ¦')).labels).toContain('range');
  expect(offered('', desk.replace('    ¦\n', '').replace('builtin: chat', '¦')).labels).toEqual([
    'skill',
    'agent',
    'flow',
    'builtin',
  ]);
});

test('a flow is renamed from any place that refers to it', () => {
  const text = desk.replace('¦', 'fallback: find');
  const index = indexCatalogue(text);
  const at = text.indexOf('fallback: find') + 11;
  expect(renamableAt(index, at)?.text).toBe('find');
  expect(mentionsOf(index, at).map(({ start }) => text.slice(start, start + 4))).toEqual(['find', 'find']);
});
