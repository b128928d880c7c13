import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { JsonValue } from '../../../engine/isomorphic.ts';
import type { ChangeValue } from './form-scope.tsx';
import { useAhead } from './use-ahead.ts';

let root: Root;
let shown: JsonValue | undefined;
let change: ChangeValue;
/** Completes the pending changes, oldest first. */
let taken: ((isThere: boolean) => void)[];

function Field({ value }: { readonly value: JsonValue | undefined }) {
  [shown, change] = useAhead(value, () => new Promise<boolean>((resolve) => taken.push(resolve)));
  return null;
}

const draw = (value: JsonValue | undefined): void => act(() => root.render(<Field value={value} />));
const send = (value: JsonValue): void => act(() => void change(value));
const take = (isThere = true): Promise<void> => act(async () => taken.shift()?.(isThere));

beforeEach(() => {
  vi.useFakeTimers();
  taken = [];
  root = createRoot(document.createElement('div'));
  draw('old');
});

afterEach(() => {
  act(() => root.unmount());
  vi.useRealTimers();
});

test('a change is shown at once, and until the new text is parsed, however late that is', async () => {
  send('a');
  expect(shown).toBe('a');
  send('ab');
  await take();
  await take();
  act(() => vi.advanceTimersByTime(1000));
  expect(shown).toBe('ab');
  draw('a');
  expect(shown).toBe('ab');
  draw('ab');
  expect(shown).toBe('ab');
  // An immediate undo.
  draw('old');
  expect(shown).toBe('old');
});

test('a rejected change is no longer shown', async () => {
  send('a');
  await take(false);
  expect(shown).toBe('old');
});

test('a change by someone else is shown when the text contains it', async () => {
  send('a');
  await take();
  draw('theirs');
  expect(shown).toBe('theirs');
});

test('values are compared by content', async () => {
  draw({ list: [1] });
  send({ list: [1, 2] });
  await take();
  draw({ list: [1] });
  expect(shown).toEqual({ list: [1, 2] });
});

test('a change that never appears in the text is eventually dropped', async () => {
  send('a');
  await take();
  act(() => vi.advanceTimersByTime(5000));
  expect(shown).toBe('old');
});
