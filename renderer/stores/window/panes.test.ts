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
