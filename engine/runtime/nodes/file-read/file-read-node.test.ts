import { expect, test } from 'vitest';
import { createFakeCapabilities } from '../../../testing/fake-capabilities.ts';
import { runSingleNode } from '../../../testing/run-single-node.ts';
import { fileReadNode } from './file-read-node.ts';

const { capabilities } = createFakeCapabilities({
  files: { 'notes/b.md': 'second', 'notes/a.md': 'first', 'todo.txt': 'do it' },
});
const read = (input: Parameters<typeof runSingleNode>[0]['input']) =>
  runSingleNode({ type: 'file.read', input: input ?? {} }, { capabilities });

test('reads one file', async () => {
  expect((await read({ path: 'todo.txt' })).output).toEqual({ path: 'todo.txt', text: 'do it' });
});

test('reads all matching files in path order and joins their text with newlines', async () => {
  expect((await read({ globs: ['notes/*.md'] })).output).toEqual({
    files: [
      { path: 'notes/a.md', text: 'first' },
      { path: 'notes/b.md', text: 'second' },
    ],
    text: 'first\nsecond',
  });
});

test('returns an empty list if nothing matches', async () => {
  expect((await read({ globs: ['*.pdf'] })).output).toEqual({ files: [], text: '' });
});

test.each<[string, readonly (string | null)[]]>([
  ['*.pdf', ['Globs are relative to the workspace folder']],
  ['notes/*.md', []],
  ['notes\\*.md', ['Separate folders with /: "notes/*.md"']],
  ['[draft].txt', ['A file with this name exists: write "\\\\[draft\\\\].txt"']],
  ['{gone,lost}.txt', ['{a,b} one of these alternatives']],
])('a glob without a match is named in the log, with what may be meant: %s', async (glob, words) => {
  const world = createFakeCapabilities({ files: { 'notes/a.md': 'a', '[draft].txt': 'b' } }).capabilities;
  const { events } = await runSingleNode(
    { type: 'file.read', input: { globs: ['notes/*', glob] } },
    { capabilities: world },
  );
  const warnings = events.flatMap(({ event }) => (event.type === 'log' ? [event.text] : []));
  expect(warnings).toEqual(words.map((one) => expect.stringContaining(one ?? '')));
});

test.each([[{}], [{ path: 'a', globs: ['b'] }]])('requires exactly one of path and globs, not %j', async (input) => {
  expect((await read(input)).error).toMatchObject({
    code: 'node.bad-input',
    message: expect.stringContaining('exactly one of "path" and "globs"'),
  });
});

test('fails with a code if the file does not exist', async () => {
  expect((await read({ path: 'gone.md' })).error?.code).toBe('files.not-found');
});

test('its card shows what it reads', () => {
  expect(fileReadNode.summary?.({}, { globs: ['notes/**/*.md'] })).toEqual(['Reads ', { chip: 'notes/**/*.md' }]);
  expect(fileReadNode.summary?.({}, { path: '{{pick.path}}' })).toEqual(['Reads ', { chip: 'pick.path' }]);
  expect(fileReadNode.summary?.({}, { globs: [null, 3] })).toEqual(['Reads ', { chip: ', 3' }]);
  expect(fileReadNode.summary?.({}, {})).toEqual(['Reads ', 'no file yet']);
});

test('BB-58 reads any file as base64 with its media type', async () => {
  const { capabilities: world } = createFakeCapabilities({ files: { 'a/x.png': '\x89PNG', 'a/y.bin': '\x00\xff' } });
  const png = { path: 'a/x.png', base64: 'iVBORw==', mediaType: 'image/png', sizeBytes: 4 };
  const bytes = { path: 'a/y.bin', base64: 'AP8=', mediaType: 'application/octet-stream', sizeBytes: 2 };
  const one = await runSingleNode(
    { type: 'file.read', input: { path: 'a/x.png', as: 'base64' } },
    { capabilities: world },
  );
  expect(one.output).toEqual(png);
  const all = await runSingleNode(
    { type: 'file.read', input: { globs: ['a/*'], as: 'base64' } },
    { capabilities: world },
  );
  expect(all.output).toEqual({ files: [png, bytes] });
});
