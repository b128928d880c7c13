import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { useOpenFile } from '../stores/use-flow.ts';
import { CodeFieldContext, type CodeFieldProps } from '../ui/code-field.ts';
import { Inspector } from './inspector.tsx';

const path = 'flows/a.flow.yaml';
const text = `flow: { name: A }
nodes:
  - { id: page, type: file.read, input: { path: a.md } }
  - id: calc
    type: script.js
    input: { page: "{{page}}", n: 1 }
    config:
      code: |
        // Kept.
        return input.n;
edges: [{ from: page, to: calc }]
`;

let window: TestWindow;
let shown: CodeFieldProps[] = [];
afterEach(() => {
  window.close();
  shown = [];
});

function Field(props: CodeFieldProps) {
  shown.push(props);
  return <output data-large={props.isLarge}>{props.text}</output>;
}

function Shown() {
  const flow = useOpenFile(path);
  return flow === undefined ? null : (
    <CodeFieldContext value={Field}>
      <Inspector flow={flow} />
    </CodeFieldContext>
  );
}

async function show(): Promise<HTMLElement> {
  window = openTestWindow({
    readFlow: () => ({ text, isWritable: true }),
    checkScripts: (scripts) =>
      scripts.map(({ code }) => (code.includes('+;') ? { line: 2, message: 'unexpected token' } : null)),
  });
  window.engine.connect();
  await window.stores.openFiles.getState().open(path);
  const element = window.draw(<Shown />);
  act(() => window.stores.selection.getState().selectNode(path, 'calc'));
  await window.until(() => expect(shown.at(-1)?.text).toBe('// Kept.\nreturn input.n;\n'));
  return element;
}

const field = (): CodeFieldProps => shown.at(-1) as CodeFieldProps;
const fileText = (): string => window.stores.openFiles.getState().files.get(path)?.text ?? '';

test('BB-24 code is edited in the real editor as the smallest edit of the block, with undo', async () => {
  await show();
  expect(field()).toMatchObject({ language: 'javascript', isReadOnly: false, marks: [] });
  act(() => field().onType('// Kept.\nreturn input.n + 1;\n'));
  act(() => field().onLeave());
  await window.until(() => expect(fileText()).toBe(text.replace('input.n;', 'input.n + 1;')));
  act(() => field().onUndo());
  await window.until(() => expect(fileText()).toBe(text));
  await window.until(() => expect(field().text).toBe('// Kept.\nreturn input.n;\n'));
});

test('BB-24 completes fields of the bound inputs with the outputs of previous nodes', async () => {
  await show();
  const names = (steps: readonly string[]) =>
    field()
      .inputNames(steps)
      .map(({ name }) => name);
  expect(names([])).toEqual(['page', 'n']);
  expect(names(['page'])).toEqual(expect.arrayContaining(['path', 'text']));
});

test('BB-23 a problem is marked at its line in the code', async () => {
  await show();
  act(() => field().onType('// Kept.\nreturn input.n +;\n'));
  act(() => field().onLeave());
  await window.until(() =>
    expect(field().marks).toEqual([{ line: 2, message: 'JavaScript syntax error: unexpected token.' }]),
  );
});

test('BB-24 opens in a large view', async () => {
  const element = await show();
  act(() => element.querySelector<HTMLElement>('[aria-label="Open in a large editor"]')?.click());
  await window.until(() => expect(document.querySelector('[role="dialog"] output')?.textContent).toContain('// Kept.'));
  expect(field().isLarge).toBe(true);
});
