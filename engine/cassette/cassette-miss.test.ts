import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toErrorRecord } from '../base/engine-error.ts';
import { createTestPlayers, type TestPlayers } from './testing/test-players.ts';

let world: TestPlayers;

beforeEach(() => {
  world = createTestPlayers([]);
});
afterEach(() => world.folder.remove());

describe('a miss', () => {
  test('is told with the nearest request, what differs and what to do; nobody is asked', async () => {
    await world.record({ city: 'Oslo', days: 3, unit: 'C' }, { city: 'Rome', days: 1, unit: 'F' });
    const error = await world.ask(await world.open('replay'), { city: 'Oslo', days: 4 }).catch(toErrorRecord);
    expect(error).toEqual({
      code: 'cassette.miss',
      message:
        `The cassette ${world.file} has no answer for the tool call lookup: the nearest recorded call differs in ` +
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

  test('is short when it is not the first, but for the same call again', async () => {
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

  test('says when a call was recorded less often than it is asked', async () => {
    await world.record('x', 'x');
    const player = await world.open('replay');
    await world.ask(player, 'x');
    await world.ask(player, 'x');
    expect(await world.ask(player, 'x').catch(toErrorRecord)).toMatchObject({
      message: expect.stringMatching(/lookup \(number 3 of this kind\): the same call was recorded 2 times\./),
    });
  });

  test('of very different requests names the first fields only', async () => {
    await world.record({});
    const wide = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, index]));
    const error = await world.ask(await world.open('replay'), wide).catch(toErrorRecord);
    expect(error).toMatchObject({ message: expect.stringContaining('; and 26 more.') });
  });
});

describe('auto', () => {
  test('replays what it has, asks for the rest and adds that behind the call before it', async () => {
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

  test('asks live for one more of equal calls than it has', async () => {
    await world.record('a');
    const player = await world.open('auto');
    await world.ask(player, 'a');
    expect(await world.ask(player, 'a')).toBe('live 1');
    expect(await world.ask(player, 'a')).toBe('live 2');
  });

  test('tells of the first miss only, and of none while the first recording is made', async () => {
    const first = await world.open('auto');
    await world.ask(first, { q: 1 });
    expect(world.misses).toEqual([]);
    const second = await world.open('auto');
    await world.ask(second, { q: 2 });
    await world.ask(second, { q: 3 });
    await world.ask(second, { q: 2 });
    expect(world.misses.map(({ message }) => message)).toEqual([
      expect.stringContaining('q: 1 -> 2. It is asked live'),
    ]);
  });
});
