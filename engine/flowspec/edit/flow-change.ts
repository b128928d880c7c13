/**
 * What an editor may ask of a flow file. `edit-flow.ts` turns each change into the smallest change of the text.
 */
import type { EdgeDoc, GroupDoc, NodeDoc, NodePosition, NoteDoc, WhenExpr } from '../flow-doc.ts';
import type { JsonValue } from '../json-value.ts';

/** Keys and list places on the way to a value. */
export type ChangePath = readonly (string | number)[];

/** New ends or another condition of an edge; what is absent stays, `when: null` takes the condition away. */
export interface EdgeChange {
  readonly from?: string;
  readonly to?: string;
  readonly when?: WhenExpr | null;
}

/** What is to become a flow of its own. */
export interface Extraction {
  /** Ids of nodes; a loop alone stands for it and its body. */
  readonly nodes: readonly string[];
  /** Ids of notes of the canvas that go along. */
  readonly notes?: readonly string[];
  /** Name of the new file, which is to stand beside the other. */
  readonly file: string;
  /** Name of the new flow, for people. */
  readonly name: string;
}

/** One edit that a person asks for. Edges are named as runs name them (`nameEdges`). */
export type FlowChange =
  /** New nodes behind those there are, or behind `after`; with edges among and to them, places, and the loop they belong to. */
  | {
      readonly do: 'add';
      readonly nodes: readonly NodeDoc[];
      readonly edges?: readonly EdgeDoc[];
      readonly positions?: Readonly<Record<string, NodePosition>>;
      readonly after?: string;
      /** The loop whose body they join. */
      readonly loopId?: string;
      /** Along with them, under ids that are free. */
      readonly notes?: Readonly<Record<string, NoteDoc>>;
      readonly groups?: Readonly<Record<string, GroupDoc>>;
    }
  /** Nodes with all that names them (edges, place, membership of groups and bodies), and edges. `heal`: what led to a removed
   * node leads to what came behind it. */
  | {
      readonly do: 'remove';
      readonly nodes: readonly string[];
      readonly edges: readonly string[];
      readonly heal?: boolean;
    }
  /** A new id, in edges, bindings, conditions, bodies, layout and wherever else the file names the node. */
  | { readonly do: 'rename'; readonly id: string; readonly to: string }
  /** A new name for an input of the flow, in bindings, conditions and outputs too. */
  | { readonly do: 'rename-input'; readonly name: string; readonly to: string }
  /** Puts nodes, in the order they have, before or behind another: in the file, and in the body that holds them and it. */
  | {
      readonly do: 'reorder';
      readonly nodes: readonly string[];
      readonly side: 'before' | 'behind';
      readonly of: string;
    }
  /** Sets a value of a node, for example at `['input', 'prompt']`; undefined takes the key away, and maps left empty by that.
   * Conditions follow a new name for a way of a switch. */
  | { readonly do: 'set-node'; readonly id: string; readonly path: ChangePath; readonly value: JsonValue | undefined }
  /** Sets a value of `flow`, for example at `['input', 'topic']`; undefined takes it away. */
  | { readonly do: 'set-flow'; readonly path: ChangePath; readonly value: JsonValue | undefined }
  | { readonly do: 'connect'; readonly edges: readonly EdgeDoc[] }
  | { readonly do: 'set-edge'; readonly edge: string; readonly change: EdgeChange }
  /** Puts a node into an edge; the first half keeps the condition. Edges the node had stay. */
  | { readonly do: 'splice'; readonly node: string; readonly edge: string }
  /** Places of nodes; null gives a node back to the automatic layout. */
  | { readonly do: 'move'; readonly positions: Readonly<Record<string, NodePosition | null>> }
  /** Sets a value of `layout`, for example at `['notes', 'note_1', 'text']`; undefined takes it away. */
  | { readonly do: 'set-layout'; readonly path: ChangePath; readonly value: JsonValue | undefined }
  /** Makes the layout of the text even, of one node or of lines from 1, both included; else of all of it. Not part of `all`. */
  | {
      readonly do: 'format';
      readonly node?: string;
      readonly lines?: { readonly first: number; readonly last: number };
    }
  /** Makes nodes a flow of their own, which this one calls then. What they become is the text of the new file. */
  | ({ readonly do: 'extract' } & Extraction & {
        /** The text that the new file has; the change is refused when the flow has become another one since. */
        readonly text?: string;
      })
  /** Several changes as one. */
  | { readonly do: 'all'; readonly changes: readonly FlowChange[]; readonly label: string };
