import { act } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../engine/isomorphic.ts';
import { nodeComplete, nodeStart, runEnd } from '../../bridge/testing/run-events.ts';
import { typeInto } from '../../ui/testing/type-into.ts';
import { type CommandId, findCommand, runCommand } from '../commands/commands.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { PinDialog } from './pin-dialog.tsx';

const path = 'a.flow.yaml';
const text = `flow: { name: F }
nodes:
  - { id: say, name: Say it, type: echo, input: { text: x } }
  - { id: each, type: control.foreach, input: { items: [1], body: [one] } }
  - { id: one, type: echo, input: { text: x } }
edges: []
`;

let window: TestWindow;
afterEach(() => window.close());

async function openWindow(latest?: JsonValue) {
  window = openTestWindow({
    readFlow: () => ({ text }),
    listRuns: () => [],
    latestOutput: () => (latest === undefined ? undefined : { output: latest, fromRunId: 'r0' as never }),
  });
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  window.draw(<PinDialog />);
  await window.settle();
}

async function ask(id: CommandId, nodeId = 'say'): Promise<void> {
  act(() => window.stores.selection.getState().selectNode(path, nodeId));
  const command = findCommand(id);
  act(() => void (command !== undefined && runCommand(command, window.context)));
  await window.settle();
}

const pinned = () => window.stores.pins.getState().files.get(path)?.['say'];
const dialog = () => document.querySelector('[role="dialog"]');
const area = () => document.querySelector('textarea');

async function press(name: string): Promise<void> {
  const button = [...(dialog()?.querySelectorAll('button') ?? [])].find(({ textContent }) => textContent === name);
  act(() => button?.click());
  await window.settle();
}

async function type(typed: string): Promise<void> {
  await act(async () => {
    typeInto(area(), typed);
  });
}

describe('BB-47 P on a node', () => {
  test('pins the output from the run on screen, and unpins it again', async () => {
    await openWindow({ text: 'older' });
    expect(findCommand('run.pin')?.shortcut).toBe('P');
    await window.tellRun(path, nodeStart('say'), nodeComplete('say'), runEnd('completed'));
    await ask('run.pin');
    expect(pinned()).toEqual({ text: 'x' });
    await ask('run.pin');
    expect(pinned()).toBeUndefined();
  });

  test('pins the output of the latest run if the run on screen has none or used a pin', async () => {
    await openWindow({ text: 'older' });
    await ask('run.pin');
    expect(pinned()).toEqual({ text: 'older' });
    await ask('run.pin');
    await window.tellRun(path, { type: 'node:reused', nodeId: 'say', pin: true, output: { text: 'pinned' } });
    await ask('run.pin');
    expect(pinned()).toEqual({ text: 'older' });
  });

  test('asks for an output if there is none, and in a loop suggests what can be pinned instead', async () => {
    await openWindow();
    await ask('run.pin', 'one');
    expect(window.stores.notices.getState().list.at(-1)?.detail).toContain('Pin each instead.');
    await ask('run.pin');
    expect(dialog()?.textContent).toContain('Pin the output of Say it');
    await press('Use the latest output');
    expect(dialog()?.textContent).toContain('None of the latest runs has an output of this node.');
  });

  test.each([
    ['', 'enter the output as JSON'],
    ['{\n  "text": ]', 'line 2, column 11: '],
    ['{ "text": 12345678901234567890 }', '12345678901234567890'],
    ['{ "text": 5 }', 'text must be text'],
    ['7', 'It must be'],
  ])('%s is rejected with its position, and the typed text stays', async (typed, words) => {
    await openWindow();
    await ask('run.editPin');
    await type(typed);
    await press('Pin');
    expect(dialog()?.textContent?.toLowerCase()).toContain(words.toLowerCase());
    expect([area()?.value, pinned()]).toEqual([typed, undefined]);
  });

  test('Shift+P edits or removes the pinned output', async () => {
    await openWindow({ text: 'latest' });
    expect(findCommand('run.editPin')?.shortcut).toBe('Shift+P');
    act(() => void window.stores.pins.getState().pin(path, 'say', { text: 'a' }));
    await ask('run.editPin');
    expect(JSON.parse(area()?.value ?? '')).toEqual({ text: 'a' });
    await press('Use the latest output');
    expect(JSON.parse(area()?.value ?? '')).toEqual({ text: 'latest' });
    await type('{ "text": "b" }');
    await press('Pin');
    expect([pinned(), dialog()]).toEqual([{ text: 'b' }, null]);
    await ask('run.editPin');
    await press('Unpin');
    expect(pinned()).toBeUndefined();
  });

  test('an output that is too long to edit is reported and can be pinned as it is', async () => {
    const long = { text: 'x'.repeat(600_000) };
    await openWindow(long);
    await ask('run.editPin');
    await press('Use the latest output');
    expect(dialog()?.textContent).toContain('too long to edit here');
    expect(area()).toBeNull();
    await press('Pin');
    expect(pinned()).toEqual(long);
  });
});
