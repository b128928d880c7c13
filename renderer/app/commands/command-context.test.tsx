import { act, type ReactNode } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { CommandIconButton } from './command-context.tsx';

let window: TestWindow;

function draw(children: ReactNode) {
  window = openTestWindow({});
  window.draw(children);
  return window.context;
}

afterEach(() => window.close());

function press(selector: string, key: string, held: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...held });
  document.querySelector(selector)?.dispatchEvent(event);
  return event;
}

test('a single key works on the page, but not while typing', () => {
  const { dialogs } = draw(
    <>
      <input />
      <div className="monaco-editor">
        <span />
      </div>
      <button type="button">x</button>
    </>,
  );
  press('input', '?');
  press('.monaco-editor span', '?');
  expect(dialogs.getState().open).toBeNull();
  press('button', '?');
  expect(dialogs.getState().open).toBe('shortcuts');
});

test('single letters work in the canvas, the outline, an agent’s run and the bare page, but not on buttons elsewhere', () => {
  const { stores } = draw(
    <>
      <button type="button" id="elsewhere" />
      <div data-keys="letters">
        <button type="button" id="input" />
      </div>
      <div data-keys="canvas">
        <button type="button" id="card" />
      </div>
    </>,
  );
  stores.editorSettings.setState({ keys: { 'view.toggleSide': 'X', 'view.toggleDock': 'Shift+7' } });
  const isOpen = () => [stores.panes.getState().isOpen.side, stores.panes.getState().isOpen.dock];
  const before = isOpen();
  const pressBoth = (selector: string) => {
    press(selector, 'x');
    press(selector, '7', { code: 'Digit7', shiftKey: true });
  };
  pressBoth('#elsewhere');
  expect(isOpen()).toEqual(before);
  for (const selector of ['#input', '#card', 'body']) {
    const former = isOpen();
    pressBoth(selector);
    expect([selector, ...isOpen()]).toEqual([selector, ...former.map((open) => !open)]);
  }
});

test('a shortcut with Ctrl works while typing and is not passed on', () => {
  const { stores } = draw(<input />);
  let heard = 0;
  document.querySelector('input')?.addEventListener('keydown', () => {
    heard += 1;
  });
  const event = press('input', 'b', { ctrlKey: true });
  expect([stores.panes.getState().isOpen.side, event.defaultPrevented, heard]).toEqual([false, true, 0]);
});

test("a file's text keeps the key for its own outline, and code in a form leaves it to the flow's outline", () => {
  const { stores } = draw(
    <>
      <div className="monaco-editor" id="file" />
      <div className="code-editor">
        <div className="monaco-editor" id="code" />
      </div>
    </>,
  );
  stores.panes.getState().chooseSideView('runs');
  expect(press('#file', 'O', { ctrlKey: true, shiftKey: true }).defaultPrevented).toBe(false);
  expect(stores.panes.getState().sideView).toBe('runs');
  expect(press('#code', 'O', { ctrlKey: true, shiftKey: true }).defaultPrevented).toBe(true);
  expect(stores.panes.getState().sideView).toBe('flows');
});

test('an element keeps the keys it declares, such as the one that submits a form', () => {
  const { stores } = draw(
    <form data-own-keys="Mod+Enter Mod+B">
      <input />
    </form>,
  );
  const before = stores.panes.getState().isOpen.side;
  expect(press('input', 'b', { ctrlKey: true }).defaultPrevented).toBe(false);
  expect(stores.panes.getState().isOpen.side).toBe(before);
  expect(press('input', 'J', { ctrlKey: true }).defaultPrevented).toBe(true);
});

test('an open dialog or menu keeps its keys', () => {
  const { stores, dialogs } = draw(
    <div role="dialog">
      <button type="button">x</button>
    </div>,
  );
  const event = press('button', 'b', { ctrlKey: true });
  press('button', '?');
  expect([stores.panes.getState().isOpen.side, event.defaultPrevented, dialogs.getState().open]).toEqual([
    true,
    false,
    null,
  ]);
});

test('an unavailable command does not capture its key', () => {
  draw(<button type="button">x</button>);
  expect(press('button', 'Enter', { ctrlKey: true }).defaultPrevented).toBe(false);
});

test('the undo keys do not reach the field used last if there is nothing to undo', () => {
  draw(<button type="button">x</button>);
  expect(press('button', 'z', { ctrlKey: true }).defaultPrevented).toBe(true);
  expect(press('button', 'Z', { ctrlKey: true, shiftKey: true, repeat: true }).defaultPrevented).toBe(true);
});

test('undo in a search or name field applies to the field, and in an inspector field to the file', () => {
  const asked: string[] = [];
  document.execCommand = (what) => asked.push(what) > 0;
  draw(
    <>
      <input />
      <aside data-undo="file">
        <textarea />
      </aside>
    </>,
  );
  document.querySelector('input')?.focus();
  expect(press('input', 'z', { ctrlKey: true }).defaultPrevented).toBe(true);
  press('input', 'Z', { ctrlKey: true, shiftKey: true });
  window.tellFromMain('command.invoke', { id: 'edit.undo' });
  document.querySelector('textarea')?.focus();
  expect(press('textarea', 'z', { ctrlKey: true }).defaultPrevented).toBe(true);
  expect(asked).toEqual(['undo', 'redo', 'undo']);
});

test('undo buttons apply to the file, wherever the focus is', () => {
  const { stores } = draw(
    <>
      <input />
      <CommandIconButton command="edit.undo" icon="U" />
    </>,
  );
  document.querySelector('input')?.focus();
  act(() => stores.selection.setState({}));
  expect(document.querySelector<HTMLButtonElement>('[aria-label="Undo"]')?.disabled).toBe(true);
});

test('the application menu runs commands by id, and an unknown one does nothing', () => {
  const { dialogs } = draw(<p />);
  window.tellFromMain('command.invoke', { id: 'no.such' });
  expect(dialogs.getState().open).toBeNull();
  window.tellFromMain('command.invoke', { id: 'help.shortcuts' });
  expect(dialogs.getState().open).toBe('shortcuts');
});
