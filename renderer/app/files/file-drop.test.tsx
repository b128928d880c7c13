import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CanvasCommand } from '../../stores/window/canvases.ts';
import { draggedPathType } from '../../stores/workspace/file-names.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { decideDrop, FileDrop } from './file-drop.tsx';

let window: TestWindow;
let opened: string[];
let sent: string[];

beforeEach(() => {
  opened = [];
  sent = [];
  vi.stubGlobal('bridge', { pathOfFile: ({ name }: File) => name });
  window = openTestWindow(
    {},
    {
      'workspace.open': ({ path }) => {
        opened.push(path);
        return { opened: true };
      },
      'sent.open': ({ path }) => void sent.push(path),
    },
  );
  const info = { version: '', workspace: '/work', theme: 'system' as const, recentWorkspaces: [] };
  window.stores.workspace.getState().setInfo(info);
  window.draw(<FileDrop />);
});

afterEach(() => {
  window.close();
  vi.unstubAllGlobals();
});

function send(type: string, dataTransfer: unknown): Event {
  const event = Object.assign(new Event(type, { bubbles: true, cancelable: true }), { dataTransfer });
  act(() => void document.body.dispatchEvent(event));
  return event;
}

async function drop(path: string, isDirectory = false, content = 'x'): Promise<void> {
  const item = { getAsFile: () => new File([content], path), webkitGetAsEntry: () => ({ isDirectory }) };
  send('drop', { types: ['Files'], items: [item] });
  await window.settle();
}

function notices(): string[] {
  return window.stores.notices.getState().list.map(({ title, detail }) => `${title}. ${detail}`);
}

test('opens a file of the workspace in a tab', async () => {
  await drop('/work/docs/a.md');
  expect(window.stores.openFiles.getState().tabs).toEqual(['docs/a.md']);
});

test('asks before installing a pack', async () => {
  await drop('/downloads/a@b-v1.aipack');
  expect(window.stores.packs.getState().asked).toBe('/downloads/a@b-v1.aipack');
  expect(window.engine.calls).not.toContain('pack.install');
});

test('explains what to do with a file from outside the workspace', async () => {
  await drop('/downloads/a.flow.yaml');
  expect(window.stores.openFiles.getState().tabs).toEqual([]);
  expect(notices()).toEqual([expect.stringContaining('a.flow.yaml is not in this workspace. ')]);
  expect(notices()[0]).toContain('Copy them to /work');
});

test('passes a folder to main, which asks whether to open it', async () => {
  await drop('/other', true);
  expect(opened).toEqual(['/other']);
  expect(document.querySelector('[role="dialog"]')).toBeNull();
});

test('opens a sent run in a separate window, also without a workspace', async () => {
  const run = '{\n  "format": "millrace.run/1",\n  "run": {}';
  await drop('/downloads/run-44.json', false, run);
  expect(sent).toEqual(['/downloads/run-44.json']);
  expect(notices()).toEqual([]);
  act(() => window.stores.workspace.setState({ folder: null }));
  await drop('/downloads/run-45.json', false, run);
  expect(sent).toEqual(['/downloads/run-44.json', '/downloads/run-45.json']);
  await drop('/downloads/other.json', false, '{}');
  expect(sent).toHaveLength(2);
  expect(notices()).toEqual([expect.stringContaining('other.json')]);
});

test('shows a hint while files are over the window, and only then', () => {
  const hint = () => document.querySelector('.file-drop');
  expect(send('dragover', { types: ['text/plain'] }).defaultPrevented).toBe(false);
  expect(hint()).toBeNull();
  expect(send('dragover', { types: ['Files'] }).defaultPrevented).toBe(true);
  expect(hint()?.textContent).toContain('Drop to open');
  send('dragleave', { types: ['Files'] });
  // `dragleave` counts only if its target is an element of the page, and an event without a target has none.
  expect(hint()).not.toBeNull();
  const left = Object.assign(new Event('dragleave', { bubbles: true }), { relatedTarget: null });
  act(() => void document.body.dispatchEvent(left));
  expect(hint()).toBeNull();
});

const nothing = { pack: null, imports: [], folder: null, inside: [], open: [], outside: [] };

function files(...paths: string[]) {
  return paths.map((path) => ({ path, isFolder: false }));
}

