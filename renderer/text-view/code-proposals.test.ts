import { expect, test } from 'vitest';
import { completeScript } from '../agent-editor/language/complete-lua.ts';
import { proposalsAt } from './code-proposals.ts';

const asked: (readonly string[])[] = [];

function labelsAt(language: 'javascript' | 'lua', code: string): readonly string[] {
  const inputNames = (path: readonly string[]) => {
    asked.push(path);
    return [{ name: 'title', detail: 'text', description: '' }];
  };
  return proposalsAt({ language, inputNames, completeLua: completeScript }, code, code.length).map(
    ({ label }) => label,
  );
}

test.each([
  ['return input.', []],
  ['return input.ti', []],
  ['const a = (input.page.', ['page']],
  ['input?.page?.items[0].x', ['page', 'items', '0']],
  ['return input.items[12].', ['items', '12']],
])('BB-24 %j proposes the bound inputs below its path', (code, path) => {
  asked.length = 0;
  expect(labelsAt('javascript', code)).toEqual(['title']);
  expect(asked).toEqual([path]);
  expect(labelsAt('lua', code)).toEqual(['title']);
});

test('BB-24 proposes the names of the language elsewhere', () => {
  const anywhere = labelsAt('javascript', 'return in');
  expect(anywhere.slice(0, 2)).toEqual(['input', 'console.log']);
  expect(anywhere).toEqual(expect.arrayContaining(['const', 'return', 'await', 'Math', 'JSON', 'Object', 'parseInt']));
  expect(anywhere.filter((name) => /fetch|require|process|setTimeout|import|window|document/.test(name))).toEqual([]);
  expect(new Set(anywhere).size).toBe(anywhere.length);
  expect(labelsAt('javascript', 'other.input.')).toEqual([]);
  expect(labelsAt('lua', 'return ')).toEqual(expect.arrayContaining(['input', 'aip', 'local']));
  expect(labelsAt('lua', 'return aip.')).toEqual(expect.arrayContaining(['file', 'text', 'web']));
  expect(labelsAt('lua', 'return aip.file.')).toEqual(expect.arrayContaining(['load', 'save']));
});

test.each<[string, readonly string[]]>([
  ['return Math.m', ['max', 'min', 'PI', 'round']],
  ['Object.', ['entries', 'fromEntries', 'groupBy', 'keys']],
  ['const n = JSON.', ['parse', 'stringify']],
  ['console.', ['log', 'warn', 'error']],
  ['[1, 2].', ['map', 'filter', 'toSorted', 'reduce']],
  ['input.items[0].a["b"].', ['map']],
  ["'a'.", ['split', 'trim', 'replaceAll']],
])('BB-24 %j proposes what the sandbox has there', (code, some) => {
  expect(labelsAt('javascript', code)).toEqual(expect.arrayContaining([...some]));
});

test.each(['a.Math.', 'x.', 'Other.', 'console.log.', 'f().', '1.'])('BB-24 %j proposes nothing', (code) => {
  expect(labelsAt('javascript', code)).toEqual([]);
});
