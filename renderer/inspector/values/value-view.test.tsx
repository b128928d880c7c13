import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import { typeInto } from '../../ui/testing/type-into.ts';
import { ValueView } from './value-view.tsx';

let window: TestWindow;
let element: HTMLElement;
afterEach(() => window.close());

const picture = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';

async function show(value: unknown, options: { of?: string; binding?: string } = {}): Promise<void> {
  window = openTestWindow({
    readPicture: (path) => {
      if (path !== 'out/chart.png') throw new Error('No such file');
      return { address: picture };
    },
  });
  await draw(value, options);
}

async function draw(value: unknown, options: { of?: string; binding?: string } = {}): Promise<void> {
  const readLarge = async (): Promise<unknown> => 'whole';
  element = window.draw(<ValueView label="Output" value={value} readLarge={readLarge} {...options} />);
  act(() => window.engine.connect());
  await window.until(() => expect(element.querySelector('.value-view')?.children.length).toBeGreaterThan(1));
  await window.settle();
}

function views(): string[] {
  return [...element.querySelectorAll('[role="radio"]')].map(
    (radio) => `${radio.textContent}${radio.getAttribute('aria-checked') === 'true' ? '*' : ''}`,
  );
}

async function choose(view: string): Promise<void> {
  const radio = [...element.querySelectorAll<HTMLElement>('[role="radio"]')].find((one) => one.textContent === view);
  act(() => radio?.click());
  await window.settle();
}

async function press(target: string, key: string, more: KeyboardEventInit = {}): Promise<void> {
  const place = element.querySelector(target);
  act(() => void place?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })));
  await window.settle();
}

function cells(): string[] {
  return [...element.querySelectorAll('[role="gridcell"]')].map(({ textContent }) => textContent ?? '');
}

test.each([
  ['plain', []],
  ['# Title\n\nText', ['Text*', 'Markdown']],
  [picture, ['Image*', 'Text']],
  [[{ a: 1 }], ['Table*', 'JSON']],
  [[1, 2], []],
  [{ a: 1 }, ['Text*', 'JSON']],
  [{ text: '- one\n- two' }, ['Text*', 'Markdown', 'JSON']],
  [{}, []],
  [null, []],
])('the views of %j are %j', async (value, expected) => {
  await show(value);
  expect(views()).toEqual(expected);
});

test('the selected view is kept for the same thing and not for others', async () => {
  await show([{ a: 1 }], { of: 'a.flow.yaml plan:output' });
  await choose('JSON');
  await draw([{ b: 1 }], { of: 'a.flow.yaml plan:output' });
  expect(views()).toEqual(['Table', 'JSON*']);
  await draw([{ b: 1 }], { of: 'a.flow.yaml other:output' });
  expect(views()).toEqual(['Table*', 'JSON']);
  await draw('text', { of: 'a.flow.yaml plan:output' });
  expect(views()).toEqual([]);
});

test('a loaded value stays loaded, and others of the same node are loaded without asking', async () => {
  window = openTestWindow({});
  const readLarge = async (hash: string): Promise<unknown> => `whole ${hash}`;
  const draw = async (hash: string, of: string, bytes = 9): Promise<string> => {
    const value = { $value: hash, bytes, preview: 'start' };
    element = window.draw(<ValueView label="Output" value={value} readLarge={readLarge} of={of} />);
    await window.settle();
    return element.querySelector('.value-text')?.textContent ?? '';
  };
  expect(await draw('h1', 'a:output')).toBe('start…');
  act(() => element.querySelector<HTMLElement>('.value-large button')?.click());
  await window.settle();
  expect(element.querySelector('.value-text')?.textContent).toBe('whole h1');
  expect(await draw('h2', 'a:output')).toBe('whole h2');
  expect(await draw('h3', 'a:output', 2_000_000)).toBe('start…');
  expect(await draw('h4', 'b:output')).toBe('start…');
  expect(await draw('h1', 'a:output')).toBe('whole h1');
});

