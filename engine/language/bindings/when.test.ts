import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WhenExpr } from '../flow/flow-doc.ts';
import type { JsonValue } from '../json/json-value.ts';
import { errorMarker, skipMarker } from './markers.ts';
import { evaluateWhen, explainWhen } from './when.ts';

const outputs: Record<string, JsonValue> = {
  flow: { input: { deep: true, nothing: null } },
  check: { value: false, map: { a: 1, b: [2] }, count: 0 },
  note: { text: 'a long day', tags: ['new', 3, { deep: [1] }, null], size: 2.5, empty: '', none: [] },
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
  test('FE-36 equals on a missing path is false, and its negation is true', () => {
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

  const missing = ['nobody.value', 'check.nope', 'flow.input.nothing', 'skipped', 'broken', 'note.tags.3', 'a..b', ''];

  test.each<[string, (path: string) => WhenExpr]>([
    ['exists', (path) => ({ exists: path })],
    ['lt', (path) => ({ lt: { var: path, value: 1 } })],
    ['lte', (path) => ({ lte: { var: path, value: '' } })],
    ['gt', (path) => ({ gt: { var: path, value: -1 } })],
    ['gte', (path) => ({ gte: { var: path, value: '' } })],
    ['contains', (path) => ({ contains: { var: path, value: '' } })],
    ['in', (path) => ({ in: { var: path, value: [null, '', false, { skipped: true }] } })],
  ])('%s of a path that is missing is false, and its not is true', (_op, exprOf) => {
    expect(missing.map((path) => holds(exprOf(path)))).toEqual(missing.map(() => false));
    expect(missing.map((path) => holds({ not: exprOf(path) }))).toEqual(missing.map(() => true));
  });

  test('exists is true for every value but null, including falsy values', () => {
    const there = ['check.value', 'check.count', 'note.empty', 'note.none', 'check.map', 'note', 'skipped.skipped'];
    expect(there.map((path) => holds({ exists: path }))).toEqual(there.map(() => true));
  });

  test.each<[string, string | number, string]>([
    ['note.size', 3, 'lt lte'],
    ['note.size', 2.5, 'lte gte'],
    ['note.size', -1, 'gt gte'],
    ['note.text', 'b', 'lt lte'],
    ['note.text', 'a long day', 'lte gte'],
    ['note.text', 'A', 'gt gte'],
    ['note.text', 'a', 'gt gte'],
    ['note.empty', '', 'lte gte'],
    // Numbers and text cannot be compared with each other, and other values cannot be ordered.
    ['note.size', '2.5', ''],
    ['note.size', '9', ''],
    ['note.empty', 0, ''],
    ['check.value', 0, ''],
    ['check.value', 'false', ''],
    ['note.tags', 1, ''],
    ['check.map', '{', ''],
  ])('%s against %j: %s', (path, value, expected) => {
    const ops = ['lt', 'lte', 'gt', 'gte'] as const;
    const exprOf = (op: (typeof ops)[number]): WhenExpr => ({ [op]: { var: path, value } }) as unknown as WhenExpr; // The key is one of the four.
    expect(ops.filter((op) => holds(exprOf(op))).join(' ')).toBe(expected);
  });

  test.each<[string, JsonValue, boolean]>([
    ['note.tags', 'new', true],
    ['note.tags', 'ne', false],
    ['note.tags', 3, true],
    ['note.tags', '3', false],
    ['note.tags', { deep: [1] }, true],
    ['note.tags', { deep: [1, 2] }, false],
    ['note.tags', null, true],
    ['note.none', null, false],
    ['note.text', 'long', true],
    ['note.text', 'Long', false],
    ['note.text', '', true],
    ['note.text', 1, false],
    ['check.map', 'a', false],
    ['check.count', 0, false],
  ])('%s contains %j: %j', (path, value, expected) => {
    expect(holds({ contains: { var: path, value } })).toBe(expected);
  });

  test.each<[string, JsonValue[], boolean]>([
    ['note.size', [1, 2.5], true],
    ['note.size', ['2.5'], false],
    ['check.map', [{ b: [2], a: 1 }], true],
    ['check.map', [{ a: 1 }, [2]], false],
    ['check.value', [false], true],
    ['check.value', [null, 0, ''], false],
    ['note.text', ['a long day in June'], false],
    ['note.text', [], false],
  ])('%s in %j: %j', (path, value, expected) => {
    expect(holds({ in: { var: path, value } })).toBe(expected);
  });

  test('in requires a list, even if the condition was not validated before', () => {
    expect(holds({ in: { var: 'note.text', value: 'a long day' } })).toBe(false);
  });

  test('an empty and is true, an empty or is false', () => {
    expect([holds({ and: [] }), holds({ or: [] })]).toEqual([true, false]);
  });

  test('nests and, or and not', () => {
    expect([
      holds({ and: [yes, yes] }),
      holds({ and: [yes, no] }),
      holds({ or: [no, yes] }),
      holds({ or: [no, no] }),
      holds({ not: { and: [yes, { not: { or: [no, no] } }] } }),
    ]).toEqual([true, false, true, false, false]);
  });

  test('the trace contains the values of every part, including those that did not decide', () => {
    expect(evaluateWhen({ and: [no, equals('nobody', 1)] }, context)).toEqual({
      op: 'and',
      of: [
        { op: 'equals', var: 'flow.input.deep', value: false, actual: true, result: false },
        { op: 'equals', var: 'nobody', value: 1, result: false },
      ],
      result: false,
    });
  });

  test.each<[WhenExpr, object]>([
    [{ exists: 'check.count' }, { op: 'exists', var: 'check.count', actual: 0, result: true }],
    [{ exists: 'nobody' }, { op: 'exists', var: 'nobody', result: false }],
    [
      { contains: { var: 'note.none', value: 1 } },
      { op: 'contains', var: 'note.none', value: 1, actual: [], result: false },
    ],
    [{ in: { var: 'nobody', value: [1] } }, { op: 'in', var: 'nobody', value: [1], result: false }],
    [{ gte: { var: 'note.size', value: 2 } }, { op: 'gte', var: 'note.size', value: 2, actual: 2.5, result: true }],
  ])('the trace of %j', (expr, trace) => {
    expect(evaluateWhen(expr, context)).toEqual(trace);
  });

  test('matches Boolean logic', () => {
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
    [{ exists: 'check.count' }, 'check.count is 0'],
    [{ not: { exists: 'nobody.x' } }, 'not (nobody.x is missing)'],
    [{ lt: { var: 'note.size', value: 3 } }, 'note.size is 2.5, which is less than 3'],
    [{ lt: { var: 'note.size', value: 1 } }, 'note.size is 2.5, which is not less than 1'],
    [{ lte: { var: 'note.size', value: 2.5 } }, 'note.size is 2.5, which is at most 2.5'],
    [{ gt: { var: 'note.size', value: '1' } }, 'note.size is 2.5, which is not greater than "1"'],
    [{ gte: { var: 'nobody.x', value: 1 } }, 'nobody.x is missing, which is not at least 1'],
    [{ contains: { var: 'note.none', value: 'x' } }, 'note.none is [], which does not contain "x"'],
    [{ in: { var: 'note.size', value: [1, 2.5] } }, 'note.size is 2.5, which is one of [1,2.5]'],
    [{ in: { var: 'note.size', value: [1] } }, 'note.size is 2.5, which is not one of [1]'],
    [
      { and: [{ exists: 'note.size' }, { or: [{ exists: 'nobody' }, { gt: { var: 'check.count', value: 1 } }] }] },
      'note.size is 2.5 and (nobody is missing or check.count is 0, which is not greater than 1)',
    ],
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

  test('shows the start of a value that is stored separately', () => {
    const handle = { $value: '0'.repeat(64), bytes: 20_000, type: 'string', preview: 'Once upon a time' } as const;
    const trace = { op: 'equals', var: 'a.text', value: 1, actual: { ...handle }, result: false } as const;
    expect(explainWhen(trace)).toBe('a.text is "Once upon a time..., not 1');
    const list = { ...handle, type: 'array', preview: '[1,2,3' } as const;
    expect(explainWhen({ ...trace, actual: list })).toBe('a.text is [1,2,3..., not 1');
  });

  test('truncates long values', () => {
    const long = new Map<string, JsonValue>([['a', { text: 'x'.repeat(500) }]]);
    expect(explainWhen(evaluateWhen(equals('a.text', 1), long)).length).toBeLessThan(100);
  });
});

test('paths with keys in brackets can be compared and tested', () => {
  const context = new Map<string, JsonValue>([['a', { 'first name': ['Ada'] }]]);
  const path = 'a["first name"][0]';
  expect(evaluateWhen({ equals: { var: path, value: 'Ada' } }, context).result).toBe(true);
  expect(evaluateWhen({ exists: path }, context).result).toBe(true);
  expect(evaluateWhen({ exists: 'a["last name"]' }, context).result).toBe(false);
});
