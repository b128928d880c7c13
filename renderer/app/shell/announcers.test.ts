import { expect, test } from 'vitest';
import { editWords } from './announcers.tsx';

test('edits, undo and redo are announced by name, but typing is not', () => {
  const none = { undo: null, redo: null };
  expect(editWords(none, { undo: 'Add prompt', redo: null })).toBe('Add prompt');
  expect(editWords({ undo: 'Add prompt', redo: null }, { undo: null, redo: 'Add prompt' })).toBe('Undone: Add prompt');
  expect(editWords({ undo: null, redo: 'Add prompt' }, { undo: 'Add prompt', redo: null })).toBe(
    'Done again: Add prompt',
  );
  expect(editWords(none, { undo: 'Typing', redo: null })).toBeNull();
  expect(editWords(none, none)).toBeNull();
});
