import { describe, expect, test } from 'vitest';
import type { JsonMap } from '../../../language/json/json-value.ts';
import { runSingleNode } from '../../../testing/run-single-node.ts';
import { jsonParseNode } from './json-parse-node.ts';

const parse = (text: string, config: JsonMap = {}) => runSingleNode({ type: 'json.parse', input: { text }, config });

describe('BB-07 json.parse', () => {
  test.each<[string, JsonMap, unknown]>([
    ['{"a": [1]}', {}, { a: [1] }],
    ['Here:\n```json\n{"a": 1}\n```', {}, { a: 1 }],
    ['so [1, 2] it is', {}, [1, 2]],
    [' 5 ', { find: 'whole' }, 5],
    ['{"a": 1}', { schema: { required: ['a'] } }, { a: 1 }],
  ])('%j with %j returns its value', async (text, config, value) => {
    expect((await parse(text, config)).output).toEqual({ value });
  });

  test('reports invalid text with line, column and the 40 characters around the error', async () => {
    const { error } = await parse(`{\n  "a": 1,\n  bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n}`, { find: 'whole' });
    expect(error).toMatchObject({
      code: 'json.unreadable',
      message: expect.stringContaining('Line 3, column 3'),
      details: { line: 3, column: 3, around: `{\n  "a": 1,\n  ${'b'.repeat(20)}` },
    });
    expect((await parse('so [1, 2] it is', { find: 'whole' })).error?.code).toBe('json.unreadable');
    expect((await parse('nothing')).error?.code).toBe('json.unreadable');
  });

  test('reports a value that does not match the schema with its position', async () => {
    const { error } = await parse('{"a": "x"}', { schema: { properties: { a: { type: 'number' } } } });
    expect(error).toMatchObject({
      code: 'json.unfit',
      message: 'The value does not match the schema. /a: expected number, found "x".',
      details: { problems: [{ pointer: '/a', expected: 'number', found: '"x"' }] },
    });
  });

  test('converts a number that would be rounded to text and logs its path', async () => {
    const { output, events } = await parse('{"id": 9007199254740993, "n": 1, "n": 2}');
    expect(output).toEqual({ value: { id: '9007199254740993', n: 2 } });
    expect(events.filter(({ event }) => event.type === 'log').map(({ event }) => event)).toMatchObject([
      { level: 'warn', text: expect.stringContaining('become text: id.') },
      { level: 'warn', text: expect.stringContaining('more than once in a map: n.') },
    ]);
  });
});

test('its card shows what it parses', () => {
  expect(jsonParseNode.summary?.({}, { text: '{{ask.text}}' })).toEqual(['Parses ', { chip: 'ask.text' }, ' as JSON']);
  expect(jsonParseNode.summary?.({}, {})).toEqual(['Parses ', 'nothing yet', ' as JSON']);
});

describe("13.4 does not search a model's thinking for JSON", () => {
  const draft = '<think>Say {"a": 0}?</think>\n{"a": 1} and {"a": 2} [4]';
  test.each<[string, JsonMap, unknown]>([
    [draft, {}, { a: 1 }],
    [draft, { find: 'first' }, { a: 1 }],
    [draft, { find: 'last' }, [4]],
    [draft, { find: 'last', schema: { type: 'object' } }, { a: 2 }],
    ['{"a": 0}?\n</think>\n\n{"a": 1}', {}, { a: 1 }],
    ['<think>5</think> 7', {}, 7],
    ['<think>5</think> 7', { find: 'last' }, 7],
    ['[1,2,3] as in footnote [4]. Answer: {"a": {"b": [1]}}', { find: 'last' }, { a: { b: [1] } }],
    ['```json\n"x"\n```\nor\n```json\n"y"\n```', { find: 'last' }, 'y'],
    ['{"a": 1} then {"a": ', { find: 'last' }, { a: 1 }],
    ['{"html": "</think> {}"}', { find: 'last' }, { html: '</think> {}' }],
    ['[{"a": 1}, {"a": 2}]', { find: 'last' }, [{ a: 1 }, { a: 2 }]],
  ])('%j with %j returns its value', async (text, config, value) => {
    expect((await parse(text, config)).output).toEqual({ value });
  });

  test('a text that consists of thinking and JSON is not valid JSON as a whole', async () => {
    expect((await parse('<think>5</think> 7', { find: 'whole' })).error?.code).toBe('json.unreadable');
  });

  test('an error has the line and column in the text including its thinking', async () => {
    const { error } = await parse('<think>a\nb</think>\n{"a": x}', { find: 'last' });
    expect(error).toMatchObject({ details: { line: 3, column: 7 } });
  });
});
