import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { changes, element, press, show, window } from '../testing/test-inspector.tsx';

afterEach(() => window.close());

const text = `flow: { name: F }
nodes:
  - id: ask
    type: prompt
    input: { prompt: hi }
    config: { output: { schema: { type: object, properties: { label: { enum: [bug, wish] } } } } }
  - id: pick
    type: control.switch
    input: { value: "{{ask.value}}", cases: [] }
edges: [{ from: ask, to: pick }]
`;

test('one press adds a case for each value that a model chooses from, and one undo removes them', async () => {
  await show('pick', {}, { readFlow: () => ({ text, isWritable: true }) });
  await press('Add a case for each value.label: bug, wish');
  const come = changes().come.join(' ');
  expect(come).toMatch(/var: value\.label, value: bug/);
  expect(come).toMatch(/var: value\.label, value: wish/);
  expect(element.textContent).not.toContain('Add a case for each');
  await act(async () => {
    await window.stores.edits.undo('a.flow.yaml');
  });
  await window.settle();
  expect(element.textContent).toContain('Add a case for each value.label: bug, wish');
});
