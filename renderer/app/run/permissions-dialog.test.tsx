import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import type { PermissionPlan } from '../../stores/runs/requests/permission-ask.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { PermissionsDialog } from './permissions-dialog.tsx';

let window: TestWindow;
let granted: unknown[];
let isAllowed: boolean;
let outcome: boolean | null;
afterEach(() => window.close());

const start = { by: 'startRun', request: { path: 'a.flow.yaml', text: 'x', inputs: { n: 1 } } } as const;

const plan: PermissionPlan = {
  kind: 'flow',
  missing: [
    { need: { kind: 'secret-host', name: 'HELP_DESK', host: 'desk.example' }, nodes: ['send'] },
    { need: { kind: 'private-address', host: '192.168.1.20' }, nodes: ['announce', 'b', 'c', 'd'] },
    { need: { kind: 'trust', command: 'node totals.mjs' }, nodes: ['totals'] },
  ],
  hosts: ['desk.example', 'shop.example'],
};

/** Requests a run of a flow with this plan. `outcome` is whether it may start. */
async function open(found: PermissionPlan): Promise<void> {
  granted = [];
  isAllowed = true;
  outcome = null;
  window = openTestWindow(
    { listRuns: () => [], findPermissions: () => found },
    {
      'permissions.grant': async (wish) => {
        granted.push(wish);
        return { isDone: isAllowed };
      },
    },
  );
  window.engine.connect();
  window.draw(<PermissionsDialog />);
  void window.stores.permissionAsk
    .getState()
    .before(start)
    .then((mayRun) => {
      outcome = mayRun;
    });
  await window.settle();
}

const dialog = (): HTMLElement | null => document.querySelector('[role="dialog"]');
const boxes = (): HTMLInputElement[] => [...(dialog()?.querySelectorAll<HTMLInputElement>('input') ?? [])];

async function press(text: string): Promise<void> {
  const button = [...(dialog()?.querySelectorAll('button') ?? [])].find(({ textContent }) => textContent === text);
  if (button === undefined) throw new Error(`No button ${text}`);
  act(() => button.click());
  await window.settle();
}

test('13.6 one page lists the missing permissions of the flow with their nodes; trust is not selected at first', async () => {
  await open(plan);
  const rows = [...(dialog()?.querySelectorAll('li') ?? [])].map(({ textContent }) => textContent);
  expect(rows).toEqual([
    'Send the secret HELP_DESK to desk.example1 nodeNeeded by send.',
    'Send requests to 192.168.1.20, an address on this machine or your network4 nodesNeeded by announce, b, c and 1 more.',
    'Trust this workspace to run node totals.mjs1 nodeNot selected: the run pauses at totals. Trust covers the whole workspace: its flows and agents can then do anything that you can do.',
  ]);
  expect(boxes().map(({ checked }) => checked)).toEqual([true, true, false]);
  expect(dialog()?.textContent).toContain('Sends requests to desk.example, shop.example.');
});

test('13.6 the selected permissions are requested by their keys, all at once, and then the flow runs', async () => {
  await open(plan);
  isAllowed = false;
  await press('Allow 2 and run');
  expect([dialog()?.querySelector('[role="alert"]')?.textContent, outcome]).toEqual(['Nothing was allowed.', null]);
  isAllowed = true;
  act(() => boxes()[2]?.click());
  act(() => boxes()[0]?.click());
  expect(dialog()?.textContent).toContain('Not selected: the run pauses at send.');
  await press('Allow 2 and run');
  const host = JSON.stringify(['private-address', '192.168.1.20']);
  expect(granted[1]).toEqual({ start, keys: [host, 'trust'] });
  expect([granted.length, outcome, dialog()]).toEqual([2, true, null]);
});

test('13.6 a flow runs without permissions if none is selected, and does not run after "Not now"', async () => {
  await open(plan);
  for (const box of boxes().slice(0, 2)) act(() => box.click());
  await press('Run without');
  expect([granted, outcome]).toEqual([[], true]);
  window.close();
  await open(plan);
  await press('Not now');
  expect([granted, outcome, dialog()]).toEqual([[], false, null]);
});

test('13.6 a flow that has all permissions runs without the page', async () => {
  await open({ kind: 'flow', missing: [], hosts: ['shop.example'] });
  expect([outcome, dialog()]).toEqual([true, null]);
});
