import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import type { CaseResult, ListedCase, ListedCaseFile } from '../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { caseKey, entriesOf } from '../stores/cases/case-list.ts';
import { DatasetTable } from './dataset-table.tsx';
import { TestsPanel } from './tests-panel.tsx';

const target = 'a.flow.yaml';
const use = { replayed: 1, recorded: 0, tokens: 10 };

function fileWith(count: number): ListedCaseFile {
  const cases = Array.from({ length: count }, (_, row): ListedCase => {
    const at = { file: 'a.test.yaml', name: `mail ${row}`, entry: 0, row, line: 3 };
    return { ...at, dataset: 'mails.csv', hash: '1' };
  });
  return { path: 'a.test.yaml', target, cases, problems: [] };
}

const passed = ({ dataset: _, hash: __, ...id }: ListedCase): CaseResult => ({
  ...{ ...id, target, isOk: true, checks: [], durationMs: 4, use, covered: ['a'] },
});

let window: TestWindow;
afterEach(() => window.close());

/** Shows the panel and the table of a dataset. `end` ends the request that runs its rows. */
async function open(file: ListedCaseFile): Promise<{ readonly view: HTMLElement; readonly end: () => void }> {
  let end: () => void = () => undefined;
  window = openTestWindow({
    listRuns: () => [],
    listTests: () => [file],
    readFlow: () => ({ text: 'flow: { name: A }\nnodes: [{ id: a, type: echo }]\nedges: []\n' }),
    runTests: () =>
      new Promise((resolve) => {
        end = () => resolve({ passed: file.cases.length, failed: 0, durationMs: 1, recorded: 0 });
      }),
  });
  window.engine.connect();
  const nothing = (): void => undefined;
  const view = window.draw(
    <>
      <TestsPanel activePath={target} onText={nothing} onOpened={nothing} actions={null} firstAction={null} />
      <DatasetTable onAdd={nothing} onClose={nothing} />
    </>,
  );
  await window.settle();
  const [entry] = entriesOf(file);
  if (entry === undefined) throw new Error('no dataset');
  await act(() => window.stores.datasets.getState().show(entry));
  await window.settle();
  return { view, end: () => end() };
}

test('thousands of results update the window once per frame', async () => {
  const file = fileWith(5000);
  const { view, end } = await open(file);
  const { cases } = window.stores;
  act(() => void cases.getState().run());
  window.engine.push('watchTests', { type: 'start', files: [file] });
  await window.settle();
  expect(cases.getState().waiting.size).toBe(5000);
  let updates = 0;
  const unsubscribe = cases.subscribe(() => {
    updates += 1;
  });
  for (const one of file.cases) window.engine.push('watchTests', { type: 'case', result: passed(one) });
  await window.until(() => expect(cases.getState().results.size).toBe(5000));
  expect(updates).toBeLessThan(200);
  expect(cases.getState().waiting.size).toBe(0);
  window.engine.push('watchTests', { type: 'end', summary: { passed: 5000, failed: 0, durationMs: 1, recorded: 0 } });
  end();
  await window.until(() => expect(cases.getState().isRunning).toBe(false));
  expect(cases.getState().results.get(caseKey(file.cases[4999] as ListedCase))?.isOk).toBe(true);
  expect(view.querySelector('.dataset-table')?.textContent).toContain('5,000/5,000');
  expect(view.querySelectorAll('.dataset-line').length).toBeLessThan(60);
  unsubscribe();
});

test('stopping keeps the results that have arrived', async () => {
  const file = fileWith(3);
  const { end } = await open(file);
  const { cases } = window.stores;
  act(() => void cases.getState().run());
  window.engine.push('watchTests', { type: 'start', files: [file] });
  await window.settle();
  window.engine.push('watchTests', { type: 'case', result: passed(file.cases[0] as ListedCase) });
  await window.settle();
  act(() => cases.getState().stop());
  end();
  await window.until(() => expect(cases.getState().isRunning).toBe(false));
  expect(cases.getState().results.size).toBe(1);
  expect(cases.getState().waiting.size).toBe(0);
});
