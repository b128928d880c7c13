import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { TeamTab } from './team-tab.tsx';

const team = { name: 'Acme', file: '/home/t.yaml', closed: [], settings: [], problems: [] };

let window: TestWindow;
let page: HTMLElement;
let asked: number;
afterEach(() => window.close());

async function draw(isInstalled: boolean): Promise<void> {
  asked = 0;
  window = openTestWindow(
    {},
    {
      'team.remove': () => {
        asked += 1;
        return { isDone: false };
      },
    },
  );
  window.engine.connect();
  page = window.draw(<TeamTab team={isInstalled ? { ...team, isInstalled: true } : team} />);
  await window.settle();
}

function removal(): HTMLButtonElement | undefined {
  return [...page.querySelectorAll('button')].find(({ textContent }) => textContent === 'Remove this package…');
}

test('an installed team package can be removed after the user confirms', async () => {
  await draw(true);
  act(() => removal()?.click());
  await window.settle();
  expect([asked, page.textContent?.includes('Nothing was changed: you did not allow it.')]).toEqual([1, true]);
});

test('a team file of the machine cannot be removed here', async () => {
  await draw(false);
  expect(removal()).toBeUndefined();
});
