import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import type { EngineResult } from '../bridge/engine-client.ts';
import { RunHistoryList } from './run-history-list.tsx';

const path = 'a.flow.yaml';
const active = {
  runId: 'r1',
  number: 1,
  kind: 'flow',
  name: 'Letters',
  sourcePath: path,
  definitionHash: 'h',
  status: 'running',
  startedAt: 0,
  failedNodes: [],
} as const;
const run = { ...active, status: 'completed', durationMs: 1500 } as const;

const undo = 'Undo changes to files…';
const saveTest = 'Save run as test…';
const exports = ['Export…', 'Export as trace folder…', 'Export as OpenTelemetry…'];
const copies = ['Copy the run ID', 'Send…'];

let runs: EngineResult<'listRuns'>;
let queries: unknown[];
let asked: string[];
let isAgreed: boolean;
let window: TestWindow;
beforeEach(() => {
  [runs, queries] = [[run], []];
  [asked, isAgreed] = [[], false];
  window = openTestWindow(
    {
      listRuns(query) {
        queries.push(query);
        return runs;
      },
    },
    {
      'runs.export': ({ runId, format }) => {
        asked.push(`export ${runId} ${format}`);
        return { path: `/tmp/${runId}.json` };
      },
      'runs.delete': ({ runId }) => {
        asked.push(`delete ${runId}`);
        return { isDone: isAgreed };
      },
    },
  );
  window.engine.connect();
});
afterEach(() => window.close());

async function draw(): Promise<HTMLElement> {
  const list = window.draw(<RunHistoryList path={path} picks={null} />);
  await window.settle();
  return list;
}

function detailsIn(list: HTMLElement): (string | null)[] {
  return Array.from(list.querySelectorAll('.run-row-detail'), ({ textContent }) => textContent);
}

test('a row shows the cost of its run, and which calls have no known price', async () => {
  runs = [
    { ...run, runId: 'r3', costUsd: 0.0184 },
    { ...run, runId: 'r2', costUsd: 1.5, unpricedCalls: 2 },
    { ...run, unpricedCalls: 1 },
  ];
  expect(detailsIn(await draw())).toEqual([
    '1.5 s · $0.018',
    '1.5 s · at least $1.50, 2 calls unpriced',
    '1.5 s · price unknown',
  ]);
});

test('a damaged run is listed with its problem and how to remove it, and cannot be resumed', async () => {
  runs = [{ ...active, runId: 'r2', status: 'interrupted', damage: 'its first events are damaged' }, run];
  const list = await draw();
  expect(detailsIn(list)[0]).toContain('Damaged: its first events are damaged. Delete this run to remove it');
  expect(detailsIn(list)[1]).toBe('1.5 s');
  expect(list.querySelector('.run-resume')).toBeNull();
});

test('13.12 a run that was ended by a correction is labeled as such', async () => {
  runs = [{ ...run, status: 'cancelled', endReason: 'corrected' }];
  expect(detailsIn(await draw())[0]).toContain('a value was corrected, and a new run began');
});

test('the cost of an active run is what is known so far in this window', async () => {
  runs = [active];
  const list = await draw();
  await window.tellRun(path, { type: 'model:response', costUsd: 0.02, durationMs: 9, finishReason: 'stop' });
  expect(detailsIn(list)).toEqual(['running · $0.020']);
});

/** Returns the entries of the open menu. */
function entries(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')];
}

async function choose(text: string): Promise<void> {
  const entry = entries().find(({ textContent }) => textContent === text);
  act(() => entry?.click());
  await window.settle();
}

