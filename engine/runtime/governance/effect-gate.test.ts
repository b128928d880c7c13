import { expect, test, vi } from 'vitest';
import type { EffectRequest } from '../kernel/capabilities/effect.ts';
import { createEffectGate, type EffectDecision } from './effect-gate.ts';
import { defaultEffectPolicy } from './effect-policy.ts';

const { signal } = new AbortController();

const command: EffectRequest = {
  effect: 'command',
  target: 'ls -l',
  place: 'elsewhere',
  workspace: '/w',
  isTrusted: false,
  isDry: false,
};
const read: EffectRequest = { ...command, effect: 'read', target: 'a.md', place: 'workspace' };

test('a refusal contains the effect, the rule and how to allow it, and is emitted', async () => {
  const told: EffectDecision[] = [];
  const gate = createEffectGate({ policy: defaultEffectPolicy, onDecision: (decision) => told.push(decision) });
  await expect(gate.pass(command, signal)).rejects.toMatchObject({
    code: 'effect.denied',
    message: expect.stringMatching(/`ls -l` \(rule command-untrusted\)\. .*trust this workspace in Settings.*--trust/),
    details: { effect: 'command', rule: 'command-untrusted', target: 'ls -l', trustHelps: true },
  });
  expect(told).toEqual([{ allowed: false, rule: 'command-untrusted', effect: 'command', target: 'ls -l' }]);
});

test('a refusal that trust would not change does not suggest to trust', async () => {
  const gate = createEffectGate({ policy: defaultEffectPolicy, onDecision: () => {} });
  const refusal = await gate.pass({ ...read, effect: 'delete', place: 'base' }, signal).catch((error: Error) => error);
  expect(String(refusal)).not.toContain('--trust');
});

test('emits allowed commands, but not allowed file access', async () => {
  const told: EffectDecision[] = [];
  const gate = createEffectGate({ policy: defaultEffectPolicy, onDecision: (decision) => told.push(decision) });
  await gate.pass(read, signal);
  await gate.pass({ ...command, isTrusted: true }, signal);
  expect(told).toEqual([{ allowed: true, rule: 'trusted', effect: 'command', target: 'ls -l' }]);
});

test('a stopped script may do nothing, and none of its attempts are emitted', async () => {
  const reason = new Error('stop');
  const onDecision = vi.fn();
  const gate = createEffectGate({ policy: defaultEffectPolicy, onDecision });
  await expect(gate.pass(read, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(onDecision).not.toHaveBeenCalled();
});

test('rejects what only a person can allow, because a script cannot wait for an answer', async () => {
  const policy = () => ({ decision: 'ask', rule: 'team-ask', reason: 'It wants to', trustHelps: false }) as const;
  const gate = createEffectGate({ policy, onDecision: () => undefined });
  await expect(gate.pass(read, signal)).rejects.toMatchObject({
    code: 'effect.denied',
    message: 'It wants to (rule team-ask). Nothing can be approved in the middle of a script.',
  });
});
