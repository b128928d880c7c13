import { expect, test } from 'vitest';
import { createFakeCapabilities } from '../../../testing/fake-capabilities.ts';
import { runSingleNode } from '../../../testing/run-single-node.ts';
import { fileWriteNode } from './file-write-node.ts';

test('replaces a file by default and appends on request', async () => {
  const { capabilities, files } = createFakeCapabilities({ files: { 'log.md': 'old' } });
  const write = (input: { path: string; text: string }, config = {}) =>
    runSingleNode({ type: 'file.write', input, config }, { capabilities });
  expect((await write({ path: 'log.md', text: 'né' })).output).toEqual({ path: 'log.md', sizeBytes: 3 });
  expect((await write({ path: 'log.md', text: '!' }, { mode: 'append' })).output).toEqual({
    path: 'log.md',
    sizeBytes: 4,
  });
  expect(files.get('log.md')).toBe('né!');
});

test('only appending has a further effect when it runs twice', () => {
  expect(fileWriteNode.effectsOf?.({ mode: 'append' } as never, {} as never)).toBe('external');
  expect(fileWriteNode.effectsOf?.({ mode: 'overwrite' } as never, {} as never)).toBe('idempotent');
});

test('its card shows where it writes', () => {
  expect(fileWriteNode.summary?.({}, { path: 'out/release.md' })).toEqual(['Writes ', { chip: 'out/release.md' }]);
  expect(fileWriteNode.summary?.({ mode: 'append' }, { path: 'log.md' })).toEqual(['Appends to ', { chip: 'log.md' }]);
  expect(fileWriteNode.summary?.({}, {})).toEqual(['Writes ', 'no file yet']);
});
