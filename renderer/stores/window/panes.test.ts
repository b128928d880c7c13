import { expect, test } from 'vitest';
import { createPanes } from './panes.ts';

test('the side panel collapses if the current view is selected again', () => {
  const store = createPanes();
  store.getState().chooseSideView('flows');
  expect(store.getState().isOpen.side).toBe(false);
  store.getState().chooseSideView('runs');
  expect(store.getState()).toMatchObject({ sideView: 'runs', isOpen: { side: true } });
});

test('a run opens the dock on a run tab, and keeps a selected run tab', () => {
  const store = createPanes();
  store.getState().showDock('problems');
  store.getState().showRun();
  expect(store.getState().dockTab).toBe('timeline');
  store.getState().showDock('log');
  store.getState().showRun();
  expect(store.getState().dockTab).toBe('log');
});

test('a dock that the user closed stays closed', () => {
  const store = createPanes();
  store.getState().showRun();
  store.getState().toggle('dock');
  store.getState().showRun();
  expect(store.getState().isOpen.dock).toBe(false);
});

test('keeps the latest loaded values: at most eight, and at most 32 MB besides the newest', () => {
  const store = createPanes();
  const kept = (): readonly string[] => [...store.getState().loadedValues.keys()];
  const keep = (hash: string, bytes: number): void => store.getState().keepValue(hash, { value: hash, bytes, of: 'a' });
  for (const hash of 'abcdefghij') keep(hash, 10);
  expect(kept().join('')).toBe('cdefghij');
  keep('large', 31_999_980);
  expect(kept()).toEqual(['i', 'j', 'large']);
  keep('huge', 40_000_000);
  expect(kept()).toEqual(['huge']);
});
