/**
 * The field that renames a node or a group in place.
 */

import { useStore } from '@xyflow/react';
import { useEffect, useState } from 'react';
import {
  type FlowChange,
  type FlowDoc,
  type GroupDoc,
  isStepId,
  type NodePosition,
  nodeIdPattern,
} from '../../../engine/isomorphic.ts';
import { isStepFlow } from '../../stores/flow/step-lane.ts';
import { groupFrame } from '../projection/frames.ts';
import { boxOf, type CanvasEditor, nodeOf, useEditor } from '../state/canvas-editor.ts';
import { type InlineRename, useInteraction, useInteractionStore } from '../state/interaction.ts';
import { text } from '../text.ts';
import './rename-field.css';

export function RenameField() {
  const renaming = useInteraction((interaction) => interaction.renaming);
  return renaming === null ? null : <OpenField key={`${renaming.what} ${renaming.id}`} renaming={renaming} />;
}

function OpenField({ renaming }: { readonly renaming: InlineRename }) {
  const editor = useEditor();
  const interaction = useInteractionStore();
  const [left, top, zoom] = useStore(({ transform }) => transform);
  const former = titleOf(editor.current, renaming);
  const [title, setTitle] = useState(former ?? '');
  const place = placeOf(editor.current, renaming);
  const isGone = former === null || place === null;
  useEffect(() => {
    if (isGone) interaction.setState({ renaming: null });
  }, [isGone, interaction]);
  if (isGone) return null;
  const close = (isKept: boolean): void => {
    if (interaction.getState().renaming === null) return;
    interaction.setState({ renaming: null });
    const wanted = title.trim();
    if (isKept && wanted !== '' && wanted !== former) void rename(editor.current, renaming, wanted);
  };
  return (
    <input
      className="rename-field nopan nodrag"
      aria-label={text.rename[renaming.what]}
      // biome-ignore lint/a11y/noAutofocus: it opens when the user asks to rename
      autoFocus
      spellCheck={false}
      style={{ left: place.x * zoom + left, top: place.y * zoom + top }}
      value={title}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setTitle(event.target.value)}
      onBlur={() => close(true)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        close(event.key === 'Enter');
      }}
    />
  );
}

function groupOf(editor: CanvasEditor, { id, fresh }: InlineRename): GroupDoc | undefined {
  return editor.doc.layout?.groups?.[id] ?? fresh;
}

function titleOf(editor: CanvasEditor, renaming: InlineRename): string | null {
  const { what, id } = renaming;
  if (what === 'group') return groupOf(editor, renaming)?.title ?? null;
  const node = nodeOf(editor, id);
  return node === undefined ? null : (node.name ?? node.id);
}

function placeOf(editor: CanvasEditor, renaming: InlineRename): NodePosition | null {
  const { what, id } = renaming;
  if (what === 'node') {
    const box = boxOf(editor, id);
    return box === undefined ? null : (titlePlace(editor, id) ?? { x: box.x + 38, y: box.y + 6 });
  }
  const group = groupOf(editor, renaming);
  const frame = group === undefined ? null : groupFrame(editor, group, null);
  return frame === null ? null : { x: frame.x + 28, y: frame.y + 6 };
}

/** Padding in pixels before the field's text. */
const fieldPadding = 7;

/**
 * Returns the position of a card's name in the flow, so that the field covers the name but not the icon. Null if the
 * card does not exist.
 */
function titlePlace({ frame, toFlow }: CanvasEditor, id: string): NodePosition | null {
  const title = frame?.querySelector(`[data-card="${CSS.escape(id)}"] .node-card-title`)?.getBoundingClientRect();
  if (title === undefined || title.width === 0) return null;
  return toFlow({ x: title.left - fieldPadding, y: title.top - 3 });
}

/** A selected node stays selected under its new ID. */
async function rename(editor: CanvasEditor, renaming: InlineRename, title: string): Promise<void> {
  const { selection } = editor.stores;
  const change = renameChange(editor, renaming, title);
  if (!(await editor.change(change)) || change.do !== 'rename') return;
  const isShown = selection.getState().views.get(editor.path)?.nodeId === change.id;
  if (isShown) selection.getState().selectNode(editor.path, change.to);
}

/**
 * Changes the display name of a node that has one. Otherwise, the ID is the title, and renaming it changes it everywhere in the file.
 * A title that is not a valid ID becomes the display name.
 */
function renameChange({ doc }: Pick<CanvasEditor, 'doc'>, { what, id }: InlineRename, title: string): FlowChange {
  if (what === 'group') {
    return {
      do: 'all',
      changes: [{ do: 'set-layout', path: ['groups', id, 'title'], value: title }],
      label: text.undo.renameGroup,
    };
  }
  const hasName = nodeOf({ doc }, id)?.name !== undefined;
  if (!hasName && mayBeId(doc, title)) return { do: 'rename', id, to: title };
  return { do: 'set-node', id, path: ['name'], value: title };
}

/** A step may have any title as its ID. */
function mayBeId(doc: FlowDoc, title: string): boolean {
  return isStepFlow(doc) ? isStepId(title) : nodeIdPattern.test(title);
}
