import { act } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import {
  changes,
  choose,
  element,
  field,
  key,
  leave,
  path,
  press,
  show,
  type,
  window,
} from './testing/test-inspector.tsx';

afterEach(() => window.close());

async function add(name: string): Promise<void> {
  await press('Add an input');
  type('New name in Inputs', name);
  key('New name in Inputs', 'Enter');
  await window.settle();
}

const come = (): string[] => changes().come.map((line) => line.trim());
const problems = () =>
  window.stores.openFiles
    .getState()
    .files.get(path)
    ?.diagnostics.filter(({ code }) => code.startsWith('flow'));

/** Shows the flow with all properties of its inputs. */
async function showTable(): Promise<void> {
  await show(null);
  await press('Edit inputs');
}

describe('the inputs of a flow', () => {
  test('show the defaults, which are edited in place, and all properties on request', async () => {
    await show(null);
    expect(element.querySelector('[aria-label="Type of topic"]')).toBeNull();
    type('Default of topic', 'cats');
    await leave('Default of topic');
    expect(come()).toEqual(['input: { topic: cats }']);
    await press('Edit inputs');
    expect(field('Type of topic').textContent).toBe('Text');
    await press('Done');
    expect(element.querySelector('[aria-label="Type of topic"]')).toBeNull();
  });

  test('a new one is written in the short form, and its default has the focus', async () => {
    await showTable();
    await add('tone');
    expect(document.activeElement).toBe(field('Default of tone'));
    type('Default of tone', 'warm');
    await leave('Default of tone');
    expect(come()).toEqual(['input: { topic: bees, tone: warm }']);
  });

  test('are converted to declarations if the short form is not enough, in one undo step', async () => {
    await showTable();
    await add('tone');
    await choose('Type of tone', 'Yes or no');
    expect(come()).toEqual(['inputs:', 'tone:', 'type: boolean']);
    expect(changes().gone).toEqual([]);
    await choose('Default of tone', 'yes');
    await press('tone is required');
    type('Description of tone', 'Whether it is warm');
    await leave('Description of tone');
    expect(come().join(' ')).toContain('required: true');
    expect(come().join(' ')).toContain('description: Whether it is warm');
    await press('tone is required');
    expect(problems()).toEqual([]);
    await act(async () => {
      for (let steps = 0; steps < 6; steps++) await window.stores.edits.undo(path);
    });
    await window.settle();
    expect(changes()).toEqual({ gone: [], come: [] });
  });

  test('have choices, one of which is the default', async () => {
    await showTable();
    await press('Add choices to topic');
    for (const choice of ['bees', 'cats']) {
      type('Add a choice', choice);
      key('Add a choice', 'Enter');
      await window.settle();
    }
    await choose('Default of topic', 'cats');
    expect(come().join(' ')).toMatch(/enum:.*bees.*cats/);
    expect(come()).toContain('input: { topic: cats }');
    expect(problems()).toEqual([]);
  });

  test('keep the focus when one is renamed, and move it to the Add button when one is removed', async () => {
    await showTable();
    type('Name of topic', 'about');
    const before = field('Name of topic');
    key('Name of topic', 'Enter');
    await window.settle();
    expect(come().join(' ')).toContain('about: bees');
    expect(document.activeElement).toBe(before);
    await press('Remove about');
    expect(changes().gone).toContain('input: { topic: bees }');
    expect(document.activeElement?.textContent).toBe('Add an input');
    expect(element.textContent).toContain('No inputs yet.');
  });

  test('rename the bindings in the file, in one undo step', async () => {
    await showTable();
    type('Name of topic', 'about');
    key('Name of topic', 'Enter');
    await window.settle();
    expect(come()).toContain('input: { about: bees }');
    expect(window.stores.openFiles.getState().files.get(path)?.text).not.toContain('flow.input.topic');
    expect(come().join(' ')).toContain('flow.input.about');
    await act(async () => void window.stores.edits.undo(path));
    await window.settle();
    expect(changes()).toEqual({ gone: [], come: [] });
  });

  test('show where a removed input is used', async () => {
    await showTable();
    await press('Remove topic');
    const notice = window.stores.notices.getState().list.at(-1);
    expect(notice).toMatchObject({ tone: 'info', title: 'Removed "topic", which is still used' });
    expect(notice?.detail).toMatch(/^It is used in .+\. Change these places, or undo\.$/);
    await act(async () => void window.stores.edits.undo(path));
    await window.settle();
    expect(window.stores.notices.getState().list).not.toContain(notice);
  });

  test('show why a default is not valid', async () => {
    await showTable();
    await choose('Type of topic', 'Number');
    expect(element.querySelector('.flow-input .field-problem')?.textContent).toMatch(/^This .*number/);
    expect(come()).toContain('type: number');
  });
});

test('a flow declares its outputs', async () => {
  await show(null);
  await press('Add to outputs');
  type('New name in Outputs', 'words');
  key('New name in Outputs', 'Enter');
  await window.settle();
  type('words', '{{ask.text}}');
  await leave('words');
  expect(come()).toEqual(['outputs:', 'words: "{{ask.text}}"']);
});

test('limits for experts are folded, with the number of those that differ from their defaults', async () => {
  localStorage.removeItem('inspector-unfolded advanced');
  await show(null);
  const fold = [...element.querySelectorAll('.inspector-fold')].find(({ textContent }) => textContent === 'Advanced');
  expect(fold?.getAttribute('aria-expanded')).toBe('false');
  expect(fold?.closest('section')?.textContent).toContain('4 settings, all at their defaults');
  type('Nodes at a time', '4');
  await leave('Nodes at a time');
  expect(fold?.closest('section')?.textContent).toContain('1 of 4 changed');
  expect(come().join(' ')).toContain('maxParallel: 4');
  expect(fold?.closest('section')?.textContent).toContain('64 MiB for each node');
});
