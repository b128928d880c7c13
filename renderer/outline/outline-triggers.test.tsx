import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { OutlineTriggers } from './outline-triggers.tsx';

const path = 'a.flow.yaml';
const daily = { id: 'daily', schedule: { cron: '0 9 * * *' } };
const files = { id: 'files', files: { glob: 'in/*' } };
const text = `flow:
  name: a
  triggers:
    - { id: daily, schedule: { cron: "0 9 * * *" } }
    - { id: files, files: { glob: "in/*" } }
nodes: [{ id: a, type: echo, input: { text: hi } }]
edges: []
`;

let window: TestWindow;
afterEach(() => window.close());

test('triggers are listed with their states, move the focus by arrow keys, and are deleted by Delete', async () => {
  const listed = { flow: path, trigger: 'files', doc: files, hash: 'h', state: 'changed' } as const;
  window = openTestWindow({ readFlow: () => ({ text }), listTriggers: () => [listed] });
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  const inspected: string[] = [];
  const list = window.draw(
    <OutlineTriggers
      path={path}
      triggers={[daily, files]}
      own={[daily, files]}
      chosen={new Set(['files'])}
      mayEdit
      onInspect={() => inspected.push('form')}
    />,
  );
  await window.until(() => expect(list.textContent).toBe('dailyofffilesto confirm'));
  const [first, second] = list.querySelectorAll('button');
  expect(second?.getAttribute('aria-pressed')).toBe('true');
  const press = (target: Element | undefined, key: string): void =>
    act(() => void target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })));
  first?.focus();
  press(first, 'ArrowDown');
  expect(document.activeElement).toBe(second);
  act(() => first?.click());
  expect([...(window.stores.selection.getState().views.get(path)?.chosen.triggers ?? [])]).toEqual(['daily']);
  expect(inspected).toEqual(['form']);
  press(second, 'Delete');
  await window.until(() =>
    expect(window.stores.openFiles.getState().files.get(path)?.text).toBe(text.replace(/ {4}- \{ id: files.*\n/, '')),
  );
});

test('a trigger of triggers.yaml leads to its file, and cannot be deleted here', async () => {
  const listed = { flow: path, trigger: 'nightly', doc: daily, file: 'triggers.yaml', hash: 'h', state: 'on' } as const;
  window = openTestWindow({ readFlow: () => ({ text }), listTriggers: () => [listed] });
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  const nightly = { ...daily, id: 'nightly' };
  const list = window.draw(
    <OutlineTriggers
      path={path}
      triggers={[nightly]}
      own={[]}
      chosen={new Set()}
      mayEdit
      onInspect={() => expect.unreachable()}
    />,
  );
  await window.until(() => expect(list.textContent).toBe('nightlyon'));
  const row = list.querySelector('button');
  act(() => void row?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Delete', bubbles: true })));
  act(() => row?.click());
  await window.until(() => expect(window.stores.openFiles.getState().activePath).toBe('triggers.yaml'));
  expect(window.stores.openFiles.getState().files.get('triggers.yaml')?.kind).toBe('file');
  expect(window.stores.openFiles.getState().files.get(path)?.text).toBe(text);
});
