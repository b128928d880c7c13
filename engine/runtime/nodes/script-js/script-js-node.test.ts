import { expect, test } from 'vitest';
import { createFakeCapabilities } from '../../../testing/fake-capabilities.ts';
import { runSingleNode } from '../../../testing/run-single-node.ts';
import type { FlowScript } from '../../kernel/capabilities/code-capability.ts';
import { scriptJsType } from './script-js-type.ts';

test('BB-20 runs the code with its input and returns the result unchanged', async () => {
  const asked: FlowScript[] = [];
  const { capabilities } = createFakeCapabilities({
    code: {
      run: async (script, { nodeId, signal }) => {
        asked.push(script);
        return [nodeId, signal.aborted];
      },
    },
  });
  const node = { type: 'script.js', input: { a: [1], b: null }, config: { code: 'return 1' } };
  expect((await runSingleNode(node, { capabilities })).output).toEqual(['node', false]);
  expect(asked).toEqual([
    { language: 'javascript', code: 'return 1', input: { a: [1], b: null }, path: ['config', 'code'] },
  ]);
});

test('requires code', async () => {
  expect((await runSingleNode({ type: 'script.js' })).error?.message).toBe('Node "node": config.code is missing');
});

test.each([
  [undefined, ['No code yet']],
  ['\n  \n', ['No code yet']],
  ['// Adds what was sold.\nreturn 1', ['Adds what was sold.']],
  ['//\n\n  const a = 1;\nreturn a', [{ chip: 'const a = 1;' }]],
])('its card shows how the code %j begins', (code, words) => {
  expect(scriptJsType.summary(code === undefined ? {} : { code })).toEqual(words);
});

test('BB-20 runs again after a crash without asking', () => {
  expect(scriptJsType.effects).toBe('idempotent');
});
