/** Approvals of tools with a scope, and permissions, which no form can grant. */
import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { type AskRequest, asRunId } from '../../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import { AskForm } from './ask-form.tsx';

let window: TestWindow;
let element: HTMLElement;
let sent: unknown[];
let asked: unknown[];
let isAllowed = true;
afterEach(() => window.close());

async function show(request: AskRequest): Promise<void> {
  sent = [];
  asked = [];
  window = openTestWindow(
    {
      listRuns: () => [],
      readEvents: () => [],
      resumeRun: (answer) => {
        sent.push(answer);
        return { runId: 'r1' };
      },
    },
    {
      'permissions.allow': async (wish) => {
        asked.push(wish);
        return { isDone: isAllowed };
      },
    },
  );
  const ask = { key: 'k', requestHash: 'h', request, askedAt: 0 };
  element = window.draw(<AskForm runId={asRunId('r1')} nodeId="gate" ask={ask} />);
  act(() => window.engine.connect());
  await window.settle();
}

async function press(label: string): Promise<void> {
  const button = [...element.querySelectorAll('button')].find(({ textContent }) => textContent?.startsWith(label));
  act(() => button?.click());
  await window.settle();
}

test.each([
  ['Approve', [], { approved: true }],
  ['Approve', ['Always in this workspace'], { approved: true, scope: 'workspace' }],
  ['Approve', ['Always in this workspace', 'Only this time'], { approved: true }],
  ['Reject', ['Always in this workspace'], { approved: false }],
] as const)('13.17 "%s" after selecting %j answers for that scope', async (button, choices, payload) => {
  await show({
    ...{ kind: 'approval', title: 'Call Write?', action: { tool: 'files.write', risk: 'high', source: 'files' } },
    scopes: ['once', 'workspace'],
  });
  const chosen = (): unknown => element.querySelector('.ask-scope [data-state="on"]')?.textContent;
  expect(chosen()).toBe('Only this time');
  for (const choice of choices) {
    await press(choice);
    expect(chosen()).toBe(choice);
    expect(element.textContent?.includes('revoke')).toBe(choice !== 'Only this time');
  }
  await press(button);
  expect(sent).toEqual([{ runId: 'r1', nodeId: 'gate', key: 'k', payload }]);
});

const permission: AskRequest = {
  ...{ kind: 'approval', title: '"gate" needs your permission.', message: 'The node has not run yet.' },
  permission: [
    { kind: 'private-address', host: '192.168.1.20' },
    { kind: 'secret-host', name: 'HELP_DESK', host: 'desk.example' },
  ],
};

test('13.6 a permission is listed and requested in a system dialog, and the page itself cannot grant it', async () => {
  await show(permission);
  const items = [...element.querySelectorAll('.ask-permission li')].map(({ textContent }) => textContent);
  expect(items).toEqual([
    'Send requests to 192.168.1.20, an address on this machine or your network',
    'Send the secret HELP_DESK to desk.example',
  ]);
  expect([...element.querySelectorAll('button')].map(({ textContent }) => textContent)).toEqual([
    'Cancel run',
    'Allow…',
  ]);
  isAllowed = false;
  await press('Allow…');
  expect(asked).toEqual([{ runId: 'r1', nodeId: 'gate' }]);
  expect(element.querySelector('[role="alert"]')?.textContent).toBe('Nothing was allowed. The run is still waiting.');
  isAllowed = true;
  await press('Allow…');
  expect(element.querySelector('[role="alert"]')).toBeNull();
  expect(sent).toEqual([]);
});
