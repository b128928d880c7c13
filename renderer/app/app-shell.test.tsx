import { act } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../engine/isomorphic.ts';
import type { EngineAnswers } from '../bridge/testing/engine-stand-in.ts';
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
  expect(element.textContent).toContain('What do you want to build?');
  expect(buttons().at(-1)).toBe('Open folder…');
});

describe('a folder without flows and agents', () => {
  async function showEmpty(answers: EngineAnswers = {}): Promise<HTMLElement> {
    window = openTestWindow({ readNotices: () => [], listFlows: () => [], ...answers });
    window.stores.workspace.setState({
      folder: '/home/kim/letters',
      recentFolders: ['/home/kim/letters', '/srv/mail'],
    });
    const element = window.draw(<EmptyEditorView folder="/home/kim/letters" />);
    window.engine.connect();
    await window.settle();
    return element;
  }

  const press = (key: string, target: Element = document.body): void =>
    act(() => void target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })));

  test('offers to begin, and lists the other folders', async () => {
    const element = await showEmpty();
    expect(element.querySelector('header')?.textContent).toContain('letters has no flows yet.');
    const folders = [...element.querySelectorAll('.recent-folder')].map(({ textContent }) => textContent);
    expect(folders).toEqual(['mail/srv/mail']);
  });

  test('N starts an empty flow, but not while the user types elsewhere', async () => {
    const element = await showEmpty();
    const field = document.createElement('input');
    element.append(field);
    press('n', field);
    expect(window.context.dialogs.getState().open).toBeNull();
    press('n');
    expect(window.context.dialogs.getState()).toMatchObject({
      open: 'new',
      newThing: { kind: 'flow', beginning: 'empty' },
    });
  });

  test('E opens the gallery of examples', async () => {
    await showEmpty({ listGallery: () => ({ examples: [], problems: [] }) });
    press('e');
    expect(window.stores.gallery.getState().isOpen).toBe(true);
  });

  test('with an agent is not empty', async () => {
    const agent = { agent: 'a', file: 'a.aip' };
    expect((await showEmpty({ listAgents: () => [agent] })).textContent).toContain('No file is open');
  });
});
