import { afterEach, expect, test } from 'vitest';
import type { Diagnostic } from '../../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';

const path = 'products/shop/flows/refund.yaml';
const text = `id: refund
steps:
  - { id: look, type: tool, tool: shop.look }
  - { id: pay, type: tool, tool: shop.pay }
`;

let window: TestWindow;
afterEach(() => window.close());

function risk(line: number): Diagnostic {
  return {
    code: 'step.risky-tool',
    severity: 'warning',
    message: '"shop.pay" is a high-risk tool.',
    range: { line, column: 33, endLine: line, endColumn: 41 },
    nodeId: 'pay',
  };
}

test('MF-180 problems found in tools, agents and products are listed with those of the flow, and move with their step', async () => {
  let asked = 0;
  let isRisky = true;
  window = openTestWindow({
    readFlow: () => ({ text }),
    checkFlowInPlace: ({ text: current }) => {
      asked++;
      const at = current.split('\n').findIndex((line) => line.includes('shop.pay'));
      return isRisky && at !== -1 ? [risk(at + 1)] : [];
    },
  });
  window.engine.connect();
  await window.stores.openFiles.getState().open(path);
  const file = () => window.stores.openFiles.getState().files.get(path);
  await window.until(() => expect(file()?.diagnostics).toEqual([risk(4)]));
  expect(asked).toBe(1);

  // Together with the lines above, immediately.
  window.stores.edits.type(path, [{ start: 0, end: 0, text: '# first\n' }]);
  await window.until(() => expect(file()?.diagnostics).toEqual([risk(5)]));
  await window.until(() => expect(asked).toBe(2));

  // The manifest of the tool has changed.
  isRisky = false;
  window.engine.push('watchFiles', { paths: ['products/shop/tools/pay.tool.yaml'], isTree: false });
  await window.until(() => expect(file()?.diagnostics).toEqual([]));
  expect(asked).toBe(3);
});

test('makes no request for a flow without references, or for a text that is not a flow', async () => {
  let asked = 0;
  const plain = 'flow: { name: A }\nnodes: [{ id: a, type: echo, input: { text: x } }]\nedges: []\n';
  window = openTestWindow({
    readFlow: (at) => ({ text: at === path ? 'id: [' : plain }),
    checkFlowInPlace: () => {
      asked++;
      return [];
    },
  });
  window.engine.connect();
  await window.stores.openFiles.getState().open('a.flow.yaml');
  await window.stores.openFiles.getState().open(path);
  await window.settle();
  expect(window.stores.openFiles.getState().files.get(path)?.diagnostics).not.toEqual([]);
  expect(asked).toBe(0);
});
