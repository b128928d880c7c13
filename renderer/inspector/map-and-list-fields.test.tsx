import { act } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { element, field, key, leave, path, press, show, type, window } from './testing/test-inspector.tsx';

afterEach(() => window.close());

const maps = `flow:
  name: Maps
  input: { topic: bees }
nodes:
  - { id: fetch, type: http.request, input: { url: 'https://a.example', headers: { accept: text, agent: me } } }
  - { id: page, type: template, input: { people: Ada }, config: { template: x } }
  - { id: read, type: file.read, input: { globs: [a.md, b.md] } }
  - { id: wait, type: delay, input: { value: 1 }, config: { seconds: 1 } }
edges: []
`;

async function showMaps(node: string | null): Promise<void> {
  await show(node, {}, { readFlow: () => ({ text: maps, isWritable: true }) });
}

/** Returns the lines of the file that are not in the text above. */
function come(): string[] {
  const former = maps.split('\n');
  const now = window.stores.openFiles.getState().files.get(path)?.text ?? '';
  return now
    .split('\n')
    .filter((line) => !former.includes(line))
    .map((line) => line.trim());
}

/**
 * Types a name for a new entry and presses Enter. Returns whether the key could still insert a line break into the next
 * field.
 */
async function nameEntry(list: string, name: string): Promise<boolean> {
  await press(`Add to ${list.toLowerCase()}`);
  type(`New name in ${list}`, name);
  let mayBreakLine = true;
  act(() => {
    const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
    mayBreakLine = field(`New name in ${list}`).dispatchEvent(enter);
  });
  await window.settle();
  return mayBreakLine;
}

const problem = (): string | undefined => element.querySelector('.field-problem')?.textContent ?? undefined;

describe('a new entry of a map', () => {
  test.each([
    ['fetch', 'Headers', 'x-trace'],
    ['page', 'Values', 'a name with spaces'],
    [null, 'Outputs', 'tone'],
  ])('of %s is empty and has the focus after Enter in its name (%s, %s)', async (node, list, name) => {
    await showMaps(node);
    const mayBreakLine = await nameEntry(list, name);
    expect(mayBreakLine).toBe(false);
    expect(field(name).value).toBe('');
    expect(document.activeElement).toBe(field(name));
    type(name, 'cosy');
    await leave(name);
    expect(come().join(' ')).toMatch(/: "?cosy"?/);
  });

  test('becomes the empty text when it is cleared, and is shown without a value', async () => {
    await showMaps(null);
    await nameEntry('Outputs', 'tone');
    type('tone', 'cosy');
    await leave('tone');
    type('tone', '');
    await leave('tone');
    expect(field('tone').value).toBe('');
    expect(come().join()).toMatch(/tone: ""/);
  });

  test('focuses its first control, whatever kind it is', async () => {
    await showMaps(null);
    await press('Add an input');
    type('New name in Inputs', 'tone');
    key('New name in Inputs', 'Enter');
    await window.settle();
    expect(document.activeElement).toBe(field('Default of tone'));
  });

  test('leaves the focus where the user clicks', async () => {
    await showMaps('fetch');
    await press('Add to headers');
    type('New name in Headers', 'x-trace');
    act(() => field('Url').focus());
    await window.settle();
    expect(come().join()).toContain('x-trace');
    expect(document.activeElement).toBe(field('Url'));
  });

  test.each(['Escape', 'Cancel'])('is discarded by %s, and the focus moves to the Add button', async (way) => {
    await showMaps('fetch');
    await press('Add to headers');
    type('New name in Headers', 'x-trace');
    if (way === 'Escape') key('New name in Headers', 'Escape');
    else await press('Cancel');
    await window.settle();
    expect(come()).toEqual([]);
    expect(document.activeElement?.textContent).toBe('Add to headers');
  });

  test('rejects an existing name, and reports it once the name field loses the focus', async () => {
    await showMaps('fetch');
    await press('Add to headers');
    type('New name in Headers', 'accept');
    expect(problem()).toBeUndefined();
    await leave('New name in Headers');
    expect(problem()).toBe('An entry named "accept" already exists.');
    type('New name in Headers', 'accept-language');
    expect(problem()).toBeUndefined();
    await leave('New name in Headers');
    expect(come().join()).toContain('accept-language');
  });
});

describe('the focus in maps and lists', () => {
  test('stays in the name of an entry while it is renamed', async () => {
    await showMaps('fetch');
    type('Name of accept', 'allow');
    const before = field('Name of accept');
    key('Name of accept', 'Enter');
    await window.settle();
    expect(come().join()).toContain('allow: text');
    expect(document.activeElement).toBe(before);
    expect(field('Name of allow')).toBe(before);
  });

  test('moves to the value of an entry that is renamed with Tab', async () => {
    await showMaps('fetch');
    type('Name of accept', 'allow');
    const next = field('accept');
    act(() => next.focus());
    await window.settle();
    expect(come().join()).toContain('allow: text');
    expect(document.activeElement).toBe(next);
    expect(field('allow')).toBe(next);
  });

  test.each([
    ['fetch', 'Remove agent', 'Add to headers'],
    ['page', 'Remove people', 'Add to values'],
    ['read', 'Remove 1', 'Add to globs'],
  ])('of %s is on the Add button after "%s"', async (node, remove, adder) => {
    await showMaps(node);
    act(() => element.querySelector<HTMLElement>(`[aria-label="${remove}"]`)?.focus());
    await press(remove);
    expect(document.activeElement?.textContent).toBe(adder);
  });

  test('moves to a new item of a list, which is empty', async () => {
    await showMaps('read');
    await press('Add to globs');
    expect(document.activeElement).toBe(field('Glob 3'));
    expect(field('Glob 3').value).toBe('');
  });

  test('moves to a setting that was added, and back to it when its default is restored', async () => {
    await show('fetch');
    await press('Body');
    expect(document.activeElement).toBe(field('Body'));
    type('Body', 'hello');
    await leave('Body');
    act(() => element.querySelector<HTMLElement>('[aria-label="Restore default of Body"]')?.focus());
    await press('Restore default of Body');
    expect(document.activeElement).toBe(field('Body'));
  });
});

describe('a problem with a value is shown once its field loses the focus', () => {
  test.each([
    ['Attempts', '3x', '4', /"3x"/],
    ['Pause', 'soon', '5', /"soon"/],
  ])('%s: %s', async (name, wrong, right, message) => {
    await show('after');
    type(name, wrong);
    await window.settle();
    expect(problem()).toBeUndefined();
    await leave(name);
    expect(problem()).toMatch(message);
    type(name, right);
    await leave(name);
    expect(problem()).toBeUndefined();
  });

  test('JSON that is not complete yet', async () => {
    await showMaps('page');
    type('people', '[1, 2');
    await window.settle();
    expect(problem()).toBeUndefined();
    await leave('people');
    expect(problem()).toContain('JSON');
    // An error that is shown stays until it is fixed, and is not replaced by another one.
    type('people', '[1, 2]');
    await leave('people');
    expect(problem()).toBeUndefined();
    expect(come().join()).toContain('people: [1, 2]');
  });

  test('Enter in a single-line field counts as leaving it', async () => {
    await show('after');
    type('Attempts', '3x');
    key('Attempts', 'Enter');
    await window.settle();
    expect(problem()).toContain('"3x"');
  });

  test('an id that is taken', async () => {
    await show('ask');
    type('ID', 'after');
    expect(problem()).toBeUndefined();
    await leave('ID');
    expect(problem()).toContain('"after"');
  });
});
