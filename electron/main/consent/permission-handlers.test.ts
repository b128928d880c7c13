import { expect, test } from 'vitest';
import { asRunId } from '../../../engine/isomorphic.ts';
import { needKey, type PermissionNeed } from '../../ipc/engine-base.ts';
import type { AppWindow } from '../windows/app-window.ts';
import type { ConsentQuestion } from './consent.ts';
import { permissionHandlers } from './permission-handlers.ts';

const runId = asRunId('r1');
const display: PermissionNeed = { kind: 'private-address', host: '192.168.1.20' };
const token: PermissionNeed = { kind: 'secret-host', name: 'HELP_DESK', host: 'desk.example' };
const script: PermissionNeed = { kind: 'trust', command: 'node totals.mjs\n\u202eharmless' };

function open(waiting: readonly { nodeId: string; needs: readonly PermissionNeed[] }[], answer: () => boolean) {
  const questions: ConsentQuestion[] = [];
  const calls: unknown[] = [];
  const content = { workspace: '/desk' as string | null };
  const person = {
    call: async (name: string, request?: unknown) => {
      if (name === 'waitingPermissions') return waiting;
      if (name === 'findPermissions')
        return {
          kind: 'flow',
          hosts: [],
          missing: waiting.flatMap(({ nodeId, needs }) => needs.map((need) => ({ need, nodes: [nodeId] }))),
        };
      calls.push([name, request]);
      return undefined;
    },
  };
  const window = { content, asPerson: async (act: (one: typeof person) => unknown) => act(person) };
  const handlers = permissionHandlers(window as unknown as AppWindow, async (question) => {
    questions.push(question);
    return answer();
  });
  return { allow: handlers['permissions.allow'], grant: handlers['permissions.grant'], questions, calls, content };
}

test('13.6 one system dialog lists everything that is missing, and accepting it grants it and continues the run', async () => {
  const { allow, questions, calls } = open(
    [
      { nodeId: 'a', needs: [display, token] },
      { nodeId: 'b', needs: [display] },
    ],
    () => true,
  );
  expect(await allow({ runId })).toEqual({ isDone: true });
  expect(questions).toHaveLength(1);
  expect(questions[0]).toMatchObject({ message: 'Give these 2 permissions?', allow: 'Allow 2' });
  expect(questions[0]?.detail.split('\n').slice(0, 2)).toEqual([
    '• Send requests to 192.168.1.20, an address on this machine or your network',
    '• Send the secret HELP_DESK to desk.example',
  ]);
  expect(questions[0]?.detail).toContain('/desk');
  expect(questions[0]?.detail).not.toContain('that you trust');
  const needs = [display, token, display];
  expect(calls).toEqual([
    ['grantPermissions', needs],
    ['allowWaiting', { runId, needs }],
  ]);
});

test('13.6 the dialog explains trust, and shows a command without characters that could disguise it', async () => {
  const { allow, questions } = open([{ nodeId: 'a', needs: [script] }], () => false);
  expect(await allow({ runId, nodeId: 'a' })).toEqual({ isDone: false });
  expect(questions[0]?.detail).toContain('flows and agents can do everything that you can do');
  expect(questions[0]?.detail).toContain('node totals.mjs\\u{a}\\u{202e}harmless');
});

test.each<[string, (world: ReturnType<typeof open>) => unknown]>([
  ['the person says no', ({ allow }) => allow({ runId, nodeId: 'a' })],
  ['another node is named', ({ allow }) => allow({ runId, nodeId: 'b' })],
])('13.6 nothing is given when %s', async (_, act) => {
  const world = open([{ nodeId: 'a', needs: [display] }], () => false);
  expect(await act(world)).toEqual({ isDone: false });
  expect(world.calls).toEqual([]);
});

test('13.6 grants nothing if the window shows another folder by then', async () => {
  const world = open([{ nodeId: 'a', needs: [display] }], () => {
    world.content.workspace = '/other';
    return true;
  });
  expect(await world.allow({ runId })).toEqual({ isDone: false });
  expect(world.calls).toEqual([]);
});

test('13.6 before a run, only permissions that the engine reports missing can be requested, and only selected ones are granted', async () => {
  const start = { by: 'startRun', request: { path: 'a.flow.yaml', text: 'x', inputs: {} } } as const;
  const { grant, questions, calls } = open([{ nodeId: 'a', needs: [display, token, script] }], () => true);
  const evil: PermissionNeed = { kind: 'secret-host', name: 'HELP_DESK', host: 'evil.example' };
  expect(await grant({ start, keys: [needKey(evil)] })).toEqual({ isDone: false });
  expect(questions).toEqual([]);
  expect(await grant({ start, keys: [needKey(evil), needKey(token)] })).toEqual({ isDone: true });
  expect(questions[0]?.detail).not.toContain('evil');
  expect(calls).toEqual([['grantPermissions', [token]]]);
});
