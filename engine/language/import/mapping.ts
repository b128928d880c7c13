/**
 * How node types of another program become node types of flows: the shape of a mapping table and what its functions can
 * read.
 */
import type { NodePolicy, WhenExpr } from '../flow/flow-doc.ts';
import type { InputDocs } from '../flow/flow-interface.ts';
import type { JsonMap, JsonValue } from '../json/json-value.ts';
import type { TriggerDoc } from '../triggers/trigger-doc.ts';
import type { SourceEdge, SourceFlow, SourceNode } from './source-flow.ts';

/** A node of the new flow, without what all nodes have in common. */
export interface MappedNode {
  readonly as: 'node';
  readonly type: string;
  readonly input: JsonMap;
  readonly config?: JsonMap;
  readonly policy?: NodePolicy;
  /** What was lost, as sentences. */
  readonly lost?: readonly string[];
}

/** A node of the source in our terms, or why it has no counterpart. */
export type ConvertedNode = Omit<MappedNode, 'as' | 'policy'> | { readonly why: string };

/** What a node of another program becomes. */
export type Mapped =
  | MappedNode
  /** Inputs of the flow. */
  | {
      readonly as: 'inputs';
      readonly inputs: InputDocs;
      /** What starts the flow with these inputs. */
      readonly triggers?: readonly Omit<TriggerDoc, 'id'>[];
      readonly lost?: readonly string[];
    }
  /** An output of the flow. */
  | { readonly as: 'output'; readonly name: string; readonly value: JsonValue; readonly lost?: readonly string[] }
  | { readonly as: 'note'; readonly text: string; readonly width: number; readonly height: number }
  /** A part of another node, such as its model. */
  | { readonly as: 'part'; readonly of: string; readonly lost?: readonly string[] }
  | { readonly as: 'placeholder'; readonly why: string };

/** What a mapping can read about the graph. */
export interface MappingContext {
  readonly flow: SourceFlow;
  node(key: string): SourceNode | undefined;
  /** Returns the first node with a name. */
  named(name: string): SourceNode | undefined;
  /** Edges that lead to a node, in file order. */
  into(node: SourceNode): readonly SourceEdge[];
  /** Edges that leave a node, in file order. */
  from(node: SourceNode): readonly SourceEdge[];
  idOf(node: SourceNode): string;
  /** Name of the current item of a loop in bindings of its body. */
  itemOf(loop: SourceNode): string;
  /** IDs of the nodes in the body of a loop. */
  bodyOf(loop: SourceNode): readonly string[];
  /**
   * Returns the path of a value in another node's output, as `reader` can bind to it. Undefined if it does not
   * exist, or if it is inside a loop to which the reader does not belong.
   */
  path(reader: SourceNode, source: SourceNode, field: SourceField): readonly string[] | undefined;
  /** Returns the file name of the flow that another graph of the same file becomes. */
  fileOf(flowKey: string): string | undefined;
}

/** A value in a node's output. */
export interface SourceField {
  readonly port: string;
  /** Path below the port. */
  readonly rest: readonly string[];
  /** Asks for all items, of nodes that return several; otherwise, the path is that of the first item. */
  readonly isList?: boolean;
}

/** How one node type of another program is imported. */
export interface TypeMapping {
  map(node: SourceNode, context: MappingContext): Mapped;
  /** Returns the path of an output value: below the node's ID, or from the root if the node becomes inputs. */
  at?(field: SourceField, node: SourceNode, context: MappingContext): readonly string[] | undefined;
  /** Returns the edge on which the node's own output arrives, for nodes that pass their input through. */
  passes?(field: SourceField, node: SourceNode, context: MappingContext): SourceEdge | undefined;
  /** Whether it becomes something other than a node: a note, a part of another node, or inputs or outputs of the flow. */
  isPart?(node: SourceNode, context: MappingContext): boolean;
  /** Returns the condition of the edges that leave a port; undefined if they always fire. */
  when?(port: string, node: SourceNode, context: MappingContext): WhenExpr | undefined;
}

/** A file format. */
export interface SourceFormat {
  /** Name of the program, for people. */
  readonly title: string;
  /** Key under which originals are kept in the flow. */
  readonly key: `x-${string}`;
  typeOf(node: SourceNode): TypeMapping | undefined;
  /** Whether an edge says that one node runs after another. */
  isOrder(edge: SourceEdge): boolean;
  /** Whether an edge carries a value, so that an edge from an input of the flow or a part is more than an order. */
  isValue(edge: SourceEdge): boolean;
}
