/**
 * The baseline of the canvas benchmark: React Flow as its documentation shows it, with default nodes and edges, on the
 * same graph and with the same culling and gestures as Millrace.
 */
import { ReactFlow } from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { createRoot } from 'react-dom/client';
import { gridEdges, gridNodes, middleOfGrid } from '../../graphs.ts';

const asked = new URLSearchParams(location.search);
const count = Number(asked.get('nodes'));
const isFitted = asked.get('view') === 'fit';
const { from, to, ids: middle } = middleOfGrid(count);
const selected = asked.get('select') === 'middle' ? middle : new Set<string>();
const nodes = gridNodes(count).map(({ id, x, y }) => ({
  id,
  position: { x, y },
  width: 248,
  height: 66,
  selected: selected.has(id),
  data: { label: `card ${id}` },
}));
const edges = gridEdges(count).map(({ from, to }) => ({ id: `${from}->${to}`, source: from, target: to }));

const root = document.getElementById('root');
if (root === null) throw new Error('No root');
createRoot(root).render(
  <ReactFlow
    defaultNodes={nodes}
    defaultEdges={edges}
    minZoom={0.05}
    fitView={isFitted}
    defaultViewport={{ x: (innerWidth - from.x - to.x) / 2, y: (innerHeight - from.y - to.y) / 2, zoom: 1 }}
    onlyRenderVisibleElements
    panOnScroll
  />,
);