describe('the menu of a row', () => {
  const rowOf = (list: HTMLElement, index: number): HTMLElement => {
    const row = list.querySelectorAll<HTMLElement>('.run-row')[index];
    if (row === undefined) throw new Error(`No row ${index}`);
    return row;
  };
  let copied: string[];
  beforeEach(() => {
    copied = [];
    runs = [{ ...run, runId: 'r2', number: 2 }, run];
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
  });
  afterEach(() => vi.restoreAllMocks());

  test('opens on a right click, and applies to that run', async () => {
    const list = await draw();
    act(() => void rowOf(list, 1).dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true })));
    const texts = ['Open', 'Compare with…', undo, saveTest, ...copies, ...exports, 'Delete…'];
    expect(entries().map(({ textContent }) => textContent)).toEqual(texts);
    await choose('Copy the run ID');
    expect(copied).toEqual(['r1']);
    expect(entries()).toEqual([]);
  });

  test('does not open between the rows', async () => {
    const list = await draw();
    const rows = list.querySelector('[aria-label="Runs"]');
    act(() => void rows?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true })));
    expect(entries()).toEqual([]);
  });

  test('has a button in the focused row, which the keyboard opens, and returns the focus', async () => {
    const list = await draw();
    expect(list.querySelector('[aria-haspopup="menu"]')).toBeNull();
    act(() => rowOf(list, 0).focus());
    const button = list.querySelector<HTMLElement>('[aria-haspopup="menu"]');
    expect([button?.getAttribute('aria-label'), button?.tabIndex]).toEqual(['Actions for run 2', 0]);
    act(() => button?.focus());
    act(() => void button?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })));
    await choose('Copy the run ID');
    expect(copied).toEqual(['r2']);
    expect(document.activeElement).toBe(button);
    act(() => button?.blur());
    expect(list.querySelector('[aria-haspopup="menu"]')).toBeNull();
  });

  test('cannot compare an active run or a run of an agent, and cannot delete an active run', async () => {
    runs = [active, { ...run, runId: 'r2', kind: 'agent' }];
    const list = await draw();
    const openOn = async (index: number) => {
      act(
        () => void rowOf(list, index).dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true })),
      );
      await window.settle();
      return entries().map((entry) => [entry.textContent, entry.getAttribute('aria-disabled') === 'true']);
    };
    expect(await openOn(0)).toEqual([
      ['Open', false],
      ['Cancel', false],
      ...[...copies, ...exports].map((text) => [text, false]),
      ['Delete…after the run ends', true],
    ]);
    await choose('Open');
    expect((await openOn(1)).map(([text]) => text)).toEqual(['Open', undo, saveTest, ...copies, ...exports, 'Delete…']);
  });

  test('chooses the run for a comparison', async () => {
    const list = await draw();
    act(() => void rowOf(list, 1).dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true })));
    await choose('Compare with…');
    expect(window.stores.runPicks.getState()).toMatchObject({ picked: [{ runId: 'r1' }], isPicking: true });
  });

  test('exports and deletes through main, and a deleted run is no longer shown', async () => {
    const list = await draw();
    await window.tellRun(path);
    const rightClick = () =>
      act(() => void rowOf(list, 1).dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true })));
    for (const entry of exports) {
      rightClick();
      await choose(entry);
    }
    expect(window.stores.notices.getState().list).toMatchObject(
      exports.map(() => ({ tone: 'info', detail: '/tmp/r1.json' })),
    );
    rightClick();
    await choose('Delete…');
    expect([asked, window.stores.liveRuns.getState().shown.has(path)]).toEqual([
      ['export r1 bundle', 'export r1 trace', 'export r1 otlp', 'delete r1'],
      true,
    ]);
    isAgreed = true;
    rightClick();
    await choose('Delete…');
    expect(window.stores.liveRuns.getState().shown.has(path)).toBe(false);
  });

  test('opens the run', async () => {
    const list = await draw();
    const opened = vi.spyOn(window.stores.runs, 'openRun').mockResolvedValue(undefined);
    act(() => void rowOf(list, 0).dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true })));
    await choose('Open');
    expect(opened).toHaveBeenCalledWith(path, 'r2', 'flow');
  });
});

test('shows what started a run unless a person did, and lists only the runs of one trigger', async () => {
  runs = [
    { ...run, startedBy: { kind: 'person' } },
    { ...run, runId: 'r2', number: 2, startedBy: { kind: 'trigger', name: 'weekdays' } },
  ];
  const list = await draw();
  expect(detailsIn(list)).toEqual(['1.5 s', 'trigger weekdays · 1.5 s']);
  const filter = [...list.querySelectorAll('button')].find(({ textContent }) => textContent === 'Filter');
  await act(async () => filter?.click());
  const choose = async (name: string): Promise<void> => {
    const button = list.querySelector('[role="combobox"][aria-label="Started by"]');
    act(() => void button?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })));
    const option = [...document.querySelectorAll('[role="option"]')].find(({ textContent }) => textContent === name);
    act(() => void option?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })));
    await window.settle();
  };
  await choose('trigger weekdays');
  expect(queries.at(-1)).toEqual({
    sourcePath: path,
    startedBy: { kind: 'trigger', name: 'weekdays' },
    limit: 200,
  });
  runs = [];
  await choose('Requests');
  expect(queries.at(-1)).toMatchObject({ startedBy: { kind: 'http' } });
  expect(list.textContent).toContain('No such runs');
});

describe('the offer to delete old runs', () => {
  let known: EngineResult<'readRetention'>;
  let rules: unknown[];
  beforeEach(() => {
    window.close();
    [known, rules] = [{ runs: 1_240, bytes: 35_200_000, isLarge: true }, []];
    window = openTestWindow(
      { listRuns: () => runs, readRetention: () => known },
      {
        'runs.setRetention': (rule) => {
          rules.push(rule);
          if (isAgreed) known = { ...known, rule };
          return { isDone: isAgreed };
        },
      },
    );
    window.engine.connect();
  });
  const offer = (list: HTMLElement) => list.querySelector<HTMLElement>('.banner');
  const press = async (list: HTMLElement, name: string): Promise<void> => {
    const buttons = [...(offer(list)?.querySelectorAll('button') ?? [])];
    act(() => buttons.find(({ textContent }) => textContent === name)?.click());
    await window.settle();
  };

  test('is there until the user has decided', async () => {
    const list = await draw();
    expect(offer(list)?.textContent).toContain(
      'This workspace has 1,240 runs (35.2 MB). Delete old runs automatically?',
    );
    await press(list, 'Older than 90 days');
    expect([rules, offer(list) === null]).toEqual([[{ olderThanDays: 90 }], false]);
    // The size of copies is measured only for the settings.
    expect(window.engine.calls).not.toContain('readUndoLimits');
    await press(list, 'Choose…');
    expect(window.stores.preferences.getState().tab).toBe('history');
    isAgreed = true;
    await press(list, 'Keep all');
    expect([rules.at(-1), offer(list)]).toEqual([{}, null]);
  });

  test.each([
    ['a small history', { isLarge: false }],
    ['a rule', { rule: { keepPerFlow: 1 } }],
    ['the decision to keep everything', { rule: {} }],
  ])('is absent with %s', async (_, more) => {
    known = { ...known, ...more };
    expect(offer(await draw())).toBeNull();
  });

  test('is absent in a window on a remote history', async () => {
    window.stores.workspace.setState({ remote: { workspace: 'w', connection: 'c', host: 'h' } });
    expect([offer(await draw()), window.engine.calls.includes('readRetention')]).toEqual([null, false]);
  });
});
