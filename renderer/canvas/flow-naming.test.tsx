import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Command } from '../app/commands/command.ts';
import { findCommand, runCommand } from '../app/commands/commands.ts';
import { flowText, openCanvas, press, type TestCanvas, write } from './testing/test-canvas.tsx';

let canvas: TestCanvas;

beforeEach(async () => {
  canvas = await openCanvas();
});
afterEach(() => canvas.close());

describe('names and states', () => {
  test('a name that is a valid id renames the id everywhere', async () => {
    await canvas.choose({ nodes: ['ask'] });
    await canvas.run('edit.rename');
    const field = canvas.find<HTMLInputElement>('.rename-field');
    expect(field.value).toBe('ask');
    await write(field, 'answer');
    await press(canvas, field, 'Enter');
    expect(canvas.text()).toContain('{{answer.text}}');
    expect(canvas.text()).toContain('{ from: read, to: answer }');
    expect(canvas.text()).not.toContain('ask');
    expect([...(canvas.chosen()?.nodes ?? [])]).toEqual(['answer']);
  });

  test('any other name becomes the display name', async () => {
    await canvas.choose({ nodes: ['ask'] });
    await canvas.run('edit.rename');
    const field = canvas.find<HTMLInputElement>('.rename-field');
    await write(field, 'Ask the model');
    await press(canvas, field, 'Enter');
    expect(canvas.text()).toContain('id: ask');
    expect(canvas.text()).toContain('name: Ask the model');
  });

  test('disables and enables again', async () => {
    await canvas.choose({ nodes: ['read'] });
    await canvas.run('edit.toggleDisabled');
    expect(canvas.text()).toContain('disabled: true');
    await canvas.run('edit.toggleDisabled');
    expect(canvas.text()).toBe(flowText);
  });
});

describe('groups and notes', () => {
  test('a new group is named at once, and is removed without its nodes', async () => {
    await canvas.choose({ nodes: ['read', 'ask'] });
    await canvas.run('edit.group');
    const field = canvas.find<HTMLInputElement>('.rename-field');
    await write(field, 'Questions');
    await press(canvas, field, 'Enter');
    expect(canvas.text()).toContain('group: { title: Questions, nodes: [read, ask] }');
    expect(canvas.host.querySelector('[data-node-group="group"]')?.textContent).toContain('Questions');
    await canvas.run('edit.ungroup');
    expect(canvas.text()).toBe(flowText);
  });

  test.each([
    ['edit.group', '.rename-field', 'title: Typed at once'],
    ['edit.note', '.note-field', 'text: Typed at once'],
  ] as const)(
    '%s: the field appears before the file contains the name, so that no typed letter is lost',
    async (id, field, written) => {
      await canvas.choose({ nodes: ['read', 'ask'] });
      const command = findCommand(id) as Command;
      act(() => void runCommand(command, canvas.window.context));
      const found = canvas.find<HTMLInputElement>(field);
      expect([document.activeElement, canvas.text()]).toEqual([found, flowText]);
      await write(found, 'Typed at once');
      await act(async () => found.blur());
      await canvas.window.settle();
      expect(canvas.text()).toContain(written);
      expect(canvas.host.querySelector(field)).toBeNull();
    },
  );

  test('groups and notes are copied with their nodes and pasted under new names', async () => {
    await canvas.choose({ nodes: ['read', 'ask'] });
    await canvas.run('edit.group');
    await canvas.run('edit.note');
    await canvas.choose({ groups: ['group'], notes: ['note'] });
    await canvas.run('edit.duplicate');
    expect(canvas.text()).toContain('group_2: { title: Group, nodes: [read_2, ask_2] }');
    expect(canvas.undoLabel()).toBe('Duplicate 2 nodes and 1 note');
    const { nodes, notes, groups } = canvas.chosen() ?? {};
    expect([nodes, notes, groups].map((ids) => [...(ids ?? [])])).toEqual([
      ['read_2', 'ask_2'],
      ['note_2'],
      ['group_2'],
    ]);
    await canvas.run('edit.cut');
    expect(canvas.text()).not.toContain('_2');
    await canvas.run('edit.paste');
    expect(canvas.text()).toContain('nodes: [read_2, ask_2]');
    expect(canvas.text()).toMatch(/^ {4}note_2:/m);
  });

  test('a folded group hides its cards and connects edges to its frame', async () => {
    await canvas.choose({ nodes: ['read', 'ask'] });
    await canvas.run('edit.group');
    await canvas.choose({ groups: ['group'] });
    await canvas.run('canvas.collapse');
    expect(canvas.host.querySelector('[data-card="ask"]')).toBeNull();
    expect(canvas.host.querySelector('[data-card="save"]')).not.toBeNull();
    expect(canvas.host.querySelector('[data-node-group="group"]')?.textContent).toContain('2 nodes');
    await canvas.run('canvas.collapseAll');
    expect(canvas.host.querySelector('[data-card="ask"]')).not.toBeNull();
  });

  test('a new note can be edited at once', async () => {
    await canvas.run('edit.note');
    const field = canvas.find<HTMLTextAreaElement>('.note-field');
    await write(field, 'Why **two**?');
    await act(async () => field.blur());
    await canvas.window.settle();
    expect(canvas.text()).toContain('text: Why **two**?');
    expect(canvas.host.querySelector('.note-card')?.getAttribute('aria-label')).toBe('Note: Why **two**?');
    await canvas.run('canvas.notes');
    expect(canvas.host.querySelector('.note-card')).toBeNull();
  });
});

describe('finding', () => {
  test('moves from match to match', async () => {
    await canvas.run('canvas.find');
    const field = canvas.find<HTMLInputElement>('.find-bar input');
    await write(field, 'echo');
    expect(canvas.host.querySelector('.find-count')?.textContent).toBe('2 nodes');
    await press(canvas, field, 'Enter');
    expect([...(canvas.chosen()?.nodes ?? [])]).toEqual(['read']);
    await canvas.run('canvas.findNext');
    expect([...(canvas.chosen()?.nodes ?? [])]).toEqual(['save']);
  });

  test('shows the number of replacements before replacing', async () => {
    await canvas.run('edit.replace');
    const [find, by] = canvas.host.querySelectorAll<HTMLInputElement>('.find-bar input');
    await write(find!, 'hello');
    await write(by!, 'good morning');
    const button = [...canvas.host.querySelectorAll('.find-bar button')].find(
      (one) => one.textContent === 'Replace in 1 node',
    );
    await act(async () => (button as HTMLElement).click());
    await canvas.window.settle();
    expect(canvas.text()).toBe(flowText.replace('hello', 'good morning'));
  });
});

test('a syntax error keeps the last graph dimmed, and the canvas explains that it shows the last valid text and what is wrong', async () => {
  act(() => canvas.window.stores.edits.replace(canvas.path, `${flowText}\n  - [`, 'Break it'));
  await canvas.window.settle();
  expect(canvas.host.querySelector('[data-card="ask"]')).not.toBeNull();
  expect(canvas.host.querySelector('.flow-canvas')?.getAttribute('data-stale')).toBe('true');
  expect(canvas.host.querySelector('.stale-note')?.textContent).toMatch(
    /^Showing the last valid text\. Line \d+: .+Go to line/,
  );
});
