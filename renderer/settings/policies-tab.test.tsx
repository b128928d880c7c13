import { act } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { asRunId, EngineError } from '../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { type PolicyFile, policyPath, type TriedRun } from '../stores/workspace/policies.ts';
import { PoliciesTab } from './policies-tab.tsx';

let window: TestWindow;
let panel: HTMLElement;
afterEach(() => window.close());

const files: readonly PolicyFile[] = [
  { scope: 'team', path: '/team/policy.yaml', exists: true, problems: [], warnings: [] },
  {
    scope: 'workspace',
    path: policyPath,
    exists: true,
    problems: [{ line: 3, column: 1, message: 'There is no rule <b>x</b>.' }],
    warnings: [],
  },
  {
    scope: 'product',
    product: 'shop',
    path: 'products/shop/policy.yaml',
    exists: true,
    problems: [],
    warnings: [{ line: 2, column: 1, message: '`allow_full_autonomy: true` has no effect.' }],
  },
];

async function show(tried: readonly TriedRun[] = []): Promise<void> {
  window = openTestWindow({
    listRuns: () => [],
    listPolicies: () => files,
    listWritten: () => [
      { path: 'tools/a.tool.yaml', decides: 'a tool manifest', before: null, text: 'x', changes: ['+x'] },
    ],
    tryPolicy: () => tried,
    readFile: () => ({ text: 'version: 1\n\nx: 1\n', isWritable: true }),
    checkPolicy: () => files[1]!.problems,
  });
  window.engine.connect();
  panel = window.draw(<PoliciesTab />);
  await window.settle();
}

async function press(text: string): Promise<void> {
  act(() => [...panel.querySelectorAll('button')].find(({ textContent }) => textContent === text)?.click());
  await window.settle();
}

test('12.2 lists the origin and the problems of each active policy, and links to problems in workspace files', async () => {
  await show();
  expect([...panel.querySelectorAll('.policy b')].map(({ textContent }) => textContent)).toEqual([
    'Team',
    'Workspace',
    'Product shop',
  ]);
  expect(panel.textContent).toContain('There is no rule <b>x</b>.');
  await press('Line 3');
  expect(window.stores.openFiles.getState().activePath).toBe(policyPath);
  await window.until(() =>
    expect(window.stores.openFiles.getState().files.get(policyPath)?.diagnostics).toMatchObject([
      { code: 'policy.invalid', range: { line: 3 } },
    ]),
  );
});

test('13.1 lists what has no effect in a workspace policy, although the policy is active', async () => {
  await show();
  const row = panel.querySelector('[aria-label="Product shop policy"]');
  expect(row?.querySelector('[aria-label="Warnings"]')?.textContent).toContain(
    '`allow_full_autonomy: true` has no effect. Line 2',
  );
  expect(row?.querySelector('.policy-fine')?.textContent).toContain('in effect');
});

test('problems of any open policy are shown in its text after a pause in typing, and disappear when they are fixed', async () => {
  const paths = [policyPath, 'products/shop/policy.yaml', 'products/shop/flows/policy.yaml'];
  window = openTestWindow({
    readFile: () => ({ text: 'x: 1\n', isWritable: true }),
    checkPolicy: (text) => (text.includes('x') ? [{ line: 1, column: 1, message: 'There is no rule x.' }] : []),
  });
  window.engine.connect();
  const { openFiles, edits } = window.stores;
  for (const path of paths) void openFiles.getState().open(path, 'file');
  const counts = () => paths.map((path) => openFiles.getState().files.get(path)?.diagnostics.length);
  await window.until(() => expect(counts()).toEqual([1, 1, 0]));
  edits.type('products/shop/policy.yaml', [{ start: 0, end: 4, text: 'version: 1' }]);
  await window.until(() => expect(counts()).toEqual([1, 0, 0]));
});

test('shows what would have been denied in past runs, or that nothing would', async () => {
  await show();
  await press('Try on past runs');
  expect(panel.textContent).toContain('Nothing would have been refused.');
  window.close();
  const refusal = {
    seq: 4,
    rule: 'tools.block',
    place: 'millrace.policy.yaml:3',
    effect: 'tool',
    target: 'files.write',
  };
  await show([{ runId: asRunId('r1'), name: 'Flow', startedAt: 1, refusals: [{ ...refusal, reason: 'It writes.' }] }]);
  await press('Try on past runs');
  for (const part of ['1 run would', 'files.write', 'It writes.', 'millrace.policy.yaml:3']) {
    expect(panel.textContent).toContain(part);
  }
});

describe('a personal policy', () => {
  const personal = '/home/kim/.aipack-base/policy.yaml';
  async function showPersonal(exists: boolean, opened: { isOpen: boolean } | Error): Promise<string[]> {
    const asked: string[] = [];
    let isThere = exists;
    window = openTestWindow(
      {
        listRuns: () => [],
        listPolicies: () => [{ scope: 'personal', path: personal, exists: isThere, problems: [], warnings: [] }],
        listWritten: () => [],
      },
      {
        'policy.openPersonal': () => {
          asked.push('policy.openPersonal');
          if (opened instanceof Error) throw opened;
          isThere = true;
          return { path: personal, isNew: !exists, ...opened };
        },
      },
    );
    window.engine.connect();
    panel = window.draw(<PoliciesTab />);
    await window.settle();
    return asked;
  }

  test('shows where a missing policy would be and what it does, and creates and opens it', async () => {
    const asked = await showPersonal(false, { isOpen: true });
    expect(panel.textContent).toContain(personal);
    expect(panel.textContent).toContain('Not created yet. Create it to block tools');
    await press('Create');
    expect(asked).toEqual(['policy.openPersonal']);
    expect(panel.textContent).toContain(`Created ${personal}. It is open in the program`);
    expect([...panel.querySelectorAll('button')].map(({ textContent }) => textContent)).toContain('Edit');
  });

  test('opens an existing policy as it is', async () => {
    await showPersonal(true, { isOpen: true });
    await press('Edit');
    expect(panel.textContent).toContain('It is open in the program');
    expect(panel.textContent).not.toContain('Created');
  });

  test('shows the path if the system has no program for the file', async () => {
    await showPersonal(false, { isOpen: false });
    await press('Create');
    expect(panel.textContent).toContain(
      `Your system has no program for YAML files. Open ${personal} in a text editor.`,
    );
  });

  test('shows why the file cannot be written', async () => {
    await showPersonal(false, new EngineError({ code: 'files.not-writable', message: 'The disk is full.' }));
    await press('Create');
    expect(panel.querySelector('[role="alert"]')?.textContent).toBe('The disk is full.');
  });
});

test('13.1 lists the files that runs have written, and opens them for review', async () => {
  await show();
  expect(panel.textContent).toContain('tools/a.tool.yaml');
  await press('Review');
  expect(window.stores.policies.getState().reviewing).toMatchObject({ path: 'tools/a.tool.yaml', before: null });
});
