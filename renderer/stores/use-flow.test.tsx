import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { useOpenFile, useSettledFlow } from './use-flow.ts';

const path = 'a.flow.yaml';
const text = 'flow: { name: One }\nnodes:\n  - { id: a, type: echo, input: { text: hi } }\nedges: []\n';

let window: TestWindow | undefined;
afterEach(() => window?.close());

test('a view of a parsed flow is rendered again for a change of the flow, but not for each keystroke', async () => {
  let letters = 0;
  let meanings = 0;
  function Letters() {
    letters++;
    return <p>{useOpenFile(path)?.text.length}</p>;
  }
  function Meaning() {
    meanings++;
    return <output>{useSettledFlow(path)?.doc?.flow.name}</output>;
  }
  window = openTestWindow({ readFlow: () => ({ text }) });
  window.engine.connect();
  const { openFiles, edits } = window.stores;
  await openFiles.getState().open(path);
  const element = window.draw(
    <>
      <Letters />
      <Meaning />
    </>,
  );
  act(() => edits.type(path, [{ start: 0, end: 0, text: '# ' }]));
  await window.settle();
  const before = [letters, meanings] as const;
  for (let at = 2; at < 7; at++) {
    act(() => edits.type(path, [{ start: at, end: at, text: 'x' }]));
    await window.settle();
  }
  expect([letters >= before[0] + 5, meanings]).toEqual([true, before[1]]);
  const renaming = { start: '# xxxxx'.length, end: '# xxxxxflow: { name: O'.length, text: '\nflow: { name: T' };
  act(() => edits.type(path, [renaming]));
  await window.settle();
  expect(element.querySelector('output')?.textContent).toBe('Tne');
  expect(meanings).toBeGreaterThan(before[1]);
});

test('a keystroke renders each view once, and a change from elsewhere in between is kept', async () => {
  let drawings = 0;
  function Meaning() {
    drawings++;
    return <output>{useSettledFlow(path)?.doc?.flow.name}</output>;
  }
  window = openTestWindow({ readFlow: () => ({ text }) });
  window.engine.connect();
  const { openFiles, edits } = window.stores;
  await openFiles.getState().open(path);
  const element = window.draw(
    <>
      <div className="monaco-editor">
        <textarea />
      </div>
      <Meaning />
    </>,
  );
  const name = () => element.querySelector('output')?.textContent;
  const insert = (letter: string) => {
    const at = (openFiles.getState().files.get(path)?.text ?? '').indexOf(' }');
    edits.type(path, [{ start: at, end: at, text: letter }]);
  };
  const editor = element.querySelector('textarea');
  act(() => editor?.focus());
  // The first edit also marks the file as changed.
  act(() => insert('r'));
  await window.settle();
  const before = drawings;
  act(() => insert('s'));
  await window.settle();
  expect([name(), drawings]).toEqual(['Oners', before + 1]);
  // The second change happens before the first one is rendered, and outside of the text editor.
  await act(async () => {
    insert('t');
    await openFiles.getState().checked(path);
    editor?.blur();
    insert('u');
    await openFiles.getState().checked(path);
  });
  await window.settle();
  expect(name()).toBe('Onerstu');
});
