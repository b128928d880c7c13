import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deepFreeze, findNonJson as findIn, frozenCopy, frozenCopyInPieces } from './checked-json.ts';

/** Returns the finding, after checking that it is the same with and without a copy. */
function findNonJson(value: unknown, longest?: number) {
  const found = findIn(value, longest);
  const copy = frozenCopy(value, longest);
  expect(copy.ok ? undefined : copy.problem).toEqual(found);
  return found;
}

class Point {
  readonly x = 1;
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

const cycle: Record<string, unknown> = { name: 'a' };
cycle['self'] = { back: cycle };

describe('finds values that JSON cannot represent', () => {
  test.each<[string, unknown, (string | number)[], string]>([
    ['nothing', undefined, [], 'is missing'],
    ['a function', { of: [1, () => 1] }, ['of', 1], 'is a function, which JSON cannot represent'],
    ['a symbol', [Symbol('s')], [0], 'is a symbol, which JSON cannot represent'],
    ['a big integer', { n: 1n }, ['n'], 'is a bigint, which JSON cannot represent'],
    ['not a number', { n: Number.NaN }, ['n'], 'is NaN, which JSON cannot represent'],
    ['infinity', [-1 / 0], [0], 'is -Infinity, which JSON cannot represent'],
    ['a map', { m: new Map() }, ['m'], 'is an object of the class Map, which JSON cannot represent'],
    ['a date', new Date(0), [], 'is an object of the class Date, which JSON cannot represent'],
    ['an object of a class', new Point(), [], 'is an object of the class Point, which JSON cannot represent'],
    ['a heir', Object.create({ inherited: 1 }), [], 'is an object of the class Object, which JSON cannot represent'],
    ['a hole in a list', new Array(1), [0], 'is missing'],
    ['a cycle', cycle, ['self', 'back'], 'contains itself, which JSON cannot represent'],
    [
      'a getter that throws',
      {
        a: {
          get b() {
            throw new Error('not now');
          },
        },
      },
      ['a', 'b'],
      'cannot be read: not now',
    ],
    [
      'a proxy that throws',
      [
        new Proxy(
          {},
          {
            ownKeys() {
              throw new Error('hidden');
            },
          },
        ),
      ],
      [0],
      'cannot be read: hidden',
    ],
    [
      'a value that throws something unreadable',
      {
        get a() {
          throw Object.create(null);
        },
      },
      ['a'],
      'cannot be read: A value that cannot be converted to text was thrown',
    ],
    ['a value with toJSON', { toJSON: () => 1 }, ['toJSON'], 'is a function, which JSON cannot represent'],
  ])('%s', (...[, value, path, message]) => {
    expect(findNonJson(value)).toEqual({ path, message });
  });

  test('nesting that would exhaust the stack of recursive code', () => {
    expect(findNonJson(nested(1000))).toBeUndefined();
    expect(findNonJson(nested(1001))?.message).toBe(
      'is nested more than 1000 levels deep, which JSON cannot represent',
    );
    expect(findNonJson(nested(100_000))?.path).toHaveLength(1000);
  });

  test('a value with a JSON text over the maximum string length', () => {
    const half = 'x'.repeat(2 ** 28);
    expect(findNonJson([half, half])?.message).toBe('exceeds the maximum length of a text, which is 512 MB');
    expect(findNonJson('x'.repeat(60), 100)).toBeUndefined();
    // The text is short, but each of its characters is escaped.
    expect(findNonJson('\u0000'.repeat(60), 100)?.message).toBe(
      'exceeds the maximum length of a text, which is 512 MB',
    );
  });
});

/** Returns the length of its JSON text in bytes. */
function lengthOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

describe('the maximum length', () => {
  test('matches the length of the JSON text exactly, to the byte', () => {
    const text = fc.string({ unit: 'binary' });
    const half = fc.constantFrom('\ud800', '\udc00x', 'a\ud83d\ude00', '\ude00\ud83d', '\b\t\n\v\f\r\u001f\u007f"\\/');
    const value = fc.anything({
      key: fc.oneof(text, half),
      values: [
        text,
        half,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
      ],
    });
    fc.assert(
      fc.property(value, (value) => {
        fc.pre(findNonJson(value) === undefined);
        expect(findNonJson(value, lengthOf(value))).toBeUndefined();
        expect(findNonJson(value, lengthOf(value) - 1)?.isTooLong).toBe(true);
      }),
    );
  });

  test('applies to lists of long numbers too', () => {
    const list = Array.from({ length: 50 }, () => -1.2345678901234567e-100);
    expect(lengthOf(list)).toBe(50 * 25 + 1);
    expect(findNonJson(list, 50 * 25)?.isTooLong).toBe(true);
    expect(findNonJson(list, 50 * 25 + 1)).toBeUndefined();
  });
});

describe('a copy in chunks', () => {
  const large = Array.from({ length: 30_000 }, (_, index) => ({ index }));

  test('pauses after each chunk, and returns the same as a copy at once', async () => {
    let pauses = 0;
    const copy = await frozenCopyInPieces(large, 2 ** 26, async () => {
      pauses += 1;
    });
    expect(copy).toEqual(frozenCopy(large));
    expect(pauses).toBeGreaterThan(3);
    expect(pauses).toBeLessThan(30);
  });

  test('returns a small value immediately', () => {
    const never = async () => expect.unreachable();
    expect(frozenCopyInPieces({ a: [1] }, 1000, never)).toEqual({ ok: true, value: { a: [1] } });
    expect(frozenCopyInPieces({ a: [() => 1] }, 1000, never)).toMatchObject({ ok: false });
  });

  test('finds values in later chunks that JSON cannot represent or that are too long', async () => {
    const pause = async () => undefined;
    expect(await frozenCopyInPieces([...large, () => 1], 2 ** 26, pause)).toMatchObject({
      ok: false,
      problem: { path: [30_000], message: 'is a function, which JSON cannot represent' },
    });
    const length = lengthOf(large);
    expect(await frozenCopyInPieces(large, length, pause)).toMatchObject({ ok: true });
    expect(await frozenCopyInPieces(large, length - 1, pause)).toMatchObject({
      ok: false,
      problem: { isTooLong: true },
    });
  });

  test('rejects with the error of the pause', async () => {
    const copy = frozenCopyInPieces(large, 2 ** 26, async () => {
      throw new Error('enough');
    });
    await expect(copy).rejects.toThrow('enough');
  });
});

describe('accepts values that JSON can represent', () => {
  test('any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(findNonJson(value)).toBeUndefined();
      }),
    );
  });

  test('maps without a prototype, hostile keys, undefined keys, and shared parts', () => {
    const part = Object.assign(Object.create(null), { a: 1 });
    expect(findNonJson(part)).toBeUndefined();
    expect(findNonJson(JSON.parse('{ "__proto__": { "constructor": 1 } }'))).toBeUndefined();
    expect(findNonJson({ absent: undefined, part, again: [part, part] })).toBeUndefined();
  });

  test('maps from another realm', async () => {
    const { runInNewContext } = await import('node:vm');
    expect(findNonJson(runInNewContext('({ a: [1, { b: null }] })'))).toBeUndefined();
  });
});

