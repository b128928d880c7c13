import { expect, test } from 'vitest';
import { apiCaller } from '../../../testing/call-api.ts';
import { runLua } from '../../../testing/run-lua.ts';
import { hbsApi } from './hbs.ts';

const call = apiCaller(hbsApi);

test('exposes the keys of a table as names in the template', () => {
  expect(call('render', 'Hello, {{name}}!', { name: 'World & <all>' })).toBe('Hello, World & <all>!');
  expect(call('render', '{{id}} {{nested.value}}[{{none}}]', { id: 42, nested: { value: 'x' } })).toBe('42 x[]');
  expect(call('render', '{{#each todos}}\n- {{this}}\n{{/each}}\n', { todos: ['a', 'b'] })).toBe('- a\n- b\n');
});

test('accepts any value as data', () => {
  expect(call('render', '{{this}}', 'text')).toBe('text');
  expect(call('render', '{{#each this}}{{this}};{{/each}}', [1, 2])).toBe('1;2;');
  expect(call('render', 'a{{b}}', undefined)).toBe('a');
  expect(call('render', 'a{{b}}', null)).toBe('a');
});

test('uses the same template dialect as prompts', () => {
  const data = { list: [1, 'b'], map: { a: 1 }, none: [], yes: true };
  expect(call('render', '{{list}} {{map}} {{#if none}}x{{else}}empty{{/if}} {{len list}}', data)).toBe(
    '[1, b] [object] empty 2',
  );
});

test('raises an error for an invalid template', () => {
  expect(() => call('render', '{{#if a}}', {})).toThrow(/syntax error/);
  expect(() => call('render')).toThrow(/^bad argument #1/);
});

test("renders templates in a script's worker", async () => {
  expect(await runLua('return aip.hbs.render("{{#if a}}{{a.b}}{{/if}}", { a = { b = 1.5 } })')).toBe('1.5');
});
