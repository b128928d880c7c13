import { expect, test } from 'vitest';
import { createNotices } from './notices.ts';

const inMemory = { code: 'store.in-memory', message: 'Runs are kept in memory only.' };

test('reports each code once, with the message that came first', () => {
  const notices = createNotices([inMemory]);
  notices.note({ code: 'files.not-watched', message: 'one' });
  notices.note({ code: 'files.not-watched', message: 'two' });
  expect(notices.list()).toEqual([inMemory, { code: 'files.not-watched', message: 'one' }]);
});

test('reports why nothing could be recorded until recording succeeds', () => {
  const notices = createNotices([inMemory]);
  notices.noteRecordFailure({ code: 'store.full', message: 'The disk is full.' });
  expect(notices.list()).toHaveLength(2);
  notices.dropRecordFailures();
  expect(notices.list()).toEqual([inMemory]);
});