describe('the copy', () => {
  test('is equal to a JSON round trip, frozen at every depth, and shares nothing', () => {
    const value = {
      list: [1, { deep: [] }],
      absent: undefined,
      zero: -0,
      ...JSON.parse('{ "__proto__": { "a": 1 } }'),
    };
    const copy = frozenCopy(value);
    if (!copy.ok) throw new Error(copy.problem.message);
    expect(JSON.stringify(copy.value)).toBe(JSON.stringify(value));
    expect(copy.value).toStrictEqual(JSON.parse(JSON.stringify(value)));
    const everyPart = (part: unknown): unknown[] =>
      typeof part === 'object' && part !== null ? [part, ...Object.values(part).flatMap(everyPart)] : [];
    expect(everyPart(copy.value).map(Object.isFrozen)).not.toContain(false);
    expect(everyPart(copy.value).filter((part) => everyPart(value).includes(part))).toEqual([]);
  });

  test('reads every getter once, so that it cannot return a different value later', () => {
    let asked = 0;
    const copy = frozenCopy({
      get n() {
        asked += 1;
        return asked === 1 ? 1 : () => asked;
      },
    });
    expect([copy, asked]).toEqual([{ ok: true, value: { n: 1 } }, 1]);
  });
});

test('freezing covers lists and maps, but not instances of classes', () => {
  const date = new Date(0);
  const value = deepFreeze({ a: [{ b: 1 }], date });
  expect([value, value.a, value.a[0], date].map(Object.isFrozen)).toEqual([true, true, true, false]);
});
