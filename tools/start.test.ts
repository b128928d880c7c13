import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { programArguments } from './start.mjs';

afterEach(() => vi.unstubAllEnvs());

test('a workspace is relative to the folder in which the user called npm', () => {
  vi.stubEnv('INIT_CWD', path.resolve('/projects'));
  expect(programArguments(['--workspace', 'notes'])).toEqual(['--workspace', path.resolve('/projects/notes')]);
  expect(programArguments([])).toEqual([]);
});

test('any other argument is rejected with the correct usage', () => {
  expect(() => programArguments(['notes'])).toThrow('--workspace FOLDER');
  expect(() => programArguments(['--workspace'])).toThrow('--workspace FOLDER');
});
