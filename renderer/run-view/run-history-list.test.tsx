import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import type { EngineResult } from '../bridge/engine-client.ts';
import { RunHistoryList } from './run-history-list.tsx';

const path = 'a.flow.yaml';
const run = {
  runId: 'r1',
  number: 1,
  kind: 'flow',
  name: 'Letters',
  sourcePath: path,
  definitionHash: 'h',
  status: 'completed',
  startedAt: 0,
  durationMs: 1500,
  failedNodes: [],
} as const;

let runs: EngineResult<'listRuns'>;
let window: TestWindow;
beforeEach(() => {
  runs = [run];
  window = openTestWindow({ listRuns: () => runs });
  window.engine.connect();
});
afterEach(() => window.close());

async function draw(): Promise<HTMLElement> {
  const list = window.draw(<RunHistoryList path={path} />);
  await window.settle();
  return list;
}

function detailsIn(list: HTMLElement): (string | null)[] {
  return Array.from(list.querySelectorAll('.run-row-detail'), ({ textContent }) => textContent);
}

test('a row says what its run has cost, where prices are known', async () => {
  runs = [
    { ...run, runId: 'r3', costUsd: 0.0184 },
    { ...run, runId: 'r2', costUsd: 1.5, unpricedCalls: 2 },
    { ...run, unpricedCalls: 1 },
  ];
  expect(detailsIn(await draw())).toEqual(['1.5 s · $0.018', '1.5 s · at least $1.50', '1.5 s']);
});

test('what a run has cost that goes on is what is known of it here', async () => {
  runs = [{ ...run, status: 'running', durationMs: undefined }];
  const list = await draw();
  await window.tellRun(path, { type: 'model:response', costUsd: 0.02, durationMs: 9, finishReason: 'stop' });
  expect(detailsIn(list)).toEqual(['running · $0.020']);
});

/** The entries of the menu that is open. */
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

  test('comes by a right click, and is about that run', async () => {
    const list = await draw();
    act(() => void rowOf(list, 1).dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true })));
    expect(entries().map(({ textContent }) => textContent)).toEqual(['Open', 'Copy the run’s id']);
    await choose('Copy the run’s id');
    expect(copied).toEqual(['r1']);
    expect(entries()).toEqual([]);
  });

  test('does not come between the rows', async () => {
    const list = await draw();
    const rows = list.querySelector('[aria-label="Runs"]');
    act(() => void rows?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true })));
    expect(entries()).toEqual([]);
  });

  test('has a button in the row that has the focus, which the keyboard opens, and gives the focus back', async () => {
    const list = await draw();
    expect(list.querySelector('[aria-haspopup="menu"]')).toBeNull();
    act(() => rowOf(list, 0).focus());
    const button = list.querySelector<HTMLElement>('[aria-haspopup="menu"]');
    expect([button?.getAttribute('aria-label'), button?.tabIndex]).toEqual(['More about run 2', 0]);
    act(() => button?.focus());
    act(() => void button?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })));
    await choose('Copy the run’s id');
    expect(copied).toEqual(['r2']);
    expect(document.activeElement).toBe(button);
    act(() => button?.blur());
    expect(list.querySelector('[aria-haspopup="menu"]')).toBeNull();
  });

  test('opens the run', async () => {
    const list = await draw();
    const opened = vi.spyOn(window.stores.runs, 'openRun').mockResolvedValue(undefined);
    act(() => void rowOf(list, 0).dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true })));
    await choose('Open');
    expect(opened).toHaveBeenCalledWith(path, 'r2', 'flow');
  });
});
