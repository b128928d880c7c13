import { act } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EngineError } from '../../../engine/isomorphic.ts';
import type { EngineAnswers } from '../../bridge/testing/engine-stand-in.ts';
import { openOffered } from '../../stores/open-offered.ts';
import { typeInto } from '../../ui/testing/type-into.ts';
import { findCommand, runCommand } from '../commands/commands.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { GalleryDialog } from './gallery-dialog.tsx';

type Example = Awaited<ReturnType<typeof listed>>['examples'][number];

const titles = { sort: 'Sort an inbox', offer: 'Write an offer', news: 'Read the news', review: 'Review a change' };
const uses = { sort: 'support', offer: 'sales', news: 'research', review: 'code' } as const;

function listed(copied: readonly string[] = []) {
  const examples = (Object.keys(titles) as (keyof typeof titles)[]).map((id) => ({
    ...{ id, title: titles[id], use: uses[id], shows: `It shows ${id}.`, opens: `${id}/main.flow.yaml` },
    ...{ nodes: 3, hasPicture: id === 'sort', isCopied: copied.includes(id) },
  }));
  return { examples, problems: [{ id: 'old', message: 'Example old cannot be used.' }] };
}

let window: TestWindow;
let folderCalls: unknown[];
let offered: { kind: 'gallery' }[];
let copied: string[];
let refusal: EngineError | null;
let list: () => Promise<{ examples: readonly Example[]; problems: { id: string; message: string }[] }>;

beforeEach(async () => {
  copied = [];
  refusal = null;
  list = async () => listed(['review']);
  folderCalls = [];
  offered = [];
  const answers: EngineAnswers = {
    readNotices: () => [],
    listFlows: () => [],
    listFolder: () => ({ entries: [], isCut: false }),
    readFlow: () => ({ text: 'flow: { name: A }\nnodes: []\nedges: []\n' }),
    listGallery: () => list(),
    readGalleryPicture: ({ theme }) => ({ address: `data:image/webp;base64,${theme}` }),
    copyGalleryExample(id) {
      if (refusal !== null) throw refusal;
      copied.push(id);
      return { path: `${id}/main.flow.yaml`, files: [`${id}/main.flow.yaml`] };
    },
  };
  window = openTestWindow(answers, {
    'workspace.openExamples': (wish) => {
      folderCalls.push(wish);
      return { opened: true };
    },
    'open.take': () => ({ things: offered }),
  });
  window.engine.connect();
  await window.settle();
  window.draw(
    <>
      <button type="button" id="before">
        Before
      </button>
      <GalleryDialog />
    </>,
  );
  act(() => window.stores.workspace.setState({ folder: '/w' }));
  document.querySelector<HTMLElement>('#before')?.focus();
});
afterEach(() => window.close());

const dialog = () => document.querySelector<HTMLElement>('[role="dialog"]');
const cards = () => [...document.querySelectorAll<HTMLElement>('[role="option"]')];
const titlesShown = () => cards().map((card) => card.querySelector('.gallery-title')?.textContent);
const search = () => dialog()?.querySelector<HTMLInputElement>('input[type="search"]');
const mainButton = () => dialog()?.querySelector<HTMLButtonElement>('.gallery-footer button');
const openPaths = () => window.stores.openFiles.getState().tabs;

async function openGallery(): Promise<void> {
  const command = findCommand('examples.gallery');
  if (command === undefined) throw new Error('The command does not exist.');
  act(() => void runCommand(command, window.context));
  await window.settle();
}

function press(key: string): void {
  const target = document.activeElement ?? document.body;
  act(() => void target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })));
}

/** Lays the cards out in rows of two, because the tests have no layout. */
function layOut(): void {
  for (const [index, card] of cards().entries())
    Object.defineProperty(card, 'offsetTop', { value: Math.floor(index / 2) * 100, configurable: true });
}

