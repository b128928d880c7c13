import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RowWindowOptions, useRowWindow } from './use-row-window.ts';

const host = document.createElement('div');
let root: Root;

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  document.body.append(host);
  root = createRoot(host);
});
afterEach(async () => {
  await act(async () => root.unmount());
  host.remove();
});

let show: (index: number) => void;

function Rows(options: RowWindowOptions) {
  const list = useRowWindow(options);
  show = list.show;
  return (
    <div ref={list.scroller} id="scroller">
      {list.drawn.map((index) => (
        <i key={index} data-first={index === list.firstVisible || undefined}>
          {index}
        </i>
      ))}
    </div>
  );
}

/** Ten rows of ten pixels are in view. Happy DOM performs no layout. */
function scrollerOf(count: number): HTMLElement {
  const scroller = host.querySelector<HTMLElement>('#scroller');
  if (scroller === null) throw new Error('Nothing is drawn');
  Object.defineProperty(scroller, 'clientHeight', { value: 100, configurable: true });
  Object.defineProperty(scroller, 'scrollHeight', { value: count * 10, configurable: true });
  return scroller;
}

async function draw(options: Omit<RowWindowOptions, 'rowHeight'>): Promise<HTMLElement> {
  if (host.firstElementChild !== null) scrollerOf(options.count);
  await act(async () => root.render(<Rows rowHeight={10} {...options} />));
  return scrollerOf(options.count);
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
  show(5);
  expect(scroller.scrollTop).toBe(0);
  show(20);
  expect(scroller.scrollTop).toBe(110);
  show(4);
  expect(scroller.scrollTop).toBe(40);
});

test('keeps the end in view until the user scrolls away from it, and again when they return', async () => {
  const scroller = await draw({ count: 100, followsEnd: true });
  await draw({ count: 200, followsEnd: true });
  expect(scroller.scrollTop).toBe(2000);
  await scroll(scroller, 500);
  await draw({ count: 300, followsEnd: true });
  expect(scroller.scrollTop).toBe(500);
  await scroll(scroller, 2900);
  await draw({ count: 400, followsEnd: true });
  expect(scroller.scrollTop).toBe(4000);
});
