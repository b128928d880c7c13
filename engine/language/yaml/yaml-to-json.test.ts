import { describe, expect, test } from 'vitest';
import { parseProblems } from '../../testing/flow-problems.ts';
import { parseFlow } from '../flow/parse-flow.ts';

const header = 'flow: { name: test }\n';
const minimal = `${header}nodes: []\nedges: []\n`;

describe('YAML that JSON cannot represent', () => {
  function withInput(value: string): string {
    return `flow:\n  name: n\n  input: { a: ${value} }\nnodes: []\nedges: []\n`;
  }

  test.each([
    ['.inf', '3:15 error flow.bad-value'],
    ['-.inf', '3:15 error flow.bad-value'],
    ['.nan', '3:15 error flow.bad-value'],
    ['1e999', '3:15 error flow.bad-value'],
    ['!!binary aGk=', '3:24 error flow.bad-value'],
    ['!mine x', '3:21 error flow.bad-value'],
    ['!!set { b }', '3:21 error flow.bad-value'],
    ['{ 1: x }', '3:17 error flow.bad-value'],
    ['{ true: x }', '3:17 error flow.bad-value'],
    ['{ ~: x }', '3:17 error flow.bad-value'],
    ['{ [b]: x }', '3:15 error flow.bad-value'],
    ['{ __proto__: x }', '3:17 error flow.bad-value'],
    ['*nobody', '3:15 error yaml.syntax'],
    ['&b [*b]', '3:19 error yaml.syntax'],
  ])('rejects %s', (value, problem) => {
    expect(parseProblems(withInput(value))).toEqual([problem]);
  });

  test.each<[string, unknown]>([
    ['!!float 1', 1],
    ['!!float -12', -12],
    ['!!float 0x1F', 31],
    ['!!float 1.5', 1.5],
    ['!!float "1e3"', 1000],
    ['!!int "7"', 7],
    ['!!int 7', 7],
    ['!!bool "true"', true],
    ['!!null ""', null],
    ['!!str 1', '1'],
  ])('%s is the value that its tag says', (written, value) => {
    expect(parseFlow(withInput(written)).doc?.flow.input).toEqual({ a: value });
  });

  test.each(['!!float abc', '!!int x', '!!bool yes', '!!null x'])(
    'rejects %s, because the value does not match its tag',
    (written) => {
      const [diagnostic] = parseFlow(withInput(written)).diagnostics;
      expect(diagnostic).toMatchObject({
        code: 'flow.bad-value',
        message: expect.stringContaining(`is not a valid ${written.split(' ')[0]}.`),
      });
    },
  );

  test.each([
    ...['9007199254740993', '-9007199254740993', '+9007199254740993', '9223372036854775807', '18446744073709551616'],
    ...['0xFFFFFFFFFFFFFFFF', '0o7777777777777777777777', '!!int 9007199254740993', '!!float 9007199254740993'],
    ...['!!int "9007199254740993"', '00009007199254740993'],
  ])('rejects %s, because it would be rounded', (value) => {
    for (const text of [
      withInput(value),
      withInput(`[1, ${value}]`),
      withInput('').replace(' { a:  }', `\n    a: ${value}`),
    ]) {
      const [diagnostic, ...others] = parseFlow(text).diagnostics;
      expect(diagnostic, text).toMatchObject({
        code: 'json.unsafe-number',
        severity: 'error',
        message: expect.stringContaining('Write it as text, in quotes'),
        range: { line: expect.any(Number) },
      });
      expect(others).toEqual([]);
    }
  });

  test.each<[string, unknown]>([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992],
    ['-1000000000000000000', -1e18],
    ['"9007199254740993"', '9007199254740993'],
    ['a9007199254740993', 'a9007199254740993'],
    ['1234567890123456.5', 1234567890123456.5],
    ['0x1F', 31],
    ['1e300', 1e300],
  ])('%s is what it says', (written, value) => {
    expect(parseFlow(withInput(written)).doc?.flow.input).toEqual({ a: value });
  });

  test('rejects the second of two equal keys, at every level', () => {
    expect(parseProblems(withInput('{ b: 1, b: 2 }'))).toEqual(['3:23 error yaml.duplicate-key']);
    expect(parseProblems(`${minimal}edges: []\n`)).toEqual(['4:1 error yaml.duplicate-key']);
  });

  test('rejects an unquoted binding with the advice to quote it', () => {
    for (const value of ['{{flow.input.x}}', '{{?flow.input.x}}', '{{a | default:0}}', '{{a}} and {{b}}']) {
      const [diagnostic, ...others] = parseFlow(withInput(value)).diagnostics;
      expect([value, diagnostic?.message, others]).toEqual([value, expect.stringContaining('quotes'), []]);
    }
  });
});
