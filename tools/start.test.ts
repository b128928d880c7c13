import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { programArguments } from './start.mjs';

afterEach(() => vi.unstubAllEnvs());

test('a workspace is meant relative to where the user called npm', () => {
  vi.stubEnv('INIT_CWD', path.resolve('/projects'));
  expect(programArguments(['--workspace', 'notes'])).toEqual(['--workspace', path.resolve('/projects/notes')]);
  expect(programArguments([])).toEqual([]);
});

test('anything else is refused with what would be right', () => {
  expect(() => programArguments(['notes'])).toThrow('--workspace FOLDER');
  expect(() => programArguments(['--workspace'])).toThrow('--workspace FOLDER');
});
