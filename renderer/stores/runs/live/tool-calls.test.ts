import { expect, test } from 'vitest';
import type { RunEvent } from '../../../../engine/isomorphic.ts';
import { createRunTeller, nodeStart, type RunTeller } from '../../../bridge/testing/run-events.ts';
import { appendToLog, emptyRunLog } from './run-log.ts';
import { callState, maxStoredToolCalls } from './tool-calls.ts';

const call = { callKey: 'c1', tool: 'files.read' };
const asked: RunEvent = { type: 'agent:tool:start', callKey: 'c1', toolName: 'files.read', input: { path: 'a' } };
const tried: RunEvent = { type: 'tool:attempt', ...call, attempt: 1, params: { path: 'b' }, effects: 'idempotent' };
const failed: RunEvent = {
  type: 'tool:retry',
  ...call,
  attempt: 2,
  delayMs: 5,
  error: { code: 'timeout', message: 'too slow' },
};
const gave: RunEvent = {
  type: 'tool:result',
  ...call,
  attempts: 2,
  result: 'text',
  isError: false,
  durationMs: 7,
  backend: 'mcp',
};

function logOf(tell: (run: RunTeller) => void) {
  const run = createRunTeller('r1');
  tell(run);
  // Applied one by one.
  return run.events.reduce((log, event) => appendToLog(log, [event]), emptyRunLog);
}

test('a call contains the request of the model, the actual arguments, its failed attempts and its result', () => {
  const { toolCalls } = logOf((run) => {
    for (const event of [nodeStart('a'), asked, tried, failed, { ...tried, attempt: 2 } as RunEvent, gave]) {
      run.tell(event, 'a');
    }
    run.tell(
      { type: 'agent:tool:complete', callKey: 'c1', toolName: 'files.read', result: 'told', isError: false },
      'a',
    );
  });
  const calls = toolCalls.get('a') ?? [];
  expect(calls).toHaveLength(1);
  expect(calls[0]).toMatchObject({
    seq: 1,
    tool: 'files.read',
    asked: { path: 'a' },
    params: { path: 'b' },
    attempts: 2,
    failedTries: [{ attempt: 1, delayMs: 5, message: 'too slow' }],
    result: 'text',
    durationMs: 7,
    backend: 'mcp',
  });
});

test('a call with the same name in the next attempt of the node is a separate call', () => {
  const { toolCalls } = logOf((run) => {
    for (const event of [asked, tried, gave, asked]) run.tell(event, 'a');
  });
  expect(toolCalls.get('a')?.map((one) => callState(one, 'running'))).toEqual(['completed', 'running']);
});

test('a call that was denied before any attempt ends with the message for the model', () => {
  const { toolCalls, decisions } = logOf((run) => {
    run.tell(asked, 'a');
    run.tell(
      {
        type: 'governance:decision',
        allowed: false,
        rule: 'tools.block',
        effect: 'tool',
        target: 'files.read',
        place: 'millrace.policy.yaml:7',
      },
      'a',
    );
    run.tell({ type: 'agent:tool:complete', callKey: 'c1', toolName: 'files.read', result: 'no', isError: true }, 'a');
  });
  expect(toolCalls.get('a')?.[0]).toMatchObject({ attempts: 0, isError: true, result: 'no' });
  expect(decisions.get('a')?.map(({ rule, place }) => [rule, place])).toEqual([
    ['tools.block', 'millrace.policy.yaml:7'],
  ]);
});

test('calls allowed by a policy are kept with their rule, but not those allowed by a built-in rule', () => {
  const decision = { type: 'governance:decision', allowed: true, effect: 'tool', target: 'mail.send' } as const;
  const { decisions } = logOf((run) => {
    run.tell({ ...decision, rule: 'approval_required', place: 'millrace.policy.yaml:4' }, 'a');
    run.tell({ ...decision, rule: 'trusted' }, 'a');
    run.tell({ ...decision, allowed: false, rule: 'web-untrusted' }, 'a');
  });
  expect(decisions.get('a')?.map(({ rule, isAllowed }) => [rule, isAllowed])).toEqual([
    ['approval_required', true],
    ['web-untrusted', false],
  ]);
});

test('a call without a result is running, waiting or interrupted, like its node', () => {
  const { toolCalls } = logOf((run) => run.tell(asked, 'a'));
  const one = toolCalls.get('a')![0]!;
  expect([callState(one, 'running'), callState(one, 'suspended'), callState(one, 'cancelled')]).toEqual([
    'running',
    'suspended',
    'cancelled',
  ]);
});

test('only the newest of thousands of calls of one node are kept', () => {
  const run = createRunTeller('r1');
  for (let index = 0; index < maxStoredToolCalls + 5; index++) {
    run.tell({ ...asked, callKey: `c${index}` } as RunEvent, 'a');
  }
  const { toolCalls } = appendToLog(emptyRunLog, run.events);
  expect([toolCalls.get('a')?.length, toolCalls.get('a')?.[0]?.callKey]).toEqual([maxStoredToolCalls, 'c5']);
});

test('unrelated events change neither calls nor decisions', () => {
  const run = createRunTeller('r1');
  const log = appendToLog(emptyRunLog, [run.tell(asked, 'a')]);
  const next = appendToLog(log, [run.tell(nodeStart('b'))]);
  expect([next.toolCalls === log.toolCalls, next.decisions === log.decisions]).toEqual([true, true]);
});
