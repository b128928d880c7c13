import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  isDeeperThan,
  isValueDeeperThan,
  MAX_JSON_DEPTH,
  MAX_MESSAGE_BYTES,
  MAX_MESSAGE_DEPTH,
  MAX_TOOL_SCHEMA_BYTES,
  MAX_TOOL_SCHEMA_DEPTH,
  MAX_VALUE_DEPTH,
  openBrackets,
  truncateNesting,
} from './json-limits.ts';

const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('nesting depth of a JSON text', () => {
  test.each([
    ['lists', lists(5), 5],
    ['maps and lists', '{"a":[{"b":[]}]}', 4],
    ['several values side by side', '[[],[[]],[]]', 3],
    ['brackets in strings', '["[[[[", "}}]]", "\\"[[[", "\\\\", []]', 2],
    ['a string that ends in a backslash', '["\\\\\\\\", [[]]]', 3],
    ['an unclosed string', '["[[[[[', 1],
    ['a plain value', '5', 0],
  ])('counts %s', (_, text, depth) => {
    expect(isDeeperThan(text.padEnd(600), depth)).toBe(false);
    if (depth > 0) expect(isDeeperThan(text.padEnd(600), depth - 1)).toBe(true);
  });

  test('uses no recursion, for texts and for values', () => {
    const text = '{"a":'.repeat(100_000) + lists(100_000) + '}'.repeat(100_000);
    expect(isDeeperThan(text, 150_000)).toBe(true);
    const value: unknown = JSON.parse(lists(100_000));
    expect(isValueDeeperThan(value, 99_999)).toBe(true);
    expect(isValueDeeperThan(value, 100_000)).toBe(false);
    truncateNesting(value, 3);
    expect(JSON.stringify(value)).toBe('[[[null]]]');
  });

  test('counts the open brackets of lines', () => {
    expect(['{ "a": [', '"]", {', '}', ']}'].map((line) => openBrackets(line))).toEqual([2, 1, -1, -2]);
  });
});

test('the limits in the docs match the code', () => {
  const read = (file: string): string => readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8');
  const number = (value: number): string => value.toLocaleString('en');
  const mcp = read('mcp.md');
  expect(mcp).toContain(`| ${MAX_TOOL_SCHEMA_BYTES / 1024} KiB and ${MAX_TOOL_SCHEMA_DEPTH} levels of each schema`);
  expect(mcp).toContain(`| ${MAX_MESSAGE_BYTES / 1024 ** 2} MiB and ${number(MAX_MESSAGE_DEPTH)} levels of a message`);
  expect(mcp).toContain(`| ${MAX_JSON_DEPTH} levels of a result`);
  const flowspec = read('flowspec.md');
  expect(flowspec).toContain(`may be nested ${MAX_JSON_DEPTH} levels deep`);
  expect(flowspec).toContain(`what the code of a node returns ${number(MAX_VALUE_DEPTH)}`);
  expect(flowspec).toContain(`A value may be nested ${MAX_JSON_DEPTH} deep`);
});
