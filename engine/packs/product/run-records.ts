/**
 * Builds the run records for programs that use products: the run, its ordered steps, and its requests to people.
 */
import { isoTime } from '../../base/clock.ts';
import type { RunId } from '../../base/ids.ts';
import type { Engine } from '../../engine.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import { flowNameOfFile, productOfPath } from '../../language/flow/product-path.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import { readWholeRun } from '../../runtime/kernel/capabilities/read-run.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState, type NodeState, type RunSummary } from '../../runtime/kernel/events/run-state.ts';
import { isPauseReason } from '../../runtime/kernel/hub/run-pause.ts';
import type { Ask } from '../../runtime/kernel/requests/ask.ts';

/** `PENDING_APPROVAL` is stored as `PENDING_HUMAN`. */
export type PublicStatus =
  | 'RUNNING'
  | 'PENDING_APPROVAL'
  | 'PENDING_USER_INPUT'
  | 'PAUSED'
  | 'COMPLETED'
  | 'FAILED'
  | 'CANCELLED';

/** A run record for programs. All fields are JSON. */
export interface PublicRunRecord {
  readonly run: {
    readonly run_id: string;
    readonly product: string | null;
    readonly flow: string;
    readonly status: PublicStatus;
    readonly autonomy_level: string | null;
    /** Times are in ISO 8601 format, in UTC. */
    readonly started_at: string;
    readonly finished_at: string | null;
    readonly input: JsonValue;
    readonly output: JsonValue;
    readonly error: ShownError | null;
  };
  /** Includes steps that have not started. */
  readonly steps: readonly ShownStep[];
  readonly approvals: readonly ShownApproval[];
}

export interface ShownError {
  readonly code: string;
  readonly message: string;
}

export interface ShownStep {
  readonly step_id: string;
  readonly step_index: number;
  readonly name: string;
  readonly type: string;
  readonly status:
    | 'NOT_STARTED'
    | 'RUNNING'
    | 'PENDING_HUMAN'
    | 'PENDING_USER_INPUT'
    | 'COMPLETED'
    | 'FAILED'
    | 'SKIPPED'
    | 'CANCELLED';
  readonly attempts: number;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly input: JsonValue;
  readonly output: JsonValue;
  readonly error: ShownError | null;
}

export interface ShownApproval {
  readonly step_id: string;
  readonly status: 'PENDING' | 'APPROVED' | 'REJECTED';
  readonly requested_at: string;
  readonly resolved_at: string | null;
  readonly resolved_by: string | null;
  readonly comment: string | null;
  /** The request to a person. */
  readonly request: JsonMap;
}

/** Returns the public name of a run's status. */
export function publicStatus({ status, waitStatus }: Pick<RunSummary, 'status' | 'waitStatus'>): PublicStatus {
  switch (status) {
    case 'completed':
    case 'skipped':
      return 'COMPLETED';
    case 'failed':
      return 'FAILED';
    case 'cancelled':
      return 'CANCELLED';
    case 'suspended':
      // A person must approve whether work interrupted by a crash may run again.
      return waitStatus === 'PENDING_USER_INPUT' || waitStatus === 'PAUSED' ? waitStatus : 'PENDING_APPROVAL';
    default:
      return 'RUNNING';
  }
}

type Reads = Pick<Engine, 'readHead' | 'readEvents' | 'readDefinition' | 'readValue' | 'readValues'>;

/** @throws EngineError `run.not-found` */
export async function shownRun(engine: Reads, runId: RunId): Promise<PublicRunRecord> {
  const { run: summary, events } = await readWholeRun(engine, runId);
  const state = foldRun(emptyRunState, events);
  const { doc } = parseFlow(await engine.readDefinition(runId));
  const start = events.find(({ event, runId: id }) => event.type === 'run:start' && id === runId)?.event;
  const end = events.findLast(({ event, runId: id }) => event.type === 'run:end' && id === runId);
  const { sourcePath, startedAt, error } = summary;
  const inputs = start?.type === 'run:start' ? start.inputs : undefined;
  const output = end?.event.type === 'run:end' ? end.event.output : undefined;
  const nodes = (doc?.nodes ?? []).flatMap(({ id }) => state.nodes.get(id) ?? []);
  const whole = await wholeOf(engine, [inputs, output, ...nodes.flatMap((node) => [node.input, node.output])]);
  return {
    run: {
      run_id: runId,
      product: productOfPath(sourcePath) ?? null,
      flow: flowNameOfFile(sourcePath.split('/').at(-1) ?? '') ?? summary.name,
      status: publicStatus(summary),
      autonomy_level: start?.type === 'run:start' ? (start.autonomy ?? null) : null,
      started_at: isoTime(startedAt),
      finished_at: end === undefined ? null : isoTime(end.at),
      input: whole(inputs),
      output: whole(output),
      error: shownError(error),
    },
    steps: (doc?.nodes ?? []).map(({ id, type, name }, index) =>
      shownStep({ id, type, name: name ?? id, index }, state.nodes.get(id), whole),
    ),
    approvals: [...state.nodes.values()].flatMap(approvalsOf),
  };
}

