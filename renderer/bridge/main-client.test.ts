import { expect, test } from 'vitest';
import type { MainBridge } from '../../electron/ipc/bridge.ts';
import { createMainClient } from './main-client.ts';

function clientOf(bridge: Partial<MainBridge>) {
  return createMainClient({
    call: () => Promise.reject(new Error('reply was never sent')),
    onPush: () => () => undefined,
    ...bridge,
  });
}

test('calls carry a name and arguments, and return the result or throw the error of main', async () => {
  const asked: unknown[] = [];
  const replies = [
    { ok: true, result: { version: '1', workspace: null, theme: 'dark', recentWorkspaces: [] } },
    { ok: false, error: { code: 'run.not-found', message: 'No run r1.' } },
  ] as const;
  const { call } = clientOf({
    call: async (name, args) => {
      asked.push([name, args]);
      return replies[asked.length - 1] ?? { ok: true };
    },
  });
  expect(await call('app.info')).toMatchObject({ theme: 'dark' });
  await expect(call('app.info')).rejects.toMatchObject({ code: 'run.not-found', message: 'No run r1.' });
  expect(asked).toEqual([
    ['app.info', []],
    ['app.info', []],
  ]);
});

test('a call that main never answers rejects with rpc.disconnected and names the call', async () => {
  await expect(clientOf({}).call('app.info')).rejects.toMatchObject({
    code: 'rpc.disconnected',
    message: expect.stringContaining('app.info'),
  });
});

test('pushes of main reach their listeners until they unsubscribe', () => {
  let deliver: (message: unknown) => void = () => undefined;
  const { onPush } = clientOf({
    onPush: (listener) => {
      deliver = listener;
      return () => undefined;
    },
  });
  const chosen: string[] = [];
  const end = onPush({ 'command.invoke': ({ id }) => chosen.push(id) });
  deliver({ kind: 'push', name: 'command.invoke', payload: { id: 'save' } });
  end();
  deliver({ kind: 'push', name: 'command.invoke', payload: { id: 'quit' } });
  expect(chosen).toEqual(['save']);
});
