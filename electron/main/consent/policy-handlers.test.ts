import { expect, test } from 'vitest';
import type { AppWindow } from '../windows/app-window.ts';
import { policyHandlers } from './policy-handlers.ts';

test.each([
  ['', true],
  ['No application is registered', false],
])('opens the policy that the engine created, and no other file (the system returns "%s")', async (answer, isOpen) => {
  const opened: string[] = [];
  const person = { call: async () => ({ path: '/base/policy.yaml', isNew: true }) };
  const window = { asPerson: async (act: (one: typeof person) => unknown) => act(person) } as unknown as AppWindow;
  const handlers = policyHandlers(window, async (path) => {
    opened.push(path);
    return answer;
  });
  expect(await handlers['policy.openPersonal']()).toEqual({ path: '/base/policy.yaml', isNew: true, isOpen });
  expect(opened).toEqual(['/base/policy.yaml']);
});
