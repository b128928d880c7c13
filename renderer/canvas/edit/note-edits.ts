/**
 * What is done to notes and groups, which a file keeps in its `layout`.
 */
import { type FlowChange, freeId, type JsonValue, type LayoutColor, type NoteDoc } from '../../../engine/isomorphic.ts';
import { type CanvasEditor, centreOf } from '../state/canvas-editor.ts';

export const noteSize = { width: 240, height: 144, leastWidth: 120, leastHeight: 64 } as const;

/** Puts an empty note where the pointer is, else into the middle, and begins to write on it. */
export async function addNote(desk: CanvasEditor): Promise<void> {
  const { x, y } = desk.pointer === null ? centreOf(desk) : desk.toFlow(desk.pointer);
  const { width, height } = noteSize;
  const id = freeId('note', Object.keys(desk.doc.layout?.notes ?? {}));
  const value = { x: Math.round(x - width / 2), y: Math.round(y - height / 2), width, height, text: '' };
  const label = 'Add a note';
  desk.moment.setState({ hidesNotes: false, freshNote: [id, value], editedNote: id });
  const isDone = await desk.change({ do: 'all', changes: [{ do: 'set-layout', path: ['notes', id], value }], label });
  desk.moment.setState({ freshNote: null });
  if (isDone) desk.stores.selection.getState().choose(desk.path, { notes: [id] }, null);
}

/** Sets one value of a note. */
export function setNote<Key extends keyof NoteDoc>(
  desk: CanvasEditor,
  [id, key]: readonly [id: string, key: Key],
  value: NoteDoc[Key] & JsonValue,
): Promise<boolean> {
  const changes: FlowChange[] = [{ do: 'set-layout', path: ['notes', id, key], value }];
  return desk.change({ do: 'all', changes, label: key === 'text' ? 'Write on a note' : 'Change a note' });
}

export function resizeNote(
  desk: CanvasEditor,
  id: string,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<boolean> {
  const changes: FlowChange[] = [
    { do: 'set-layout', path: ['notes', id, 'width'], value: Math.round(width) },
    { do: 'set-layout', path: ['notes', id, 'height'], value: Math.round(height) },
  ];
  return desk.change({ do: 'all', changes, label: 'Resize a note' });
}

/** Colours notes and groups that are selected. */
export function colourChosen(desk: CanvasEditor, color: LayoutColor): Promise<boolean> {
  const { notes, groups } = desk.selection.chosen;
  const changes: FlowChange[] = [
    ...[...notes].map((id): FlowChange => ({ do: 'set-layout', path: ['notes', id, 'color'], value: color })),
    ...[...groups].map((id): FlowChange => ({ do: 'set-layout', path: ['groups', id, 'color'], value: color })),
  ];
  return desk.change({ do: 'all', changes, label: `Colour ${color}` });
}

/** Puts a frame around the selected cards and begins to name it; cards leave the groups where they were. */
export async function groupChosen(desk: CanvasEditor): Promise<void> {
  const { ids } = desk.selection;
  if (ids.size === 0) return;
  const groups = desk.doc.layout?.groups ?? {};
  const id = freeId('group', Object.keys(groups));
  const leave = Object.entries(groups).flatMap(([other, { nodes }]): FlowChange[] => {
    const rest = nodes.filter((node) => !ids.has(node));
    if (rest.length === nodes.length) return [];
    if (rest.length === 0) return [{ do: 'set-layout', path: ['groups', other], value: undefined }];
    return [{ do: 'set-layout', path: ['groups', other, 'nodes'], value: rest }];
  });
  const inOrder = desk.doc.nodes.flatMap((node) => (ids.has(node.id) ? [node.id] : []));
  const value = { title: 'Group', nodes: inOrder };
  const changes: FlowChange[] = [...leave, { do: 'set-layout', path: ['groups', id], value }];
  const { moment, stores, path } = desk;
  const renaming = { what: 'group', id, fresh: value } as const;
  moment.setState({ renaming });
  const isDone = await desk.change({ do: 'all', changes, label: 'Group' });
  // Somebody may have named it already.
  if (moment.getState().renaming === renaming) moment.setState({ renaming: isDone ? { what: 'group', id } : null });
  if (isDone) stores.selection.getState().choose(path, { groups: [id] }, null);
}

/** Takes away the frames that are selected, and those around selected cards. */
export async function ungroupChosen(desk: CanvasEditor): Promise<void> {
  const { groups, nodes } = desk.selection.chosen;
  const gone = Object.entries(desk.doc.layout?.groups ?? {})
    .filter(([id, group]) => groups.has(id) || group.nodes.some((node) => nodes.has(node)))
    .map(([id]) => id);
  if (gone.length === 0) return;
  const changes = gone.map((id): FlowChange => ({ do: 'set-layout', path: ['groups', id], value: undefined }));
  await desk.change({ do: 'all', changes, label: 'Ungroup' });
}

/** Folds the selected groups, those of selected cards, or all; what is folded is nobody's affair but the person's. */
export function toggleCollapsed({ doc, selection, moment }: CanvasEditor, isAll: boolean): void {
  const { groups, nodes } = selection.chosen;
  const concerned = Object.entries(doc.layout?.groups ?? {})
    .filter(([id, group]) => isAll || groups.has(id) || group.nodes.some((node) => nodes.has(node)))
    .map(([id]) => id);
  const collapsed = new Set(moment.getState().collapsed);
  const isFolding = concerned.some((id) => !collapsed.has(id));
  for (const id of concerned) {
    if (isFolding) collapsed.add(id);
    else collapsed.delete(id);
  }
  moment.setState({ collapsed });
}
