/**
 * A note on the canvas: markdown that is displayed and edited in place.
 */
import type { NodeProps } from '@xyflow/react';
import { lazy, memo, type PointerEvent, Suspense, useState } from 'react';
import type { NoteDoc } from '../../../engine/isomorphic.ts';
import { noteSize, resizeNote, setNote } from '../edit/note-edits.ts';
import { followPointer } from '../gestures/follow-pointer.ts';
import { mayEdit, useEditor } from '../state/canvas-editor.ts';
import { type NoteNode, noteKey } from '../state/canvas-elements.ts';

import { useInteraction, useInteractionStore } from '../state/interaction.ts';
import { text } from '../text.ts';
import { ColorPicker } from './color-picker.tsx';
import './note-card.css';

/** Loaded with the first note, because most flows have none. */
const NoteMarkdown = lazy(() => import('./note-markdown.tsx').then((module) => ({ default: module.NoteMarkdown })));

export function noteNode(noteId: string, note: NoteDoc, selected: boolean): NoteNode {
  const { x, y, width, height, text, color = 'amber' } = note;
  const size = { width, height };
  return {
    id: noteKey(noteId),
    type: 'note',
    position: { x, y },
    ...size,
    measured: size,
    selected,
    zIndex: -1,
    data: { noteId, text, color },
    domAttributes: { 'aria-roledescription': undefined },
  };
}

export const NoteCard = memo(function NoteCard({ data, selected, width, height }: NodeProps<NoteNode>) {
  const { noteId, text: content, color } = data;
  const editor = useEditor();
  const interaction = useInteractionStore();
  const isEdited = useInteraction(({ editedNote }) => editedNote === noteId);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const edit = (): void => {
    if (mayEdit(editor.current)) interaction.setState({ editedNote: noteId });
  };
  const resize = (event: PointerEvent): void => {
    if (!mayEdit(editor.current)) return;
    const start = { width: width ?? noteSize.width, height: height ?? noteSize.height };
    followPointer(event, {
      move({ x, y }) {
        const zoom = editor.current.zoom();
        setSize({
          width: Math.max(noteSize.leastWidth, start.width + x / zoom),
          height: Math.max(noteSize.leastHeight, start.height + y / zoom),
        });
      },
      end({ x, y }, isDone) {
        const zoom = editor.current.zoom();
        const next = {
          width: Math.max(noteSize.leastWidth, start.width + x / zoom),
          height: Math.max(noteSize.leastHeight, start.height + y / zoom),
        };
        if (!isDone) setSize(null);
        else void resizeNote(editor.current, noteId, next).then(() => setSize(null));
      },
    });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a <button> cannot hold headings and lists
    <div
      className="note-card"
      role="button"
      tabIndex={0}
      aria-pressed={selected}
      aria-label={content === '' ? text.notes.emptyLabel : text.notes.label({ content: content.slice(0, 60) })}
      data-note={noteId}
      data-color={color}
      style={size ?? { width, height }}
      onDoubleClick={edit}
    >
      {isEdited ? (
        <NoteField noteId={noteId} content={content} />
      ) : (
        <div className="note-text">
          {content === '' ? (
            <p className="note-empty">{text.notes.empty}</p>
          ) : (
            <Suspense fallback={<p>{content}</p>}>
              <NoteMarkdown text={content} />
            </Suspense>
          )}
        </div>
      )}
      {selected && !isEdited ? <ColorPicker color={color} /> : null}
      {selected ? <span className="note-corner nodrag nopan" title={text.notes.resize} onPointerDown={resize} /> : null}
    </div>
  );
});

function NoteField({ noteId, content }: { readonly noteId: string; readonly content: string }) {
  const editor = useEditor();
  const interaction = useInteractionStore();
  const [draft, setDraft] = useState(content);
  const close = (): void => {
    if (interaction.getState().editedNote !== noteId) return;
    interaction.setState({ editedNote: null });
    if (draft !== content) void setNote(editor.current, noteId, 'text', draft);
  };
  return (
    <textarea
      className="note-field nodrag nopan nowheel"
      aria-label={text.notes.field}
      // biome-ignore lint/a11y/noAutofocus: it opens when the user asks to write here
      autoFocus
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={close}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
    />
  );
}
