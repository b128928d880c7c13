/**
 * A graph of another program, as read from its file: the shape that all readers return.
 */
import type { NodePosition } from '../flow/layout-doc.ts';
import type { JsonMap, JsonValue } from '../json/json-value.ts';

/** A node of another program. */
export interface SourceNode {
  /** Unique in its graph. */
  readonly key: string;
  readonly type: string;
  /** Label for people. */
  readonly name: string;
  /** What people wrote about it. */
  readonly description?: string;
  readonly settings: JsonMap;
  readonly position?: NodePosition;
  readonly isDisabled: boolean;
  /** Key of the loop that runs it. */
  readonly parent?: string;
  /** The node as written in the file. */
  readonly original: JsonValue;
}

/** A connection between two ports. */
export interface SourceEdge {
  readonly from: string;
  readonly fromPort: string;
  readonly to: string;
  readonly toPort: string;
}

/** A graph of another program. */
export interface SourceFlow {
  /** Unique in its file. */
  readonly key: string;
  readonly name: string;
  readonly description?: string;
  /** Time zone of its schedules. */
  readonly timeZone?: string;
  readonly nodes: readonly SourceNode[];
  readonly edges: readonly SourceEdge[];
  /** What the reader could not use, as sentences. */
  readonly remarks: readonly string[];
}
