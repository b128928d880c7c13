import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EngineError } from '../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import type { SearchAnswer, SearchMatch } from '../stores/workspace/text-search.ts';
import { typeInto } from '../ui/testing/type-into.ts';
import { SearchPanel } from './search-panel.tsx';

let window: TestWindow;
let element: HTMLElement;
let asked: { text: string; include: string; unsaved: readonly { path: string }[] }[];
/** The queries of searches that were canceled. */
let ended: string[];
let opened: [path: string, line: number][];
let answer: (text: string) => SearchAnswer | Promise<SearchAnswer>;

const nothing: SearchAnswer = { files: [], end: 'all', slowPath: null, tooLarge: 0, isCut: false };

function match(line: number, text: string, found: string): SearchMatch {
  const start = text.indexOf(found);
  return { line, column: start + 1, length: found.length, text, start, end: start + found.length };
}

const found: SearchAnswer = {
  ...nothing,
  files: [
    { path: 'a.flow.yaml', matches: [match(3, '- id: greet', 'greet'), match(9, 'to: greet', 'greet')] },
    { path: 'notes/b.md', matches: [match(1, 'We greet all', 'greet')] },
  ],
};

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  asked = [];
  ended = [];
  opened = [];
  answer = () => found;
  window = openTestWindow({
    searchFiles: (query, signal) => {
      asked.push(query);
      signal.addEventListener('abort', () => ended.push(query.text));
      return answer(query.text);
    },
  });
  element = window.draw(<SearchPanel onOpen={(path, { line }) => opened.push([path, line])} />);
  act(() => window.engine.connect());
  await settle();
});

afterEach(() => {
  vi.useRealTimers();
  window.close();
});

async function settle(): Promise<void> {
  vi.useRealTimers();
  await window.settle();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
}

function input(label: string): HTMLInputElement {
  const labelled = [...element.querySelectorAll('label')].find(({ textContent }) => textContent === label);
  const field = labelled === undefined ? element.querySelector(`input[aria-label="${label}"]`) : labelled.control;
  if (!(field instanceof HTMLInputElement)) throw new Error(`There is no field ${label}`);
  return field;
}

async function type(label: string, text: string): Promise<void> {
  const field = input(label);
  act(() => {
    typeInto(field, text);
  });
}

async function pause(ms: number): Promise<void> {
  act(() => void vi.advanceTimersByTime(ms));
  await settle();
}

async function press(target: Element | null, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    act(() => void target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })));
    await settle();
  }
}

function rows(): (string | null)[] {
  return [...element.querySelectorAll('[role="treeitem"]')].map((row) => row.getAttribute('aria-label'));
}

const status = () => element.querySelector('[role="status"]')?.textContent;
const tree = () => element.querySelector<HTMLElement>('[role="tree"]');

