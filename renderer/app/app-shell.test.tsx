import { afterEach, expect, test } from 'vitest';
import { EngineError } from '../../engine/isomorphic.ts';
import { EmptyEditorView } from './app-shell.tsx';
import { openTestWindow, type TestWindow } from './testing/test-window.tsx';

let window: TestWindow;

afterEach(() => window.close());

test('shows why a folder cannot be read, and offers to try again or to open another one', async () => {
  let isReadable = false;
  window = openTestWindow({
    readNotices: () => [],
    listFlows: () => {
      if (isReadable) return [];
      throw new EngineError({ code: 'files.no-access', message: 'The system refuses to list it.' });
    },
  });
  const element = window.draw(<EmptyEditorView folder="/work" />);
  window.engine.connect();
  await window.settle();
  expect(element.textContent).toContain('This folder cannot be read');
  expect(element.textContent).toContain('The system refuses to list it.');
  const buttons = (): string[] =>
    [...element.querySelectorAll('button')].map(({ textContent }) => textContent?.replace(/(Ctrl|Shift).*/, '') ?? '');
  expect(buttons()).toEqual(['Try again', 'Open folder…']);
  isReadable = true;
  element.querySelector('button')?.click();
  await window.settle();
  expect(element.textContent).toContain('No flows here yet');
  expect(buttons()).toEqual(['New flow…', 'New flow from an example…', 'New agent…', 'Open folder…']);
});
