/** Tests what the text in a form stands for. */
import { expect, test } from 'vitest';
import type { PageField } from '../../engine/host/http/page-data.ts';
import { fieldsOfSchema, initialDraft, readDrafts } from './drafts.ts';
import { text } from './text.ts';

function field(more: Partial<PageField>): PageField {
  return { name: 'a', label: 'A', type: 'string', isRequired: false, ...more };
}

const read = (more: Partial<PageField>, draft: string) => readDrafts([field(more)], { a: draft });

test.each<[Partial<PageField>, string, unknown]>([
  [{}, ' kept as it is\n', ' kept as it is\n'],
  [{ type: 'number' }, '12,5', 12.5],
  [{ type: 'number' }, ' -3 ', -3],
  [{ type: 'integer' }, '12', 12],
  [{ type: 'array' }, 'one\n\n two ', ['one', 'two']],
  [{ type: 'array' }, '[1, {"a": 2}]', [1, { a: 2 }]],
  [{ type: 'object' }, '{"a": 1}', { a: 1 }],
  [{ type: 'boolean' }, 'false', false],
  [{ choices: ['x', 3] }, '3', 3],
  [{ default: 'x' }, '', ''],
])('reads %j from %j', (more, draft, value) => {
  expect(read(more, draft)).toEqual({ inputs: { a: value }, problems: {} });
});

test.each<[Partial<PageField>, string, string]>([
  [{ isRequired: true }, '  ', text.form.missing],
  [{ isRequired: true, choices: ['x'] }, '', text.form.missingChoice],
  [{ type: 'number' }, 'many', text.form.notNumber],
  [{ type: 'number' }, '1e999', text.form.notNumber],
  [{ type: 'integer' }, '1.5', text.form.notInteger],
  [{ type: 'integer' }, 'many', text.form.notInteger],
  [{ type: 'array' }, '[1', text.form.notJson],
  [{ type: 'object' }, '[]', text.form.notMap],
])('rejects for %j the text %j', (more, draft, problem) => {
  expect(read(more, draft)).toEqual({ inputs: null, problems: { a: problem } });
});

test('an optional field without text has no value, and a default is read like typed text', () => {
  for (const more of [{}, { type: 'number' }, { type: 'object' }, { choices: ['x'] }] as const)
    expect(read(more, '')).toEqual({ inputs: {}, problems: {} });
  for (const [type, value] of [
    ['string', 'x'],
    ['number', 1.5],
    ['boolean', false],
    ['array', ['a', 'b']],
    ['array', ['[a', 'b']],
    ['array', [1]],
    ['object', { a: 1 }],
  ] as const) {
    const one = field({ type, default: value });
    expect(readDrafts([one], {})).toEqual({ inputs: { a: value }, problems: {} });
    expect(readDrafts([one], { a: initialDraft(one) }).inputs).toEqual({ a: value });
  }
});

test('a question becomes fields, whatever its schema contains', () => {
  const schema = {
    type: 'object',
    properties: {
      who: { type: 'string', title: 'Who?', description: 'A name', default: 'me' },
      size: { enum: ['s', 'm'] },
      odd: { type: ['string', 'null'] },
      broken: 3,
    },
    required: ['who', 7],
  };
  expect(fieldsOfSchema(schema, { size: 's' })).toEqual([
    { name: 'who', label: 'Who?', type: 'string', isRequired: true, description: 'A name', default: 'me' },
    { name: 'size', label: 'size', type: 'string', isRequired: false, choices: ['s', 'm'], default: 's' },
    { name: 'odd', label: 'odd', type: 'string', isRequired: false },
    { name: 'broken', label: 'broken', type: 'string', isRequired: false },
  ]);
  expect(fieldsOfSchema({ properties: null })).toEqual([]);
});
