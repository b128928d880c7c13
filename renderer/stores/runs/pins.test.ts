import { afterEach, describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import { outputProblems, type PinnedOutputs } from './pins.ts';

const path = 'a.flow.yaml';
const text = `flow: { name: F }
nodes:
  - { id: get, type: http.request, input: { url: "http://localhost" } }
  - { id: say, type: echo, input: { text: "{{get.status}}" } }
  - { id: each, type: control.foreach, input: { items: [1], body: [one] } }
  - { id: one, type: echo, input: { text: x } }
edges: []
`;

let window: TestWindow;
let kept: Map<string, PinnedOutputs>;
afterEach(() => window.close());

async function openWindow(before: Map<string, PinnedOutputs> = new Map()) {
  kept = before;
  window = openTestWindow(
    { readFlow: () => ({ text }), listRuns: () => [] },
    {
      'pins.read': (asked) => ({ pins: kept.get(asked.path) ?? {} }),
      'pins.write': (asked) => void kept.set(asked.path, asked.pins),
    },
  );
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  await window.settle();
}

const pins = () => window.stores.pins.getState();
const pinned = () => pins().files.get(path) ?? {};
const file = () => {
  const open = window.stores.openFiles.getState().files.get(path);
  if (open === undefined) throw new Error('The file is not open');
  return open;
};

async function replace(from: string, to: string): Promise<void> {
  window.stores.edits.replace(path, file().text.replaceAll(from, to), 'Edit');
  await window.until(() => expect(file().doc?.nodes.some(({ id }) => file().text.includes(`id: ${id},`))).toBe(true));
  await window.stores.openFiles.getState().checked(path);
  await window.settle();
}

describe('BB-47 pins', () => {
  test('are stored with the state of the window, survive its end, and are never written to the file', async () => {
    await openWindow();
    expect(pins().pin(path, 'get', { status: 200 })).toBeNull();
    await window.settle();
    expect(kept.get(path)).toEqual({ get: { status: 200 } });
    expect([file().text, file().isDirty]).toEqual([text, false]);
    window.close();
    await openWindow(kept);
    expect(pinned()).toEqual({ get: { status: 200 } });
    pins().unpin(path, 'get');
    await window.settle();
    expect([pinned(), kept.get(path)]).toEqual([{}, {}]);
  });

  test('follow a node that is renamed in any way, and back', async () => {
    await openWindow();
    pins().pin(path, 'get', { status: 200 });
    await replace('get', 'fetch');
    expect([pinned(), kept.get(path)]).toEqual([{ fetch: { status: 200 } }, { fetch: { status: 200 } }]);
    await window.stores.edits.change(path, { do: 'rename', id: 'fetch', to: 'load' } as never);
    await window.settle();
    window.stores.edits.undo(path);
    await window.until(() => expect(Object.keys(pinned())).toEqual(['fetch']));
  });

  test('of a deleted node are kept but not used, and apply again when the node returns', async () => {
    await openWindow();
    pins().pin(path, 'say', { text: 'x' });
    const line = '  - { id: say, type: echo, input: { text: "{{get.status}}" } }\n';
    await replace(line, '');
    expect([pinned(), pins().forRun(file())]).toEqual([{ say: { text: 'x' } }, {}]);
    expect(window.stores.notices.getState().list.map(({ title }) => title)).toEqual([
      'The pinned node say no longer exists',
    ]);
    await replace('  - { id: each', `${line}  - { id: each`);
    expect(pins().forRun(file())).toEqual({ say: { text: 'x' } });
  });

  test('of nodes in loops, and of the node that a run targets, are not used', async () => {
    await openWindow();
    pins().pin(path, 'one', { text: 'x' });
    pins().pin(path, 'get', { status: 1 });
    expect(pins().forRun(file())).toEqual({ get: { status: 1 } });
    expect(pins().forRun(file(), { only: 'get' })).toEqual({});
    expect(pins().forRun(file(), { to: 'get' })).toEqual({});
    expect(pins().forRun(file(), { to: 'say' })).toEqual({ get: { status: 1 } });
  });

  test.each<[string, JsonValue]>([
    ['50 MB in one text', 'x'.repeat(50_000_000)],
    ['50 MB in many parts', Array.from({ length: 700_000 }, () => ({ some: 'x'.repeat(20), number: 123456789 }))],
  ])('of %s are refused with what would help', async (_, output) => {
    await openWindow();
    expect(pins().pin(path, 'get', output)).toMatch(/At most 16 MiB .*--pin/);
    expect([pinned(), kept.size]).toEqual([{}, 0]);
  });

  test('move along with a renamed file', async () => {
    await openWindow();
    pins().pin(path, 'get', { status: 200 });
    window.tellFromMain('draft.moved', { from: path, to: 'b.flow.yaml' });
    await window.settle();
    expect([...pins().files.keys()]).toEqual(['b.flow.yaml']);
    expect([kept.get(path), kept.get('b.flow.yaml')]).toEqual([{}, { get: { status: 200 } }]);
  });

  test('report the position at which they do not match the type', async () => {
    await openWindow();
    expect(outputProblems(file(), 'say', { text: 'x' })).toEqual([]);
    expect(outputProblems(file(), 'get', { status: 'ok' }).join(' ')).toContain('status must be');
    expect(outputProblems(file(), 'nobody', 1)).toEqual([]);
  });

  test('that are invalid prevent a run from starting, with a link to fix them', async () => {
    await openWindow();
    pins().pin(path, 'get', { status: 'ok' });
    await window.stores.runs.start(path, {});
    expect(window.engine.calls).not.toContain('startRun');
    expect(window.stores.notices.getState().list).toMatchObject([
      { title: 'A pinned output is not valid', detail: expect.stringMatching(/get .*status.* unpin/s) },
    ]);
  });
});
