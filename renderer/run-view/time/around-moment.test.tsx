import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import { createRunTeller, nodeComplete, nodeStart, runEnd, runStart } from '../../bridge/testing/run-events.ts';
import { AroundMoment } from './around-moment.tsx';

const path = 'a.flow.yaml';

let window: TestWindow;
afterEach(() => window.close());

test('lists the events around the moment on screen, and a click moves the playhead', async () => {
  const run = createRunTeller('r1');
  run.tell(runStart(path));
  for (const id of ['a', 'b', 'c', 'd']) {
    run.tell(nodeStart(id), id);
    run.tell(nodeComplete(id), id);
  }
  run.tell(runEnd('completed'));
  window = openTestWindow({ listRuns: () => [], readEvents: () => run.events });
  window.engine.connect();
  const element = window.draw(<AroundMoment path={path} />);
  window.engine.push('subscribe', run.events);
  await window.settle();
  expect(element.textContent).toBe('');

  const runId = run.events[0]!.runId;
  await act(() => window.stores.moments.show(runId, 4));
  const rows = () => [...element.querySelectorAll<HTMLButtonElement>('.around-event')];
  expect(rows().map((row) => row.querySelector('b')?.textContent)).toEqual(['a', 'a', 'b', 'b', 'c', 'c', 'd']);
  const shown = () => rows().findIndex((row) => row.getAttribute('aria-current') === 'true');
  expect(shown()).toBe(3);
  expect(element.querySelector('.inspector-heading')?.textContent).toBe('Around this momentevent 5 of 10');

  await act(async () => rows()[5]?.click());
  await window.settle();
  expect(window.stores.liveRuns.getState().past.get(runId)?.moment?.seq).toBe(6);
  expect(rows()[shown()]?.querySelector('b')?.textContent).toBe('c');
});
