/**
 * Files that are dropped on a canvas become the nodes that work on them.
 */
import type { JsonMap, NodePosition } from '../../../engine/isomorphic.ts';
import { type CanvasEditor, mayEdit } from '../state/canvas-editor.ts';
import type { AddTo } from '../state/interaction.ts';
import { loopAt } from './drop-target.ts';
import { addNode } from './node-edits.ts';

/** Between the nodes of several files, in the flow. */
const step = { x: 24, y: 120 };

/** An agent file is run, any other is read. */
function nodeFor(path: string): { readonly type: string; readonly input: JsonMap } {
  return path.endsWith('.aip') ? { type: 'agent', input: { agent: path } } : { type: 'file.read', input: { path } };
}

/**
 * Adds a node for each file, from a place of the page on; over a loop they join its body.
 * @param paths relative to the workspace
 */
export async function addFiles(editor: CanvasEditor, paths: readonly string[], at: NodePosition): Promise<void> {
  if (!mayEdit(editor)) return;
  const first = editor.toFlow(at);
  const loopId = loopAt(editor, first);
  const to: AddTo = loopId === null ? { do: 'nothing' } : { do: 'inside', nodeId: loopId };
  for (const [index, path] of paths.entries()) {
    const place = { x: first.x + index * step.x, y: first.y + index * step.y };
    await addNode(editor, { ...nodeFor(path), to, at: place });
  }
}
