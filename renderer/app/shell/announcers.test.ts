import { expect, test } from 'vitest';
import { undoAnnouncement } from './announcers.tsx';

test('edits, undo and redo are announced by name, but typing is not', () => {
  const none = { undo: null, redo: null };
  expect(undoAnnouncement(none, { undo: 'Add prompt', redo: null })).toBe('Add prompt');
  expect(undoAnnouncement({ undo: 'Add prompt', redo: null }, { undo: null, redo: 'Add prompt' })).toBe(
    'Undone: Add prompt',
  );
  expect(undoAnnouncement({ undo: null, redo: 'Add prompt' }, { undo: 'Add prompt', redo: null })).toBe(
    'Redone: Add prompt',
  );
  expect(undoAnnouncement(none, { undo: 'Typing', redo: null })).toBeNull();
  expect(undoAnnouncement(none, none)).toBeNull();
});
