import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { CassettePlayer } from './cassette-player.ts';
import { createCallPlaces } from './recorded-lines.ts';
import { createTestPlayers, type TestPlayers } from './testing/test-players.ts';

const key = 'sk-very-secret-0123456789';

let world: TestPlayers;

beforeEach(() => {
  world = createTestPlayers([key]);
});
afterEach(() => world.folder.remove());

describe('record and replay', () => {
  test('the n-th equal request gets the n-th response, regardless of other requests in between', async () => {
    await world.record({ q: 'a', n: 1 }, { q: 'b' }, { n: 1, q: 'a' });
    const player = await world.open('replay');
    expect(await world.ask(player, { n: 1, q: 'a' })).toBe('again {"reply":"live 1"}');
    expect(await world.ask(player, { q: 'a', n: 1 })).toBe('again {"reply":"live 3"}');
    expect(await world.ask(player, { q: 'b' })).toBe('again {"reply":"live 2"}');
    expect(world.asked).toEqual([]);
  });

  test('concurrent equal requests are matched in the order of the calls', async () => {
    const recorder = await world.open('record');
    const ends: ((reply: string) => void)[] = [];
    const live = (): Promise<string> => new Promise((resolve) => ends.push(resolve));
    const calls = [world.ask(recorder, 'same', { live }), world.ask(recorder, 'same', { live })];
    ends[1]?.('second');
    ends[0]?.('first');
    expect(await Promise.all(calls)).toEqual(['first', 'second']);
    const player = await world.open('replay');
    const replies = await Promise.all([world.ask(player, 'same'), world.ask(player, 'same')]);
    expect(replies).toEqual(['again {"reply":"first"}', 'again {"reply":"second"}']);
  });

  test('requests of different kinds do not match', async () => {
    await world.record('same');
    const error = await world.ask(await world.open('replay'), 'same', { kind: 'command' }).catch(toErrorRecord);
    expect(error).toMatchObject({ message: expect.stringContaining('it contains no command call') });
  });

  test('a call is written before its response is returned', async () => {
    const player = await world.open('record');
    expect(world.text()).toContain('calls: []');
    await world.ask(player, 'first');
    expect(world.text()).toContain('reply: live 1');
  });

  test('recording again replaces the old recording as soon as there is a response', async () => {
    await world.record('old');
    const before = world.text();
    const player = await world.open('record');
    expect(world.text()).toBe(before);
    await world.ask(player, 'new');
    expect(world.text()).not.toContain('old');
  });

  test('recording the same calls again gives the same file, even if parallel calls swap', async () => {
    const answerOf = (request: string) => ({ live: async () => `answer to ${request}` });
    const recordAll = async (requests: readonly string[]): Promise<string> => {
      const player = await world.open('record');
      for (const request of requests) await world.ask(player, request, answerOf(request));
      return world.text();
    };
    const before = await recordAll(['a', 'b', 'c', 'a']);
    expect(await recordAll(['b', 'a', 'c', 'a'])).toBe(before);
  });
});

describe('errors', () => {
  test('that are responses are replayed unchanged, in their order', async () => {
    const failure = new EngineError({
      code: 'tool.failed',
      message: `No entry at https://h/?key=1 for ${key}`,
      recoverable: true,
      details: { retryAfterMs: 5, token: 'abc' },
    });
    const recorder = await world.open('record');
    const live = (): Promise<never> => Promise.reject(failure);
    expect(await world.ask(recorder, 'x', { live }).catch((error) => error)).toBe(failure);
    await world.ask(recorder, 'x');
    const player = await world.open('replay');
    expect(await world.ask(player, 'x').catch(toErrorRecord)).toEqual({
      code: 'tool.failed',
      message: 'No entry at https://h/?key=[secret] for [secret]',
      recoverable: true,
      details: { retryAfterMs: 5, token: '[secret]' },
    });
    expect(await world.ask(player, 'x')).toBe('again {"reply":"live 2"}');
  });

  test.each([
    ['errors in the settings', new EngineError({ code: 'tool.missing-key', message: 'No key' })],
    ['bugs', new TypeError('x is not a function')],
  ])('%s are not recorded, so that they do not outlive their cause', async (_, failure) => {
    const recorder = await world.open('auto');
    const outcome = world.ask(recorder, 'x', { live: () => Promise.reject(failure) }).catch((error) => error);
    expect(await outcome).toBe(failure);
    expect(world.text()).toContain('calls: []');
  });

  test('a canceled call is not recorded, whether it fails or completes late', async () => {
    const recorder = await world.open('record');
    const late = new AbortController();
    const live = async (): Promise<string> => {
      late.abort('stop');
      return 'too late';
    };
    expect(await world.ask(recorder, 'x', { signal: late.signal, live }).catch((error) => error)).toBe('stop');
    const failing = new AbortController();
    const fail = async (): Promise<string> => {
      failing.abort('stop');
      throw new EngineError({ code: 'tool.failed', message: 'cut' });
    };
    expect(await world.ask(recorder, 'x', { signal: failing.signal, live: fail }).catch(toErrorRecord)).toMatchObject({
      code: 'tool.failed',
    });
    expect(world.text()).toContain('calls: []');
    await world.ask(recorder, 'x');
    const player = await world.open('replay');
    const stopped = AbortSignal.abort('stop');
    expect(await world.ask(player, 'x', { signal: stopped }).catch((error) => error)).toBe('stop');
    expect(await world.ask(player, 'x')).toBe('again {"reply":"live 3"}');
  });
});

