/**
 * Defines the records of a trace, and determines the owner of a run.
 */
import type { RunId } from '../../base/ids.ts';
import { productNameProblem, productOfPath } from '../../language/flow/product-path.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import type { Redactor } from '../../world/secrets/redactor.ts';

/** One line of `runtime/events.jsonl`. `docs/traces.md` lists the kinds and their payloads. */
export interface TraceRecord {
  /**
   * `<run>-<seq>` of the source event, with the suffix `.1`, `.2` … if one event results in several records. Equal in
   * every export of a run.
   */
  readonly event_id: string;
  /** The root run, even for events of its child runs. */
  readonly run_id: string;
  /** Full name of the step; absent for records of the run as a whole. */
  readonly step_id?: string;
  readonly product: string;
  readonly flow: string;
  readonly kind: string;
  /** Time in epoch milliseconds. */
  readonly ts: number;
  readonly payload: JsonMap;
  /** Whether text in the payload was masked. */
  readonly redacted: boolean;
}

/** The product of a run and its flow. */
export interface TraceOwner {
  readonly product: string;
  readonly flow: string;
}

/** Data from a run's history and definition that a trace needs. */
export interface TraceSource extends TraceOwner {
  readonly runId: RunId;
  /** The definition's steps by id: their index, starting at 0, and their display names. */
  readonly steps: ReadonlyMap<string, { readonly index: number; readonly name: string }>;
  readonly redactor: Redactor;
  /** Returns the value behind a handle, and any other value unchanged. */
  readonly whole: (value: JsonValue) => JsonValue;
}

/** An event with its context. */
export interface TracedEvent {
  readonly envelope: EventEnvelope;
  /** Full name of the step; undefined for events of the root run itself. */
  readonly step: string | undefined;
  /** Whether the event belongs to a child run. */
  readonly isOfCalled: boolean;
}

/** Adds a record about the current event. `step` is given if it differs from the event's step. */
export type AddTraceRecord = (kind: string, payload: JsonMap, step?: string) => void;

/** Product name for runs that belong to no product. Real product names never begin with an underscore. */
const noProduct = '_workspace';

/** Extensions of definition files, which are not part of a flow's name. */
const endings = /(?:\.flow)?\.(?:ya?ml|json)$|\.aip$/i;

/**
 * Determines a run's owner from the location of its definition.
 * @param sourcePath relative to the workspace, with forward slashes
 */
export function ownerOf(sourcePath: string): TraceOwner {
  const name = sourcePath.slice(sourcePath.lastIndexOf('/') + 1);
  const flow = name.replace(endings, '');
  const product = productOfPath(sourcePath);
  const isProduct = product !== undefined && productNameProblem(product) === undefined;
  return { product: isProduct ? product : noProduct, flow: flow === '' ? name : flow };
}
