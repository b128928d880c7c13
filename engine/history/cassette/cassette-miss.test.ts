import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import { createTestPlayers, type TestPlayers } from './testing/test-players.ts';

let world: TestPlayers;

beforeEach(() => {
  world = createTestPlayers([]);
});
afterEach(() => world.folder.remove());

describe('a miss', () => {
  test('is reported with the nearest request, the difference and a fix, without a live call', async () => {
    await world.record({ city: 'Oslo', days: 3, unit: 'C' }, { city: 'Rome', days: 1, unit: 'F' });
    const error = await world.ask(await world.open('replay'), { city: 'Oslo', days: 4 }).catch(toErrorRecord);
    expect(error).toEqual({
      code: 'cassette.miss',
      message:
        `The cassette ${world.file} has no response for the tool call lookup: the most similar recorded call differs in ` +
        'days: 3 -> 4; unit: "C" -> (nothing). Undo the change, or record again (mode "record").',
      details: {
        kind: 'tool',
        differences: [
          { path: 'days', recorded: '3', asked: '4' },
          { path: 'unit', recorded: '"C"' },
        ],
      },
    });
    expect(world.asked).toEqual([]);
  });

  test('has a short error after the first one, except for the same call', async () => {
    await world.record({ city: 'Oslo' });
    const player = await world.open('replay');
    const messageOf = async (city: string): Promise<string> =>
      world.ask(player, { city }).catch((error: unknown) => toErrorRecord(error).message);
    const first = await messageOf('Bergen');
    const second = await messageOf('Paris');
    expect(second.length).toBeLessThan(first.length);
    expect(second).not.toContain('->');
    expect(second).toContain('lookup');
    expect(await messageOf('Bergen')).toContain('"Oslo" -> "Bergen"');
  });

  test('reports a call that was recorded less often than it is made', async () => {
    await world.record('x', 'x');
    const player = await world.open('replay');
    await world.ask(player, 'x');
    await world.ask(player, 'x');
    expect(await world.ask(player, 'x').catch(toErrorRecord)).toMatchObject({
      message: expect.stringMatching(/lookup \(number 3 of this kind\): the same call was recorded 2 times\./),
    });
  });

  test('names only the first fields of very different requests', async () => {
    await world.record({});
    const wide = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, index]));
    const error = await world.ask(await world.open('replay'), wide).catch(toErrorRecord);
    expect(error).toMatchObject({ message: expect.stringContaining('; and 26 more.') });
  });
});

describe('auto', () => {
  test('replays what it has, makes other calls live and adds each after the previous call', async () => {
    await world.record('a', 'c');
    const player = await world.open('auto');
    expect(await world.ask(player, 'a')).toContain('again');
    expect(await world.ask(player, 'b')).toBe('live 1');
    expect(await world.ask(player, 'c')).toContain('again');
    expect(world.asked).toEqual(['b']);
    expect(world.text().match(/request: \w/g)).toEqual(['request: a', 'request: b', 'request: c']);
    const again = await world.open('replay');
    for (const request of ['a', 'b', 'c']) expect(await world.ask(again, request)).toContain('again');
  });

  test('makes a live call when equal calls outnumber the recorded ones', async () => {
    await world.record('a');
    const player = await world.open('auto');
    await world.ask(player, 'a');
    expect(await world.ask(player, 'a')).toBe('live 1');
    expect(await world.ask(player, 'a')).toBe('live 2');
  });

  test('reports only the first miss, and none while the first recording is made', async () => {
    const first = await world.open('auto');
    await world.ask(first, { q: 1 });
    expect(world.misses).toEqual([]);
    const second = await world.open('auto');
    await world.ask(second, { q: 2 });
    await world.ask(second, { q: 3 });
    await world.ask(second, { q: 2 });
    expect(world.misses.map(({ message }) => message)).toEqual([
      expect.stringContaining('q: 1 -> 2. The call is made live'),
    ]);
  });
});
