import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import type { EngineArgs, EngineResult } from '../../bridge/engine-client.ts';
import { RunHistoryList } from '../run-history-list.tsx';
import { RunsTable } from './runs-table.tsx';

const path = 'a.flow.yaml';
type Listed = EngineResult<'listRuns'>[number];

function runOf(number: number, changes: Partial<Listed> = {}): Listed {
  return {
    ...{ runId: `r${number}`, number, kind: 'flow', name: 'Letters', sourcePath: path, definitionHash: 'h1' },
    ...{ status: 'completed', startedAt: number * 1_000, durationMs: 1_500, failedNodes: [], ...changes },
  };
}

const spread = { p50: 1_500, p95: 9_000, total: 20_000 };
const point = { first: 1, last: 1, startedAt: 0, runs: 1, failed: 0, durationMs: spread };
const named = (number: number) => ({ runId: `r${number}`, number, startedAt: 0 });

let runs: Listed[];
let stats: EngineResult<'readRunStats'>;
let queries: EngineArgs<'listRuns'>[0][];
let window: TestWindow;
let table: HTMLElement;

beforeEach(() => {
  [runs, queries] = [[], []];
  stats = { runs: 3, isCut: false, durationMs: spread, points: [point], nodes: [], nodeRuns: 0, failures: [] };
  window = openTestWindow({
    listRuns(query) {
      queries.push(query);
      return runs.filter(({ number }) => number < (query.below ?? 99_999)).slice(0, query.limit);
    },
    readRunStats: () => stats,
    readTaskTimes: (ids) => new Map(ids.map((id) => [id, [{ nodeId: 'ask', durationMs: 9, isFailed: false }]])),
    listRunLabels: () => [{ label: 'good', runs: 1 }],
  });
  window.engine.connect();
});
afterEach(() => window.close());

async function draw(): Promise<void> {
  table = window.draw(<RunsTable path={path} />);
  await window.settle();
}

const rows = (): HTMLElement[] => [...table.querySelectorAll<HTMLElement>('.data-line')];
const numbers = (): (string | null | undefined)[] => rows().map((row) => row.firstElementChild?.textContent);
const button = (name: string): HTMLElement | undefined =>
  [...table.querySelectorAll('button')].find(({ textContent }) => textContent === name);

async function press(key: string, options: KeyboardEventInit = {}): Promise<void> {
  await act(async () => {
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...options }));
  });
  await window.settle();
}

test('shows runs with their versions and labels, and p50 and p95 below them', async () => {
  runs = [
    runOf(3, { status: 'failed', failedNodes: ['send'], definitionHash: 'h2' }),
    runOf(2, { labels: ['good'], tokens: 1_200, costUsd: 0.5 }),
    runOf(1),
  ];
  await draw();
  expect(numbers()).toEqual(['3', '2', '1']);
  expect(rows()[0]?.textContent).toContain('failed: send');
  expect(rows().map(({ textContent }) => /v\d/.exec(textContent ?? '')?.[0])).toEqual(['v2', 'v1', 'v1']);
  expect(rows()[1]?.textContent).toContain('good');
  expect(rows()[1]?.querySelector('.run-bars')?.getAttribute('aria-label')).toBe('ask 9 ms');
  expect([...table.querySelectorAll('tfoot tr')].map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('1.5 s'),
    expect.stringContaining('9.0 s'),
  ]);
});

test('sorts by a column, with runs without a value last', async () => {
  runs = [runOf(4, { costUsd: 0.2 }), runOf(3), runOf(2, { costUsd: 0.3 }), runOf(1, { costUsd: 0.1 })];
  await draw();
  await act(async () => button('Cost')?.click());
  expect(numbers()).toEqual(['2', '4', '1', '3']);
  await act(async () => button('Cost')?.click());
  expect(numbers()).toEqual(['1', '4', '2', '3']);
});

test('keys move between rows, select them and open one; two can be compared', async () => {
  runs = [runOf(3), runOf(2), runOf(1)];
  await draw();
  const openRun = vi.spyOn(window.stores.runs, 'openRun').mockResolvedValue();
  const compare = vi.spyOn(window.stores.runs, 'compare').mockResolvedValue();
  act(() => rows()[0]?.focus());
  await press(' ');
  expect(button('Compare 2 runs')).toBeUndefined();
  await press('ArrowDown', { shiftKey: true });
  expect(rows().map((row) => row.ariaSelected ?? row.getAttribute('aria-selected'))).toEqual(['true', 'true', 'false']);
  await act(async () => button('Compare 2 runs')?.click());
  expect(compare.mock.calls[0]?.map(({ number }) => number)).toEqual([2, 3]);
  await press('End');
  await window.until(() => expect(document.activeElement).toBe(rows()[2]));
  await press('Enter');
  expect(openRun).toHaveBeenCalledWith(path, 'r1', 'flow');
});

test('reads many runs in pages, and draws few', async () => {
  runs = Array.from({ length: 2_500 }, (_, index) => runOf(2_500 - index));
  await draw();
  await window.until(() => expect(table.querySelector('h2')?.textContent).toBe('2,500 runs'));
  expect(queries.flatMap(({ below }) => below ?? [])).toEqual([1_501, 501]);
  expect(rows().length).toBeLessThan(100);
});

test('shows charts, nodes and since when something fails', async () => {
  runs = [runOf(2, { status: 'failed' }), runOf(1)];
  const streak = { runs: 2, first: named(2), before: named(1), changes: ['Changes text of send'] };
  stats = {
    ...stats,
    nodes: [{ nodeId: 'send', count: 7, failed: 2, durationMs: spread }],
    nodeRuns: 2,
    failures: [{ nodeId: 'send', runs: 2, last: named(2), message: 'Too many', streak }],
  };
  await draw();
  await act(async () => button('Charts')?.click());
  expect(table.querySelectorAll('.run-chart')).toHaveLength(2);
  expect(table.querySelector('.run-nodes tbody')?.textContent).toBe('send1.5 s9.0 s72');
  const failures = table.querySelector('.run-failures')?.textContent;
  expect(failures).toContain('In every run since 2');
  expect(failures).toContain('Changes text of send');
});

test('without runs, says what appears there', async () => {
  await draw();
  expect(table.textContent).toContain('No runs yet');
  await act(async () => window.stores.runHistory.getState().setFilter({ status: 'failed' }));
  await window.until(() => expect(table.textContent).toContain('No such runs'));
  expect(queries.at(-1)).toMatchObject({ sourcePath: path, status: 'failed' });
});

test('the filter of the side panel also has text, and opens the table', async () => {
  runs = [runOf(1)];
  table = window.draw(<RunHistoryList path={path} picks={null} />);
  await window.settle();
  await act(async () => button('Filter')?.click());
  expect(table.querySelector('input[type="search"]')).not.toBeNull();
  await act(async () => window.stores.runHistory.getState().setFilter({ content: 'Kim', label: 'good' }));
  await window.until(() => expect(queries.at(-1)).toMatchObject({ label: 'good', find: { content: 'Kim' } }));
  expect(button('Filter (2)')).toBeDefined();
  await act(async () => button('Table')?.click());
  expect(window.stores.selection.getState().views.get(path)?.mode).toBe('runs');
});