describe('decideDrop', () => {
  test('opens files of the workspace, including those in folders', () => {
    const items = files('/home/me/work/a.flow.yaml', '/home/me/work/agents/b.aip');
    expect(decideDrop(items, '/home/me/work')).toEqual({ ...nothing, open: ['a.flow.yaml', 'agents/b.aip'] });
  });

  test('reports files outside the workspace, even in a folder with a similar path', () => {
    const items = files('/home/me/work-old/a.md', '/etc/hosts');
    expect(decideDrop(items, '/home/me/work')).toEqual({
      ...nothing,
      outside: ['/home/me/work-old/a.md', '/etc/hosts'],
    });
  });

  test('asks about a pack in any location, unless no workspace is open', () => {
    const items = files('/downloads/Tools@1.AIPACK');
    expect(decideDrop(items, '/work')).toEqual({ ...nothing, pack: '/downloads/Tools@1.AIPACK' });
    expect(decideDrop(items, null)).toEqual({ ...nothing, outside: ['/downloads/Tools@1.AIPACK'] });
  });

  test('imports files of Rivet anywhere, and JSON from outside the workspace', () => {
    const items = files('/downloads/a.json', '/work/b.json', '/work/c.rivet-project', '/downloads/d.flow.yaml');
    expect(decideDrop(items, '/work')).toEqual({
      ...nothing,
      imports: ['/downloads/a.json', '/work/c.rivet-project'],
      open: ['b.json'],
      outside: ['/downloads/d.flow.yaml'],
    });
    // It may be a sent run.
    expect(decideDrop(files('/downloads/a.json'), null)).toEqual({ ...nothing, imports: ['/downloads/a.json'] });
  });

  test('offers a folder as the workspace, except the open one', () => {
    expect(decideDrop([{ path: '/other', isFolder: true }], '/work')).toEqual({ ...nothing, folder: '/other' });
    expect(decideDrop([{ path: '/other', isFolder: true }], null)).toEqual({ ...nothing, folder: '/other' });
    expect(decideDrop([{ path: '/work/', isFolder: true }], '/work')).toEqual({ ...nothing, inside: ['/'] });
  });

  test('compares Windows paths without regard to case', () => {
    const items = files('c:\\Users\\me\\Work\\flows\\a.flow.yaml');
    expect(decideDrop(items, 'C:\\Users\\Me\\work')).toEqual({ ...nothing, open: ['flows/a.flow.yaml'] });
  });
});

describe('on a canvas', () => {
  let asked: CanvasCommand[];
  let sheet: HTMLElement;

  beforeEach(async () => {
    asked = [];
    void window.stores.openFiles.getState().open('a.flow.yaml');
    await window.settle();
    act(
      () =>
        void window.stores.canvases.getState().offer('a.flow.yaml', {
          run: (command) => asked.push(command),
          menuSubject: () => 'empty',
        }),
    );
    sheet = window.draw(<div className="flow-canvas" />).querySelector<HTMLElement>('.flow-canvas')!;
  });

  async function dropOn(target: Element, dataTransfer: unknown): Promise<void> {
    const place = { dataTransfer, clientX: 40, clientY: 50 };
    for (const type of ['dragover', 'drop']) {
      act(() => void target.dispatchEvent(Object.assign(new Event(type, { bubbles: true, cancelable: true }), place)));
    }
    await window.settle();
  }

  /** Returns dropped items for these paths. Those that end with `/` are folders. */
  function files(...paths: string[]): unknown {
    const items = paths.map((path) => ({
      getAsFile: () => new File(['x'], path.replace(/\/$/, '')),
      webkitGetAsEntry: () => ({ isDirectory: path.endsWith('/') }),
    }));
    return { types: ['Files'], items };
  }

  test('turns files of the workspace into nodes where they are dropped, and opens a flow', async () => {
    await dropOn(sheet, files('/work/notes/a.md', '/work/b.flow.yaml', '/work/c.aip'));
    expect(asked).toEqual([{ do: 'add-files', paths: ['notes/a.md', 'c.aip'], at: { x: 40, y: 50 } }]);
    expect(window.stores.openFiles.getState().tabs).toEqual(['a.flow.yaml', 'b.flow.yaml']);
  });

  test('turns a row of the file tree into a node', async () => {
    const row = { types: [draggedPathType], items: [], getData: () => 'notes/a.md' };
    await dropOn(sheet, row);
    expect(asked).toEqual([{ do: 'add-files', paths: ['notes/a.md'], at: { x: 40, y: 50 } }]);
    await dropOn(document.body, row);
    expect(asked).toHaveLength(1);
  });

  test('turns a folder of the workspace into a node on the canvas, and offers it as a workspace elsewhere', async () => {
    await dropOn(sheet, files('/work/notes/', '/work/a.md'));
    expect(asked).toEqual([{ do: 'add-files', paths: ['a.md', 'notes/'], at: { x: 40, y: 50 } }]);
    expect(opened).toEqual([]);
    await dropOn(sheet, files('/other/'));
    await dropOn(document.body, files('/work/notes/'));
    expect(asked).toHaveLength(1);
    expect(opened).toEqual(['/other', '/work/notes']);
  });

  test('opens files that are dropped outside the canvas', async () => {
    await dropOn(document.body, files('/work/notes/a.md'));
    expect(asked).toEqual([]);
    expect(window.stores.openFiles.getState().tabs).toContain('notes/a.md');
  });
});
