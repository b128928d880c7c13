/**
 * For tests: the inspector of a flow with nodes of many kinds, and functions to fill in its forms.
 */
import { act } from 'react';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import type { EngineAnswers } from '../../bridge/testing/engine-stand-in.ts';
import type { OpenFile } from '../../stores/text/file.ts';
import { useOpenFile } from '../../stores/use-flow.ts';
import { typeInto } from '../../ui/testing/type-into.ts';
import { Inspector } from '../inspector.tsx';

export const path = 'a.flow.yaml';
const text = `# Kept as it is.
flow:
  name: Notes
  input: { topic: bees }
nodes:
  - id: ask # who
    type: prompt
    input:
      prompt: "About {{flow.input.topic}}"
    config: { temperature: 0.3 }
  - id: fetch
    type: http.request
    input: { url: 'https://a.example', headers: { accept: text } }
  - id: each
    type: control.foreach
    input: { items: "{{fetch.body}}", body: [inner] }
  - id: inner
    type: file.read
    input: { globs: [a.md, b.md, c.md] }
  - id: after
    type: echo
    input: { text: hi }
    when: { equals: { var: ask.text, value: "yes" } }
  - id: odd
    type: nobody.knows
    input: { depth: { a: 1 } }
edges:
  - { from: ask, to: after }
  - { from: fetch, to: each }
layout:
  notes: { n: { x: 0, y: 0, width: 200, height: 100, text: hello } }
`;

function Shown({ change }: { change: Partial<OpenFile> }) {
  const flow = useOpenFile(path);
  return flow === undefined ? null : (
    <aside data-undo="file">
      <Inspector flow={{ ...flow, ...change }} />
    </aside>
  );
}

export let window: TestWindow;
export let element: HTMLElement;
/** Texts of the file that were saved. */
export let written: string[];

/** Keys that were saved. */
export let keys: { readonly variable: string; readonly value: string }[];

/**
 * Renders the inspector with this node selected. `change` overrides the stored flow, `answers` the responses of the engine,
 * and `mainAnswers` those of main.
 */
export async function show(
  nodeId: string | null,
  change: Partial<OpenFile> = {},
  answers: EngineAnswers = {},
  mainAnswers: Parameters<typeof openTestWindow>[1] = {},
): Promise<void> {
  written = [];
  keys = [];
  window = openTestWindow(
    {
      writeFile: (request) => {
        written.push(request.text);
        return undefined;
      },
      readFlow: () => ({ text, isWritable: true }),
      readModelSettings: () => ({ file: '', providers: [], defaultModel: 'a::b', aliases: { fast: 'a::small' } }),
      readTrust: () => ({ isTrusted: true }),
      findFiles: () => ({ paths: ['notes/one.md', 'notes/two.md'], isCut: false }),
      ...answers,
    },
    {
      'vault.list': () => ({ variables: [], problem: null }),
      'vault.set': (request) => {
        keys.push(request);
        return { isDone: true };
      },
      ...mainAnswers,
    },
  );
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  element = window.draw(<Shown change={change} />);
  act(() => window.stores.selection.getState().selectNode(path, nodeId));
  await window.settle();
}

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Returns the control with this visible or hidden label. */
export function field(name: string): Field {
  const label = [...element.querySelectorAll('label')].find((one) => one.textContent?.trim() === name);
  const found = label?.htmlFor
    ? element.querySelector<Field>(`[id="${label.htmlFor}"]`)
    : element.querySelector<Field>(`[aria-label="${name}"]`);
  if (found === null || found === undefined) throw new Error(`No field ${name}`);
  return found;
}

/** Sets a value through the native setter, so that React notices it. */
export function put(target: Field, value: string): void {
  typeInto(target, value);
}

/** Types into a field, with the caret at the end of the text. */
export function type(name: string, value: string): void {
  const target = field(name);
  act(() => {
    target.focus();
    target.setSelectionRange(value.length, value.length);
    put(target, value);
    target.setSelectionRange(value.length, value.length);
    target.dispatchEvent(new Event('select', { bubbles: true }));
  });
}

/** Opens a list of choices. */
export function openChoices(name: string): readonly HTMLElement[] {
  key(name, 'ArrowDown');
  return [...document.querySelectorAll<HTMLElement>('[role="listbox"] [role="option"]')];
}

/** Selects the option with this text. */
export async function choose(name: string, text: string): Promise<void> {
  const option = openChoices(name).find((one) => one.querySelector('.menu-text')?.textContent === text);
  if (option === undefined) throw new Error(`${name} has no choice ${text}`);
  act(() => option.click());
  await window.settle();
}

/** Opens the list of models and types into its search field. */
export async function searchModel(text: string): Promise<void> {
  if (element.querySelector('[aria-label="Find a model"]') === null) act(() => field('Model').click());
  await window.settle();
  if (text !== '') type('Find a model', text);
  await window.settle();
}

/** Selects a model that no list contains, and confirms the question. */
export async function useModelAnyway(model: string): Promise<void> {
  await searchModel(model);
  key('Find a model', 'Enter');
  await window.settle();
  await press(`Use “${model}”`);
}

export async function leave(name: string): Promise<void> {
  act(() => field(name).blur());
  await window.settle();
}

/** Clicks a button. */
export async function press(label: string): Promise<void> {
  const button = [...element.querySelectorAll('button')].find(
    (one) => (one.getAttribute('aria-label') ?? one.textContent?.trim()) === label,
  );
  if (button === undefined) throw new Error(`No button ${label}`);
  act(() => button.click());
  await window.settle();
}

export function key(name: string, pressed: string, more: KeyboardEventInit = {}): void {
  act(() => {
    field(name).dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true, ...more }));
  });
}

/** Returns the lines that were removed from the original text, and those that were added. */
export function changes(): { gone: string[]; come: string[] } {
  const now = (window.stores.openFiles.getState().files.get(path)?.text ?? '').split('\n');
  const before = text.split('\n');
  return {
    gone: before.filter((line) => !now.includes(line)).map((line) => line.trim()),
    come: now.filter((line) => !before.includes(line)).map((line) => line.trim()),
  };
}
