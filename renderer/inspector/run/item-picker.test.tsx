import { afterEach, expect, test } from 'vitest';
import type { JsonMap } from '../../../engine/isomorphic.ts';
import { nodeStart } from '../../bridge/testing/run-events.ts';
import { element, path, show, window } from '../testing/test-inspector.tsx';

afterEach(() => window.close());

test.each<[JsonMap, string]>([
  [{ items: [1, 2, 3], as: 'mail' }, 'Mail 2 of 3'],
  [{ items: [1, 2, 3] }, 'Item 2 of 3'],
  [{}, 'Item 2 of 2'],
])('an item of a loop with the input %j is called what its loop calls it: %s', async (input, name) => {
  await show('inner');
  await window.tellRun(
    path,
    { type: 'task:start', taskId: 'node:each', nodeId: 'each', nodeType: 'control.foreach' },
    { type: 'node:input', nodeId: 'each', input },
    nodeStart('each[1].inner'),
  );
  expect(element.querySelector('.item-picker b')?.textContent).toBe(name);
});
