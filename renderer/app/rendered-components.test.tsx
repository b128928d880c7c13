/** Limits how many components the window renders: for its first frame, and for each streamed token. */
import { act } from 'react';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { RunEvent } from '../../engine/isomorphic.ts';
import { createRunTeller, nodeStart, runStart } from '../bridge/testing/run-events.ts';
import { AppShell } from './app-shell.tsx';
import { onCommit } from './testing/commit-hook.ts';
import { openTestWindow } from './testing/test-window.tsx';
// The shell loads these lazily. Importing them here keeps a finished test from waiting for them.
import '../inspector/inspector.tsx';
import './dialogs.tsx';
import './shell/side-panel.tsx';

interface Fiber {
  readonly tag: number;
  readonly flags: number;
  readonly alternate: Fiber | null;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
  readonly type: unknown;
}

let drawn = 0;
const performedWork = 1;

function count(next: Fiber, former: Fiber | null): void {
  const isComponent = typeof next.type === 'function' || (typeof next.type === 'object' && next.type !== null);
  if (isComponent && (former === null || next.flags % 2 === performedWork)) drawn++;
  if (next.child === former?.child) return;
  for (let child = next.child; child !== null; child = child.sibling) count(child, child.alternate);
}

const stopCounting = onCommit((root) => {
  const current = root as Fiber;
  count(current, current.alternate);
});
afterAll(stopCounting);

/** Current counts with a small margin. Raise them only with a reason. */
const limits = { firstPicture: 1_415, token: 5 };

const path = 'a.flow.yaml';
const ids = Array.from({ length: 20 }, (_, index) => `n${index}`);
const text = [
  'flow: { name: Many }',
  'nodes:',
  ...ids.map((id) => `  - { id: ${id}, type: echo, input: { text: hi } }`),
  'edges: []',
  '',
].join('\n');

let window: ReturnType<typeof openTestWindow>;
afterEach(() => window.close());

/** Counts the components that `work` renders. */
async function countDrawn(work: () => unknown): Promise<number> {
  const before = drawn;
  await work();
  await window.settle();
  return drawn - before;
}

/** Opens a window with a flow of twenty cards. As in the shell, only the file is drawn until `whenShown` resolves. */
async function openWindow(whenShown?: Promise<void>): Promise<void> {
  window = openTestWindow({ readNotices: () => [], listFlows: () => [], readFlow: () => ({ text }) });
  const { stores, engine } = window;
  stores.workspace.setState({ folder: '/work' });
  window.draw(<AppShell {...(whenShown === undefined ? {} : { whenShown })} />);
  engine.connect();
  await act(() => stores.openFiles.getState().open(path));
}

test('renders few components for the first frame of a flow with twenty cards', async () => {
  const count = await countDrawn(() => openWindow(new Promise(() => undefined)));
  expect(count).toBeGreaterThan(20);
  expect(count).toBeLessThanOrEqual(limits.firstPicture);
});

test('renders only the text in its card for a streamed token', async () => {
  await openWindow();
  const teller = createRunTeller('r1');
  const tell = (event: RunEvent, nodeId?: string) => window.engine.push('subscribe', [teller.tell(event, nodeId)]);
  await countDrawn(() => tell(runStart(path)));
  await countDrawn(() => tell(nodeStart('n3'), 'n3'));
  await countDrawn(() => tell({ type: 'agent:text', content: 'first ' }, 'n3'));
  const counts: number[] = [];
  for (let token = 0; token < 5; token++) {
    counts.push(await countDrawn(() => tell({ type: 'agent:text', content: `word${token} ` }, 'n3')));
  }
  expect(document.body.textContent).toContain('word4');
  // A clock on the page may tick in between.
  expect(Math.min(...counts)).toBeLessThanOrEqual(limits.token);
});
