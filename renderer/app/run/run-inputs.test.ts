import { expect, test } from 'vitest';
import { fieldsOf, freeInputs, readInputs } from './run-inputs.ts';

const defaults = { topic: 'bees', count: 3, isDraft: false, tags: ['a'], note: null };

test('a field has the kind of its default', () => {
  expect(fieldsOf(defaults).map(({ key, kind }) => `${key} ${kind}`)).toEqual([
    'topic text',
    'count number',
    'isDraft boolean',
    'tags json',
    'note json',
  ]);
});

test('untouched fields give the defaults back', () => {
  expect(readInputs(fieldsOf(defaults), {})).toEqual({ inputs: defaults, problems: {} });
});

test('drafts become values of their kind', () => {
  const drafts = { topic: '42', count: ' 0.5 ', isDraft: 'true', tags: '["x", 1]', note: '{"by": null}' };
  expect(readInputs(fieldsOf(defaults), drafts).inputs).toEqual({
    topic: '42',
    count: 0.5,
    isDraft: true,
    tags: ['x', 1],
    note: { by: null },
  });
});

test('every field with a problem is named, and nothing is sent', () => {
  const { inputs, problems } = readInputs(fieldsOf(defaults), { count: 'many', tags: '[', topic: '' });
  expect({ inputs, keys: Object.keys(problems) }).toEqual({ inputs: null, keys: ['count', 'tags'] });
});

test('a number that would be rounded is a problem of its field', () => {
  const fields = fieldsOf(defaults);
  for (const drafts of [{ count: '9007199254740993' }, { tags: '[9007199254740993]' }, { tags: '[1e400]' }]) {
    const { inputs, problems } = readInputs(fields, drafts);
    expect({ inputs, keys: Object.keys(problems) }).toEqual({ inputs: null, keys: Object.keys(drafts) });
  }
  expect(readInputs(fields, { tags: '["9007199254740993"]' }).inputs).toMatchObject({ tags: ['9007199254740993'] });
});

test('a flow that declares no inputs takes a map of any', () => {
  const fields = fieldsOf({});
  expect(readInputs(fields, {}).inputs).toEqual({});
  expect(readInputs(fields, { [freeInputs]: '{"who": "me"}' }).inputs).toEqual({ who: 'me' });
  expect(Object.keys(readInputs(fields, { [freeInputs]: '[1]' }).problems)).toEqual([freeInputs]);
});
