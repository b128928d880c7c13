import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../engine/isomorphic.ts';
import {
  type FlowInputHeader,
  inputRows,
  withChoices,
  withDefault,
  withDescription,
  withInputName,
  withNewInput,
  withoutInput,
  withRequired,
  withType,
} from './flow-inputs.ts';

/** A plain default, a declaration with a default, one with a plain default, and one without a default. */
const both: FlowInputHeader = {
  input: { topic: 'bees', tone: 'warm' },
  inputs: {
    count: { type: 'integer', default: 3, description: 'How many' },
    tone: { type: 'string', enum: ['warm', 'dry'] },
    who: { type: 'string', required: true },
  },
};

test('declared inputs and plain defaults are rows of the same table', () => {
  const none = { isRequired: false, description: '', choices: undefined, problem: undefined };
  expect(inputRows(both)).toEqual([
    { ...none, name: 'count', type: 'integer', default: 3, description: 'How many' },
    { ...none, name: 'tone', type: 'string', default: 'warm', choices: ['warm', 'dry'] },
    { ...none, name: 'who', type: 'string', default: undefined, isRequired: true },
    { ...none, name: 'topic', type: 'string', default: 'bees' },
  ]);
  expect(inputRows({})).toEqual([]);
});

test.each<[JsonValue, string | null]>([
  ['a', 'string'],
  ['', 'string'],
  [3, 'number'],
  [false, 'boolean'],
  [[1], 'array'],
  [{ a: 1 }, 'object'],
  [null, null],
])('the type of an input that is not declared is that of its default: %j', (value, type) => {
  expect(inputRows({ input: { a: value } })[0]?.type).toBe(type);
});

test('a default that does not match its declaration explains why', () => {
  expect(inputRows({ inputs: { n: { type: 'number', default: 'x' } } })[0]?.problem).toMatch(/^This .*number.*\.$/);
});

describe('a plain default is kept as long as it is sufficient', () => {
  const plain: FlowInputHeader = { input: { topic: 'bees', count: '3' } };

  test.each<[what: string, changed: FlowInputHeader, wanted: FlowInputHeader]>([
    ['another default', withDefault(plain, 'topic', 'cats'), { input: { topic: 'cats', count: '3' } }],
    ['a default that is emptied', withDefault(plain, 'topic', undefined), { input: { topic: '', count: '3' } }],
    ['the type of the same value', withType(plain, 'count', 'number'), { input: { topic: 'bees', count: 3 } }],
    ['the type that it has', withType(plain, 'topic', 'string'), plain],
    ['a number as text', withType({ input: { n: 3 } }, 'n', 'string'), { input: { n: '3' } }],
    [
      'a file as number',
      withType({ inputs: { n: { type: 'array', format: 'file', accept: '.eml' } } }, 'n', 'number'),
      { inputs: { n: { type: 'number' } } },
    ],
    [
      'a file as list of files',
      withType({ inputs: { n: { type: 'string', format: 'file' } } }, 'n', 'array'),
      { inputs: { n: { type: 'array', format: 'file' } } },
    ],
    ['a list in text', withType({ input: { n: '[1]' } }, 'n', 'array'), { input: { n: [1] } }],
    ['another name, at its place', withInputName(plain, 'topic', 'about'), { input: { about: 'bees', count: '3' } }],
    ['one less', withoutInput(plain, 'topic'), { input: { count: '3' } }],
    ['the last one less', withoutInput({ input: { a: 1 } }, 'a'), {}],
    ['one more', withNewInput(plain, 'tone'), { input: { topic: 'bees', count: '3', tone: '' } }],
    ['the first one', withNewInput({}, 'tone'), { input: { tone: '' } }],
    ['not required, as before', withRequired(plain, 'topic', false), plain],
    ['no description, as before', withDescription(plain, 'topic', ''), plain],
    ['no choices, as before', withChoices(plain, 'topic', []), plain],
  ])('%s', (_, changed, wanted) => {
    expect(changed).toEqual(wanted);
  });
});

