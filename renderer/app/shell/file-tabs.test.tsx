import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { FileTabs, tabNames } from './file-tabs.tsx';

test('a tab has the same name as in the list of flows', () => {
  expect(tabNames(['a.flow.yaml', 'team/b.flow.yml'])).toEqual([
    { path: 'a.flow.yaml', name: 'a' },
    { path: 'team/b.flow.yml', name: 'b' },
  ]);
});

test('files with the same name but different extensions show the extension', () => {
  expect(tabNames(['a.flow.yaml', 'a.aip', 'b.aip']).map(({ name }) => name)).toEqual(['a.flow.yaml', 'a.aip', 'b']);
});

test('files with the same name and extension show their folders', () => {
  expect(tabNames(['a.flow.yaml', 'team/a.flow.yaml', 'b.flow.yaml']).map(({ name }) => name)).toEqual([
    'a.flow.yaml',
    'team/a',
    'b',
  ]);
  expect(tabNames(['x/README.md', 'y/README.md']).map(({ name }) => name)).toEqual(['x/README.md', 'y/README.md']);
});

let window: TestWindow | undefined;

afterEach(() => {
  window?.close();
  window = undefined;
});

const text = 'flow: { name: x }\nnodes: []\n';

async function drawTabs(...paths: readonly string[]): Promise<HTMLElement> {
  window = openTestWindow({
    readWorkspaceText: () => ({ text, readOnlyReason: null }),
    listRuns: () => [],
  } as unknown as Parameters<typeof openTestWindow>[0]);
  for (const path of paths) void window.stores.openFiles.getState().open(path);
  const element = window.draw(<FileTabs activePath={paths[0]!} />);
  await window.settle();
  return element;
}

function dragEvent(type: string, data: Map<string, string>): Event {
  const dataTransfer = {
    get types() {
      return [...data.keys()];
    },
    setData: (key: string, value: string) => data.set(key, value),
    getData: (key: string) => data.get(key) ?? '',
    effectAllowed: 'none',
  };
  return Object.assign(new Event(type, { bubbles: true, cancelable: true }), { dataTransfer });
}

test('a tab can be dragged to the position of another, and nothing else can be dropped there', async () => {
  const element = await drawTabs('a.flow.yaml', 'b.flow.yaml', 'c.flow.yaml');
  const [first, , third] = [...element.querySelectorAll('.flow-tab')];
  const data = new Map<string, string>();
  act(() => {
    first!.dispatchEvent(dragEvent('dragstart', data));
    third!.dispatchEvent(dragEvent('dragover', data));
    third!.dispatchEvent(dragEvent('drop', data));
  });
  const tabs = (): readonly string[] => window!.stores.openFiles.getState().tabs;
  expect(tabs()).toEqual(['b.flow.yaml', 'c.flow.yaml', 'a.flow.yaml']);
  const file = dragEvent('dragover', new Map([['Files', '']]));
  act(() => void first!.dispatchEvent(file));
  expect(file.defaultPrevented).toBe(false);
});

test('the mouse wheel scrolls the tabs sideways', async () => {
  const element = await drawTabs('a.flow.yaml');
  const list = element.querySelector('nav')!;
  act(() => void list.dispatchEvent(new WheelEvent('wheel', { deltaY: 40, bubbles: true })));
  expect(list.scrollLeft).toBe(40);
});

test('a file that cannot be read, such as an agent of a removed pack, cannot be run', async () => {
  const readable = await drawTabs('a.flow.yaml');
  const runs = (element: HTMLElement) =>
    [...element.querySelectorAll('button')].filter(({ textContent }) => textContent?.startsWith('Run'));
  const before = runs(readable).length;
  act(() => {
    const { files } = window!.stores.openFiles.getState();
    const file = { ...files.get('a.flow.yaml')!, status: 'unreadable' as const };
    window!.stores.openFiles.setState({ files: new Map([['a.flow.yaml', file]]) });
  });
  expect([before > 0, runs(readable).length]).toEqual([true, 0]);
});
