import { expect, test } from 'vitest';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { runSingleNode } from '../../testing/run-single-node.ts';
import { fileReadNode } from './file-read-node.ts';

const { capabilities } = createFakeCapabilities({
  files: { 'notes/b.md': 'second', 'notes/a.md': 'first', 'todo.txt': 'do it' },
});
const read = (input: Parameters<typeof runSingleNode>[0]['input']) =>
  runSingleNode({ type: 'file.read', input: input ?? {} }, { capabilities });

test('reads one file', async () => {
  expect((await read({ path: 'todo.txt' })).output).toEqual({ path: 'todo.txt', text: 'do it' });
});

test('reads all that match, in path order, with their text joined by newlines', async () => {
  expect((await read({ globs: ['notes/*.md'] })).output).toEqual({
    files: [
      { path: 'notes/a.md', text: 'first' },
      { path: 'notes/b.md', text: 'second' },
    ],
    text: 'first\nsecond',
  });
});

test('no match is an empty list, not a failure', async () => {
  expect((await read({ globs: ['*.pdf'] })).output).toEqual({ files: [], text: '' });
});

test.each([[{}], [{ path: 'a', globs: ['b'] }]])('wants exactly one of path and globs, not %j', async (input) => {
  expect((await read(input)).error).toMatchObject({
    code: 'node.bad-input',
    message: expect.stringContaining('exactly one of "path" and "globs"'),
  });
});

test('a file that is not there fails it with a code', async () => {
  expect((await read({ path: 'gone.md' })).error?.code).toBe('files.not-found');
});

test('its card shows what it reads', () => {
  expect(fileReadNode.summary?.({}, { globs: ['notes/**/*.md'] })).toEqual(['Reads ', { chip: 'notes/**/*.md' }]);
  expect(fileReadNode.summary?.({}, { path: '{{pick.path}}' })).toEqual(['Reads ', { chip: 'pick.path' }]);
  expect(fileReadNode.summary?.({}, { globs: [null, 3] })).toEqual(['Reads ', { chip: ', 3' }]);
  expect(fileReadNode.summary?.({}, {})).toEqual(['Reads ', 'no file yet']);
});
