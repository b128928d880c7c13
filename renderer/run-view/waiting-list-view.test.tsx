import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import {
  type AskRequest,
  type EventEnvelope,
  emptyRunState,
  foldRun,
  type RunEvent,
  waitingRequests,
} from '../../engine/isomorphic.ts';
import { testRounds } from '../../engine/testing/test-rounds.ts';
import { Rail } from '../app/shell/rail.tsx';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { createRunTeller, eventsStartAt, nodeStart, runStart } from '../bridge/testing/run-events.ts';
import { WaitingListView } from './waiting-list-view.tsx';

let window: TestWindow;
afterEach(() => {
  window.close();
  vi.useRealTimers();
});

const path = 'a.flow.yaml';
const text = `flow: { name: Report }
nodes:
  - { id: ask, name: Editor, type: human.approval, config: { message: Publish? } }
edges: []
`;

function ask(nodeId: string, message: string): RunEvent {
  return { type: 'node:suspended', nodeId, request: { reason: 'approval', message } };
}

interface Told {
  readonly requests: readonly { readonly title: string; readonly text: string }[];
}

/** Returns the requests as the engine lists them. */
function entriesOf(runId: string, events: readonly EventEnvelope[]) {
  return waitingRequests(foldRun(emptyRunState, events)).map(({ name, ask: asked, request }) => ({
    ...{ runId, number: 1, flow: 'Report', sourcePath: path, name },
    message: asked?.request.title ?? request?.message ?? '',
    askedAt: asked?.askedAt ?? eventsStartAt,
    ...(asked === undefined ? {} : { key: asked.key, kind: asked.request.kind }),
    ...(asked?.request.deadlineAt === undefined ? {} : { deadlineAt: asked.request.deadlineAt }),
  }));
}

/** Opens a window with suspended runs and the waiting nodes of each. An answer removes one node, or all. */
function openWindow(waiting: Readonly<Record<string, readonly string[]>>, events?: readonly EventEnvelope[]) {
  const state = {
    waiting: new Map(Object.entries(waiting)),
    answers: [] as string[],
    sent: [] as unknown[],
    told: [] as Told[],
  };
  const kept: Record<string, number> = {};
  const told = new Map<string, ReturnType<typeof createRunTeller>>();
  const tellerOf = (runId: string) => {
    const known = told.get(runId);
    if (known !== undefined) return known;
    const teller = createRunTeller(runId);
    told.set(runId, teller);
    teller.tell(runStart(path));
    for (const node of waiting[runId] ?? []) {
      teller.tell(nodeStart(node), node);
      teller.tell(ask(node, `Publish ${runId}?`), node);
    }
    teller.tell({ type: 'run:suspended', reason: 'approval', nodeId: 'ask' });
    return teller;
  };
  const runOf = (runId: string) => ({
    runId,
    number: 1,
    kind: 'flow' as const,
    name: 'Report',
    sourcePath: path,
    definitionHash: 'h',
    status: 'suspended' as const,
    startedAt: eventsStartAt,
    failedNodes: [],
  });
  window = openTestWindow(
    {
      readNotices: () => [],
      listFlows: () => [{ path, change: null }],
      readFlow: () => ({ text }),
      listRuns: () => [...state.waiting.keys()].map(runOf),
      listWaiting: () =>
        [...state.waiting.keys()].flatMap((runId) => entriesOf(runId, events ?? tellerOf(runId).events)),
      getRun: runOf,
      readDefinition: () => text,
      readEvents: (runId, afterSeq, limit) =>
        (events ?? tellerOf(runId).events).filter(({ seq }) => seq > afterSeq).slice(0, limit),
      resumeRun: (answer) => {
        const { runId, nodeId, decision } = answer;
        state.sent.push(answer);
        if (events !== undefined) return { runId, traceId: 't' };
        state.answers.push(`${decision} ${nodeId ?? 'all'} of ${runId}`);
        const left = (state.waiting.get(runId) ?? []).filter((node) => nodeId !== undefined && node !== nodeId);
        if (left.length === 0) state.waiting.delete(runId);
        else state.waiting.set(runId, left);
        const teller = tellerOf(runId);
        const answered = (waiting[runId] ?? []).filter((node) => nodeId === undefined || node === nodeId);
        teller.tell({ type: 'run:resumed' });
        for (const node of answered)
          teller.tell(
            { type: 'task:complete', taskId: `node:${node}`, result: null, durationMs: 1, attempts: 1 },
            node,
          );
        if (left.length > 0) teller.tell({ type: 'run:suspended', reason: 'approval', nodeId: 'ask' });
        return { runId, traceId: 't' };
      },
    },
    {
      'inbox.tell': (all) => void state.told.push(all),
      'inbox.snoozed': () => ({ snoozed: { ...kept } }),
      'inbox.snooze': ({ keys, until }) => {
        for (const key of keys) {
          if (until === null) delete kept[key];
          else kept[key] = until;
        }
      },
    },
  );
  return { ...state, kept };
}