/**
 * Loads the values of all handles among these values.
 * @returns a function that replaces a handle with its value; null for undefined
 * @throws EngineError `value.not-found`
 */
async function wholeOf(
  engine: Reads,
  values: readonly (JsonValue | undefined)[],
): Promise<(value: JsonValue | undefined) => JsonValue> {
  const hashes = values.flatMap((value = null) => (isValueHandle(value) ? [value.$value] : []));
  const found = await engine.readValues([...new Set(hashes)]);
  const lost = hashes.find((hash) => !found.has(hash));
  if (lost !== undefined) await engine.readValue(lost);
  return (value = null) => (isValueHandle(value) ? (found.get(value.$value) ?? null) : value);
}

function shownError(error: ShownError | undefined): ShownError | null {
  return error === undefined ? null : { code: error.code, message: error.message };
}

interface RunRecordStep {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly index: number;
}

function shownStep(
  { id, type, name, index }: RunRecordStep,
  node: NodeState | undefined,
  whole: (value: JsonValue | undefined) => JsonValue,
): ShownStep {
  return {
    step_id: id,
    step_index: index,
    name,
    type,
    status: node === undefined ? 'NOT_STARTED' : stepStatus(node),
    attempts: node?.attempts ?? 0,
    started_at: node?.startedAt === undefined ? null : isoTime(node.startedAt),
    finished_at: node?.endedAt === undefined ? null : isoTime(node.endedAt),
    input: whole(node?.input),
    output: whole(node?.output),
    error: shownError(node?.error),
  };
}

const stepStatuses = {
  running: 'RUNNING',
  retrying: 'RUNNING',
  completed: 'COMPLETED',
  reused: 'COMPLETED',
  failed: 'FAILED',
  skipped: 'SKIPPED',
  cancelled: 'CANCELLED',
} as const;

function stepStatus({ status, asks = [] }: NodeState): ShownStep['status'] {
  if (status !== 'suspended') return stepStatuses[status];
  const open = asks.find(({ answer }) => answer === undefined);
  return open?.request.kind === 'input' ? 'PENDING_USER_INPUT' : 'PENDING_HUMAN';
}

function approvalsOf({ nodeId, asks = [] }: NodeState): readonly ShownApproval[] {
  return asks.filter(({ request }) => request.kind === 'approval').map((ask) => shownApproval(nodeId, ask));
}

function shownApproval(nodeId: string, { request, askedAt, answer }: Ask): ShownApproval {
  const comment = answer?.payload['comment'];
  return {
    step_id: nodeId,
    status: answer === undefined ? 'PENDING' : answer.payload['approved'] === true ? 'APPROVED' : 'REJECTED',
    requested_at: isoTime(askedAt),
    resolved_at: answer === undefined ? null : isoTime(answer.at),
    resolved_by: answer?.by ?? null,
    comment: typeof comment === 'string' ? comment : null,
    request: isJsonMap(request as unknown as JsonValue) ? (request as unknown as JsonMap) : {},
  };
}

/** Returns the statuses that a run has had, in order. */
export function transitionsOf(events: readonly EventEnvelope[], runId: RunId): readonly PublicStatus[] {
  const statuses: PublicStatus[] = [];
  for (const { event, runId: id } of events) {
    if (id !== runId) continue;
    const status = statusAfter(event, statuses.at(-1));
    if (status !== undefined && status !== statuses.at(-1)) statuses.push(status);
  }
  return statuses;
}

function statusAfter(event: RunEvent, former: PublicStatus | undefined): PublicStatus | undefined {
  switch (event.type) {
    case 'run:start':
    case 'run:resumed':
      return 'RUNNING';
    case 'run:suspended':
      return publicStatus({
        status: 'suspended',
        ...(event.reason === 'user_input' ? { waitStatus: 'PENDING_USER_INPUT' } : {}),
        ...(isPauseReason(event.reason) ? { waitStatus: 'PAUSED' } : {}),
      });
    case 'run:end':
      return publicStatus({ status: event.status });
    case 'run:refused':
      return 'FAILED';
    default:
      return former;
  }
}
