import { describe, expect, test } from 'vitest';
import { createRedactor, secretsIn } from './redact.ts';

const redact = createRedactor({
  home: '/home/ada',
  secrets: () => ['4711-very-own', '4711-very-own-and-longer', 'abc'],
});

describe('secrets', () => {
  test.each([
    ['the key is 4711-very-own.', 'the key is [redacted].'],
    ['4711-very-own-and-longer', '[redacted]'],
    // Too short to distinguish from a word.
    ['abc', 'abc'],
    ['OPENAI_API_KEY=sk-abcdefgh12345', 'OPENAI_API_KEY=[redacted]'],
    ['"apiKey": "whatever-it-is"', '"apiKey": "[redacted]"'],
    ["{ token: 'qwertz12' }", "{ token: '[redacted]' }"],
    ['client_secret=s3cr3t&x=1', 'client_secret=[redacted]&x=1'],
    ['password: hunter22', 'password: [redacted]'],
    ['git --password hunter22 push', 'git --password [redacted] push'],
    ['x-api-key: 0123456789', 'x-api-key: [redacted]'],
    ['Bearer abcdefgh.ijkl', 'Bearer [redacted]'],
    ['got 401 for Basic dXNlcjpwYXNz', 'got 401 for Basic [redacted]'],
    ['Incorrect key sk-proj-abcDEF_123-xyz given', 'Incorrect key [redacted] given'],
    ['ghp_0123456789abcdef', '[redacted]'],
    ['AIzaSyA-0123456789', '[redacted]'],
    ['eyJhbGciOiJI.eyJzdWIiOiIx.sig_-1', '[redacted]'],
    ['https://ada:hunter2@example.org/x', 'https://[redacted]@example.org/x'],
    ['git+ssh://0123456789abcdef0@example.org/x', 'git+ssh://[redacted]@example.org/x'],
    [
      '-----BEGIN OPENSSH PRIVATE KEY-----\nabc\ndef\n-----END OPENSSH PRIVATE KEY-----',
      '-----BEGIN OPENSSH PRIVATE KEY-----[redacted]-----END OPENSSH PRIVATE KEY-----',
    ],
    ['-----BEGIN PRIVATE KEY-----\ncut off', '-----BEGIN PRIVATE KEY-----[redacted]'],
  ])('%j becomes %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });
});

test.each([
  'The flow review.flow.yaml has 3 nodes.',
  'error TS2345: at createEngine (app.asar/out/main/engine-host.js:12:34)',
  'tokens: 12',
  'key: a',
  'http://127.0.0.1:11434/v1',
  'ssh://git@example.org/me/name.git',
  'the keyboard shortcut Ctrl+K',
])('leaves %j unchanged', (text) => {
  expect(redact(text)).toBe(text);
});

describe('the home folder', () => {
  test.each([
    ['/home/ada/flows/a.flow.yaml', '~/flows/a.flow.yaml'],
    ['at file:///home/ada/x.js:1:2', 'at file://~/x.js:1:2'],
    ['/home/adam/x', '/home/adam/x'],
    ['ENOENT: /home/ada', 'ENOENT: ~'],
  ])('%j becomes %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  test('is replaced in every notation of Windows paths', () => {
    const onWindows = createRedactor({ home: 'C:\\Users\\Ada B', secrets: () => [] });
    expect(onWindows('C:\\Users\\Ada B\\a')).toBe('~\\a');
    expect(onWindows('{"path":"C:\\\\Users\\\\Ada B\\\\a"}')).toBe('{"path":"~\\\\a"}');
    expect(onWindows('file:///C:/Users/Ada%20B/a')).toBe('file:///~/a');
  });

  test('is ignored if it is a single character', () => {
    expect(createRedactor({ home: '/', secrets: () => [] })('/etc/hosts')).toBe('/etc/hosts');
  });
});

test('handles very long texts without noticeable delay', () => {
  const text = `${'a'.repeat(100_000)} ${'key'.repeat(30_000)} ${'sk-'.repeat(30_000)}${'a://'.repeat(10_000)}`;
  const startedAt = performance.now();
  redact(text);
  expect(performance.now() - startedAt).toBeLessThan(5000);
});

test('detects secrets by the names of variables', () => {
  const env = {
    OPENAI_API_KEY: 'one',
    GH_TOKEN: 'two',
    DB_PASSWORD: 'three',
    EMPTY_KEY: '',
    PATH: '/bin',
    KEYBOARD: 'de',
  };
  expect(secretsIn(env)).toEqual(['one', 'two', 'three']);
});
