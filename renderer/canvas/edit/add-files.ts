/**
 * Turns files and folders that are dropped on a canvas into nodes that use them.
 */
import type { JsonMap, NodePosition } from '../../../engine/isomorphic.ts';
import { type CanvasEditor, mayEdit } from '../state/canvas-editor.ts';
import type { AddTo } from '../state/interaction.ts';
import { loopAt } from './drop-target.ts';
import { addNodes } from './node-edits.ts';

/** Creates a node that runs an agent file, reads any other file, or reads all files in a folder. */
function nodeFor(path: string): { readonly type: string; readonly input: JsonMap } {
  if (path.endsWith('/')) return { type: 'file.read', input: { globs: [`${literal(path).replace(/^\/$/, '')}**/*`] } };
  return path.endsWith('.aip') ? { type: 'agent', input: { agent: path } } : { type: 'file.read', input: { path } };
}

/** Escapes special characters in a path so that it matches literally as a pattern. */
function literal(path: string): string {
  return path.replace(/[*?[\\]/g, '\\$&');
}

/**
 * Adds a node for each path, starting at a position on the page, as a single undo step. Over a loop, they join its
 * body.
 * @param paths relative to the workspace; a folder ends with `/`, and the workspace itself is `/`
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
