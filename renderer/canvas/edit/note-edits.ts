/**
 * Edits of notes and groups, which are stored in the `layout` of a file.
 */
import { type FlowChange, freeId, type JsonValue, type LayoutColor, type NoteDoc } from '../../../engine/isomorphic.ts';
import type { CardRect } from '../geometry/rect.ts';
import { outerRect } from '../projection/frames.ts';
import { type CanvasEditor, centreOf } from '../state/canvas-editor.ts';
import { text } from '../text.ts';
import { freePlace } from './add-change.ts';

export const noteSize = { width: 240, height: 144, leastWidth: 120, leastHeight: 64 } as const;

/** Adds an empty note at the pointer, or else in the center, and starts editing it. */
export async function addNote(editor: CanvasEditor): Promise<void> {
  const { x, y } = editor.pointer === null ? centreOf(editor) : editor.toFlow(editor.pointer);
  const { width, height } = noteSize;
  const id = freeId('note', Object.keys(editor.doc.layout?.notes ?? {}));
  const wish = { x: Math.round(x - width / 2), y: Math.round(y - height / 2) };
  const place = freePlace(wish, { boxes: obstaclesOf(editor), direction: 'right', width, height });
  const value = { ...place, width, height, text: '' };
  const label = text.undo.addNote;
  editor.interaction.setState({ hidesNotes: false, freshNote: { id, note: value }, editedNote: id });
  const isDone = await editor.change({ do: 'all', changes: [{ do: 'set-layout', path: ['notes', id], value }], label });
  editor.interaction.setState({ freshNote: null });
  if (isDone) editor.stores.selection.getState().choose(editor.path, { notes: [id] }, null);
}

/** Returns the areas that a new note may not cover: cards, whole loops, and other notes. */
function obstaclesOf({ projection, layout, doc }: CanvasEditor): CardRect[] {
  const cards = projection.nodes.map((node) => ({ id: node.id, ...outerRect(node, layout) }));
  const notes = Object.entries(doc.layout?.notes ?? {}).map(([id, { x, y, width, height }]) => ({
    id,
    x,
    y,
    width,
    height,
  }));
  return [...cards, ...notes];
}

/** Sets one property of a note. */
export function setNote<Key extends keyof NoteDoc>(
  editor: CanvasEditor,
  id: string,
  key: Key,
  value: NoteDoc[Key] & JsonValue,
): Promise<boolean> {
  const changes: FlowChange[] = [{ do: 'set-layout', path: ['notes', id, key], value }];
  return editor.change({ do: 'all', changes, label: key === 'text' ? text.undo.editNote : text.undo.changeNote });
}

export function resizeNote(
  editor: CanvasEditor,
  id: string,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<boolean> {
  const changes: FlowChange[] = [
    { do: 'set-layout', path: ['notes', id, 'width'], value: Math.round(width) },
    { do: 'set-layout', path: ['notes', id, 'height'], value: Math.round(height) },
  ];
  return editor.change({ do: 'all', changes, label: text.undo.resizeNote });
}

/** Sets the color of the selected notes and groups. */
export function colourChosen(editor: CanvasEditor, color: LayoutColor): Promise<boolean> {
  const { notes, groups } = editor.selection.chosen;
  const changes: FlowChange[] = [
    ...[...notes].map((id): FlowChange => ({ do: 'set-layout', path: ['notes', id, 'color'], value: color })),
    ...[...groups].map((id): FlowChange => ({ do: 'set-layout', path: ['groups', id, 'color'], value: color })),
  ];
  return editor.change({ do: 'all', changes, label: text.undo.color({ color: text.colors[color] }) });
}

/** Groups the selected cards and starts editing the group's name. The cards leave their previous groups. */
export async function groupChosen(editor: CanvasEditor): Promise<void> {
  const { ids } = editor.selection;
  if (ids.size === 0) return;
  const groups = editor.doc.layout?.groups ?? {};
  const id = freeId('group', Object.keys(groups));
  const leave = Object.entries(groups).flatMap(([other, { nodes }]): FlowChange[] => {
    const rest = nodes.filter((node) => !ids.has(node));
    if (rest.length === nodes.length) return [];
    if (rest.length === 0) return [{ do: 'set-layout', path: ['groups', other], value: undefined }];
    return [{ do: 'set-layout', path: ['groups', other, 'nodes'], value: rest }];
  });
  const inOrder = editor.doc.nodes.flatMap((node) => (ids.has(node.id) ? [node.id] : []));
  const value = { title: text.groups.initialTitle, nodes: inOrder };
  const changes: FlowChange[] = [...leave, { do: 'set-layout', path: ['groups', id], value }];
  const { interaction, stores, path } = editor;
  const renaming = { what: 'group', id, fresh: value } as const;
  interaction.setState({ renaming });
  const isDone = await editor.change({ do: 'all', changes, label: text.undo.group });
  // The user may have finished naming it already.
  if (interaction.getState().renaming === renaming)
    interaction.setState({ renaming: isDone ? { what: 'group', id } : null });
  if (isDone) stores.selection.getState().choose(path, { groups: [id] }, null);
}

/** Removes the selected groups and those around selected cards. */
export async function ungroupChosen(editor: CanvasEditor): Promise<void> {
  const { groups, nodes } = editor.selection.chosen;
  const gone = Object.entries(editor.doc.layout?.groups ?? {})
    .filter(([id, group]) => groups.has(id) || group.nodes.some((node) => nodes.has(node)))
    .map(([id]) => id);
  if (gone.length === 0) return;
  const changes = gone.map((id): FlowChange => ({ do: 'set-layout', path: ['groups', id], value: undefined }));
  await editor.change({ do: 'all', changes, label: text.undo.ungroup });
}

/** Folds the selected groups, those of selected cards, or all. The folded state is not stored in the file. */
export function toggleCollapsed({ doc, selection, interaction }: CanvasEditor, isAll: boolean): void {
  const { groups, nodes } = selection.chosen;
  const concerned = Object.entries(doc.layout?.groups ?? {})
    .filter(([id, group]) => isAll || groups.has(id) || group.nodes.some((node) => nodes.has(node)))
    .map(([id]) => id);
  const collapsed = new Set(interaction.getState().collapsed);
  const isFolding = concerned.some((id) => !collapsed.has(id));
  for (const id of concerned) {
    if (isFolding) collapsed.add(id);
    else collapsed.delete(id);
  }
  interaction.setState({ collapsed });
}
