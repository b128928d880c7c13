import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { element, field, path, press, show, window } from './testing/test-inspector.tsx';

afterEach(() => window.close());

const flowWith = (value: string): string => `flow: { name: F }
nodes:
  - { id: say, type: echo, input: { text: hi } }
  - id: pick
    type: control.switch
    input: { value: "${value}", cases: [{ when: { exists: value }, route: yes }] }
edges: [{ from: say, to: pick }]
`;

test.each([
  ['a text', '{{say.text}}', ['value']],
  ['an object', '{{say}}', ['value', 'value.text']],
])('the case of a switch over %s has one of the offered paths as its placeholder', async (_, value, offered) => {
  await show('pick', {}, { readFlow: () => ({ text: flowWith(value), isWritable: true }) });
  expect(field('Path').placeholder).toBe('value');
  act(() => field('Path').focus());
  expect(offered).toContain(field('Path').placeholder);
  expect(element.textContent).not.toContain('value.kind');
});

test('the condition of a node has a preceding value as its placeholder', async () => {
  await show('after');
  act(() => window.stores.selection.getState().selectNode(path, 'each'));
  await window.settle();
  await press('Condition');
  expect(field('Path').placeholder).toBe('fetch.status');
});
