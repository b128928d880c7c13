import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { type CommandId, findCommand, runCommand } from './commands.ts';

const path = 'a.flow.yaml';
const base =
  'flow: { name: One }\nnodes:\n  - { id: a, type: echo, input: { text: hi } }\n  - { id: b, type: echo, input: { text: hi } }\nedges: []\n';
const proposed = base.replaceAll('text: hi', 'text: good day');
const summary = {
  id: 'p1',
  file: path,
  title: 'Be polite',
  by: 'agent',
  at: 7,
  baseHash: '',
  status: 'pending' as const,
};

let window: TestWindow;
afterEach(() => window.close());

function openWindow(more: Parameters<typeof openTestWindow>[0]): void {
  window = openTestWindow({
    readNotices: () => [],
    listFlows: () => [{ path, change: null }],
    readFlow: () => ({ text: base }),
    ...more,
  });
  window.engine.connect();
}

async function run(id: CommandId): Promise<void> {
  await window.settle();
  const command = findCommand(id);
  expect(command !== undefined && runCommand(command, window.context)).toBe(true);
  await window.settle();
}

const reviews = () => window.stores.reviews.getState();
const notices = () => window.stores.notices.getState().list.map(({ title }) => title);

test('13.7 opens the pending proposal with nothing accepted, and records what the person decides', async () => {
  const statuses: string[] = [];
  openWindow({
    listProposals: () => ({ proposals: [{ ...summary, id: 'p0', status: 'rejected' }, summary], problems: [] }),
    readProposal: () => ({ ...summary, version: 1, base, text: proposed }),
    setProposalStatus: ({ id, status }) => void statuses.push(`${id} ${status}`),
  });
  await run('review.proposal');
  const review = reviews().reviews.get(path);
  expect(review).toMatchObject({ source: 'proposal', title: 'Be polite', by: 'agent', text: base });
  const [first = '', second = ''] = review?.differences.map(({ key }) => key) ?? [];
  await reviews().accept(path, [first]);
  await window.settle();
  expect(statuses).toEqual([]);
  await reviews().reject(path, [second]);
  await window.settle();
  await reviews().reset(path, [second]);
  await window.settle();
  await reviews().acceptAll(path);
  await window.settle();
  expect(statuses).toEqual(['p1 partly', 'p1 pending', 'p1 applied']);
  expect(window.stores.openFiles.getState().files.get(path)).toMatchObject({ text: proposed, isDirty: true });
});

test('says that there is no proposal', async () => {
  openWindow({ listProposals: () => ({ proposals: [], problems: [] }) });
  await run('review.proposal');
  expect(notices()).toContain('No proposals');
});

test('compares the flow with the last commit', async () => {
  const committed = base.replace('text: hi', 'text: hello');
  openWindow({ readCommitted: () => ({ text: committed, commit: 'c' }) });
  await run('review.head');
  expect(reviews().reviews.get(path)).toMatchObject({ source: 'git', texts: { before: committed, after: base } });
});

test.each([[null], [base]])('says that there is nothing to compare', async (committed) => {
  openWindow({ readCommitted: () => ({ text: committed, commit: 'c' }) });
  await run('review.head');
  expect(notices()).toContain('Nothing to compare');
});
