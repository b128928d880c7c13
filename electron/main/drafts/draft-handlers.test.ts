import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { draftContract, maxDraftLength } from '../../ipc/contracts/draft-contract.ts';
import { createDispatcher, type Dispatcher } from '../../ipc/rpc-server.ts';
import { createDraftHandlers } from './drafts.ts';
import { createDraftsFixture, createUser, type DraftsFixture, insert } from './test-drafts.ts';

let fixture: DraftsFixture;
let workspace: string | null;
let dispatch: Dispatcher;

beforeEach(() => {
  fixture = createDraftsFixture();
  workspace = '/w';
  const handlers = createDraftHandlers(fixture.drafts, { workspace: () => workspace, user: createUser() });
  dispatch = createDispatcher(draftContract, handlers);
});

afterEach(() => fixture.remove());

async function codeOf(method: string, ...args: unknown[]): Promise<string | null> {
  const reply = await dispatch(method, args);
  return reply.ok ? null : reply.error.code;
}

async function resultOf(method: string, ...args: unknown[]): Promise<unknown> {
  const reply = await dispatch(method, args);
  return reply.ok ? reply.result : reply.error;
}

describe('draft handlers of a page', () => {
  test('support editing, saving and reading an older version', async () => {
    expect(await resultOf('draft.open', { path: 'a', diskText: 'x' })).toMatchObject({ baseText: 'x', version: 0 });
    const steps = [insert('a'), { do: 'saved' }, insert('b')];
    expect(await resultOf('draft.step', { path: 'a', base: 0, steps })).toEqual({ accepted: true, version: 3 });
    expect(await resultOf('draft.unsaved')).toEqual({ files: [{ path: 'a', at: fixture.clock.now() }] });
    const { versions } = (await resultOf('versions.list', { path: 'a' })) as { versions: { id: string }[] };
    expect(await resultOf('versions.read', { path: 'a', id: versions[0]?.id })).toEqual({ text: 'ax' });
    await resultOf('draft.move', { from: 'a', to: 'b' });
    await resultOf('draft.forget', { path: 'b' });
    expect(await resultOf('draft.unsaved')).toEqual({ files: [] });
    expect(await codeOf('draft.close', { path: 'b' })).toBeNull();
  });

  test('store and return the session', async () => {
    expect(await resultOf('session.read')).toEqual({ workspace: '/w', state: null });
    await resultOf('session.write', { workspace: '/w', state: { tabs: [1] } });
    expect(await resultOf('session.read')).toEqual({ workspace: '/w', state: { tabs: [1] } });
  });

  test('save the tabs of a page for its own folder, even if the window shows another one by then', async () => {
    await resultOf('session.read');
    workspace = '/other';
    await resultOf('session.write', { workspace: '/w', state: { tabs: ['of /w'] } });
    expect(await resultOf('session.read')).toEqual({ workspace: '/other', state: null });
    workspace = '/w';
    expect(await resultOf('session.read')).toEqual({ workspace: '/w', state: { tabs: ['of /w'] } });
  });

  test('refuse to save tabs for a folder that the window has not shown', async () => {
    await resultOf('session.read');
    expect(await codeOf('session.write', { workspace: '/other', state: 1 })).toBe('session.not-read');
    expect(fixture.files('sessions')).toEqual([]);
  });

  test.each(['', '/etc/passwd', '../a', 'a/../../b', 'a/./b', 'a//b', 'a/', 'a\\b', 'C:/a', 'a\0b'])(
    'reject the file %j outside the workspace',
    async (path) => {
      const calls = [
        ['draft.open', { path, diskText: '' }],
        ['draft.move', { from: 'a', to: path }],
        ['draft.move', { from: path, to: 'a' }],
        ['versions.list', { path }],
        ['draft.forget', { path }],
      ] as const;
      const codes = await Promise.all(calls.map(([method, ...args]) => codeOf(method, ...args)));
      expect(codes).toEqual(calls.map(() => 'rpc.bad-params'));
      expect(fixture.files('drafts')).toEqual([]);
    },
  );

  test.each(['a', '.hidden', 'a..b/c', 'flows/Größe 1.flow.yaml'])(
    'accept the file %j inside the workspace',
    async (path) => {
      expect(await codeOf('draft.open', { path, diskText: '' })).toBeNull();
    },
  );

  test('reject oversized arguments', async () => {
    const long = 'x'.repeat(maxDraftLength);
    expect(await codeOf('draft.open', { path: 'a', diskText: `${long}x` })).toBe('rpc.bad-params');
    expect(await codeOf('draft.open', { path: 'a', diskText: long })).toBeNull();
    expect(await codeOf('draft.step', { path: 'a', base: 0, steps: [insert('x')] })).toBe('draft.bad-step');
    expect(await codeOf('draft.step', { path: 'a', base: 0, steps: [insert(long), insert('x')] })).toBe(
      'rpc.bad-params',
    );
    expect(await codeOf('draft.step', { path: 'a', base: 0, steps: [] })).toBe('rpc.bad-params');
    expect(await codeOf('session.write', { workspace: '/w', state: 'x'.repeat(1024 * 1024) })).toBe('rpc.bad-params');
  });

  test('reject calls without a workspace', async () => {
    workspace = null;
    const calls = [
      ['draft.open', { path: 'a', diskText: '' }],
      ['draft.unsaved'],
      ['versions.list', { path: 'a' }],
      ['session.read'],
    ] as const;
    const codes = await Promise.all(calls.map(([method, ...args]) => codeOf(method, ...args)));
    expect(codes).toEqual(calls.map(() => 'workspace.not-open'));
  });
});
