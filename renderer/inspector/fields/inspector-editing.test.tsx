import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { asRunId } from '../../../engine/isomorphic.ts';
import { type CommandId, findCommand, runCommand } from '../../app/commands/commands.ts';
import { runEnd } from '../../bridge/testing/run-events.ts';
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
  written,
} from '../testing/test-inspector.tsx';
import { typingPauseMs } from './typed-text.ts';

afterEach(() => {
  window.close();
  vi.useRealTimers();
});

test('typing a prompt changes only its line, in one undo step', async () => {
  await show('ask');
  type('Prompt', 'Of {{flow.input.topic}}, please');
  await leave('Prompt');
  expect(changes()).toEqual({
    gone: ['prompt: "About {{flow.input.topic}}"'],
    come: ['prompt: "Of {{flow.input.topic}}, please"'],
  });
  act(() => window.stores.edits.undo(path));
  await window.settle();
  expect(changes()).toEqual({ gone: [], come: [] });
  expect(field('Prompt').value).toBe('About {{flow.input.topic}}');
});

test('typing is sent after a pause, and keeps field, focus and caret', async () => {
  await show('ask');
  const before = field('Prompt');
  vi.useFakeTimers();
  type('Prompt', 'Abc');
  act(() => vi.advanceTimersByTime(typingPauseMs + 1));
  // Undo merges edits made within a short time, which a slow machine could exceed.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  await window.settle();
  expect(changes().come).toEqual(['prompt: "Abc"']);
  expect(field('Prompt')).toBe(before);
  expect(document.activeElement).toBe(before);
  type('Prompt', 'Abcd');
  await leave('Prompt');
  expect(changes().come).toEqual(['prompt: "Abcd"']);
  act(() => window.stores.edits.undo(path));
  await window.settle();
  expect(changes().come).toEqual([]);
});

test('text typed a moment ago is included when saving and undoing', async () => {
  await show('ask');
  const run = async (id: CommandId): Promise<void> => {
    const command = findCommand(id);
    act(() => void expect(command !== undefined && runCommand(command, window.context)).toBe(true));
    await window.settle();
  };
  type('Prompt', 'Saved');
  await run('file.save');
  expect(written).toEqual([expect.stringContaining('prompt: "Saved"')]);
  await leave('Prompt');
  type('Prompt', 'Taken back');
  await run('edit.undo');
  expect(changes().come).toEqual(['prompt: "Saved"']);
  await run('edit.redo');
  expect(changes().come).toEqual(['prompt: "Taken back"']);
});

test('after two braces the preceding values are suggested, and Enter inserts one', async () => {
  await show('after');
  type('Text', 'Say {{as');
  const options = [...element.querySelectorAll('[role="option"]')].map((option) => option.textContent);
  expect(options[0]).toContain('ask.text');
  expect(field('Text').getAttribute('aria-activedescendant')).toBe(element.querySelector('[role="option"]')?.id);
  key('Text', 'Enter');
  expect(field('Text').value).toBe('Say {{ask.text}}');
  expect(element.querySelector('[role="option"]')).toBeNull();
  await leave('Text');
  expect(changes().come).toEqual(['input: { text: "Say {{ask.text}}" }']);
});

test('an invalid number stays in the field with the reason, and the file keeps the old one', async () => {
  await show('ask');
  type('Temperature', '3');
  await leave('Temperature');
  expect(field('Temperature').value).toBe('3');
  expect(field('Temperature').getAttribute('aria-invalid')).toBe('true');
  const described = field('Temperature').getAttribute('aria-describedby')?.split(' ').at(-1);
  expect(element.querySelector(`[id="${described}"]`)?.textContent).toContain('from 0 to 2');
  expect(changes()).toEqual({ gone: [], come: [] });
  type('Temperature', '0.5');
  await leave('Temperature');
  expect(changes().come).toEqual(['config: { temperature: 0.5 }']);
});

test('incomplete JSON stays in its field', async () => {
  await show('odd');
  type('Depth', '{ "a": ');
  await leave('Depth');
  expect(field('Depth').value).toBe('{ "a": ');
  expect(element.textContent).toContain('Not valid JSON');
  expect(changes()).toEqual({ gone: [], come: [] });
  type('Depth', '{ "a": 2 }');
  await leave('Depth');
  expect(changes().come).toEqual(['input: { depth: { a: 2 } }']);
});

test('a list can become a binding and back, and its members can be moved by keyboard', async () => {
  await show('inner');
  key('Glob 3', 'ArrowUp', { altKey: true });
  await window.settle();
  expect(changes().come).toEqual(['input: { globs: [a.md, c.md, b.md] }']);
  await press('Remove 1');
  expect(changes().come).toEqual(['input: { globs: [c.md, b.md] }']);
  await press('Globs: bind to a value');
  type('Globs', '{{item}}');
  await leave('Globs');
  expect(changes().come).toEqual(['input: { globs: "{{item}}" }']);
});

test('text typed right before a click elsewhere in the same list is not lost', async () => {
  await show('inner');
  type('Glob 1', 'z.md');
  act(() => field('Glob 1').blur());
  await press('Remove 3');
  expect(changes().come).toEqual(['input: { globs: [z.md, b.md] }']);
});

test('entries of maps can be added, renamed and removed', async () => {
  await show('fetch');
  type('Name of accept', 'x-kind');
  await leave('Name of accept');
  expect(changes().come).toEqual(["input: { url: 'https://a.example', headers: { x-kind: text } }"]);
  await press('Remove x-kind');
  expect(changes().come).toEqual(["input: { url: 'https://a.example' }"]);
});

test('a choice equal to the default writes nothing until another one is selected', async () => {
  await show('fetch');
  expect(field('Method').textContent).toBe('GET (default)');
  await choose('Method', 'POST');
  expect(changes().come.join()).toContain('method: POST');
  await press('Restore default of Method');
  expect(changes()).toEqual({ gone: [], come: [] });
});

test('a node that was added after the run on screen shows its form', async () => {
  await show('after');
  await window.tellRun(path, runEnd('completed'));
  const chosenTab = () => element.querySelector('[role="tab"][aria-selected="true"]')?.textContent;
  expect(chosenTab()).toBe('Output');
  act(() => window.stores.liveRuns.getState().setStale(asRunId('r1'), new Map([['after', 'It is new.']])));
  await window.settle();
  expect(chosenTab()).toBe('Configure');
});
