/**
 * Files and folders that are dropped on a canvas become the nodes that work on them.
 */
import type { JsonMap, NodePosition } from '../../../engine/isomorphic.ts';
import { type CanvasEditor, mayEdit } from '../state/canvas-editor.ts';
import type { AddTo } from '../state/interaction.ts';
import { loopAt } from './drop-target.ts';
import { addNodes } from './node-edits.ts';

/** An agent file is run, any other is read, and of a folder all that is in it. */
function nodeFor(path: string): { readonly type: string; readonly input: JsonMap } {
  if (path.endsWith('/')) return { type: 'file.read', input: { globs: [`${literal(path).replace(/^\/$/, '')}**/*`] } };
  return path.endsWith('.aip') ? { type: 'agent', input: { agent: path } } : { type: 'file.read', input: { path } };
}

/** A name with signs that mean something in patterns, as a pattern that means the name. */
function literal(path: string): string {
  return path.replace(/[*?[\\]/g, '\\$&');
}

/**
 * Adds a node for each, from a place of the page on, as one step of undo; over a loop they join its body.
 * @param paths relative to the workspace; that of a folder ends with `/`, that of the workspace itself is `/`
 */
export async function addFiles(editor: CanvasEditor, paths: readonly string[], at: NodePosition): Promise<void> {
  if (!mayEdit(editor)) return;
  const place = editor.toFlow(at);
  const loopId = loopAt(editor, place);
  const to: AddTo = loopId === null ? { do: 'nothing' } : { do: 'inside', nodeId: loopId };
  await addNodes(
    editor,
    paths.map((path) => ({ ...nodeFor(path), to, at: place })),
  );
}
