import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AppWindow } from '../windows/app-window.ts';
import type { ConsentQuestion } from './consent.ts';
import { secretHandlers } from './secret-handlers.ts';
import { openSecretVault, type SecretVault } from './secret-vault.ts';

let folder: string;
let vault: SecretVault;
let problem: string | null;
let questions: ConsentQuestion[];
let isAllowed: boolean;
let known: { name: string }[];
let calls: [name: string, request: unknown][];

function open() {
  const encryptor = { problem: () => problem, encrypt: (text: string) => Buffer.from(text), decrypt: String };
  vault = openSecretVault(path.join(folder, 'keys.json'), encryptor);
  const person = {
    call: async (name: string, request?: unknown) => {
      if (name === 'listSecrets') return known;
      calls.push([name, request]);
      return undefined;
    },
  };
  const window = { asPerson: async (act: (one: typeof person) => unknown) => act(person) } as unknown as AppWindow;
  return secretHandlers({ vault, deliverKeys: async () => undefined }, window, async (question) => {
    questions.push(question);
    return isAllowed;
  });
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-secrets-'));
  problem = null;
  questions = [];
  isAllowed = true;
  known = [];
  calls = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const text = `# of the server
export NEW_TOKEN='two words' # behind
LINES="first
second"
A=plain
lower=x
EMPTY=
`;

test('BB-15 parses a .env like Node: names of secrets, and names that are not valid for secrets', () => {
  expect(open()['secrets.readEnv']({ text })).toEqual({
    names: ['A', 'LINES', 'NEW_TOKEN'],
    others: ['EMPTY', 'lower'],
  });
  expect(vault.keys()).toEqual({});
});

test('BB-15 stores only the chosen secrets of a .env, and asks once with the names of all it replaces', async () => {
  known = [{ name: 'A' }];
  const handlers = open();
  isAllowed = false;
  const names = ['NEW_TOKEN', 'A', 'NOT_IN_IT'];
  expect(await handlers['secrets.setEnv']({ text, names })).toEqual({ isDone: false, keptIn: 'vault' });
  expect([vault.keys(), calls]).toEqual([{}, []]);
  isAllowed = true;
  expect(await handlers['secrets.setEnv']({ text, names })).toEqual({ isDone: true, keptIn: 'vault' });
  expect(vault.keys()).toEqual({ MILLRACE_SECRET_NEW_TOKEN: 'two words', MILLRACE_SECRET_A: 'plain' });
  expect(questions.map(({ message }) => message)).toEqual(['Replace the secret A?', 'Replace the secret A?']);
  await handlers['secrets.setEnv']({ text, names });
  expect(questions.at(-1)).toMatchObject({ message: 'Replace 2 secrets?', allow: 'Replace Secrets' });
  expect(questions.at(-1)?.detail).toContain('A, NEW_TOKEN');
  expect(JSON.stringify(questions)).not.toContain('two words');
});

test('stores secrets in the workspace file without a vault', async () => {
  problem = 'There is none.';
  expect(await open()['secrets.setEnv']({ text, names: ['LINES'] })).toEqual({ isDone: true, keptIn: 'file' });
  expect(calls).toEqual([['setSecret', { name: 'LINES', value: 'first\nsecond' }]]);
});

test('asks before removing a secret, and removing it first does not bypass the question about a new value', async () => {
  const handlers = open();
  await handlers['secrets.set']({ name: 'A', value: 'one' });
  expect(questions).toEqual([]);
  isAllowed = false;
  expect(await handlers['secrets.remove']({ name: 'A' })).toEqual({ isDone: false });
  expect(vault.keys()).toEqual({ MILLRACE_SECRET_A: 'one' });
  isAllowed = true;
  expect(await handlers['secrets.remove']({ name: 'A' })).toEqual({ isDone: true });
  expect(vault.keys()).toEqual({});
  isAllowed = false;
  expect(await handlers['secrets.set']({ name: 'A', value: 'two' })).toEqual({ isDone: false, keptIn: 'vault' });
  expect(questions.map(({ message }) => message)).toEqual([
    'Remove the secret A?',
    'Remove the secret A?',
    'Replace the secret A?',
  ]);
});

test('removes a host without asking, and adds one after asking', async () => {
  const handlers = open();
  isAllowed = false;
  const host = { name: 'A', host: 'a.example' };
  expect(await handlers['secrets.allowHost'](host)).toEqual({ isDone: false });
  await handlers['secrets.forgetHost'](host);
  expect([questions.length, calls]).toEqual([1, [['forgetSecretHost', host]]]);
});
