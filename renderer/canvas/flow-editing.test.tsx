import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { flowText, openCanvas, press, type TestCanvas, write } from './testing/test-canvas.tsx';

let canvas: TestCanvas;

beforeEach(async () => {
  canvas = await openCanvas();
});
afterEach(() => canvas.close());

function placeOf(id: string): string | undefined {
  return canvas.host.querySelector<HTMLElement>(`.react-flow__node[data-id="${id}"]`)?.style.transform;
}

describe('adding', () => {
  test('puts a node after the selected one, valid and connected, and selects it', async () => {
    await canvas.choose({ nodes: ['save'] });
    await canvas.run('edit.addNode');
    await canvas.pick('prompt');
    expect(canvas.newLines(flowText).map((line) => line.trim())).toEqual([
      '- id: prompt',
      'input:',
      'prompt: |-',
      expect.any(String),
      '{{save.text}}',
      '- { from: save, to: prompt }',
    ]);
    expect([...(canvas.chosen()?.nodes ?? [])]).toEqual(['prompt']);
    expect(canvas.window.stores.openFiles.getState().files.get(canvas.path)?.diagnostics).toEqual([]);
    expect(canvas.undoLabel()).toContain('Add');
  });

  test('inserts a node into a selected edge', async () => {
    await canvas.choose({ edges: ['read->ask'] });
    await canvas.run('edit.addNode');
    await canvas.pick('control.noop');
    expect(canvas.text()).toContain('{ from: read, to: noop }');
    expect(canvas.text()).toContain('{ from: noop, to: ask }');
    expect(canvas.text()).not.toContain('{ from: read, to: ask }');
  });

  test('puts the first node of a loop into its body', async () => {
    canvas.close();
    const loop = '  - { id: each, type: control.foreach, input: { items: [1, 2], body: [] } }';
    canvas = await openCanvas(`flow: { name: x }\nnodes:\n${loop}\nedges: []\n`);
    await canvas.choose({ nodes: ['each'] });
    await canvas.run('edit.addNode');
    await canvas.pick('control.noop');
    expect(canvas.text()).toMatch(/body: \[ ?noop ?\]/);
    expect(canvas.text()).not.toContain('from: each');
  });

  test('uses edits that were made a moment before the type is chosen', async () => {
    canvas.close();
    canvas = await openCanvas('flow: { name: x }\nnodes:\n  - { id: words, type: constant, input: { value: one } }\n');
    await canvas.choose({ nodes: ['words'] });
    await canvas.run('edit.addNode');
    const changed = canvas.window.stores.edits.change(canvas.path, {
      do: 'set-node',
      id: 'words',
      path: ['input', 'value'],
      value: ['one', 'two'],
    });
    await canvas.pick('control.foreach');
    expect(await changed).toBe(true);
    expect(canvas.text()).toContain('input: { items: "{{words.value}}", body: [] }');
  });

  test('searches by words and adds the first result with Enter', async () => {
    await canvas.run('edit.addNode');
    const field = canvas.find<HTMLInputElement>('.popup-search');
    await write(field, 'wait');
    await press(canvas, field, 'Enter');
    expect(canvas.text()).toContain('type: control.wait');
    expect(canvas.host.querySelector('.quick-add')).toBeNull();
  });

  test('creates nodes for dropped files: one that runs an agent file, or one that reads any other file', async () => {
    const canvases = canvas.window.stores.canvases.getState();
    const paths = ['notes/a.md', 'titles.aip'];
    act(() => canvases.handles.get(canvas.path)?.run({ do: 'add-files', paths, at: { x: 500, y: 400 } }));
    await canvas.window.settle();
    const { doc, diagnostics } = canvas.window.stores.openFiles.getState().files.get(canvas.path) ?? {};
    expect(doc?.nodes.slice(-2).map(({ type, input }) => [type, input])).toEqual([
      ['file.read', { path: 'notes/a.md' }],
      ['agent', { agent: 'titles.aip' }],
    ]);
    expect(diagnostics).toEqual([]);
  });

  test('adds the first node to a flow without nodes, which shows how', async () => {
    canvas.close();
    canvas = await openCanvas('flow: { name: x }\nnodes: []\nedges: []\n');
    expect(canvas.host.textContent).toContain('Press N or double-click to add the first node');
    await act(async () => canvas.host.querySelector<HTMLElement>('.first-node button')?.click());
    await canvas.pick('constant');
    expect(canvas.text()).toContain('- id: constant');
    expect(canvas.host.querySelector('[data-card="constant"]')).not.toBeNull();
  });
});

