import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useVirtualList, type VirtualListOptions } from './use-virtual-list.ts';

const host = document.createElement('div');
let root: Root;

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  // Ten rows of ten pixels are in view. Happy DOM performs no layout.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(100);
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockImplementation(function (this: HTMLElement) {
    return Number(this.dataset['height']);
  });
  document.body.append(host);
  root = createRoot(host);
});
afterEach(async () => {
  await act(async () => root.unmount());
  host.remove();
  vi.restoreAllMocks();
});

let show: (index: number) => void;

function Rows(options: VirtualListOptions) {
  const list = useVirtualList(options);
  show = list.show;
  return (
    <div ref={list.scroller} id="scroller" data-height={options.count * options.rowHeight}>
      {list.drawn.map((index) => (
        <i key={index} data-first={index === list.firstVisible || undefined}>
          {index}
        </i>
      ))}
    </div>
  );
}

async function draw(options: Omit<VirtualListOptions, 'rowHeight'>): Promise<HTMLElement> {
  await act(async () => root.render(<Rows rowHeight={10} {...options} />));
  const scroller = host.querySelector<HTMLElement>('#scroller');
  if (scroller === null) throw new Error('Nothing is drawn');
  return scroller;
}

async function scroll(scroller: HTMLElement, top: number): Promise<void> {
  await act(async () => {
    scroller.scrollTop = top;
    scroller.dispatchEvent(new Event('scroll'));
  });
}

const drawn = (): number[] => [...host.querySelectorAll('i')].map((row) => Number(row.textContent));

test('renders the visible rows and some around them', async () => {
  const scroller = await draw({ count: 1000 });
  await scroll(scroller, 505);
  expect([drawn()[0], drawn().at(-1), drawn().length]).toEqual([42, 68, 27]);
  expect(host.querySelector('[data-first]')?.textContent).toBe('51');
});

test('renders the first rows and the kept one before it knows its height', () => {
  const rows = document.createElement('div');
  rows.innerHTML = renderToString(<Rows rowHeight={10} count={1000} keptRow={500} />);
  expect([...rows.querySelectorAll('i')].map(({ textContent }) => textContent)).toEqual([...'012345678', '500']);
});

test('renders a kept row at any position, before or after the others', async () => {
  const scroller = await draw({ count: 1000, keptRow: 3 });
  await scroll(scroller, 500);
  expect(drawn().slice(0, 2)).toEqual([3, 42]);
  await draw({ count: 1000, keptRow: 900 });
  expect(drawn().slice(-2)).toEqual([67, 900]);
});

test('renders a short list completely on request', async () => {
  await draw({ count: 60, maxDrawnAtOnce: 60 });
  expect(drawn()).toHaveLength(60);
});

test('scrolls as little as needed to show a row', async () => {
  const scroller = await draw({ count: 1000 });
  for (const [row, top] of [
    [5, 0],
    [20, 110],
    [4, 40],
  ] as const) {
    await act(async () => show(row));
    expect(scroller.scrollTop).toBe(top);
    await scroll(scroller, top);
  }
});

test('keeps the end in view until the user scrolls away from it, and again when they return', async () => {
  const scroller = await draw({ count: 100, followsEnd: true });
  await scroll(scroller, 900);
  await draw({ count: 200, followsEnd: true });
  expect(scroller.scrollTop).toBe(1900);
  await scroll(scroller, 500);
  await draw({ count: 300, followsEnd: true });
  expect(scroller.scrollTop).toBe(500);
  await scroll(scroller, 2900);
  await draw({ count: 400, followsEnd: true });
  expect(scroller.scrollTop).toBe(3900);
});
