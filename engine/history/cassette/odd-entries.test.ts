/** Tests cassettes with invalid entries: each affects one recording, and all others are replayed. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestPlayers, type TestPlayers } from './testing/test-players.ts';

let players: TestPlayers;
beforeEach(() => {
  players = createTestPlayers([]);
});
afterEach(() => players.folder.remove());

const call = (request: string, response = `was ${request}`) =>
  `- kind: tool\n  request: ${request}\n  response: ${response}\n`;

const file = (...entries: readonly string[]) => `cassette: 1\ncalls:\n${entries.join('')}`;

const odd: readonly (readonly [what: string, entry: string, line: number])[] = [
  ['without a response', '- kind: tool\n  request: b\n', 6],
  ['with a response and an error', '- { kind: tool, request: b, response: 1, error: { code: x, message: y } }\n', 6],
  ['with a kind that is a number', '- { kind: 7, request: b, response: b }\n', 6],
  ['with an empty kind', `- { kind: '', request: b, response: b }\n`, 6],
  ['with an error that has no code', '- kind: tool\n  request: b\n  error: { message: x }\n', 6],
  ['with an error that is text', '- kind: tool\n  request: b\n  error: no\n', 6],
  ['with an unknown key', `${call('b')}  note: mine\n`, 6],
  ['that is a number', '- 7\n', 6],
  ['that is null', '-\n', 6],
  ['that is a list', '- - kind: tool\n', 6],
  ['that is text', '- kind tool\n', 6],
  ['that is truncated', '- kind: tool\n  request: "b\n', 6],
  ['with an unclosed bracket', '- kind: tool\n  request: [b\n  response: b\n', 6],
  ['with a duplicate key', '- kind: tool\n  kind: tool\n  request: b\n  response: b\n', 6],
  ['with a number that would be rounded', '- { kind: tool, request: b, response: 9007199254740993 }\n', 6],
  ['with an alias', '- { kind: tool, request: &b b, response: *b }\n', 6],
  ['indented with a tab', '- kind: tool\n\trequest: b\n', 6],
  ['with a leftover conflict marker', '- kind: tool\n<<<<<<< mine\n  request: b\n', 6],
  ['that is nested too deeply', `- { kind: tool, request: b, response: ${'['.repeat(2000)}${']'.repeat(2000)} }\n`, 6],
];

describe.each(odd)('an entry %s', (_, entry, line) => {
  test('affects only that recording, and a warning names its line', async () => {
    players.folder.write('a.cassette.yaml', file(call('a'), entry, call('c')));
    const player = await players.open('replay');
    expect(players.warnings).toHaveLength(1);
    expect(players.warnings[0]?.message).toMatch(
      new RegExp(`has 1 recording that cannot be used: line (?:${line}|${line + 1}|${line + 2}): calls\\.1`),
    );
    expect(await players.ask(player, 'c')).toBe('again "was c"');
    expect(await players.ask(player, 'a')).toBe('again "was a"');
    await expect(players.ask(player, 'b')).rejects.toMatchObject({ code: 'cassette.miss' });
    expect(players.asked).toEqual([]);
  });
});

test('an invalid entry among equal requests does not shift later responses', async () => {
  const broken = '- kind: tool\n  request: a\n';
  players.folder.write('a.cassette.yaml', file(call('a', 'first'), broken, call('a', 'third')));
  const player = await players.open('replay');
  expect(await players.ask(player, 'a')).toBe('again "first"');
  await expect(players.ask(player, 'a')).rejects.toMatchObject({ code: 'cassette.miss' });
  expect(await players.ask(player, 'a')).toBe('again "third"');
});

test('several invalid entries give one warning with their lines', async () => {
  players.folder.write('a.cassette.yaml', file(call('a'), '- 7\n', call('c'), '- x: 1\n'));
  await players.open('replay');
  expect(players.warnings).toHaveLength(1);
  expect(players.warnings[0]?.message).toMatch(/2 recordings.*line 6: calls\.1.*line 10: calls\.3/);
});

test('a live call replaces its invalid entry, and other invalid entries are preserved', async () => {
  const [mine, other] = ['- kind: tool\n  request: b\n', '- kind: tool\n  request: "x\n'];
  players.folder.write('a.cassette.yaml', file(call('a'), mine, call('c'), other));
  const player = await players.open('auto');
  expect(await players.ask(player, 'a')).toBe('again "was a"');
  expect(await players.ask(player, 'b')).toBe('live 1');
  expect(players.text()).toContain('request: b\n  response:\n    reply: live 1\n- kind: tool\n  request: c\n');
  expect(players.text()).not.toContain(mine + call('c'));
  expect(players.text()).toContain(other);
  const again = await players.open('replay');
  expect(await players.ask(again, 'b')).toBe('again {"reply":"live 1"}');
});

test('recording again replaces all entries, including invalid ones', async () => {
  players.folder.write('a.cassette.yaml', file(call('a'), '- 7\n'));
  await players.record('a');
  expect(players.text()).not.toContain('- 7');
});

test.each([
  ['calls that are missing', 'cassette: 1\n'],
  ['calls that are text', 'cassette: 1\ncalls: none\n'],
  ['an unknown key', `more: 1\n${file(call('a'))}`],
  ['an invalid line before its calls', `note: "\n${file(call('a'))}`],
])('a file with %s is rejected as a whole', async (_, text) => {
  players.folder.write('a.cassette.yaml', text);
  await expect(players.open('replay')).rejects.toMatchObject({ code: 'cassette.unreadable' });
});
