import { expect, test } from 'vitest';
import type { FlowScript } from '../../kernel/code-capability.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { runSingleNode } from '../../testing/run-single-node.ts';
import { scriptJsType } from './script-js-type.ts';

test('BB-20 the code and its input are run, and what comes of it is the output as it is', async () => {
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

test('it needs code', async () => {
  expect((await runSingleNode({ type: 'script.js' })).error?.message).toBe('Node "node": config.code is missing');
});

test.each([
  [undefined, ['No code yet']],
  ['\n  \n', ['No code yet']],
  ['// Adds what was sold.\nreturn 1', ['Adds what was sold.']],
  ['//\n\n  const a = 1;\nreturn a', [{ chip: 'const a = 1;' }]],
])('its card says what the code %j begins with', (code, words) => {
  expect(scriptJsType.summary(code === undefined ? {} : { code })).toEqual(words);
});

test('BB-20 after a crash it is run again without a question', () => {
  expect(scriptJsType.effects).toBe('idempotent');
});
