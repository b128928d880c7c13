import { expect, test } from 'vitest';
import type { BackgroundState } from '../../ipc/contracts/background-contract.ts';
import type { ConsentQuestion } from '../consent/consent.ts';
import type { RunServe } from './background.ts';
import { backgroundHandlers } from './background-handlers.ts';

const workspace = '/home/kim/flows';

const state: BackgroundState = {
  ...{ isOn: false, service: 'off', address: null, published: 0 },
  ...{ workspaces: [], problem: null },
};

/** A system on which the service can be installed. `agrees` is what the user answers. */
function openSession(agrees: boolean, failure?: string) {
  let isInstalled = false;
  const calls: string[] = [];
  const asked: ConsentQuestion[] = [];
  const runServe: RunServe = async (action, folder) => {
    calls.push(`${action} ${folder}`);
    if (failure !== undefined) return { code: 1, out: '', error: failure };
    if (action === 'status') return { code: isInstalled ? 0 : 1, out: 'millrace-flows.service', error: '' };
    isInstalled = action === 'install';
    return { code: 0, out: '', error: '' };
  };
  const consent = async (question: ConsentQuestion): Promise<boolean> => {
    asked.push(question);
    return agrees;
  };
  return {
    calls,
    asked,
    handlers: backgroundHandlers({ content: { workspace } }, consent, { state, set: () => undefined, runServe }),
  };
}

test('the service is installed only after the user has agreed, and removed without a question', async () => {
  const refused = openSession(false);
  expect(await refused.handlers['background.setSession']({ isOn: true })).toEqual({ state: 'off', workspace });
  expect(refused.calls).toEqual([`status ${workspace}`]);
  const { handlers, asked, calls } = openSession(true);
  expect(await handlers['background.setSession']({ isOn: true })).toEqual({ state: 'on', workspace });
  expect(asked).toMatchObject([{ detail: expect.stringContaining(workspace) }]);
  expect(await handlers['background.readSession']()).toEqual({ state: 'on', workspace });
  expect(await handlers['background.setSession']({ isOn: false })).toEqual({ state: 'off', workspace });
  expect(asked).toHaveLength(1);
  expect(calls[0]).toBe(`install ${workspace}`);
});

test('the reason is reported where there is no systemd', async () => {
  const { handlers } = openSession(true, 'systemd did not accept the request.');
  const reason = 'systemd did not accept the request.';
  expect(await handlers['background.readSession']()).toEqual({ state: 'unavailable', reason });
  await expect(handlers['background.setSession']({ isOn: true })).rejects.toMatchObject({ message: reason });
  const other = { state, set: () => undefined, runServe: undefined };
  const elsewhere = backgroundHandlers({ content: { workspace } }, async () => true, other);
  const onlyLinux = { state: 'unavailable', reason: expect.stringContaining('Linux') };
  expect(await elsewhere['background.setSession']({ isOn: true })).toEqual(onlyLinux);
});
