import { expect, test } from 'vitest';
import type { FlowChange } from '../../../engine/isomorphic.ts';
import { nodeTypes } from '../../stores/flow/node-types.ts';
import { checkText } from '../../stores/text/check.ts';
import { projectFlow } from '../projection/flow-projection.ts';
import { withFrames } from '../projection/frames.ts';
import { boxesOf, type CanvasEditor } from '../state/canvas-editor.ts';
import { spliceCard } from './splice-card.ts';

/** Two connected cards, and one that is dropped on their edge at a position. */
function editorWith(gap: number): { editor: CanvasEditor; changes: FlowChange[] } {
  const { doc } = checkText(`flow: { name: x }
nodes:
  - { id: a, type: echo, input: { text: hi } }
  - { id: b, type: echo, input: { text: hi } }
  - { id: c, type: echo, input: { text: hi } }
edges: [{ from: a, to: b }]
`);
  const places = { a: { x: 0, y: 0 }, b: { x: 248 + gap, y: 0 }, c: { x: 0, y: 400 } };
  const positions = new Map(Object.entries(places));
  const free = projectFlow({ doc: doc!, diagnostics: [], catalog: nodeTypes });
  const nodes = free.nodes.map((node) => ({ ...node, position: positions.get(node.id) ?? null }));
  const projection = { ...free, nodes };
  const layout = withFrames(projection.nodes, { positions, routes: new Map() });
  const changes: FlowChange[] = [];
  const change = async (wanted: FlowChange): Promise<boolean> => changes.push(wanted) > 0;
  return { editor: { projection, layout, doc: doc!, change } as unknown as CanvasEditor, changes };
}

function placesAfter({ editor, changes }: ReturnType<typeof editorWith>) {
  const moved = JSON.stringify(changes).match(/"positions":(\{.*?\}\})/)?.[1] ?? '{}';
  const places = JSON.parse(moved) as Record<string, { x: number; y: number }>;
  return boxesOf(editor).map((box) => ({ ...box, ...places[box.id] }));
}

test.each([
  ['in a wide gap', 400, { x: 320, y: 0 }],
  ['on its first card', 400, { x: 100, y: 10 }],
  ['in a gap that is too narrow', 56, { x: 150, y: 0 }],
  ['on its second card', 56, { x: 300, y: 20 }],
])('a card that is dropped on an edge %s does not overlap another card', async (_where, gap, place) => {
  const setting = editorWith(gap);
  await spliceCard(setting.editor, { node: 'c', edge: 'a->b', places: new Map([['c', place]]) });
  const boxes = placesAfter(setting);
  const covered = boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .filter(
        (other) =>
          one.x < other.x + other.width &&
          other.x < one.x + one.width &&
          one.y < other.y + other.height &&
          other.y < one.y + one.height,
      )
      .map((other) => `${one.id} and ${other.id}`),
  );
  expect([setting.changes.length, covered]).toEqual([1, []]);
});
