import { describe, expect, test } from 'vitest';
import type { JsonMap } from '../../flowspec/json-value.ts';
import { runSingleNode } from '../../testing/run-single-node.ts';
import { jsonParseNode } from './json-parse-node.ts';

const parse = (text: string, config: JsonMap = {}) => runSingleNode({ type: 'json.parse', input: { text }, config });

describe('BB-07 a text is read as JSON', () => {
  test.each<[string, JsonMap, unknown]>([
    ['{"a": [1]}', {}, { a: [1] }],
    ['Here:\n```json\n{"a": 1}\n```', {}, { a: 1 }],
    ['so [1, 2] it is', {}, [1, 2]],
    [' 5 ', { find: 'whole' }, 5],
    ['{"a": 1}', { schema: { required: ['a'] } }, { a: 1 }],
  ])('%j with %j gives its value', async (text, config, value) => {
    expect((await parse(text, config)).output).toEqual({ value });
  });

  test('what cannot be read is told with line, column and the 40 characters around them', async () => {
    const { error } = await parse(`{\n  "a": 1,\n  bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n}`, { find: 'whole' });
    expect(error).toMatchObject({
      code: 'json.unreadable',
      message: expect.stringContaining('Line 3, column 3'),
      details: { line: 3, column: 3, around: `{\n  "a": 1,\n  ${'b'.repeat(20)}` },
    });
    expect((await parse('so [1, 2] it is', { find: 'whole' })).error?.code).toBe('json.unreadable');
    expect((await parse('nothing')).error?.code).toBe('json.unreadable');
  });

  test('what does not fit the schema is told with its place', async () => {
    const { error } = await parse('{"a": "x"}', { schema: { properties: { a: { type: 'number' } } } });
    expect(error).toMatchObject({
      code: 'json.unfit',
      message: 'The value does not fit the schema. /a: expected number, found "x".',
      details: { problems: [{ pointer: '/a', expected: 'number', found: '"x"' }] },
    });
  });

  test('a whole number that would be rounded is refused, not changed', async () => {
    expect((await parse('{"id": 9007199254740993}')).error).toMatchObject({
      code: 'json.unreadable',
      message: expect.stringContaining('9007199254740993'),
    });
  });
});

test('its card says what it reads', () => {
  expect(jsonParseNode.summary?.({}, { text: '{{ask.text}}' })).toEqual(['Reads ', { chip: 'ask.text' }, ' as JSON']);
  expect(jsonParseNode.summary?.({}, {})).toEqual(['Reads ', 'nothing yet', ' as JSON']);
});
