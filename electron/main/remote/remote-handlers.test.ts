/**
 * Tests where the passwords of remote histories can go.
 */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RemotePlace } from '../../ipc/contracts/remote-contract.ts';
import { systemClock } from '../../ipc/engine-base.ts';
import type { ToHostMessage } from '../../ipc/host-messages.ts';
import type { ConsentQuestion } from '../consent/consent.ts';
import type { Encryptor } from '../consent/secret-vault.ts';
import type { AppWindow } from '../windows/app-window.ts';
import { RemoteConnections } from './remote-connections.ts';
import { remoteHandlers } from './remote-handlers.ts';

const encryptor: Encryptor = {
  problem: () => null,
  encrypt: (text) => Buffer.from(text).reverse(),
  decrypt: (bytes) => Buffer.from(bytes).reverse().toString(),
};
const place: RemotePlace = {
  ...{ host: 'db.example', port: 5432, database: 'runs', user: 'kim', schema: 'millrace', tls: 'require' },
};

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'millrace-remotes-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

function setUp(answer = true) {
  const remotes = new RemoteConnections(folder, { encryptor, clock: systemClock });
  const questions: ConsentQuestion[] = [];
  const listed: unknown[] = [];
  const opened: string[] = [];
  const person = {
    async call(...args: readonly unknown[]) {
      listed.push(args);
      return ['orders'];
    },
  };
  const window = { asPerson: async (act: (client: unknown) => unknown) => await act(person) } as unknown as AppWindow;
  const openWorkspace = async (_window: AppWindow, shown: string): Promise<boolean> => opened.push(shown) > 0;
  const handlers = remoteHandlers({ remotes, openWorkspace }, window, async (question) => {
    questions.push(question);
    return answer;
  });
  return { remotes, handlers, questions, listed, opened };
}

async function saved(handlers: ReturnType<typeof setUp>['handlers'], change: object = {}): Promise<string> {
  const { id } = await handlers['remotes.save']({ name: 'Production', place, password: 's3cret', ...change });
  if (id === null) throw new Error('The connection was not saved.');
  return id;
}

test('a connection is stored after consent, with its password in the vault only', async () => {
  const refusing = setUp(false);
  expect(await refusing.handlers['remotes.save']({ name: 'a', place, password: 'x' })).toEqual({
    isDone: false,
    id: null,
  });
  expect(refusing.remotes.connections).toEqual([]);
  const { handlers, questions, listed } = setUp();
  const id = await saved(handlers);
  expect(questions[0]?.message).toContain('db.example:5432');
  expect(questions[0]?.detail).toMatch(/"runs" as kim\. The password/);
  expect(readFileSync(path.join(folder, 'remotes.json'), 'utf8')).not.toContain('s3cret');
  expect(JSON.stringify(await handlers['remotes.list']())).not.toContain('s3cret');
  expect(statSync(path.join(folder, 'remote-passwords.json')).mode & 0o077).toBe(0);
  await handlers['remotes.listWorkspaces']({ id });
  expect(listed).toEqual([['listRemoteWorkspaces', place, 's3cret']]);
});

test.each([
  { host: 'evil.example' },
  { port: 5433 },
  { user: 'root' },
  { database: 'other' },
  { tls: 'disable' },
] as const)('a stored password is not used for a connection changed to %o', async (change) => {
  const { handlers, remotes, questions, listed, opened } = setUp();
  const id = await saved(handlers);
  await handlers['remotes.open']({ id, workspace: 'orders' });
  const kept: ToHostMessage[] = [];
  remotes.deliveryOf(id).attach((message) => kept.push(message));
  const moved = await handlers['remotes.save']({ id, name: 'Production', place: { ...place, ...change } });
  expect(questions).toHaveLength(2);
  expect(moved.id).not.toBe(id);
  await handlers['remotes.listWorkspaces']({ id: moved.id ?? '' });
  expect(listed).toEqual([['listRemoteWorkspaces', { ...place, ...change }, null]]);
  expect(remotes.passwords).toEqual([]);
  // A window on the former server never gets the password of the new one.
  await handlers['remotes.save']({
    id: moved.id ?? '',
    name: 'Production',
    place: { ...place, ...change },
    password: 'new',
  });
  expect(JSON.stringify(kept)).not.toContain('new');
  expect(opened.filter((shown) => existsSync(shown))).toEqual([]);
});

test('a new name or schema keeps the password and asks nothing', async () => {
  const { handlers, questions, remotes } = setUp();
  const id = await saved(handlers);
  await handlers['remotes.save']({ id, name: 'Live', place: { ...place, schema: 'other' } });
  expect(questions).toHaveLength(1);
  expect(remotes.passwordOf(id)).toBe('s3cret');
  await handlers['remotes.save']({ id, name: 'Live', place, password: 'newer' });
  expect(questions).toHaveLength(2);
  expect(remotes.passwordOf(id)).toBe('newer');
});

test('a folder represents each workspace, also after a restart, and is gone with its connection', async () => {
  const { handlers, opened } = setUp();
  const id = await saved(handlers);
  const names = ['orders', 'Orders', '../../etc', '..', '__proto__', 'ä b/ü'];
  for (const workspace of names) await handlers['remotes.open']({ id, workspace });
  await handlers['remotes.open']({ id, workspace: 'orders' });
  expect(opened.at(-1)).toBe(opened[0]);
  for (const shown of opened) expect(path.dirname(shown)).toBe(path.join(folder, 'remotes', id));
  const { remotes, handlers: later } = setUp();
  expect(opened.slice(0, names.length).map((shown) => remotes.find(shown)?.workspace)).toEqual(names);
  expect(remotes.find(folder)).toBeUndefined();
  await later['remotes.remove']({ id });
  expect(opened.filter((shown) => existsSync(shown))).toEqual([]);
  expect(remotes.passwords).toEqual([]);
  await expect(async () => later['remotes.open']({ id, workspace: 'a' })).rejects.toMatchObject({
    code: 'remotes.not-found',
  });
});

test('an engine host gets only the password of its connection', async () => {
  const { handlers, remotes } = setUp();
  const id = await saved(handlers);
  await saved(handlers, { name: 'Other', password: 'another' });
  const sent: ToHostMessage[] = [];
  remotes.deliveryOf(id).attach((message) => sent.push(message));
  expect(sent).toMatchObject([{ type: 'keys', keys: { REMOTE_PASSWORD: 's3cret' } }]);
});
