import type { Node } from '@xyflow/react';
import type { LayoutColor } from '../../../engine/isomorphic.ts';
import type { CardNode } from '../../card/node-card.tsx';

/** A sheet of text. */
export type NoteNode = Node<{ readonly noteId: string; readonly text: string; readonly color: LayoutColor }, 'note'>;

/** Only its ports: the group's frame is drawn below. */
export type FoldNode = Node<Record<string, never>, 'fold'>;

/** What React Flow draws. */
export type CanvasNode = CardNode | NoteNode | FoldNode;