describe('an input is declared if a plain default is not sufficient', () => {
  const plain: FlowInputHeader = { input: { topic: 'bees', empty: '' } };

  test.each<[what: string, changed: FlowInputHeader, wanted: FlowInputHeader]>([
    [
      'required',
      withRequired(plain, 'topic', true),
      { ...plain, inputs: { topic: { type: 'string', required: true } } },
    ],
    [
      'required, without the empty text that held its place',
      withRequired(plain, 'empty', true),
      { input: { topic: 'bees' }, inputs: { empty: { type: 'string', required: true } } },
    ],
    [
      'a description',
      withDescription(plain, 'topic', 'Of what'),
      { ...plain, inputs: { topic: { type: 'string', description: 'Of what' } } },
    ],
    [
      'choices',
      withChoices(plain, 'topic', ['bees', 'cats']),
      { ...plain, inputs: { topic: { type: 'string', enum: ['bees', 'cats'] } } },
    ],
    [
      'a number without a default',
      withType(plain, 'empty', 'number'),
      { input: { topic: 'bees' }, inputs: { empty: { type: 'number' } } },
    ],
    [
      'a type that its default does not fit, which stays to be corrected',
      withType(plain, 'topic', 'number'),
      { ...plain, inputs: { topic: { type: 'number' } } },
    ],
    [
      'a whole number',
      withType({ input: { n: 3 } }, 'n', 'integer'),
      { input: { n: 3 }, inputs: { n: { type: 'integer' } } },
    ],
  ])('%s', (_, changed, wanted) => {
    expect(changed).toEqual(wanted);
  });
});

describe('a declaration keeps everything that is not changed', () => {
  const { inputs, input } = both;

  test.each<[what: string, changed: FlowInputHeader, wanted: FlowInputHeader]>([
    [
      'its own default',
      withDefault(both, 'count', 4),
      { input: input!, inputs: { ...inputs, count: { type: 'integer', default: 4, description: 'How many' } } },
    ],
    [
      'a default beside it',
      withDefault(both, 'tone', 'dry'),
      { input: { topic: 'bees', tone: 'dry' }, inputs: inputs! },
    ],
    ['no default any more', withDefault(both, 'tone', undefined), { input: { topic: 'bees' }, inputs: inputs! }],
    [
      'a default where another declaration has one',
      withDefault(both, 'who', 'Ada'),
      { input: input!, inputs: { ...inputs, who: { type: 'string', required: true, default: 'Ada' } } },
    ],
    [
      'a default where all others are plain',
      withDefault({ input: { a: 1 }, inputs: { b: { type: 'string' } } }, 'b', 'x'),
      { input: { a: 1, b: 'x' }, inputs: { b: { type: 'string' } } },
    ],
    [
      'not required any more',
      withRequired(both, 'who', false),
      { input: input!, inputs: { ...inputs, who: { type: 'string' } } },
    ],
    [
      'no description any more',
      withDescription(both, 'count', ''),
      { input: input!, inputs: { ...inputs, count: { type: 'integer', default: 3 } } },
    ],
    [
      'no choices any more',
      withChoices(both, 'tone', []),
      { input: input!, inputs: { ...inputs, tone: { type: 'string' } } },
    ],
    [
      'another type, its default with it',
      withType(both, 'count', 'string'),
      { input: input!, inputs: { ...inputs, count: { type: 'string', default: '3', description: 'How many' } } },
    ],
    [
      'another name in both places',
      withInputName(both, 'tone', 'voice'),
      {
        input: { topic: 'bees', voice: 'warm' },
        inputs: { count: inputs!['count']!, voice: inputs!['tone']!, who: inputs!['who']! },
      },
    ],
    [
      'away from both places',
      withoutInput(both, 'tone'),
      { input: { topic: 'bees' }, inputs: { count: inputs!['count']!, who: inputs!['who']! } },
    ],
    ['one more beside plain ones', withNewInput(both, 'more'), { input: { ...input, more: '' }, inputs: inputs! }],
    [
      'one more where all are declared',
      withNewInput({ inputs: { a: { type: 'number' } } }, 'more'),
      { inputs: { a: { type: 'number' }, more: { type: 'string' } } },
    ],
  ])('%s', (_, changed, wanted) => {
    expect(changed).toEqual(wanted);
    expect(Object.keys(changed.inputs ?? {})).toEqual(Object.keys(wanted.inputs ?? {}));
  });
});
