import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PersistentMap } from './persistent-map.ts';
import { PersistentSet } from './persistent-set.ts';

/**
 * Few keys, so that versions overlap. The version to change is also random, so that new versions branch off old ones.
 */
const allKeys = Array.from({ length: 91 }, (_, number) => `k${number}`);
const key = fc.constantFrom(...allKeys);
const steps = fc.array(
  fc.record({ version: fc.nat(), entries: fc.array(fc.tuple(key, fc.integer()), { maxLength: 40 }) }),
  { maxLength: 60 },
);

function pick<T>(versions: readonly T[], at: number): T {
  const version = versions[at % versions.length];
  if (version === undefined) throw new Error('There is always a first version');
  return version;
}

describe('a persistent map', () => {
  test('has the same content and order as a plain map in each of its versions', () => {
    fc.assert(
      fc.property(steps, (changes) => {
        const versions = [{ ours: PersistentMap.of(new Map<string, number>()), plain: new Map<string, number>() }];
        for (const { version, entries } of changes) {
          const { ours, plain } = pick(versions, version);
          versions.push({ ours: ours.withAll(new Map(entries)), plain: new Map([...plain, ...entries]) });
        }
        for (const { ours, plain } of versions) expectSameMap(ours, plain);
      }),
    );
  });

  function expectSameMap(ours: PersistentMap<number>, plain: ReadonlyMap<string, number>): void {
    expect([...ours]).toEqual([...plain]);
    expect([[...ours.keys()], [...ours.values()], ours.size]).toEqual([
      [...plain.keys()],
      [...plain.values()],
      plain.size,
    ]);
    const asked = allKeys.map((name) => [ours.get(name), ours.has(name)]);
    expect(asked).toEqual(allKeys.map((name) => [plain.get(name), plain.has(name)]));
  }

  test.each([0, 1, 31, 32, 33, 1024, 1025, 33_000])('with %d entries can be read and changed at both ends', (size) => {
    const plain = new Map(Array.from({ length: size }, (_, at) => [`k${at}`, at]));
    const ours = PersistentMap.of(plain);
    const changed = ours.withAll(
      new Map([
        ['k0', -1],
        [`k${size}`, -2],
      ]),
    );
    expect(new Map(ours)).toEqual(plain);
    expect(new Map(changed)).toEqual(new Map([...plain, ['k0', -1], [`k${size}`, -2]]));
  });

  test('returns itself if nothing changes, or if created from itself', () => {
    const map = PersistentMap.of(new Map([['a', 1]]));
    expect(map.withAll(new Map())).toBe(map);
    expect(PersistentMap.of(map)).toBe(map);
  });

  test('passes entries to callbacks in order', () => {
    const map = PersistentMap.of(
      new Map([
        ['b', 1],
        ['a', 2],
      ]),
    );
    const seen: unknown[] = [];
    map.forEach((value, name, whole) => void seen.push([value, name, whole === map]));
    expect(seen).toEqual([
      [1, 'b', true],
      [2, 'a', true],
    ]);
  });

  test('is equal to another one only with equal entries', () => {
    const map = PersistentMap.of(new Map([['a', { text: 'x' }]]));
    expect(PersistentMap.of(new Map([['a', { text: 'x' }]]))).toEqual(map);
    expect(PersistentMap.of(new Map([['a', { text: 'y' }]]))).not.toEqual(map);
  });
});

describe('a persistent set', () => {
  test('has the same content and order as a plain set in each of its versions', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), key), { maxLength: 200 }), (changes) => {
        const versions = [{ ours: PersistentSet.of([]), plain: new Set<string>() }];
        for (const [version, member] of changes) {
          const { ours, plain } = pick(versions, version);
          versions.push({ ours: ours.with(member), plain: new Set([...plain, member]) });
        }
        for (const { ours, plain } of versions) {
          expect([...ours.entries()]).toEqual([...plain.entries()]);
          expect([[...ours.values()], ours.size]).toEqual([[...plain.values()], plain.size]);
          expect(allKeys.filter((name) => ours.has(name))).toEqual(allKeys.filter((name) => plain.has(name)));
        }
      }),
    );
  });

  test('returns itself if it already has the member, or if created from itself', () => {
    const set = PersistentSet.of(['a', 'b']);
    expect(set.with('a')).toBe(set);
    expect(PersistentSet.of(set)).toBe(set);
  });

  test('passes members to callbacks in order', () => {
    const seen: unknown[] = [];
    const set = PersistentSet.of(['b', 'a']);
    set.forEach((member, same, whole) => void seen.push([member, same, whole === set]));
    expect(seen).toEqual([
      ['b', 'b', true],
      ['a', 'a', true],
    ]);
  });
});