async function draw(): Promise<HTMLElement> {
  const element = window.draw(
    <>
      <Rail />
      <WaitingListView />
    </>,
  );
  act(() => window.engine.connect());
  await window.settle();
  return element;
}

function rowsOf(element: HTMLElement): string[] {
  return [...element.querySelectorAll('li')].map((row) => row.textContent?.replace(/\d+ d \d+ h/, '|') ?? '');
}

function buttonOf(element: HTMLElement, row: number): HTMLElement {
  const button = element.querySelector<HTMLElement>(`li:nth-child(${row}) .run-row`);
  if (button === null) throw new Error(`There is no row ${row}`);
  return button;
}

/** Presses a key on the focused element. */
function press(key: string, more: KeyboardEventInit = {}): void {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  act(() => void (document.activeElement ?? document.body).dispatchEvent(event));
}

function focused(): string | null {
  return document.activeElement?.querySelector('.waiting-item-text')?.textContent ?? null;
}

test('lists each waiting node with its question, counts them, and opens a run at its node', async () => {
  const { waiting } = openWindow({ r1: ['ask'], r2: ['ask'] });
  const element = await draw();
  expect(rowsOf(element)).toEqual(['Editor|Publish r1?Report', 'Editor|Publish r2?Report']);
  expect(element.querySelector('nav button[aria-label="Waiting for you: 2"]')?.textContent).toBe('2');

  act(() => buttonOf(element, 2).click());
  await window.settle();
  expect(window.stores.liveRuns.getState().shown.get(path)).toMatchObject({ runId: 'r2' });
  expect(window.stores.selection.getState().views.get(path)?.nodeId).toBe('ask');

  waiting.clear();
  act(() => window.engine.push('watchHistory', undefined));
  await window.settle();
  expect([rowsOf(element), element.querySelector('nav button[aria-label="Waiting for you"]')?.textContent]).toEqual([
    [],
    '',
  ]);
  expect(element.textContent).toContain('No open requests');
  expect(element.textContent).toContain('Approvals and questions from your runs appear here');
});

test('A or R answers a row once, even if the key is held, and the next row gets the focus', async () => {
  const { answers } = openWindow({ r1: ['ask'], r2: ['ask'], r3: ['ask'] });
  const element = await draw();
  act(() => buttonOf(element, 1).focus());
  press('ArrowDown');
  expect(focused()).toBe('Publish r2?');
  press('a', { ctrlKey: true });
  press('Tab');
  expect(answers).toEqual([]);
  press('r');
  press('r', { repeat: true });
  press('r');
  await window.settle();
  expect(answers).toEqual(['reject all of r2']);

  act(() => window.engine.push('watchHistory', undefined));
  await window.settle();
  expect(rowsOf(element)).toEqual(['Editor|Publish r1?Report', 'Editor|Publish r3?Report']);
  expect(focused()).toBe('Publish r3?');
  press('A');
  await window.settle();
  act(() => window.engine.push('watchHistory', undefined));
  await window.settle();
  expect([answers.at(-1), focused()]).toEqual(['approve all of r3', 'Publish r1?']);
});

test('the focus stays on its row when rows before it are removed', async () => {
  const { waiting } = openWindow({ r1: ['ask'], r2: ['ask'], r3: ['ask'] });
  const element = await draw();
  act(() => buttonOf(element, 2).focus());
  waiting.delete('r1');
  act(() => window.engine.push('watchHistory', undefined));
  await window.settle();
  expect(focused()).toBe('Publish r2?');
});

