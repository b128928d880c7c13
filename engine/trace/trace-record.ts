/**
 * What a trace is made of: one record for each thing that happened, and whose it is.
 */
import type { RunId } from '../base/ids.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import { productNameProblem, productOfPath } from '../flowspec/product-path.ts';
import type { EventEnvelope } from '../kernel/run-event.ts';
import type { Redactor } from '../secrets/redactor.ts';

/** One thing that happened, as a line of `runtime/events.jsonl`. `docs/traces.md` lists the kinds and their payloads. */
export interface TraceRecord {
  /** `<run>-<seq>` of the event that it was made from, and `.1`, `.2` … where one event makes several. Equal in every export of a run. */
  readonly event_id: string;
  /** The run at the top, also for what happened in runs that it called. */
  readonly run_id: string;
  /** Full name of the step; absent for what belongs to the run as a whole. */
  readonly step_id?: string;
  readonly product: string;
  readonly flow: string;
  readonly kind: string;
  /** Epoch milliseconds. */
  readonly ts: number;
  readonly payload: JsonMap;
  /** Something in the payload was masked. */
  readonly redacted: boolean;
}

/** Which product a run belongs to, and which of its flows it ran. */
export interface TraceOwner {
  readonly product: string;
  readonly flow: string;
}

/** What of the run's history and definition a trace needs. */
export interface TraceSource extends TraceOwner {
  readonly runId: RunId;
  /** Steps of the definition, by id: their places, from 0, and what people call them. */
  readonly steps: ReadonlyMap<string, { readonly index: number; readonly name: string }>;
  readonly redactor: Redactor;
  /** The value behind a handle; any other comes back itself. */
  readonly whole: (value: JsonValue) => JsonValue;
}

/** What an event is, beside itself. */
export interface TracedEvent {
  readonly envelope: EventEnvelope;
  /** Full name of the step; undefined for what concerns the run at the top alone. */
  readonly step: string | undefined;
  /** The event is one of a run that another one called. */
  readonly isOfCalled: boolean;
}

/** Adds a record about the event that is being told. `step` where it is another than that of the event. */
export type Note = (kind: string, payload: JsonMap, step?: string) => void;

/** Stands for the product of runs that belong to none. Names of products begin with no underscore. */
const noProduct = '_workspace';

/** Endings by which a definition's file is known, which are no part of a flow's name. */
const endings = /(?:\.flow)?\.(?:ya?ml|json)$|\.aip$/i;

/**
 * Whose a run is, by where its definition lies.
 * @param sourcePath relative to the workspace, with `/`
 */
export function ownerOf(sourcePath: string): TraceOwner {
  const name = sourcePath.slice(sourcePath.lastIndexOf('/') + 1);
  const flow = name.replace(endings, '');
  const product = productOfPath(sourcePath);
  const isProduct = product !== undefined && productNameProblem(product) === undefined;
  return { product: isProduct ? product : noProduct, flow: flow === '' ? name : flow };
}
