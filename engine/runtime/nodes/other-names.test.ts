import { expect, test } from 'vitest';
import { builtinNodes } from './builtin-nodes.ts';
import { findOtherNames } from './find-other-names.ts';
import { otherNames } from './other-names.ts';

test('every entry has text and names existing types', () => {
  const known = new Set(
    builtinNodes.flatMap(({ type, variants = [] }) => [type, ...variants.map(({ id }) => `${type}#${id}`)]),
  );
  for (const { names, types, instead } of otherNames) {
    expect(types.filter((type) => !known.has(type))).toEqual([]);
    expect(names.filter((name) => name !== name.toLowerCase() || name === '')).toEqual([]);
    expect(instead).toMatch(/\.$/);
  }
});

test('every type can be found by a name from other tools', () => {
  const named = new Set(otherNames.flatMap(({ types }) => types));
  expect(builtinNodes.map(({ type }) => type).filter((type) => !named.has(type))).toEqual([]);
});

test('no name occurs in two entries', () => {
  const names = otherNames.flatMap((entry) => entry.names);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test.each([
  ['if', 'control.if'],
  ['IF', 'control.if'],
  ['while', 'control.loop'],
  ['repeat', 'control.loop'],
  ['branch', 'control.if'],
  ['code', 'script.js'],
  ['Function', 'script.js'],
  ['JavaScript', 'script.js'],
  ['transform', 'script.js'],
  ['python', 'script.js'],
  ['script', 'script.lua'],
  ['lua', 'script.lua'],
  ['set', 'constant'],
  ['merge', 'template'],
  ['delay', 'control.wait'],
  ['sub-workflow', 'flow'],
  ['subworkflow', 'flow'],
  ['Sub Workflow', 'flow'],
  ['sub-w', 'flow'],
  ['llm', 'prompt'],
  ['webhook', undefined],
  ['human', 'human_approval'],
  ['human-in-the-loop', 'human_approval'],
  ['json', 'prompt#json'],
  ['structured', 'prompt#json'],
  ['structured output', 'prompt#json'],
  ['schema', 'prompt#json'],
  ['json mode', 'prompt#json'],
  ['parse json', 'json.parse'],
])('%s finds %s', (query, type) => {
  const [first] = findOtherNames(query);
  expect(first).toBeDefined();
  expect(first?.types[0]).toBe(type);
});

test('exact matches come before prefix matches, and an empty query finds nothing', () => {
  expect(findOtherNames('for')[0]?.types[0]).toBe('control.foreach');
  expect(findOtherNames('')).toEqual([]);
  expect(findOtherNames(' - ')).toEqual([]);
  expect(findOtherNames('i')).toEqual([]);
  expect(findOtherNames('zebra')).toEqual([]);
});