test('kept values have a limit, beyond which the oldest are dropped', async () => {
  window = openTestWindow({});
  const { panes } = window.stores;
  for (const [hash, bytes] of Object.entries({ a: 20_000_000, b: 10_000_000, c: 5_000_000, d: 90_000_000 })) {
    panes.getState().keepValue(hash, { value: hash, bytes, of: undefined });
    const hashes = [...panes.getState().loadedValues.keys()].join('');
    expect(hashes).toBe({ a: 'a', b: 'ab', c: 'bc', d: 'd' }[hash]);
  }
  element = window.draw(null);
});

test('a table is sorted by keyboard, and its selected cell is named as a binding', async () => {
  await show([{ n: 2 }, { n: 10 }, { n: 1 }], { binding: 'read.rows' });
  expect(cells()).toEqual(['2', '10', '1']);
  await press('[role="grid"]', 'Home');
  await press('[role="grid"]', 'ArrowRight');
  await press('[role="grid"]', 'Enter');
  expect(cells()).toEqual(['1', '2', '10']);
  await press('[role="grid"]', 'Enter');
  expect(cells()).toEqual(['10', '2', '1']);
  await press('[role="grid"]', 'ArrowDown');
  expect(element.querySelector('.value-part-path')?.textContent).toBe('read.rows[1].n');
  await press('[role="grid"]', 'Enter');
  expect(element.querySelector('[aria-label="Whole value"]')?.textContent).toBe('10');
});

test('a table is filtered, and says how many rows it shows', async () => {
  await show([{ n: 'red' }, { n: 'blue' }]);
  act(() => typeInto(element.querySelector<HTMLInputElement>('[type="search"]'), 'BLU'));
  await window.settle();
  expect([cells(), element.querySelector('.value-table-count')?.textContent]).toEqual([['blue'], '1 of 2 rows']);
  act(() => typeInto(element.querySelector<HTMLInputElement>('[type="search"]'), 'green'));
  await window.settle();
  expect(element.textContent).toContain('No row contains this text.');
});

test('a search in the tree expands what it finds', async () => {
  await show([[[['needle'], 'hay']]], { binding: 'plan.items' });
  const search = element.querySelector<HTMLInputElement>('[type="search"]');
  act(() => typeInto(search, 'NEEDLE'));
  await window.settle();
  await press('[type="search"]', 'Enter');
  expect(element.querySelector('[aria-selected="true"]')?.textContent).toContain('"needle"');
  expect(element.querySelector('.value-part-path')?.textContent).toBe('plan.items[0][0][0][0]');
  expect(element.querySelector('[role="status"]')?.textContent).toBe('1 of 1');
});

test('invisible characters are shown as their codes in text, tables and trees', async () => {
  const text = 'pay\u202Edesrever\u200Bx';
  const shown = 'pay[U+202E]desrever[U+200B]x';
  await show(text);
  expect(element.querySelector('.value-text')?.textContent).toBe(shown);
  await draw([{ [text]: text }]);
  const headers = [...element.querySelectorAll('[role="columnheader"]')].map(({ textContent }) => textContent);
  expect([headers, cells()]).toEqual([['#', shown], [shown]]);
  await choose('JSON');
  expect(element.querySelector('[role="tree"]')?.textContent).not.toMatch(/\u202E|\u200B/u);
});

test('pictures come from data and from files of the workspace, and nothing is loaded from the web', async () => {
  await show(picture);
  expect(element.querySelector('img')?.src).toBe(picture);
  await draw({ path: 'out/chart.png' });
  await window.until(() => expect(element.querySelector('img')?.src).toBe(picture));
  await draw({ path: 'https://evil.example/x.png', url: 'https://evil.example/y.png' });
  await window.settle();
  expect(element.querySelector('img')).toBeNull();
  await draw('![x](https://evil.example/z.png) **and** [a link](https://evil.example)', { of: 'x' });
  await choose('Markdown');
  await window.until(() => expect(element.querySelector('strong')?.textContent).toBe('and'));
  expect(element.querySelector('img, a, script')).toBeNull();
});

