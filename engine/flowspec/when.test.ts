import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WhenExpr } from './flow-doc.ts';
import type { JsonValue } from './json-value.ts';
import { errorMarker, skipMarker } from './markers.ts';
import { evaluateWhen, explainWhen } from './when.ts';

const outputs: Record<string, JsonValue> = {
  flow: { input: { deep: true, nothing: null } },
  check: { value: false, map: { a: 1, b: [2] }, count: 0 },
  skipped: skipMarker('when'),
  broken: errorMarker({ code: 'a.b', message: 'No answer' }, 2),
};
const context = new Map(Object.entries(outputs));

function equals(path: string, value: JsonValue): WhenExpr {
  return { equals: { var: path, value } };
}

function holds(expr: WhenExpr): boolean {
  return evaluateWhen(expr, context).result;
}

const yes = equals('flow.input.deep', true);
const no = equals('flow.input.deep', false);

describe('evaluateWhen', () => {
  test('FE-36 equals on a path that is missing is false, and its not is true', () => {
    const paths = ['nobody.value', 'check.nope', 'flow.input.nothing', 'skipped', 'broken', 'a..b', ''];
    expect(paths.map((path) => holds(equals(path, true)))).toEqual(paths.map(() => false));
    expect(paths.map((path) => holds({ not: equals(path, true) }))).toEqual(paths.map(() => true));
  });

  test('null counts as missing, so nothing equals it', () => {
    expect([holds(equals('flow.input.nothing', null)), holds(equals('nobody', null))]).toEqual([false, false]);
  });

  test.each<[string, JsonValue, boolean]>([
    ['check.value', false, true],
    ['check.value', 'false', false],
    ['check.value', 0, false],
    ['check.count', 0, true],
    ['check.map', { b: [2], a: 1 }, true],
    ['check.map', { a: 1 }, false],
    ['check.map.b.0', 2, true],
    ['skipped.skipped', true, true],
    ['broken.failed', true, true],
    ['broken.error.message', 'No answer', true],
    ['broken.attempts', 2, true],
  ])('%s equals %j: %j', (path, value, expected) => {
    expect(holds(equals(path, value))).toBe(expected);
  });

  test('an empty and is true, an empty or is false', () => {
    expect([holds({ and: [] }), holds({ or: [] })]).toEqual([true, false]);
  });

  test('and, or and not nest', () => {
    expect([
      holds({ and: [yes, yes] }),
      holds({ and: [yes, no] }),
      holds({ or: [no, yes] }),
      holds({ or: [no, no] }),
      holds({ not: { and: [yes, { not: { or: [no, no] } }] } }),
    ]).toEqual([true, false, true, false, false]);
  });

  test('the trace keeps what every part saw, also those that did not decide', () => {
    expect(evaluateWhen({ and: [no, equals('nobody', 1)] }, context)).toEqual({
      op: 'and',
      of: [
        { op: 'equals', var: 'flow.input.deep', value: false, actual: true, result: false },
        { op: 'equals', var: 'nobody', value: 1, result: false },
      ],
      result: false,
    });
  });

  test('is the boolean logic it looks like', () => {
    const { expr } = fc.letrec<{ expr: WhenExpr }>((tie) => ({
      expr: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(yes, no),
        tie('expr').map((not) => ({ not })),
        fc.array(tie('expr'), { maxLength: 3 }).map((and) => ({ and })),
        fc.array(tie('expr'), { maxLength: 3 }).map((or) => ({ or })),
      ),
    }));
    const plainly = (expr: WhenExpr): boolean => {
      if ('not' in expr) return !plainly(expr.not);
      if ('and' in expr) return expr.and.every(plainly);
      return 'or' in expr ? expr.or.some(plainly) : expr === yes;
    };
    fc.assert(
      fc.property(expr, (condition) => {
        const trace = evaluateWhen(condition, context);
        expect(trace.result).toBe(plainly(condition));
        expect(explainWhen(trace)).not.toContain('\n');
      }),
    );
  });
});

describe('explainWhen', () => {
  test.each<[WhenExpr, string]>([
    [equals('check.value', false), 'check.value is false'],
    [equals('check.value', true), 'check.value is false, not true'],
    [equals('nobody.x', 'a'), 'nobody.x is missing, not "a"'],
    [{ not: yes }, 'not (flow.input.deep is true)'],
    [
      { and: [yes, { or: [no, no] }] },
      'flow.input.deep is true and (flow.input.deep is true, not false or flow.input.deep is true, not false)',
    ],
    [{ and: [{ or: [no, yes] }] }, 'flow.input.deep is true, not false or flow.input.deep is true'],
    [{ or: [] }, 'an empty "or", which is always false'],
  ])('%j reads: %s', (expr, line) => {
    expect(explainWhen(evaluateWhen(expr, context))).toBe(line);
  });

  test('shows the beginning of a value that the store keeps apart', () => {
    const handle = { $value: '0'.repeat(64), bytes: 20_000, type: 'string', preview: 'Once upon a time' } as const;
    const trace = { op: 'equals', var: 'a.text', value: 1, actual: { ...handle }, result: false } as const;
    expect(explainWhen(trace)).toBe('a.text is "Once upon a time..., not 1');
    const list = { ...handle, type: 'array', preview: '[1,2,3' } as const;
    expect(explainWhen({ ...trace, actual: list })).toBe('a.text is [1,2,3..., not 1');
  });

  test('shortens long values', () => {
    const long = new Map<string, JsonValue>([['a', { text: 'x'.repeat(500) }]]);
    expect(explainWhen(evaluateWhen(equals('a.text', 1), long)).length).toBeLessThan(100);
  });
});
