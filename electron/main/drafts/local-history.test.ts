import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../../engine/testing/manual-clock.ts';
import { maxDraftLength } from '../../ipc/contracts/draft-contract.ts';
import { LocalHistory } from './local-history.ts';

const dayMs = 24 * 60 * 60 * 1000;

let folder: string;
let clock: ManualClock;
let history: LocalHistory;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'millrace-versions-'));
  clock = createManualClock();
  history = new LocalHistory(path.join(folder, 'data'), clock);
});

afterEach(() => rmSync(folder, { recursive: true }));

function textsOf(file: string): string[] {
  return history.list(file).map(({ id }) => history.read(file, id));
}

test('lists versions with reason, time and size, newest first', async () => {
  history.keep('flows/a.yaml', 'one\r\n', 'opened');
  await clock.advance(1_000);
  history.keep('flows/a.yaml', '\uFEFFzwei ä', 'saved');
  history.keep('flows/a.yaml', 'three', 'changed elsewhere');
  const start = clock.now() - 1_000;
  expect(history.list('flows/a.yaml').map(({ at, why, sizeBytes }) => [at - start, why, sizeBytes])).toEqual([
    // Written in the same millisecond as the previous one; their order is preserved.
    [1_001, 'changed elsewhere', 5],
    [1_000, 'saved', 10],
    [0, 'opened', 5],
  ]);
  expect(textsOf('flows/a.yaml')).toEqual(['three', '\uFEFFzwei ä', 'one\r\n']);
  expect(history.list('flows/b.yaml')).toEqual([]);
});

test('skips a text equal to the newest version, but not one equal to an older version', () => {
  for (const text of ['a', 'a', 'b', 'b', 'a']) history.keep('x', text, 'saved');
  expect(textsOf('x')).toEqual(['a', 'b', 'a']);
});

test('keeps at most fifty versions', () => {
  for (let number = 0; number < 60; number++) history.keep('x', `${number}`, 'saved');
  expect(textsOf('x')).toEqual(Array.from({ length: 50 }, (_, index) => `${59 - index}`));
});

test('deletes versions after thirty days when another is stored, but keeps at least five', async () => {
  for (let number = 0; number < 8; number++) history.keep('x', `${number}`, 'saved');
  await clock.advance(31 * dayMs);
  expect(textsOf('x')).toHaveLength(8);
  history.keep('x', 'new', 'saved');
  expect(textsOf('x')).toEqual(['new', '7', '6', '5', '4']);
  await clock.advance(29 * dayMs);
  for (let number = 0; number < 6; number++) history.keep('x', `later ${number}`, 'saved');
  expect(textsOf('x')).toHaveLength(7);
});

test('does not store a text that is too long', () => {
  history.keep('x', 'a'.repeat(maxDraftLength + 1), 'saved');
  expect(history.list('x')).toEqual([]);
});

test('does not find a deleted version or an invalid id', () => {
  history.keep('x', 'a', 'saved');
  for (const id of ['1-saved', '../path', 'path', '']) {
    expect(() => history.read('x', id)).toThrow(expect.objectContaining({ code: 'version.not-found' }));
  }
});

test('moves versions with a renamed file or folder', () => {
  history.keep('flows/a', 'a', 'saved');
  history.keep('flows/deep/b', 'b', 'saved');
  history.keep('flowsX/c', 'c', 'saved');
  history.move('flows', 'moved/flows');
  expect(['moved/flows/a', 'moved/flows/deep/b', 'flowsX/c', 'flows/a'].map(textsOf)).toEqual([
    ['a'],
    ['b'],
    ['c'],
    [],
  ]);
  history.move('moved/flows/a', 'flowsX/c');
  expect(textsOf('flowsX/c').sort()).toEqual(['a', 'c']);
});

test('versions are readable only by their owner', () => {
  history.keep('x', 'secret', 'saved');
  const [name = ''] = readdirSync(path.join(folder, 'data'));
  const inner = path.join(folder, 'data', name);
  const modes = [path.join(folder, 'data'), inner, ...readdirSync(inner).map((file) => path.join(inner, file))].map(
    (file) => (statSync(file).mode & 0o777).toString(8),
  );
  expect(modes).toEqual(['700', '700', '600', '600']);
});