describe('dropping several files at once', () => {
  const drop = async (paths: readonly string[]): Promise<void> => {
    const canvases = canvas.window.stores.canvases.getState();
    act(() => canvases.handles.get(canvas.path)?.run({ do: 'add-files', paths, at: { x: 500, y: 400 } }));
    await canvas.window.settle();
  };
  const added = (count: number) =>
    canvas.window.stores.openFiles.getState().files.get(canvas.path)?.doc?.nodes.slice(-count) ?? [];
  const apart = (ids: readonly string[]): boolean => {
    const { nodes = {} } = canvas.window.stores.openFiles.getState().files.get(canvas.path)?.doc?.layout ?? {};
    const places = ids.map((id) => nodes[id]!);
    return places.every((one, index) =>
      places.slice(index + 1).every((other) => Math.abs(one.x - other.x) >= 248 || Math.abs(one.y - other.y) >= 90),
    );
  };

  test('each file gets its own node beside the others, and one undo removes them', async () => {
    const before = canvas.text();
    await drop(['a.md', 'b.md', 'c/d.md', 'titles.aip']);
    expect(added(4).map(({ id, input }) => [id, input])).toEqual([
      ['file_read', { path: 'a.md' }],
      ['file_read_2', { path: 'b.md' }],
      ['file_read_3', { path: 'c/d.md' }],
      ['agent', { agent: 'titles.aip' }],
    ]);
    expect(apart(['file_read', 'file_read_2', 'file_read_3', 'agent'])).toBe(true);
    await canvas.run('edit.undo');
    expect(canvas.text()).toBe(before);
  });

  test('they join the body of a loop beside each other', async () => {
    canvas.close();
    canvas = await openCanvas(`flow: { name: x }
nodes: [{ id: each, type: control.foreach, input: { items: [1], body: [] } }]
edges: []
layout: { nodes: { each: { x: 0, y: 0 } } }
`);
    const canvases = canvas.window.stores.canvases.getState();
    const at = { x: 40, y: 60 };
    act(() => canvases.handles.get(canvas.path)?.run({ do: 'add-files', paths: ['a.md', 'b.md'], at }));
    await canvas.window.settle();
    expect(canvas.text()).toContain('file_read_2');
    expect(apart(['file_read', 'file_read_2'])).toBe(true);
  });

  test('a folder becomes a node that reads its whole content, with any characters in its name', async () => {
    await drop(['notes/', 'old [1]/', '/']);
    expect(added(3).map(({ type, input }) => [type, input])).toEqual([
      ['file.read', { globs: ['notes/**/*'] }],
      ['file.read', { globs: ['old \\[1]/**/*'] }],
      ['file.read', { globs: ['**/*'] }],
    ]);
  });
});

