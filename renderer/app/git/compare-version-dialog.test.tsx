import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { EngineError } from '../../../engine/isomorphic.ts';
import { findCommand, runCommand } from '../commands/commands.ts';
import { Dialogs } from '../dialogs.tsx';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';

const path = 'a.flow.yaml';
const now = 'flow: { name: One }\nnodes:\n  - { id: a, type: echo, input: { text: hi } }\nedges: []\n';
const then = now.replace('hi', 'hello');
const hash = 'f'.repeat(40);

function versionOf(ref: string): string | null {
  if (ref === 'old') return null;
  if (ref === 'list') return '- just\n- a list\n';
  return ref === 'same' ? now : then;
}

let window: TestWindow;
afterEach(() => window.close());

async function start(more: Parameters<typeof openTestWindow>[0] = {}): Promise<void> {
  window = openTestWindow({
    listFlows: () => [{ path, change: null }],
    readFlow: () => ({ text: now }),
    readCommitted: ({ ref }) => ({ text: versionOf(ref), commit: hash }),
    listGitVersions: () => ({
      branches: [
        { name: 'main', isCurrent: true },
        ...Array.from({ length: 400 }, (_, index) => ({ name: `topic/${index}`, isCurrent: false })),
      ],
      tags: ['--output=x'],
      commits: [{ commit: hash, at: 0, author: 'Kim', subject: 'Say hello' }],
    }),
    ...more,
  });
  window.engine.connect();
  await window.stores.openFiles.getState().open(path);
  window.draw(<Dialogs hasFolder={false} />);
  const command = findCommand('review.version');
  act(() => void (command !== undefined && runCommand(command, window.context)));
}

async function open(): Promise<void> {
  await start();
  await window.until(() => expect(rows().length).toBeGreaterThan(0));
}

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[cmdk-item]')];
const titles = (): (string | null | undefined)[] => rows().map((row) => row.querySelector('.go-title')?.textContent);
const notice = () => window.stores.notices.getState().list.at(-1);
const review = () => window.stores.reviews.getState().reviews.get(path);

async function enter(query: string): Promise<void> {
  const input = document.querySelector<HTMLInputElement>('[cmdk-input]');
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
  act(() => {
    set?.call(input, query);
    input?.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await window.settle();
}

async function pick(title: string): Promise<void> {
  act(() =>
    rows()
      .find((row) => row.querySelector('.go-title')?.textContent === title)
      ?.click(),
  );
  await window.settle();
}

test('lists branches, tags and commits, and opens the review of the one chosen', async () => {
  await open();
  expect(titles()).toEqual(expect.arrayContaining(['main', 'topic/1', '--output=x', 'Say hello']));
  expect(rows().length).toBeLessThan(60);
  await enter('hello');
  expect(titles()).toEqual(['Say hello', 'hello']);
  await pick('Say hello');
  await window.until(() =>
    expect(review()).toMatchObject({ source: 'git', title: `Compared with ${hash}`, texts: { before: then } }),
  );
});

test('finds every branch, and takes any other name as it was entered', async () => {
  await open();
  await enter('topic/399');
  expect(titles()[0]).toBe('topic/399');
  expect(titles().filter((title) => title === 'topic/399')).toHaveLength(1);
  await enter(' main~3 ');
  expect(titles()[0]).toBe('main~3');
  await pick('main~3');
  await window.until(() => expect(review()?.title).toBe('Compared with main~3'));
});

test.each([
  ['old', "old doesn't contain a.flow.yaml."],
  ['list', 'a.flow.yaml in list is not a valid flow'],
  ['same', "a.flow.yaml doesn't differ from that in same."],
])('says why nothing can be compared with %s', async (ref, detail) => {
  await open();
  await enter(ref);
  await pick(ref);
  await window.until(() =>
    expect(notice()).toMatchObject({ title: 'Nothing to compare', detail: expect.stringContaining(detail) }),
  );
  expect(review()).toBeUndefined();
});

test('closes with the reason without a repository', async () => {
  const reason = new EngineError({ code: 'git.not-available', message: 'The workspace is not in a git repository.' });
  await start({
    listGitVersions: () => {
      throw reason;
    },
  });
  await window.until(() => expect(notice()?.detail).toBe(reason.message));
  expect(notice()).toMatchObject({ title: "Couldn't compare the file", detail: reason.message });
  expect(document.querySelector('.go-dialog')).toBeNull();
});
