import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { ChangesView } from './changes-view.tsx';
import { ReviewBar } from './review-bar.tsx';

const path = 'a.flow.yaml';

let window: TestWindow;
afterEach(() => window.close());

function flowText(word: string, count: number): string {
  const nodes = Array.from(
    { length: count },
    (_, index) => `  - { id: n${index}, type: echo, input: { text: ${word} } }`,
  );
  return `flow: { name: A }\nnodes:\n${nodes.join('\n')}\nedges: []\n`;
}

/** Opens the review of a proposal that changes this many nodes. */
async function open(count: number): Promise<HTMLElement> {
  const [before, after] = [flowText('old', count), flowText('new', count)];
  window = openTestWindow({ readFlow: () => ({ text: before }) });
  window.engine.connect();
  const { openFiles, reviews } = window.stores;
  await openFiles.getState().open(path);
  await reviews.getState().openReview({ path, before, after, source: 'proposal', title: 'New words', taken: 'none' });
  const view = window.draw(
    <>
      <ReviewBar path={path} />
      <ChangesView path={path} />
    </>,
  );
  await window.settle();
  return view;
}

test('renders only a part of thousands of changes', async () => {
  const view = await open(2_000);
  expect(view.querySelector('.review-counts')?.textContent).toBe('2,000 to review');
  const rows = view.querySelectorAll('.change-row');
  expect(rows.length).toBeLessThan(60);
  expect(rows[0]?.getAttribute('aria-setsize')).toBe('2000');
});

test('13.7 selects, accepts and takes back with letters', async () => {
  const view = await open(3);
  const list = view.querySelector('.changes-view');
  const press = async (key: string): Promise<void> => {
    act(() => void list?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })));
    await window.settle();
  };
  const counts = (): string | null | undefined => view.querySelector('.review-counts')?.textContent;
  await press('j');
  expect(view.querySelector('[aria-current="true"]')?.textContent).toContain('n1');
  await press('a');
  await vi.waitFor(() => expect(counts()).toBe('1 accepted, 2 to review'), 20_000);
  expect(window.stores.openFiles.getState().files.get(path)?.text).toContain(
    'id: n1, type: echo, input: { text: new }',
  );
  await press('k');
  await press('r');
  await vi.waitFor(() => expect(counts()).toBe('1 accepted, 1 rejected, 1 to review'), 20_000);
  await press('u');
  await vi.waitFor(() => expect(counts()).toBe('1 accepted, 2 to review'), 20_000);
});
