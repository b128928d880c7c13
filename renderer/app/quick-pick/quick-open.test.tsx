import { act } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EngineResult } from '../../bridge/engine-client.ts';
import { nodeComplete, nodeStart } from '../../bridge/testing/run-events.ts';
import { typeInto } from '../../ui/testing/type-into.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { QuickOpen } from './quick-open.tsx';

const texts: Readonly<Record<string, string>> = {
  'a.flow.yaml': `flow: { name: One }
nodes:
  - { id: ask, type: prompt, input: { prompt: hi }, config: { model: "scripted::talk.yaml" } }
  - { id: words, type: echo, input: { text: hi } }
edges: []
`,
  'b.flow.yaml': 'flow: { name: Two }\nnodes:\n  - { id: other_end, type: echo, input: { text: hi } }\nedges: []\n',
};

function nightly(number: number): EngineResult<'listRuns'>[number] {
  return {
    ...{ runId: `r${number}`, number, kind: 'flow', name: 'Nightly', sourcePath: 'b.flow.yaml' },
    ...{ definitionHash: 'h', status: 'failed', startedAt: 0, failedNodes: [] },
  };
}

let runCount: number;
let window: TestWindow;
let openedRuns: string[];

beforeEach(async () => {
  [openedRuns, runCount] = [[], 1];
  window = openTestWindow(
    {
      readFlow: (path) => ({ text: texts[path] ?? '' }),
      findFiles: () => ({ paths: ['notes/one.md'], isCut: false }),
      listPacks: () => [],
      listModels: () => ({ defaultModel: null, scripted: ['scripted::talk.yaml'], used: ['a::dear'], priced: [] }),
      checkModels: () => [],
      readModelSettings: () => ({ file: '', providers: [], defaultModel: null, aliases: {} }),
      readTrust: () => ({ isTrusted: true }),
      listRuns: ({ find, limit }) => {
        if (find === undefined)
          return Array.from({ length: Math.min(runCount, limit) }, (_, index) => nightly(7 + index));
        return find.number === 3 ? [nightly(3)] : [];
      },
      readEvents: (runId) => {
        openedRuns.push(runId);
        return [];
      },
    },
    { 'vault.list': () => ({ variables: [], problem: null }) },
  );
  window.engine.connect();
  for (const path of ['b.flow.yaml', 'a.flow.yaml']) void window.stores.openFiles.getState().open(path);
  await window.settle();
  window.draw(<QuickOpen />);
});
afterEach(() => window.close());

async function search(query: string): Promise<HTMLElement[]> {
  act(() => window.context.dialogs.getState().show('go'));
  await window.settle();
  const field = document.querySelector<HTMLInputElement>('.popup-search')!;
  act(() => {
    typeInto(field, query);
  });
  await window.settle();
  return [...document.querySelectorAll<HTMLElement>('.go-item')];
}

async function choose(query: string): Promise<void> {
  const [first] = await search(query);
  act(() => first?.click());
  await window.settle();
}

test('finds a node of any open flow and activates its flow', async () => {
  expect((await search('other_end'))[0]?.textContent).toContain('echo · b.flow.yaml');
  await choose('other_end');
  expect(window.stores.openFiles.getState().activePath).toBe('b.flow.yaml');
  expect(window.stores.selection.getState().views.get('b.flow.yaml')?.nodeId).toBe('other_end');
});

test('finds a model and shows the nodes that use it', async () => {
  expect((await search('talk.yaml'))[0]?.textContent).toContain('used by 1 node');
  await choose('talk.yaml');
  expect([...(window.stores.selection.getState().views.get('a.flow.yaml')?.chosen.nodes ?? [])]).toEqual(['ask']);
});

test('assigns a model to the selected node if that node uses one', async () => {
  act(() => window.stores.selection.getState().selectNode('a.flow.yaml', 'ask'));
  expect((await search('a::dear'))[0]?.textContent).toContain('use for ask');
  await choose('a::dear');
  expect(window.stores.openFiles.getState().files.get('a.flow.yaml')?.doc?.nodes[0]?.config).toEqual({
    model: 'a::dear',
  });
});

test('opens the settings for a model that no node uses', async () => {
  await choose('a::dear');
  expect(window.stores.preferences.getState().tab).toBe('models');
});

test('finds a run by the name of its flow and opens it', async () => {
  const [first] = await search('nightly');
  expect(first?.textContent).toContain('Nightly, run 7');
  expect(first?.textContent).toContain('failed');
  await choose('nightly');
  expect(window.stores.openFiles.getState().activePath).toBe('b.flow.yaml');
  expect(openedRuns).toContain('r7');
});

test('finds a run that is not in the list by its number, after a pause in typing', async () => {
  runCount = 300;
  await search('nightly 3');
  await window.until(() =>
    expect(document.querySelector('.go-list')?.textContent ?? '').toMatch(/Nightly, run 3(?!\d)/),
  );
  const [found] = [...document.querySelectorAll<HTMLElement>('.go-item')].filter(({ textContent }) =>
    /run 3(?!\d)/.test(textContent),
  );
  act(() => found?.click());
  await window.settle();
  expect(openedRuns).toContain('r3');
});

test('finds the views of a run by what they show', async () => {
  const loop = nodeStart('each', 'control.foreach');
  await window.tellRun('a.flow.yaml', loop, nodeStart('each[0].words'), nodeComplete('each[0].words'));
  const titles = async (query: string) => (await search(query)).map(({ textContent }) => textContent).join('\n');
  expect(await titles('log')).toContain('Show the log');
  expect(await titles('timeline')).toContain('Show the timeline');
  expect(await titles('table')).toContain('Show the outputs of the run');
  expect(await titles('item')).toContain('Go to the items of the loop');
  await choose('Show the log');
  expect(window.stores.panes.getState()).toMatchObject({ dockTab: 'log', isOpen: { dock: true } });
  await choose('items of the loop');
  expect(window.stores.selection.getState().views.get('a.flow.yaml')?.nodeId).toBe('words');
});
