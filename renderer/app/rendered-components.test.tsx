/** How many components the window draws: for its first picture, and for each streamed token. */
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { RunEvent } from '../../engine/isomorphic.ts';

interface Fiber {
  readonly tag: number;
  readonly flags: number;
  readonly alternate: Fiber | null;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
  readonly type: unknown;
}

// React looks for this when it is loaded, so it is there before all imports.
const drawn = vi.hoisted(() => {
  const counter = { components: 0 };
  const performedWork = 1;
  const count = (next: Fiber, former: Fiber | null): void => {
    const isComponent = typeof next.type === 'function' || (typeof next.type === 'object' && next.type !== null);
    if (isComponent && (former === null || next.flags % 2 === performedWork)) counter.components++;
    if (next.child === former?.child) return;
    for (let child = next.child; child !== null; child = child.sibling) count(child, child.alternate);
  };
  const hook = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberUnmount: () => undefined,
    onCommitFiberRoot: (_id: number, { current }: { readonly current: Fiber }) => count(current, current.alternate),
  };
  Object.assign(globalThis, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook });
  return counter;
});

const { AppShell } = await import('./app-shell.tsx');
const { openTestWindow } = await import('./testing/test-window.tsx');
const { createRunTeller, nodeStart, runStart } = await import('../bridge/testing/run-events.ts');

/** Counts of today with a little room; to raise one needs a reason. */
const limits = { firstPicture: 1_370, token: 38 };

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

/** Counts the components that are drawn because of `work`. */
async function countDrawn(work: () => unknown): Promise<number> {
  const before = drawn.components;
  await work();
  await window.settle();
  return drawn.components - before;
}

/** Opens a window on a flow of twenty cards. `whenShown` as of the shell: until then only the file is drawn. */
async function openWindow(whenShown?: Promise<void>): Promise<void> {
  window = openTestWindow({ readNotices: () => [], listFlows: () => [], readFlow: () => ({ text }) });
  const { stores, engine } = window;
  stores.workspace.setState({ folder: '/work' });
  window.draw(<AppShell {...(whenShown === undefined ? {} : { whenShown })} />);
  engine.connect();
  await act(() => stores.openFiles.getState().open(path));
}

test('the first picture of a flow of twenty cards draws few components', async () => {
  const count = await countDrawn(() => openWindow(new Promise(() => undefined)));
  expect(count).toBeGreaterThan(20);
  expect(count).toBeLessThanOrEqual(limits.firstPicture);
});

test('a streamed token draws its card and what sums up the run', async () => {
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