test('searches a moment after the last keystroke, and lists the matches of each file', async () => {
  await type('Search in files', 'gre');
  await type('Search in files', 'greet');
  expect(asked).toEqual([]);
  await pause(250);
  expect(asked.map(({ text }) => text)).toEqual(['greet']);
  expect(rows()).toEqual([
    'a.flow.yaml, 2 matches',
    'Line 3: - id: greet',
    'Line 9: to: greet',
    'notes/b.md, 1 match',
    'Line 1: We greet all',
  ]);
  expect([...element.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(Array(3).fill('greet'));
  expect(status()).toBe('3 matches in 2 files');
});

test('can be used by keyboard: Down moves to the results, Enter opens, Escape returns', async () => {
  await type('Search in files', 'greet');
  await press(input('Search in files'), 'Enter', 'ArrowDown');
  expect(document.activeElement).toBe(tree());
  await press(tree(), 'ArrowDown', 'ArrowDown', 'Enter');
  expect(opened).toEqual([['a.flow.yaml', 9]]);
  await press(tree(), 'Home', 'ArrowLeft');
  expect(rows()).toEqual(['a.flow.yaml, 2 matches', 'notes/b.md, 1 match', 'Line 1: We greet all']);
  await press(tree(), 'Escape');
  expect(document.activeElement).toBe(input('Search in files'));
  await press(input('Search in files'), 'Escape');
  expect(input('Search in files').value).toBe('');
});

test('sends options and globs, and unsaved texts', async () => {
  window.stores.openFiles.setState({
    files: new Map(
      [
        { path: 'a.md', kind: 'file', isDirty: true },
        { path: 'b.md', kind: 'file', isDirty: false },
        { path: '/elsewhere/c.aip', kind: 'agent', isDirty: true },
        { path: 'demo@proof', kind: 'agent', isDirty: true },
      ].map((file) => [file.path, { ...file, status: 'ready', text: 'greet', doc: null, diagnostics: [] } as never]),
    ),
  });
  await type('Search in files', 'greet');
  const button = (name: string) => element.querySelector<HTMLButtonElement>(`button[aria-label="${name}"]`);
  act(() => button('Regular expression')?.click());
  act(() => button('Filter files')?.click());
  await type('Files to include', '*.md');
  await type('Files to exclude', 'out');
  await pause(250);
  expect(button('Regular expression')?.getAttribute('aria-pressed')).toBe('true');
  expect(asked).toEqual([
    {
      text: 'greet',
      isRegExp: true,
      isCaseSensitive: false,
      isWholeWord: false,
      include: '*.md',
      exclude: 'out',
      unsaved: [{ path: 'a.md', text: 'greet' }],
    },
  ]);
});

test('shows errors, empty results, and what was omitted', async () => {
  answer = () => {
    throw new EngineError({ code: 'files.bad-pattern', message: '"(" is not a valid regular expression' });
  };
  await type('Search in files', '(');
  await pause(250);
  expect(element.querySelector('[role="alert"]')?.textContent).toBe('"(" is not a valid regular expression');
  expect(input('Search in files').getAttribute('aria-invalid')).toBe('true');
  answer = () => ({ ...nothing, end: 'slow', slowPath: 'b.md', tooLarge: 2 });
  await type('Search in files', 'x');
  await pause(250);
  expect([element.querySelector('[role="alert"]'), rows()]).toEqual([null, []]);
  expect(status()).toContain('b.md took too long');
  expect(status()).toContain('2 files over 2 MiB were skipped.');
  answer = () => ({ ...found, end: 'matches' });
  await type('Search in files', 'g');
  await pause(250);
  expect(status()).toContain('Only the first matches are shown.');
});

test('does not show the results of an outdated query', async () => {
  let answerFirst: (answer: SearchAnswer) => void = () => undefined;
  answer = (text) =>
    text === 'first'
      ? new Promise((resolve) => {
          answerFirst = resolve;
        })
      : nothing;
  await type('Search in files', 'first');
  await pause(250);
  await type('Search in files', 'second');
  await pause(250);
  answerFirst(found);
  await settle();
  expect([status(), rows()]).toEqual(['No matches', []]);
});

test('searches again automatically when a file changes', async () => {
  await type('Search in files', 'greet');
  await pause(250);
  answer = () => nothing;
  await act(async () => {
    window.engine.push('watchFiles', { paths: ['notes/b.md'], isTree: false });
    // Messages arrive asynchronously, and must arrive while the fake timer is active.
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  });
  await pause(1000);
  expect([asked.length, status()]).toEqual([2, 'No matches']);
});

test('a search in progress is canceled when the panel is closed', async () => {
  answer = () => new Promise(() => undefined);
  await type('Search in files', 'greet');
  await pause(250);
  expect(element.querySelector('[aria-busy="true"]')).not.toBeNull();
  window.close();
  await settle();
  expect(ended).toEqual(['greet']);
  expect(window.stores.textSearch.getState().isSearching).toBe(false);
});
