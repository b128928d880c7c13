import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { asRunId } from '../../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import type { RecordedDecision, ToolCallRecord } from '../../stores/runs/live/tool-calls.ts';
import { workspacePlace } from '../../stores/show-text.ts';
import { CallsTab } from './calls-tab.tsx';

let window: TestWindow;
afterEach(() => window.close());

const call: ToolCallRecord = {
  seq: 4,
  runId: asRunId('r1'),
  taskId: 'node:a',
  callKey: 'c1',
  tool: 'files.write',
  asked: { path: '/etc/passwd' },
  params: { path: 'notes.md' },
  attempts: 2,
  failedTries: [{ attempt: 1, at: 0, delayMs: 5, message: 'too slow' }],
  startedAt: 0,
  endedAt: 9,
  durationMs: 9,
  result: '<img src=x onerror=alert(1)>',
  isError: false,
  backend: 'mcp',
  isReplayed: false,
};

function show(calls: readonly ToolCallRecord[], decisions: readonly RecordedDecision[] = []): HTMLElement {
  window = openTestWindow({ listRuns: () => [], readEvents: () => [] });
  const none = { endedCalls: [], openCalls: [], failedAttempts: [], nodeState: undefined };
  return window.draw(<CallsTab {...none} toolCalls={calls} decisions={decisions} />);
}

test('a call expands to its request, arguments and result, all as text', () => {
  const element = show([call, { ...call, seq: 9, tool: 'files.read' }]);
  expect(element.textContent).not.toContain('notes.md');
  act(() => element.querySelector<HTMLButtonElement>('.tool-call-head')?.click());
  for (const part of [
    'Requested by the model',
    '/etc/passwd',
    'Called with',
    'notes.md',
    'Attempt 1 failed',
    '<img src=x',
  ]) {
    expect(element.textContent).toContain(part);
  }
  expect(element.querySelector('img')).toBeNull();
});

test('a denial names its rule, and a file in the workspace is a link', () => {
  const refusal = {
    seq: 1,
    isAllowed: false,
    rule: 'tools.block',
    effect: 'tool',
    target: 'files.write',
    reason: 'Not today.',
  };
  const element = show(
    [],
    [
      { ...refusal, place: 'millrace.policy.yaml:7' },
      { ...refusal, seq: 2, place: '/home/team/policy.yaml:3' },
      { ...refusal, seq: 3, place: undefined },
    ],
  );
  expect([...element.querySelectorAll('button')].map(({ textContent }) => textContent)).toEqual([
    'millrace.policy.yaml:7',
  ]);
  expect(element.textContent).toContain('Not today.');
  expect(element.textContent).toContain('/home/team/policy.yaml:3');
  expect(element.textContent).toContain('a built-in rule');
});

test('a call allowed by a policy is marked as allowed, with the rule', () => {
  const reason = 'Only when a person agrees';
  const rule = {
    rule: 'approval_required',
    effect: 'tool',
    target: 'mail.send',
    place: 'millrace.policy.yaml:4',
    reason,
  };
  const element = show([], [{ seq: 1, isAllowed: true, ...rule }]);
  expect(element.querySelector('.decision')?.textContent).toBe(
    'Allowed: tool mail.sendOnly when a person agreesapproval_required · millrace.policy.yaml:4',
  );
  expect(element.textContent).not.toContain('Denied');
});

test('only files in the workspace open in a tab', () => {
  expect(workspacePlace('a/b.yaml:12')).toEqual({ path: 'a/b.yaml', line: 12 });
  expect(['/a.yaml:1', '../a.yaml:1', 'C:\\a.yaml:1', '~/a.yaml:1', 'a.yaml'].map(workspacePlace)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
});
