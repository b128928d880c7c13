/**
 * The part of a flow file that only the editor uses: positions and appearance.
 */
import { z } from 'zod';

/** A card's position on the canvas, in logical pixels. */
export interface NodePosition {
  readonly x: number;
  readonly y: number;
}

const layoutColors = ['grey', 'blue', 'green', 'amber', 'red', 'violet'] as const;

/** Group and note colors. */
export type LayoutColor = (typeof layoutColors)[number];

/** A named frame around nodes, for readers. */
export interface GroupDoc {
  readonly title: string;
  /** IDs of the nodes in the group. */
  readonly nodes: readonly string[];
  readonly color?: LayoutColor;
}

/** A text note on the canvas, in logical pixels. */
export interface NoteDoc extends NodePosition {
  readonly width: number;
  readonly height: number;
  /** Text in Markdown. */
  readonly text: string;
  readonly color?: LayoutColor;
}

/** Editor-only part of the file. It has no effect on runs. */
export interface LayoutDoc {
  /** The flow's direction; right if absent. */
  readonly direction?: 'right' | 'down';
  readonly nodes?: Readonly<Record<string, NodePosition>>;
  readonly groups?: Readonly<Record<string, GroupDoc>>;
  readonly notes?: Readonly<Record<string, NoteDoc>>;
}

const colorSchema = z.enum(layoutColors).exactOptional().describe('Default gray; amber for notes.');

const groupSchema = z.looseObject({
  title: z.string().describe('Title above the frame.'),
  nodes: z.array(z.string()).describe('IDs of the nodes in the frame.'),
  color: colorSchema,
});

const noteSchema = z.looseObject({
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  text: z.string().describe('Markdown.'),
  color: colorSchema,
});

export const layoutSchema = z.looseObject({
  direction: z.enum(['right', 'down']).exactOptional().describe('Direction of the flow. Default right.'),
  nodes: z
    .record(z.string(), z.looseObject({ x: z.number(), y: z.number() }))
    .exactOptional()
    .describe('Position of each card by node ID, in logical pixels.'),
  groups: z.record(z.string(), groupSchema).exactOptional().describe('Frames around cards, by ID. Runs ignore them.'),
  notes: z.record(z.string(), noteSchema).exactOptional().describe('Notes on the canvas, by ID, in logical pixels.'),
}) satisfies z.ZodType<LayoutDoc>;
