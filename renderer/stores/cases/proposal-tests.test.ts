/** Tests proposals under review with a simulated engine. */
import { afterEach, expect, test } from 'vitest';
import type { ListedCaseFile } from '../../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import type { Review, ReviewSource } from '../review/review.ts';
import type { ProposalTest } from './proposal-tests.ts';

const path = 'a.flow.yaml';
const flow = (one: string, two: string): string =>
  `flow: { name: A }\nnodes:\n  - { id: one, type: echo, input: { text: ${one} } }\n  - { id: two, type: echo, input: { text: ${two} } }\nedges: []\n`;
const [before, after] = [flow('old', 'old'), flow('new', 'new')];

const id = { file: 'a.test.yaml', name: 'first', entry: 0 };
const files: readonly ListedCaseFile[] = [
  { path: id.file, target: path, cases: [{ ...id, line: 3, hash: '' }], problems: [] },
];

let window: TestWindow;
let tested: string[] = [];
/** Answers pending tests. Tests end at once if it is null. */
let waiting: (() => void)[] | null = null;
afterEach(() => {
  window.close();
  [tested, waiting] = [[], null];
});

/** Opens a review in a workspace with these test files. A text passes if the node `two` has its old text. */
async function open(source: ReviewSource = 'proposal', listed = files): Promise<void> {
  window = openTestWindow({
    listRuns: () => [],
    readFlow: () => ({ text: before }),
    listTests: () => listed,
    async testProposal({ texts }, signal) {
      const text = texts[path] ?? '';
      tested.push(text);
      if (waiting !== null)
        await new Promise<void>((resolve, reject) => {
          waiting?.push(resolve);
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      const isOk = text.includes('two, type: echo, input: { text: old }');
      const result = { ...id, line: 3, target: path, isOk, checks: [], durationMs: 1, covered: [] };
      if (listed.length === 0) return { files: listed, results: [] };
      return { files: listed, results: [{ ...result, use: { replayed: 0, recorded: 0, tokens: 0 } }] };
    },
  });
  window.engine.connect();
  const { openFiles, reviews } = window.stores;
  await openFiles.getState().open(path);
  await reviews.getState().openReview({ path, before, after, source, title: 'New words', taken: 'none' });
}

const shown = (): ProposalTest | undefined => window.stores.proposalTests.getState().tests.get(path);

function review(): Review {
  const found = window.stores.reviews.getState().reviews.get(path);
  if (found === undefined) throw new Error('There is no review.');
  return found;
}

function keyOf(part: string): string {
  return review().differences.find(({ key }) => key.includes(part))?.key ?? '';
}

test.each(['proposal', 'assistant'] as const)('13.7 tests a change (%s) with and without it, once', async (source) => {
  await open(source);
  await window.until(() => expect(shown()?.state).toBe('done'));
  expect(shown()).toMatchObject({ effect: { total: 1, passed: 0, passedBefore: 1, cases: [{ outcome: 'broken' }] } });
  expect(tested).toEqual([after, before]);
  await window.stores.reviews.getState().accept(path, [keyOf('one')]);
  await window.stores.reviews.getState().acceptAll(path);
  await window.settle();
  expect(tested).toHaveLength(2);
});

test('13.7 tests what is left after changes were rejected', async () => {
  await open();
  await window.until(() => expect(shown()?.state).toBe('done'));
  const { reviews } = window.stores;
  await reviews.getState().reject(path, [keyOf('two')]);
  await window.until(() => expect(shown()).toMatchObject({ effect: { passed: 1, passedBefore: 1, cases: [] } }));
  expect(tested).toEqual([after, before, flow('new', 'old')]);
  await reviews.getState().reset(path, [keyOf('two')]);
  await window.until(() => expect(shown()).toMatchObject({ effect: { passed: 0 } }));
  await reviews.getState().rejectAll(path);
  await window.until(() => expect(shown()).toBeUndefined());
  expect(tested).toHaveLength(3);
});

test('13.7 can be stopped and run again, and ends with the review', async () => {
  waiting = [];
  await open();
  await window.until(() => expect(waiting).toHaveLength(1));
  expect(shown()).toEqual({ state: 'running', total: 1 });
  const { proposalTests, reviews } = window.stores;
  proposalTests.getState().stop(path);
  await window.settle();
  expect(shown()).toEqual({ state: 'stopped', total: 1 });
  waiting = null;
  proposalTests.getState().run(path);
  await window.until(() => expect(shown()?.state).toBe('done'));
  reviews.getState().end(path);
  expect(shown()).toBeUndefined();
});

test('shows nothing for a flow without tests, and does not test what the person wrote', async () => {
  await open('proposal', []);
  await window.until(() => expect(tested).toHaveLength(1));
  await window.settle();
  expect(shown()).toBeUndefined();
  window.close();
  tested = [];
  await open('git');
  await window.settle();
  expect([tested, shown()]).toEqual([[], undefined]);
});
