import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EngineError } from '../../../engine/isomorphic.ts';
import { ImportView } from '../../review/import-view.tsx';
import type { ImportedFlow, ImportLine } from '../../stores/workspace/imports.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { FileDrop } from './file-drop.tsx';
import { ImportDialog } from './import-dialog.tsx';

const placeholder: ImportLine = {
  ...{ name: 'Post it', type: 'n8n-nodes-base.slack', status: 'placeholder', became: 'control.noop', id: 'post_it' },
  lost: ['There is no corresponding node type.'],
};
const mapped: ImportLine = {
  ...{ name: 'Say', type: 'n8n-nodes-base.set', status: 'mapped', became: 'constant', id: 'say', lost: [] },
};

function flowNamed(name: string, ending = ''): ImportedFlow {
  const original = JSON.stringify({ type: 'slack', text: 'x'.repeat(5_000) });
  const text = `flow: { name: ${name} }
nodes:
  - { id: say, type: constant, input: { value: hi } }
  - { id: post_it, type: control.noop, disabled: true, input: {}, x-n8n: ${original} }
edges: []
`;
  return { name, file: `${name}${ending}.flow.yaml`, text, lines: [mapped, placeholder], remarks: [] };
}

let window: TestWindow;
let asked: { name: string; text: string }[];
let result: (name: string) => readonly ImportedFlow[];

beforeEach(() => {
  localStorage.clear();
  asked = [];
  result = (name) => [flowNamed(name)];
  vi.stubGlobal('bridge', { pathOfFile: ({ name }: File) => `/downloads/${name}` });
  window = openTestWindow(
    {
      readNotices: () => [],
      readFlow: (path) => {
        throw new EngineError({ code: 'files.not-found', message: `There is no file ${path}.` });
      },
      listFlows: () => [],
      listFolder: () => ({
        entries: [{ name: 'Old.flow.yaml', path: 'Old.flow.yaml', kind: 'file', change: null }],
        isCut: false,
      }),
      importFlows: (source) => {
        asked.push(source);
        return result(source.name);
      },
    },
    { 'draft.unsaved': () => ({ files: [{ path: 'kept.flow.yaml', at: 1 }] }) },
  );
  window.engine.connect();
  const info = { version: '', workspace: '/work', theme: 'system' as const, recentWorkspaces: [] };
  window.stores.workspace.getState().setInfo(info);
  window.draw(
    <>
      <FileDrop />
      <ImportDialog />
    </>,
  );
});

afterEach(() => {
  window.close();
  vi.unstubAllGlobals();
  localStorage.clear();
});

async function drop(...files: readonly File[]): Promise<void> {
  const items = files.map((file) => ({ getAsFile: () => file, webkitGetAsEntry: () => ({ isDirectory: false }) }));
  const event = Object.assign(new Event('drop', { bubbles: true, cancelable: true }), {
    dataTransfer: { types: ['Files'], items },
  });
  act(() => void document.body.dispatchEvent(event));
  await window.settle();
}

const tabs = () => window.stores.openFiles.getState().tabs;
const fileAt = (path: string) => window.stores.openFiles.getState().files.get(path);

test('a dropped file becomes an unsaved flow with its report in the dock', async () => {
  await drop(new File(['{ "nodes": [] }'], 'My Orders.json'));
  await window.until(() => expect(tabs()).toEqual(['my-orders.flow.yaml']));
  expect(asked).toEqual([{ name: 'my-orders', text: '{ "nodes": [] }' }]);
  await window.until(() => expect(fileAt('my-orders.flow.yaml')?.doc?.flow.name).toBe('my-orders'));
  expect(fileAt('my-orders.flow.yaml')).toMatchObject({ isDirty: true, isMissing: true });
  expect(window.stores.panes.getState()).toMatchObject({ dockTab: 'import', isOpen: { dock: true } });
  expect(window.engine.calls).not.toContain('writeFile');
});

test('names of files, open tabs and unsaved texts are not used again', async () => {
  await drop(new File(['{}'], 'old.json'), new File(['{}'], 'kept.json'), new File(['{}'], 'kept.json'));
  await window.until(() => expect(tabs()).toEqual(['old-2.flow.yaml', 'kept-2.flow.yaml', 'kept-3.flow.yaml']));
});

test('several flows are listed, and the chosen ones are opened', async () => {
  result = (name) => [flowNamed(name), flowNamed(name, '-draft'), flowNamed(name, '-reply')];
  await drop(new File(['{}'], 'desk.rivet-project'));
  const dialog = () => document.querySelector('[role="dialog"]');
  await window.until(() => expect(dialog()?.textContent).toContain('desk.rivet-project contains 3 flows.'));
  expect(tabs()).toEqual([]);
  const boxes = [...(dialog()?.querySelectorAll<HTMLInputElement>('input[type="checkbox"]') ?? [])];
  expect(boxes.map(({ checked }) => checked)).toEqual([true, true, true]);
  act(() => boxes[1]?.click());
  const open = dialog()?.querySelector<HTMLButtonElement>('button[type="submit"]');
  expect(open?.textContent).toBe('Open 2 flows');
  act(() => open?.click());
  await window.until(() => expect(tabs()).toEqual(['desk.flow.yaml', 'desk-reply.flow.yaml']));
  expect(window.stores.openFiles.getState().activePath).toBe('desk.flow.yaml');
  expect(dialog()).toBeNull();
});

test('a file without a flow of another program is refused with the reason', async () => {
  result = () => {
    throw new EngineError({ code: 'import.unknown-format', message: 'The file is not an n8n workflow.' });
  };
  await drop(new File(['{ "name": "some-package" }'], 'package.json'));
  await window.until(() =>
    expect(window.stores.notices.getState().list).toContainEqual(
      expect.objectContaining({ title: "Couldn't import package.json", detail: 'The file is not an n8n workflow.' }),
    ),
  );
  expect(tabs()).toEqual([]);
});

test('the report lists placeholders first, selects their nodes, and suggests to rebuild them', async () => {
  await drop(new File(['{}'], 'a.json'));
  await window.until(() => expect(fileAt('a.flow.yaml')?.doc).not.toBeNull());
  const path = 'a.flow.yaml';
  const view = window.draw(<ImportView path={path} />);
  expect(view.querySelector('.import-summary')?.textContent).toBe('From a.json: 1 mapped, 0 partly, 1 placeholder');
  expect([...view.querySelectorAll('.import-name')].map(({ textContent }) => textContent)).toEqual(['Post it', 'Say']);
  act(() => view.querySelector<HTMLButtonElement>('.import-node')?.click());
  expect(window.stores.selection.getState().views.get(path)?.nodeId).toBe('post_it');
  act(() => view.querySelector<HTMLButtonElement>('[aria-label="Ask Millrace to rebuild this node"]')?.click());
  const { unsent } = window.stores.assistant.getState().talkOf(path);
  expect(unsent).toMatch(
    /^Replace the placeholder `post_it` by nodes .*:\n {2}- \{ id: post_it, .*x-n8n: \{"type":"slack"/,
  );
  expect(unsent.length).toBeLessThan(2_200);
  expect(window.stores.assistant.getState().isOpen).toBe(true);
});

test('a report follows its renamed file', async () => {
  await drop(new File(['{}'], 'a.json'));
  await window.until(() => expect(tabs()).toEqual(['a.flow.yaml']));
  window.stores.imports.getState().rename('a.flow.yaml', 'b.flow.yaml');
  expect([...window.stores.imports.getState().reports.keys()]).toEqual(['b.flow.yaml']);
});
