import { afterEach, expect, test, vi } from 'vitest';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import { FlowCanvas } from '../flow-canvas.tsx';

const path = 'flows/demo.flow.yaml';
const text = `flow: { name: "Tom & me" }
nodes:
  - { id: read, name: "a < b", type: echo, input: { text: hello } }
  - { id: ask, type: echo, input: { text: "{{read.text}}" } }
edges:
  - { from: read, to: ask }
layout:
  nodes: { read: { x: 0, y: 0 }, ask: { x: 400, y: 0 } }
  notes: { why: { x: 0, y: 1000, width: 200, height: 100, text: Because } }
`;

let window: TestWindow;
let saved: { suggestedName: string; format: string; text: string }[];
afterEach(() => {
  window.close();
  vi.restoreAllMocks();
});

async function openCanvas(
  save: () => { path: string | null },
  more: Record<string, () => unknown> = {},
): Promise<void> {
  saved = [];
  window = openTestWindow(
    {
      readNotices: () => [],
      listFlows: () => [{ path, change: null }],
      readFlow: () => ({ text }),
      ...more,
    },
    {
      'image.save': ({ data, ...rest }) => {
        saved.push({ ...rest, text: new TextDecoder().decode(data) });
        return save();
      },
    },
  );
  // Text cannot be measured in the test environment.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    measureText: (some: string) => ({ width: some.length * 6 }),
  } as unknown as null);
  window.engine.connect();
  await window.settle();
  window.draw(<FlowCanvas path={path} />);
  await window.settle();
}

async function savePicture(): Promise<string[]> {
  const { handles } = window.stores.canvases.getState();
  handles.get(path)?.run({ do: 'save-picture', format: 'svg' });
  // Waits for the export code to load.
  await window.until(() => {
    expect(saved).toHaveLength(1);
  });
  await window.settle();
  const notices = window.stores.notices.getState().list.filter(({ title }) => /\bpicture\b/.test(title));
  return notices.map(({ title, detail }) => `${title}: ${detail}`);
}

test('saves the whole flow as one SVG, and shows where', async () => {
  await openCanvas(() => ({ path: '/pictures/demo.svg' }));
  expect(await savePicture()).toEqual(['The picture was saved: /pictures/demo.svg']);
  const [{ suggestedName, format, text: svg } = { suggestedName: '', format: '', text: '' }] = saved;
  expect([suggestedName, format]).toEqual(['demo.svg', 'svg']);
  const drawn = new DOMParser().parseFromString(svg, 'application/xml');
  expect(drawn.querySelector('title')?.textContent).toBe('Tom & me');
  const words = [...drawn.querySelectorAll('text')].map(({ textContent }) => textContent);
  expect(words).toEqual(expect.arrayContaining(['a < b', 'ask', 'echo', 'Because']));
  // The picture contains everything: the second card on the right, and the note far below.
  const [left = 0, top = 0, width = 0, height = 0] =
    drawn.documentElement.getAttribute('viewBox')?.split(' ').map(Number) ?? [];
  expect([left, top]).toEqual([-32, -32]);
  expect(left + width).toBeGreaterThan(400 + 248);
  expect(top + height).toBe(1100 + 32);
});

test('shows triggers with their states and their lines to the start', async () => {
  const daily = { id: 'daily', schedule: { cron: '0 9 * * *' } };
  const triggers =
    '\n  triggers:\n    - { id: daily, schedule: { cron: "0 9 * * *" } }\n    - { id: mail, files: { glob: "in/*.eml" } }';
  const flow = text.replace('flow: { name: "Tom & me" }', `flow:\n  name: "Tom & me"${triggers}`);
  const entry = { flow: path, trigger: 'daily', doc: daily, hash: 'a', state: 'on', dueAt: 0 };
  await openCanvas(() => ({ path: null }), { readFlow: () => ({ text: flow }), listTriggers: () => [entry] });
  await savePicture();
  const drawn = new DOMParser().parseFromString(saved[0]?.text ?? '', 'application/xml');
  expect(drawn.querySelector('parsererror')).toBeNull();
  const words = [...drawn.querySelectorAll('text')].map(({ textContent }) => textContent);
  expect(words).toEqual(expect.arrayContaining(['daily', 'mail', 'in/*.eml', 'not saved yet']));
  expect(words.join(' ')).toContain('09:00, UTC');
  // Only the trigger that is off has a dashed line.
  expect(drawn.querySelectorAll('path[opacity="0.5"]')).toHaveLength(1);
  const [left = 0] = drawn.documentElement.getAttribute('viewBox')?.split(' ').map(Number) ?? [];
  expect(left).toBe(-32 - 208 - 72);
});

test('shows nothing if the user closed the dialog, and shows why saving failed', async () => {
  await openCanvas(() => ({ path: null }));
  expect(await savePicture()).toEqual([]);
  window.close();
  await openCanvas(() => {
    throw new Error('The disk is full.');
  });
  expect(await savePicture()).toEqual([expect.stringContaining("Couldn't save the picture")]);
});
