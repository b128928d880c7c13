import { afterEach, expect, test } from 'vitest';
import { EngineError } from '../../../engine/isomorphic.ts';
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

/** A window with a pending proposal. Returns the statuses that it records, and the files. */
function openWithProposal(more: Parameters<typeof openTestWindow>[0] = {}) {
  const statuses: string[] = [];
  const disk = new Map([[path, base]]);
  openWindow({
    readFlow: (file) => ({ text: disk.get(file) ?? '' }),
    writeFile: ({ path: file, text }) => void disk.set(file, text),
    listProposals: () => ({ proposals: [{ ...summary, id: 'p0', status: 'rejected' }, summary], problems: [] }),
    readProposal: () => ({ ...summary, version: 1, base, text: proposed }),
    setProposalStatus: ({ id, status }) => void statuses.push(`${id} ${status}`),
    ...more,
  });
  return { statuses, disk };
}

const file = () => window.stores.openFiles.getState().files.get(path);
const save = async (): Promise<void> => {
  await window.stores.edits.save(path);
  await window.settle();
};

test('13.7 opens the pending proposal with nothing accepted, and records what is saved', async () => {
  const { statuses, disk } = openWithProposal();
  await run('review.proposal');
  const review = reviews().reviews.get(path);
  expect(review).toMatchObject({ source: 'proposal', title: 'Be polite', by: 'agent', text: base });
  const [first = '', second = ''] = review?.differences.map(({ key }) => key) ?? [];
  await reviews().accept(path, [first]);
  await reviews().reject(path, [second]);
  await window.settle();
  expect([statuses, file()?.isDirty]).toEqual([[], true]);
  await save();
  expect(statuses).toEqual(['p1 partly']);
  await reviews().reset(path, [second]);
  await reviews().acceptAll(path);
  await window.settle();
  expect(statuses).toEqual(['p1 partly', 'p1 pending']);
  reviews().end(path);
  await save();
  expect(statuses).toEqual(['p1 partly', 'p1 pending', 'p1 applied']);
  expect(disk.get(path)).toBe(proposed);
});

test('13.7 records a rejection at once, and nothing for accepted changes that are undone', async () => {
  const { statuses } = openWithProposal();
  await run('review.proposal');
  await reviews().acceptAll(path);
  await window.settle();
  window.stores.edits.undo(path);
  await window.settle();
  await reviews().rejectAll(path);
  await window.settle();
  expect(statuses).toEqual(['p1 rejected']);
});

test('13.7 distinguishes two proposals for a flow, even if they were made in the same millisecond', async () => {
  const earlier = { ...summary, id: 'p2', title: 'Be brief' };
  const { statuses, disk } = openWithProposal({
    listProposals: () => ({ proposals: [summary, earlier], problems: [] }),
    readProposal: (id) => {
      const text = id === 'p1' ? base.replace('text: hi', 'text: good day') : base.replace('name: One', 'name: 1');
      return { ...(id === 'p1' ? summary : earlier), version: 1, base, text };
    },
  });
  await run('review.proposal');
  await reviews().acceptAll(path);
  await window.settle();
  await run('review.proposal');
  expect(reviews().reviews.get(path)).toMatchObject({ title: 'Be brief', proposalId: 'p2' });
  await reviews().rejectAll(path);
  await window.settle();
  expect(statuses).toEqual(['p2 rejected']);
  await save();
  expect(statuses).toEqual(['p2 rejected', 'p1 applied']);
  expect(disk.get(path)).toBe(base.replace('text: hi', 'text: good day'));
});

test('13.7 keeps the decisions about a proposal that is opened again', async () => {
  const { statuses } = openWithProposal();
  await run('review.proposal');
  const [first = '', second = ''] =
    reviews()
      .reviews.get(path)
      ?.differences.map(({ key }) => key) ?? [];
  await reviews().accept(path, [first]);
  await run('review.proposal');
  await reviews().reject(path, [second]);
  await save();
  expect(statuses).toEqual(['p1 partly']);
});

test('13.7 merges a proposal with later changes of the flow', async () => {
  const { statuses, disk } = openWithProposal();
  disk.set(path, base.replace('name: One', 'name: Two'));
  await run('review.proposal');
  await reviews().acceptAll(path);
  await save();
  expect(disk.get(path)).toBe(proposed.replace('name: One', 'name: Two'));
  expect(statuses).toEqual(['p1 applied']);
});

test('13.7 marks a proposal as outdated if the same places have changed since', async () => {
  const { statuses, disk } = openWithProposal();
  disk.set(path, base.replaceAll('text: hi', 'text: ciao'));
  await run('review.proposal');
  expect([statuses, reviews().reviews.size]).toEqual([['p1 outdated'], 0]);
  expect(notices()).toContain('Outdated proposal: Be polite');
  expect(file()).toMatchObject({ isDirty: false });
});

test('13.7 keeps a proposal that conflicts only with unsaved edits', async () => {
  const { statuses } = openWithProposal();
  await window.settle();
  await window.stores.openFiles.getState().open(path);
  for (const id of ['a', 'b'])
    await window.stores.edits.change(path, { do: 'set-node', id, path: ['input', 'text'], value: 'ciao' });
  await run('review.proposal');
  expect([statuses, reviews().reviews.size]).toEqual([[], 0]);
  expect(notices()).toContain('The proposal conflicts with unsaved edits');
});

test('13.7 a proposal that the flow already contains is applied', async () => {
  const { statuses, disk } = openWithProposal();
  disk.set(path, proposed);
  await run('review.proposal');
  expect(statuses).toEqual(['p1 applied']);
  expect(notices()).toContain('Nothing left to review');
});

test('13.7 a proposal for a deleted flow is outdated, and one that begins a flow opens it', async () => {
  const isMissing = () => {
    throw new EngineError({ code: 'files.not-found', message: 'There is no such file.' });
  };
  const gone = openWithProposal({ listFlows: () => [], readFlow: isMissing });
  await run('review.proposal');
  expect([gone.statuses, file()]).toEqual([['p1 outdated'], undefined]);
  window.close();
  const empty = 'flow: { name: One }\nnodes: []\nedges: []\n';
  const begun = openWithProposal({
    listFlows: () => [],
    readFlow: isMissing,
    readProposal: () => ({ ...summary, version: 1, base: empty, text: proposed }),
  });
  await run('review.proposal');
  expect(reviews().reviews.get(path)).toMatchObject({ text: empty });
  await reviews().acceptAll(path);
  await window.settle();
  expect([begun.statuses, file()?.text]).toEqual([[], proposed]);
  await save();
  expect([begun.statuses, begun.disk.get(path)]).toEqual([['p1 applied'], proposed]);
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
