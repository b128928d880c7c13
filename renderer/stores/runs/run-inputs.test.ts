import { expect, test } from 'vitest';
import { fieldsOf, freeInputs, readInputs } from './run-inputs.ts';

const defaults = { topic: 'bees', count: 3, isDraft: false, tags: ['a'], note: null };

test('the kind of a field follows its default', () => {
  expect(fieldsOf({ input: defaults }).map(({ key, kind }) => `${key} ${kind}`)).toEqual([
    'topic text',
    'count number',
    'isDraft boolean',
    'tags json',
    'note json',
  ]);
});

test('a declared file is a path in the workspace', () => {
  const [file, list] = fieldsOf({
    inputs: { mail: { type: 'string', format: 'file' }, mails: { type: 'array', format: 'file' } },
  });
  expect([file?.look, list?.look, list?.kind]).toEqual(['file', undefined, 'json']);
});

test('untouched fields return the defaults', () => {
  expect(readInputs(fieldsOf({ input: defaults }), {})).toEqual({ inputs: defaults, problems: {} });
});

test('drafts are converted to values of their kind', () => {
  const drafts = { topic: '42', count: ' 0.5 ', isDraft: 'true', tags: '["x", 1]', note: '{"by": null}' };
  expect(readInputs(fieldsOf({ input: defaults }), drafts).inputs).toEqual({
    topic: '42',
    count: 0.5,
    isDraft: true,
    tags: ['x', 1],
    note: { by: null },
  });
});

test('every field with a problem is reported, and nothing is sent', () => {
  const { inputs, problems } = readInputs(fieldsOf({ input: defaults }), { count: 'many', tags: '[', topic: '' });
  expect({ inputs, keys: Object.keys(problems) }).toEqual({ inputs: null, keys: ['count', 'tags'] });
});

test('a number that would be rounded is a problem of its field', () => {
  const fields = fieldsOf({ input: defaults });
  for (const drafts of [{ count: '9007199254740993' }, { tags: '[9007199254740993]' }, { tags: '[1e400]' }]) {
    const { inputs, problems } = readInputs(fields, drafts);
    expect({ inputs, keys: Object.keys(problems) }).toEqual({ inputs: null, keys: Object.keys(drafts) });
  }
  expect(readInputs(fields, { tags: '["9007199254740993"]' }).inputs).toMatchObject({ tags: ['9007199254740993'] });
});

test('a flow without declared inputs accepts a map of any values', () => {
  const fields = fieldsOf({});
  expect(readInputs(fields, {}).inputs).toEqual({});
  expect(readInputs(fields, { [freeInputs]: '{"who": "me"}' }).inputs).toEqual({ who: 'me' });
  expect(Object.keys(readInputs(fields, { [freeInputs]: '[1]' }).problems)).toEqual([freeInputs]);
});

const declared = {
  input: { plain: 1, tags: ['a'] },
  inputs: {
    city: { type: 'string', required: true, description: 'Where' },
    days: { type: 'integer', default: 3 },
    unit: { type: 'string', enum: ['C', 'F'], default: 'C' },
    level: { type: 'number', enum: [1, 2] },
    loud: { type: 'boolean' },
    open: { type: 'boolean', default: true },
    tags: { type: 'array' },
    note: { type: 'string' },
  },
} as const;

test('BB-09 a declared input has the field for its declaration', () => {
  const fields = fieldsOf(declared);
  expect(fields.map(({ key, kind, initial }) => `${key} ${kind} ${initial.replaceAll(/\s/g, '')}`)).toEqual([
    'city text ',
    'days number 3',
    'unit choice "C"',
    'level choice not-given',
    'loud choice not-given',
    'open boolean true',
    'tags json ["a"]',
    'note text ',
    'plain number 1',
  ]);
  expect(fields[2]?.choices).toEqual([
    { value: '"C"', text: 'C' },
    { value: '"F"', text: 'F' },
  ]);
  expect(fields[4]?.choices.map(({ text }) => text)).toEqual(['Not given', 'yes', 'no']);
});

test('BB-09 empty optional inputs are omitted, and missing required ones are reported', () => {
  const fields = fieldsOf(declared);
  expect(readInputs(fields, {})).toEqual({ inputs: null, problems: { city: 'This value is required.' } });
  expect(readInputs(fields, { city: 'Bern', level: '2', loud: 'false', note: 'x' }).inputs).toEqual({
    ...{ city: 'Bern', days: 3, unit: 'C', level: 2, loud: false, open: true, tags: ['a'], note: 'x', plain: 1 },
  });
  expect(readInputs(fields, { city: 'Bern' }).inputs).toEqual({
    ...{ city: 'Bern', days: 3, unit: 'C', open: true, tags: ['a'], plain: 1 },
  });
  expect(readInputs(fields, { city: 'Bern', days: '1.5', tags: '{}' }).problems).toEqual({
    days: 'This must be a whole number, not 1.5.',
    tags: 'This must be a list, not {}.',
  });
  expect(fieldsOf({ inputs: {} })).toEqual([]);
});