describe('deleting', () => {
  test('removes nodes with their edges, and leaves the rest of the file unchanged', async () => {
    await canvas.choose({ nodes: ['ask'] });
    await canvas.run('edit.delete');
    expect(canvas.text()).not.toContain('ask }');
    expect(canvas.text()).toContain('{ id: read, type: echo, input: { text: hello } } # the start');
    expect(canvas.host.querySelector('[data-card="ask"]')).toBeNull();
  });

  test('connects the remaining nodes on request', async () => {
    await canvas.choose({ nodes: ['ask'] });
    await canvas.run('edit.deleteAndHeal');
    expect(canvas.text()).toContain('{ from: read, to: save }');
  });

  test('removes only edges if only edges are selected', async () => {
    await canvas.choose({ edges: ['ask->save'] });
    await canvas.run('edit.delete');
    expect(canvas.text()).toContain('id: save');
    expect(canvas.text()).not.toContain('to: save');
  });

  test('undo restores the same bytes', async () => {
    await canvas.choose({ nodes: ['read', 'ask'] });
    await canvas.run('edit.delete');
    await canvas.run('edit.undo');
    expect(canvas.text()).toBe(flowText);
  });
});

describe('moving', () => {
  test('a nudge writes the positions of all cards once, then one line per card', async () => {
    await canvas.choose({ nodes: ['ask'] });
    const before = placeOf('save');
    await canvas.run('edit.nudge-down');
    expect(canvas.newLines(flowText)).toHaveLength(5);
    expect(placeOf('save')).toBe(before);
    const first = canvas.text();
    await canvas.choose({ nodes: ['save'] });
    await canvas.run('edit.nudge-far-right');
    expect(canvas.newLines(first)).toHaveLength(1);
  });

  test('aligns the selection', async () => {
    await canvas.choose({ nodes: ['read', 'ask', 'save'] });
    await canvas.run('edit.align-left');
    const places = [...canvas.text().matchAll(/(\w+): \{ x: (-?\d+), y: -?\d+ \}/g)].map(([, id, x]) => [id, x]);
    expect(places).toEqual([
      ['read', '0'],
      ['ask', '0'],
      ['save', '0'],
    ]);
    expect(canvas.undoLabel()).toBe('Move 2 nodes');
  });

  test('resets everything to the automatic layout', async () => {
    await canvas.choose({ nodes: ['ask'] });
    await canvas.run('edit.nudge-down');
    await canvas.choose({});
    await canvas.run('canvas.layout');
    expect(canvas.text()).toBe(flowText);
  });

  test('switches the flow to top-down and back', async () => {
    await canvas.run('canvas.direction');
    expect(canvas.text()).toContain('direction: down');
    await canvas.run('canvas.direction');
    expect(canvas.text()).toBe(flowText);
  });
});

describe('the clipboard', () => {
  test('holds YAML, and pastes it with new ids', async () => {
    await canvas.choose({ nodes: ['read', 'ask'] });
    await canvas.run('edit.copy');
    const copied = await navigator.clipboard.readText();
    expect(copied).toContain('id: ask');
    await canvas.run('edit.paste');
    expect(canvas.text()).toContain('id: read_2');
    expect(canvas.text()).toContain('{ from: read_2, to: ask_2 }');
    expect(canvas.text()).toContain('{{read_2.text}}');
    expect([...(canvas.chosen()?.nodes ?? [])]).toEqual(['read_2', 'ask_2']);
    expect(canvas.undoLabel()).toBe('Paste 2 nodes');
  });

  test('pastes with incoming edges on request', async () => {
    await canvas.choose({ nodes: ['ask'] });
    await canvas.run('edit.copy');
    await canvas.run('edit.pasteLinked');
    expect(canvas.text()).toContain('{ from: read, to: ask_2 }');
  });

  test('rejects other text with a message', async () => {
    await navigator.clipboard.writeText('Dear Ada,');
    await canvas.run('edit.paste');
    expect(canvas.text()).toBe(flowText);
    expect(canvas.window.stores.notices.getState().list.at(-1)?.title).toBe('Nothing to paste');
  });

  test('cuts and duplicates', async () => {
    await canvas.choose({ nodes: ['save'] });
    await canvas.run('edit.duplicate');
    expect(canvas.text()).toContain('id: save_2');
    await canvas.choose({ nodes: ['save'] });
    await canvas.run('edit.cut');
    expect(canvas.text()).not.toContain('id: save,');
  });
});
