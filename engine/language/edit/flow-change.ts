/**
 * The changes that an editor can request for a flow file. `edit-flow.ts` turns each one into minimal edits of the text.
 */
import type { EdgeDoc, GroupDoc, NodeDoc, NodePosition, NoteDoc, WhenExpr } from '../flow/flow-doc.ts';
import type { JsonValue } from '../json/json-value.ts';

/** Keys and list indexes on the path to a value. */
export type ChangePath = readonly (string | number)[];

/** New ends or a new condition for an edge. Absent values stay unchanged; `when: null` removes the condition. */
export interface EdgeChange {
  readonly from?: string;
  readonly to?: string;
  readonly when?: WhenExpr | null;
}

/** The nodes to extract to a new flow. */
export interface Extraction {
  /** Node IDs; a loop alone includes its body. */
  readonly nodes: readonly string[];
  /** IDs of canvas notes to move as well. */
  readonly notes?: readonly string[];
  /** Name of the new file, in the original's folder. */
  readonly file: string;
  /** The new flow's display name. */
  readonly name: string;
}

/** One requested change. Edges are identified by their names in runs (`nameEdges`). */
export type FlowChange =
  /**
   * Adds nodes at the end, or after the node `after`, with edges among and to them, positions, and the loop that
   * contains them.
   */
  | {
      readonly do: 'add';
      readonly nodes: readonly NodeDoc[];
      readonly edges?: readonly EdgeDoc[];
      readonly positions?: Readonly<Record<string, NodePosition>>;
      readonly after?: string;
      /** The loop to whose body they are added. */
      readonly loopId?: string;
      /** Notes to add, under unused IDs. */
      readonly notes?: Readonly<Record<string, NoteDoc>>;
      readonly groups?: Readonly<Record<string, GroupDoc>>;
    }
  /**
   * Removes edges, and nodes with all references to them (edges, positions, group and body membership). `heal`:
   * connects the nodes before a removed node to those after it.
   */
  | {
      readonly do: 'remove';
      readonly nodes: readonly string[];
      readonly edges: readonly string[];
      readonly heal?: boolean;
    }
  /** Changes a node ID, and updates edges, bindings, conditions, bodies, layout and all other references. */
  | { readonly do: 'rename'; readonly id: string; readonly to: string }
  /** Renames a flow input, and updates bindings, conditions and outputs. */
  | { readonly do: 'rename-input'; readonly name: string; readonly to: string }
  /**
   * Moves nodes, in their current order, before or after another node: in the file, and in the body that contains all
   * of them.
   */
  | {
      readonly do: 'reorder';
      readonly nodes: readonly string[];
      readonly side: 'before' | 'behind';
      readonly of: string;
    }
  /**
   * Sets a node's value, for example at `['input', 'prompt']`. Undefined removes the key, along with maps that become
   * empty. Conditions are updated when a switch branch is renamed.
   */
  | { readonly do: 'set-node'; readonly id: string; readonly path: ChangePath; readonly value: JsonValue | undefined }
  /** Sets a value of `flow`, for example at `['input', 'topic']`; undefined removes it. */
  | { readonly do: 'set-flow'; readonly path: ChangePath; readonly value: JsonValue | undefined }
  /**
   * Sets a value of a trigger, for example at `['schedule', 'cron']`; undefined removes it. With an empty path, replaces
   * the trigger, adds it if there is none with this ID, or removes it.
   */
  | {
      readonly do: 'set-trigger';
      readonly id: string;
      readonly path: ChangePath;
      readonly value: JsonValue | undefined;
    }
  | { readonly do: 'connect'; readonly edges: readonly EdgeDoc[] }
  | { readonly do: 'set-edge'; readonly edge: string; readonly change: EdgeChange }
  /** Inserts a node into an edge; the first half keeps the condition. The node's existing edges stay. */
  | { readonly do: 'splice'; readonly node: string; readonly edge: string }
  /** Sets node positions; null returns a node to the automatic layout. */
  | { readonly do: 'move'; readonly positions: Readonly<Record<string, NodePosition | null>> }
  /** Sets a value of `layout`, for example at `['notes', 'note_1', 'text']`; undefined removes it. */
  | { readonly do: 'set-layout'; readonly path: ChangePath; readonly value: JsonValue | undefined }
  /** Formats the text: one node, lines starting from 1 (inclusive), or the entire file. Not allowed in `all`. */
  | {
      readonly do: 'format';
      readonly node?: string;
      readonly lines?: { readonly first: number; readonly last: number };
    }
  /** Extracts nodes to a new flow, which this flow then calls. The result also includes the new file's text. */
  | ({ readonly do: 'extract' } & Extraction & {
        /** Text of the new file. The change is rejected if the flow has changed since the text was written. */
        readonly text?: string;
      })
  /** Combines several changes into one. */
  | { readonly do: 'all'; readonly changes: readonly FlowChange[]; readonly label: string };