test('shows the examples with their pictures, and those that cannot be read', async () => {
  await openGallery();
  expect(titlesShown()).toEqual(Object.values(titles));
  expect(cards()[0]?.querySelector('img')?.getAttribute('src')).toMatch(/^data:image\/webp;base64,(?:light|dark)$/);
  expect(cards()[1]?.querySelector('img')).toBeNull();
  expect(cards()[1]?.textContent).toContain('Sales · 3 nodes');
  expect(dialog()?.textContent).toContain('Example old cannot be used.');
});

test('finds examples by all words and by use, and offers a way back', async () => {
  await openGallery();
  act(() => typeInto(search(), 'it SHOWS offer'));
  expect(titlesShown()).toEqual(['Write an offer']);
  act(() => typeInto(search(), 'nothing like it'));
  expect([titlesShown(), mainButton()?.disabled]).toEqual([[], true]);
  const showAll = [...(dialog()?.querySelectorAll('button') ?? [])].find((one) =>
    one.textContent?.includes('Show all'),
  );
  act(() => showAll?.click());
  expect(cards()).toHaveLength(4);
  const research = [...(dialog()?.querySelectorAll('.segmented button') ?? [])].find(
    ({ textContent }) => textContent === 'Research',
  );
  act(() => (research as HTMLElement).click());
  expect(titlesShown()).toEqual(['Read the news']);
});

test('is one tab stop, in which arrow keys move by rows and columns, and Enter uses the example', async () => {
  await openGallery();
  layOut();
  expect(document.activeElement).toBe(search());
  press('ArrowDown');
  const focused = () => cards().indexOf(document.activeElement as HTMLElement);
  const moves = ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'End', 'Home'].map((key) => {
    press(key);
    return focused();
  });
  expect(moves).toEqual([1, 3, 3, 2, 0, 3, 0]);
  press('ArrowRight');
  expect(cards().map((card) => card.tabIndex)).toEqual([-1, 0, -1, -1]);
  expect(cards().map((card) => card.getAttribute('aria-selected'))).toEqual(['false', 'true', 'false', 'false']);
  expect(dialog()?.textContent).toContain('Creates the folder offer');
  press('Enter');
  await window.until(() => expect(dialog()).toBeNull());
  expect([copied, openPaths()]).toEqual([['offer'], ['offer/main.flow.yaml']]);
});

test('opens an existing copy', async () => {
  await openGallery();
  act(() => cards()[3]?.click());
  expect([mainButton()?.textContent, dialog()?.textContent?.includes('already has the folder review')]).toEqual([
    'Open your copy',
    true,
  ]);
  act(() => mainButton()?.click());
  await window.until(() => expect(openPaths()).toEqual(['review/main.flow.yaml']));
});

test('stays open with the reason if an example cannot be copied', async () => {
  refusal = new EngineError({ code: 'files.not-writable', message: 'The folder is read-only.' });
  await openGallery();
  act(() => mainButton()?.click());
  await window.until(() => expect(dialog()?.textContent).toContain('The folder is read-only.'));
  expect([mainButton()?.disabled, openPaths()]).toEqual([false, []]);
});

test('shows why the list cannot be read, and reads it again the next time', async () => {
  list = () => Promise.reject(new EngineError({ code: 'files.not-readable', message: 'Permission denied.' }));
  await openGallery();
  await window.until(() => expect(dialog()?.textContent).toContain('Permission denied.'));
  press('Escape');
  await window.until(() => expect([dialog(), document.activeElement?.id]).toEqual([null, 'before']));
  list = async () => listed();
  await openGallery();
  expect(cards()).toHaveLength(4);
});

test('opens the examples folder first if no folder is open; the page of that folder then shows the gallery', async () => {
  act(() => window.stores.workspace.setState({ folder: null }));
  await openGallery();
  expect([dialog(), folderCalls]).toEqual([null, [{ showsGallery: true }]]);
  offered = [{ kind: 'gallery' }];
  await act(() => openOffered(window.stores.main, window.stores));
  await window.until(() => expect(cards()).toHaveLength(4));
});