test('white space at the ends of a value is marked in tables, texts and trees, and copied as it is', async () => {
  const marks = () => [...element.querySelectorAll('.space-mark')].map((mark) => mark.getAttribute('data-sign'));
  await show([{ land: 'DE ' }, { land: 'DE' }]);
  expect([marks(), cells()]).toEqual([['·'], ['DE ', 'DE']]);
  expect(element.querySelector('[role="gridcell"]')?.getAttribute('title')).toBe('Ends with a space');
  await choose('JSON');
  expect(marks()).toEqual(['·']);
  await draw('DE\t');
  expect([marks(), element.querySelector('.value-text')?.textContent]).toEqual([['→'], 'DE\t']);
  await draw({ land: ' DE', text: 'x' });
  expect(marks()).toEqual(['·']);
});

test('the menu of a column keeps the rows with one of its values', async () => {
  await show([{ land: 'DE' }, { land: 'DE ' }, { land: 'DE' }, { land: 'AT' }]);
  await press('[role="grid"]', 'Home');
  await press('[role="grid"]', 'ArrowRight');
  await press('[role="grid"]', 'ArrowDown', { altKey: true });
  const items = [...document.querySelectorAll<HTMLElement>('[role="menuitemcheckbox"]')];
  expect(items.map(({ textContent }) => textContent)).toEqual(['DE2', 'DE 1', 'AT1']);
  act(() => items[1]?.click());
  await window.settle();
  expect([cells(), element.querySelector('.value-table-only')?.textContent]).toEqual([['DE '], 'land:DE ']);
  expect(element.querySelector('[role="rowheader"]')?.textContent).toBe('2');
  act(() => element.querySelector<HTMLElement>('[aria-label="Show all rows"]')?.click());
  await window.settle();
  expect(cells().length).toBe(4);
});

test('the output of a loop is a table of its items, with the nodes that an item has skipped', async () => {
  const iterations = [
    { index: 0, item: { land: 'DE' }, outputs: { hamburg: { text: 'h' } } },
    { index: 1, item: { land: 'AT' }, outputs: { hamburg: { skipped: true, reason: 'edge' } } },
  ];
  await show({ iterations }, { binding: 'each' });
  expect(views()).toEqual(['Table*', 'JSON']);
  expect(cells()).toEqual(['DE', 'h', 'AT', 'skipped']);
  await press('[role="grid"]', 'ArrowDown');
  await press('[role="grid"]', 'ArrowDown');
  expect(element.querySelector('.value-table-item')?.textContent).toBe('Item 2 of 2');
});

test('a node that all items have skipped has a column, and the error of a node is shown as its message', async () => {
  const failed = { failed: true, error: { code: 'js.threw', message: 'No land' }, attempts: 1 };
  const skipped = { skipped: true, reason: 'when' };
  await show({ iterations: [{ index: 0, item: 'DE', outputs: { check: failed, store: skipped } }] });
  expect([...element.querySelectorAll('[role="columnheader"]')].map(({ textContent }) => textContent)).toEqual([
    '#',
    'item',
    'check.error',
    'store',
  ]);
  expect(cells()).toEqual(['DE', 'No land', 'skipped']);
});

test('the stored output of a loop, or of a flow that ends with one, is loaded without asking', async () => {
  window = openTestWindow({});
  const shown = async (preview: string, bytes = 66_000): Promise<string> => {
    const value = { $value: `${preview}${bytes}`, bytes, preview };
    element = window.draw(<ValueView label="Output" value={value} readLarge={async () => 'whole'} />);
    await window.settle();
    return element.querySelector('.value-text')?.textContent ?? '';
  };
  expect(await shown('{"iterations":[{"index":0,')).toBe('whole');
  expect(await shown('{"each":{"iterations":[{"index":0,')).toBe('whole');
  expect(await shown('{"iterations":[{"index":0,', 5_000_000)).not.toBe('whole');
  expect(await shown('{"text":"iterations')).not.toBe('whole');
});
