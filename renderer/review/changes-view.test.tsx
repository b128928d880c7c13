import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { ChangesView } from './changes-view.tsx';
import { ReviewBar } from './review-bar.tsx';

const path = 'a.flow.yaml';

const run = {
  ...{ runId: 'r1', number: 1, kind: 'flow' as const, name: 'A', sourcePath: path, definitionHash: '' },
  ...{ status: 'completed' as const, startedAt: 1, failedNodes: [] },
};

let window: TestWindow;
afterEach(() => window.close());

function flowText(word: string, count: number): string {
  const nodes = Array.from(
    { length: count },
    (_, index) => `  - { id: n${index}, type: echo, input: { text: ${word} } }`,
  );
  return `flow: { name: A }\nnodes:\n${nodes.join('\n')}\nedges: []\n`;
}

/** Opens the review of a proposal that changes this many nodes. */
async function open(
  count: number,
  engine: Parameters<typeof openTestWindow>[0] = {},
  more: { readonly at?: number } = {},
): Promise<HTMLElement> {
  const [before, after] = [flowText('old', count), flowText('new', count)];
  window = openTestWindow({ listRuns: () => [], ...engine, readFlow: () => ({ text: before }) });
  window.engine.connect();
  const { openFiles, reviews } = window.stores;
  await openFiles.getState().open(path);
  const request = { path, before, after, source: 'proposal', title: 'New words', taken: 'none', ...more } as const;
  await reviews.getState().openReview(request);
  const view = window.draw(
    <>
      <ReviewBar path={path} />
      <ChangesView path={path} />
    </>,
  );
  await window.settle();
  return view;
}

test('renders only a part of thousands of changes', async () => {
  const view = await open(2_000);
  expect(view.querySelector('.review-counts')?.textContent).toBe('2,000 to review');
  const rows = view.querySelectorAll('.change-row');
  expect(rows.length).toBeLessThan(60);
  expect(rows[0]?.getAttribute('aria-setsize')).toBe('2000');
});

test('shows the date of a proposal that is not from today', async () => {
  const view = await open(1, {}, { at: new Date(2020, 5, 15).getTime() });
  expect(view.querySelector('.review-caption')?.textContent).toContain('2020');
});

test('13.7 selects, accepts and takes back with letters', async () => {
  const view = await open(3);
  const list = view.querySelector('.changes-view');
  const press = async (key: string): Promise<void> => {
    act(() => void list?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })));
    await window.settle();
  };
  const counts = (): string | null | undefined => view.querySelector('.review-counts')?.textContent;
  await press('j');
  expect(view.querySelector('[aria-current="true"]')?.textContent).toContain('n1');
  await press('a');
  await vi.waitFor(() => expect(counts()).toBe('1 accepted, 2 to review'), 20_000);
  expect(window.stores.openFiles.getState().files.get(path)?.text).toContain(
    'id: n1, type: echo, input: { text: new }',
  );
  await press('k');
  await press('r');
  await vi.waitFor(() => expect(counts()).toBe('1 accepted, 1 rejected, 1 to review'), 20_000);
  await press('u');
  await vi.waitFor(() => expect(counts()).toBe('1 accepted, 2 to review'), 20_000);
});

test('13.7 says what would run again with all changes, compared with the latest run', async () => {
  const plans: unknown[] = [];
  const step = { why: '', whyParts: [] };
  const view = await open(3, {
    listRuns: () => [run],
    planRerun(request) {
      plans.push(request);
      return [
        { ...step, nodeId: 'n0', fate: 'runs' },
        { ...step, nodeId: 'n1', fate: 'runs' },
        { ...step, nodeId: 'n2', fate: 'reused' },
      ];
    },
    readEvents: () => [],
  });
  await vi.waitFor(async () => {
    await window.settle();
    expect(view.querySelector('.effect-panel [role="status"]')?.textContent).toBe('Runs 2 nodes again, reuses 1.');
  }, 20_000);
  expect(plans).toEqual([{ runId: 'r1', text: flowText('new', 3) }]);
});

test('says nothing about runs of a flow that has none, or that cannot run', async () => {
  const view = await open(1);
  expect(view.querySelector('.effect-panel [role="status"]')).toBeNull();
  window.close();
  const refused = await open(1, {
    listRuns: () => [run],
    planRerun: () => {
      throw new Error('refused');
    },
  });
  await window.settle();
  expect(refused.querySelector('.effect-panel [role="status"]')).toBeNull();
});

test('13.7 says how many tests pass with the change, and shows the failing check of those that do not', async () => {
  const id = { file: 'a.test.yaml', name: 'greets', entry: 0, line: 3, hash: '' };
  const files = [{ path: id.file, target: path, cases: [id], problems: [] }];
  const view = await open(1, {
    listTests: () => files,
    testProposal({ texts }) {
      const isOk = texts[path] === flowText('old', 1);
      const check = {
        isOk,
        kind: 'outputs',
        label: 'n0.text equals',
        expected: 'old',
        got: isOk ? 'old' : 'new',
      } as const;
      const use = { replayed: 0, recorded: 0, tokens: 0 };
      return { files, results: [{ ...id, target: path, isOk, checks: [check], durationMs: 1, covered: ['n0'], use }] };
    },
  });
  const line = '0 of 1 tests pass with this change. Before: 1 of 1.';
  await window.until(() => expect(view.querySelector('.review-tests')?.textContent).toBe(line));
  const [details] = view.querySelectorAll('.tests-effect li');
  expect(details?.textContent).toBe('greetsn0.text equalsExpectedoldGotnew');
});