describe('secrets', () => {
  test('do not appear in the file, and a changed secret does not change the request', async () => {
    const request = (value: string): JsonValue => ({ headers: { authorization: value }, text: `Use ${key}` });
    const recorder = await world.open('record');
    await world.ask(recorder, request(`Bearer ${key}`), { live: async () => `your key is ${key}` });
    expect(world.text()).not.toContain(key);
    expect(world.text()).not.toContain('Bearer');
    expect(await world.ask(await world.open('replay'), request('Bearer other'))).toContain('your key is [secret]');
  });

  test('that cannot be removed prevent the call from being written', async () => {
    const recorder = await world.open('record');
    await world.ask(recorder, 'good');
    const error = await world.ask(recorder, { [key]: 1 }).catch(toErrorRecord);
    expect(error).toMatchObject({ code: 'cassette.secret', message: expect.not.stringContaining(key) });
    await world.ask(recorder, 'also good');
    expect(world.text()).not.toContain(key);
    expect(world.text()).toContain('also good');
  });

  test('known only during recording or only during replay do not change the request', async () => {
    const request = { text: 'Use tok-12345-abcde now' };
    const login = { headers: { authorization: 'Bearer tok-12345-abcde' } };
    for (const recorded of [
      [login, request],
      [request, login],
    ]) {
      await world.record(...recorded);
      const player = await world.open('replay');
      for (const each of recorded.toReversed()) expect(await world.ask(player, each)).toContain('again');
    }
  });

  test('from a response are removed from the calls that use it, so that they still match', async () => {
    const chain = async (player: CassettePlayer): Promise<string> => {
      const login = await world.ask(player, 'login', { live: async () => '{"token":"tok-12345-abcde"}' });
      return world.ask(player, { path: `/things/${/tok-12345-abcde|\[secret\]/.exec(login)}` });
    };
    await chain(await world.open('record'));
    expect(world.text()).not.toContain('tok-12345');
    expect(await chain(await world.open('replay'))).toContain('live 2');
  });
});

describe('the file', () => {
  test('must exist in replay mode, and is created otherwise', async () => {
    expect(await world.open('replay').catch(toErrorRecord)).toMatchObject({
      code: 'cassette.not-found',
      message: expect.stringContaining(world.file),
    });
    expect(existsSync(world.file)).toBe(false);
    await world.open('auto');
    expect(existsSync(world.file)).toBe(true);
  });

  test.each(['record', 'replay', 'auto'] as const)('with another format is unchanged in mode %s', async (mode) => {
    for (const [content, code] of [
      ['cassette: 7\ncalls: []\n', 'cassette.newer-format'],
      ['not: one\n', 'cassette.unreadable'],
    ]) {
      world.folder.write('a.cassette.yaml', content ?? '');
      expect(await world.open(mode).catch(toErrorRecord)).toMatchObject({ code });
      expect(world.text()).toBe(content);
    }
  });

  test('keeps edits that are made while it is open', async () => {
    const player = await world.open('record');
    await world.ask(player, 'a');
    world.folder.write('a.cassette.yaml', `${world.text()}# mine\n`);
    expect(await world.ask(player, 'b').catch(toErrorRecord)).toMatchObject({ code: 'cassette.changed' });
    expect(world.text()).toContain('# mine');
  });

  test('can be edited by hand between runs', async () => {
    await world.record({ q: 'Hello?' });
    world.folder.write('a.cassette.yaml', world.text().replace('Hello?', 'Hi?').replace('live 1', 'good day'));
    expect(await world.ask(await world.open('replay'), { q: 'Hi?' })).toBe('again {"reply":"good day"}');
  });
});

/** Returns the order of calls in the file after they were made in the order `asked`. */
function sortedBy(known: readonly string[], asked: readonly string[]): string[] {
  const places = createCallPlaces(known);
  const lines = asked.map((key, order) => ({ key: `${key}${order}`, order, place: places.next(key) }));
  return lines.sort((a, b) => a.place - b.place || a.order - b.order).map(({ key }) => key);
}

test('without an earlier file, calls are in the order in which they were made', () => {
  expect(sortedBy([], ['b', 'a', 'b'])).toEqual(['b0', 'a1', 'b2']);
});

test('swapped calls keep their earlier order', () => {
  expect(sortedBy(['a', 'b', 'c'], ['b', 'a', 'c'])).toEqual(['a1', 'b0', 'c2']);
});

test('a new call follows the one made before it', () => {
  expect(sortedBy(['a', 'b', 'c'], ['a', 'new', 'c'])).toEqual(['a0', 'new1', 'c2']);
  expect(sortedBy(['a', 'b'], ['new', 'a', 'b'])).toEqual(['new0', 'a1', 'b2']);
});

test('equal calls never change their order', () => {
  expect(sortedBy(['b', 'a', 'a'], ['a', 'a', 'b', 'a'])).toEqual(['b2', 'a0', 'a1', 'a3']);
});