test('rows selected with Shift and arrows, Space or the mouse are answered together; a run with several requests continues in between', async () => {
  const { answers } = openWindow({ r1: ['ask', 'b', 'c'], r2: ['ask', 'b'] });
  const element = await draw();
  const bar = (): string | undefined => element.querySelector('[role="toolbar"]')?.textContent ?? undefined;
  act(() => buttonOf(element, 1).focus());
  press('ArrowDown', { shiftKey: true });
  expect(bar()).toContain('Approve 2');
  press('Escape');
  expect(bar()).toBeUndefined();
  press(' ');
  act(() => element.querySelector<HTMLElement>('li:nth-child(3) input')?.click());
  expect(bar()).toContain('Approve 2');
  act(() => element.querySelector<HTMLElement>('li:nth-child(4) input')?.click());
  act(() => element.querySelector<HTMLElement>('li:nth-child(5) input')?.click());
  act(() => element.querySelector<HTMLElement>('[aria-label="Approve 4: 4 selected"]')?.click());
  await window.until(() => expect(answers).toHaveLength(3));
  expect(answers.toSorted()).toEqual(['approve all of r2', 'approve b of r1', 'approve c of r1']);
  await window.until(() => expect(window.stores.inbox.getState().answering.size).toBe(0));
});

test('a snoozed request is stored by main, is not counted, moves to the end, and returns at its time', async () => {
  const { kept, told } = openWindow({ r1: ['ask'], r2: ['ask'] });
  const element = await draw();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.now() });
  act(() => buttonOf(element, 1).focus());
  press('s');
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(Object.entries(kept)).toEqual([[expect.stringContaining('r1'), expect.closeTo(Date.now() + 3_600_000, -3)]]);
  expect(rowsOf(element)[0]).toContain('r2');
  expect(rowsOf(element)[1]).toMatch(/r1.*until /);
  expect(element.querySelector('nav button[aria-label="Waiting for you: 1"]')).not.toBeNull();
  expect(told.at(-1)?.requests).toEqual([expect.objectContaining({ title: 'Editor', text: 'Publish r2?' })]);

  await act(() => vi.advanceTimersByTimeAsync(3_600_000));
  expect(rowsOf(element)[0]).toContain('r1');
  expect(told.at(-1)?.requests).toHaveLength(2);
});

test('a very long list renders only the visible rows, and markup in a question is shown as text', async () => {
  const count = testRounds(500);
  const nodes = Array.from({ length: count }, (_, index) => `n${index}`);
  openWindow({ '<img src=x onerror=alert(1)>': nodes });
  const element = await draw();
  await window.until(() =>
    expect(element.querySelector(`nav button[aria-label="Waiting for you: ${count}"]`)).not.toBeNull(),
  );
  expect(element.querySelectorAll('li').length).toBeLessThan(50);
  expect(element.querySelector('li')?.getAttribute('aria-setsize')).toBe(String(count));
  expect(element.querySelector('img')).toBeNull();
  expect(element.textContent).toContain('<img src=x onerror=alert(1)>');
});

test('requests with a deadline come first; an approval can be answered by shortcut, a form only in its run', async () => {
  const later: AskRequest = { kind: 'approval', title: 'Send it?' };
  const requests: Readonly<Record<string, AskRequest>> = {
    form: { kind: 'input', title: 'Which one?', schema: { type: 'object', properties: {} } },
    later,
    soon: { ...later, title: 'Send it soon?', deadlineAt: Date.now() + 60_000 },
  };
  const teller = createRunTeller('r1');
  teller.tell(runStart(path));
  for (const [nodeId, request] of Object.entries(requests)) {
    const type = request.kind === 'input' ? 'input:requested' : 'approval:requested';
    teller.tell(nodeStart(nodeId), nodeId);
    teller.tell({ type, nodeId, key: 'k', requestHash: nodeId, request }, nodeId);
    teller.tell(ask(nodeId, request.title), nodeId);
  }
  teller.tell({ type: 'run:suspended', reason: 'approval', nodeId: 'form' });
  const { sent } = openWindow({ r1: [] }, teller.events);
  const element = await draw();
  expect(rowsOf(element).map((row) => /Which one|Send it soon|Send it/.exec(row)?.[0])).toEqual([
    'Send it soon',
    'Which one',
    'Send it',
  ]);
  act(() => buttonOf(element, 1).focus());
  press('ArrowDown', { shiftKey: true });
  press('ArrowDown', { shiftKey: true });
  press('a');
  await window.until(() => expect(sent).toHaveLength(2));
  expect(sent).toEqual([
    { runId: 'r1', nodeId: 'soon', key: 'k', decision: 'approve' },
    { runId: 'r1', nodeId: 'later', key: 'k', decision: 'approve' },
  ]);
});
