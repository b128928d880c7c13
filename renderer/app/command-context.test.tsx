import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEngineStandIn } from '../bridge/engine-stand-in.ts';
import { createMainClient } from '../bridge/main-client.ts';
import { createStores } from '../stores/stores.ts';
import { CommandProvider } from './command-context.tsx';
import { createDialogs } from './dialogs.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const ends: (() => void)[] = [];
let tellPage: (message: unknown) => void = () => undefined;

function draw(children: ReactNode) {
  const stores = createStores({
    engine: createEngineStandIn({}).client,
    main: createMainClient({
      call: async () => ({ ok: true, result: {} }),
      onPush(listener) {
        tellPage = listener;
        return () => undefined;
      },
    }),
    nextFrame: () => () => undefined,
  });
  const context = { stores, dialogs: createDialogs() };
  const element = document.body.appendChild(document.createElement('div'));
  const root = createRoot(element);
  act(() => root.render(<CommandProvider context={context}>{children}</CommandProvider>));
  ends.push(
    () => act(() => root.unmount()),
    () => element.remove(),
    () => stores.dispose(),
  );
  return context;
}

function press(target: Element, key: string, held: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...held });
  target.dispatchEvent(event);
  return event;
}

beforeEach(() => {
  ends.length = 0;
});
afterEach(() => {
  for (const end of ends) end();
});

test('a single key works on the page, but not where text is typed', () => {
  const { dialogs } = draw(
    <>
      <input />
      <div className="monaco-editor">
        <span />
      </div>
      <button type="button">x</button>
    </>,
  );
  press(document.querySelector('input')!, '?');
  press(document.querySelector('.monaco-editor span')!, '?');
  expect(dialogs.getState().open).toBeNull();
  press(document.querySelector('button')!, '?');
  expect(dialogs.getState().open).toBe('shortcuts');
});

test('a shortcut with Ctrl works where text is typed, and nobody else hears it', () => {
  const { stores } = draw(<input />);
  let heard = 0;
  const input = document.querySelector('input')!;
  input.addEventListener('keydown', () => {
    heard += 1;
  });
  const event = press(input, 'b', { ctrlKey: true });
  expect([stores.panes.getState().isOpen.side, event.defaultPrevented, heard]).toEqual([false, true, 0]);
});

test('an open dialog or menu keeps its keys', () => {
  const { stores, dialogs } = draw(
    <div role="dialog">
      <button type="button">x</button>
    </div>,
  );
  const event = press(document.querySelector('button')!, 'b', { ctrlKey: true });
  press(document.querySelector('button')!, '?');
  expect([stores.panes.getState().isOpen.side, event.defaultPrevented, dialogs.getState().open]).toEqual([
    true,
    false,
    null,
  ]);
});

test('a command that is not available leaves its key to others', () => {
  draw(<button type="button">x</button>);
  expect(press(document.querySelector('button')!, 'Enter', { ctrlKey: true }).defaultPrevented).toBe(false);
});

test('the application menu runs commands by id, and an unknown one does nothing', () => {
  const { dialogs } = draw(<p />);
  act(() => tellPage({ kind: 'push', name: 'command.invoke', payload: { id: 'no.such' } }));
  expect(dialogs.getState().open).toBeNull();
  act(() => tellPage({ kind: 'push', name: 'command.invoke', payload: { id: 'help.shortcuts' } }));
  expect(dialogs.getState().open).toBe('shortcuts');
});
