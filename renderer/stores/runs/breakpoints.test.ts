import { afterEach, expect, test } from 'vitest';
import { type Breakpoint, EngineError } from '../../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import { breakpointText } from './breakpoints.ts';

const path = 'a.flow.yaml';
const text = `flow: { name: F }
nodes:
  - { id: get, type: echo, input: { text: a } }
  - { id: send, type: echo, input: { text: "{{get.text}}" } }
edges: [{ from: get, to: send }]
`;

let window: TestWindow;
/** What main stores. */
let kept: Record<string, readonly Breakpoint[]>;
/** What the engine was told last, by path. */
let told: Map<string, readonly unknown[]>;
afterEach(() => window.close());

async function openWindow(before: typeof kept = {}): Promise<void> {
  kept = before;
  told = new Map();
  window = openTestWindow(
    {
      readFlow: () => ({ text }),
      listRuns: () => [],
      setBreakpoints(flow, breakpoints) {
        if (JSON.stringify(breakpoints).includes('bad'))
          throw new EngineError({ code: 'condition.invalid', message: 'The condition is not valid at character 4.' });
        told.set(flow, breakpoints);
      },
    },
    {
      'breakpoints.read': () => ({ flows: kept }),
      'breakpoints.write': (asked) => {
        kept = { ...kept, [asked.path]: asked.breakpoints };
      },
    },
  );
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  await window.settle();
}

const store = () => window.stores.breakpoints.getState();
const listed = () => store().flows.get(path) ?? [];

async function replace(from: string, to: string): Promise<void> {
  const { edits, openFiles } = window.stores;
  edits.replace(path, (openFiles.getState().files.get(path)?.text ?? '').replaceAll(from, to), 'Edit');
  await openFiles.getState().checked(path);
  await window.settle();
}

test('breakpoints are kept for the next window, passed to the engine, and never written to the file', async () => {
  await openWindow();
  store().toggle(path, 'send');
  expect(await store().put(path, { node: 'send', when: 'get.text is "a"', item: 2 })).toBeNull();
  store().toggle(path, 'get');
  store().turn(path, 'get', false);
  await window.settle();
  const all = [
    { node: 'send', when: 'get.text is "a"', item: 2 },
    { node: 'get', isOff: true },
  ];
  expect([kept[path], told.get(path)]).toEqual([all, all]);
  expect(window.stores.openFiles.getState().files.get(path)?.isDirty).toBe(false);

  window.close();
  await openWindow({ ...kept, 'closed.flow.yaml': [{ node: 'x' }] });
  expect(listed()).toEqual(all);
  // Also of flows that no tab shows, because runs call them.
  expect([...told]).toEqual([
    [path, all],
    ['closed.flow.yaml', [{ node: 'x' }]],
  ]);
  store().turn(path, 'get', true);
  store().toggle(path, 'send');
  await window.settle();
  expect([kept[path], told.get(path)]).toEqual([[{ node: 'get' }], [{ node: 'get' }]]);
});

test('the engine is told again after it was restarted', async () => {
  await openWindow({ [path]: [{ node: 'send' }] });
  told.clear();
  window.engine.connect();
  await window.settle();
  expect(told.get(path)).toEqual([{ node: 'send' }]);
});

test('a condition that the engine refuses is not kept, and its problem is returned', async () => {
  await openWindow();
  store().toggle(path, 'send');
  const problem = await store().put(path, { node: 'send', when: 'bad' });
  expect([problem, listed(), kept[path]]).toEqual([
    'The condition is not valid at character 4.',
    [{ node: 'send' }],
    [{ node: 'send' }],
  ]);
});

test('breakpoints follow renamed nodes and files; those of deleted nodes are kept', async () => {
  await openWindow({ [path]: [{ node: 'send', when: 'get.text is "get"' }] });
  await replace('send', 'post');
  expect(kept[path]).toEqual([{ node: 'post', when: 'get.text is "get"' }]);
  await replace('get', 'load');
  const post = { node: 'post', when: 'load.text is "get"' };
  expect([listed(), kept[path]]).toEqual([[post], [post]]);
  await replace('load', 'get');
  await replace('  - { id: post, type: echo, input: { text: "{{get.text}}" } }\n', '');
  expect(listed()).toEqual([{ node: 'post', when: 'get.text is "get"' }]);

  window.tellFromMain('draft.moved', { from: path, to: 'b.flow.yaml' });
  await window.settle();
  expect([...store().flows.keys()]).toEqual(['b.flow.yaml']);
  expect([kept[path], told.get(path), kept['b.flow.yaml']?.length]).toEqual([[], [], 1]);
});

test('a breakpoint is described with its condition, its item, and whether it is off', () => {
  expect(breakpointText({ node: 'a' })).toBe('breakpoint');
  expect(breakpointText({ node: 'a', when: 'x > 1', item: 3, isOff: true })).toBe('breakpoint if x > 1, item 3, off');
});
