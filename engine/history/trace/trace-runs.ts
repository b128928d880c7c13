/**
 * Creates the trace records about the run itself: its states, the reasons for changes, and how it ended.
 */
import type { ErrorRecord } from '../../base/engine-error.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import type {
  EventEnvelope,
  GovernanceEvent,
  RunEndEvent,
  RunEvent,
  RunRefusedEvent,
  RunStartEvent,
} from '../../runtime/kernel/events/run-event.ts';
import { overBudgetCode } from '../../runtime/kernel/hub/cancel-scope.ts';
import { isPauseReason } from '../../runtime/kernel/hub/run-pause.ts';
import { rejectedCode } from '../../runtime/kernel/requests/ask.ts';
import type { AddTraceRecord, TraceSource } from './trace-record.ts';

type TraceRunState = 'RUNNING' | 'PENDING_HUMAN' | 'PENDING_USER_INPUT' | 'COMPLETED' | 'FAILED' | 'CANCELLED';

/** Error code for a run that policies do not allow to start at its declared autonomy level. */
const autonomyDenied = 'autonomy_denied';

export class RunTrace {
  readonly #steps: TraceSource['steps'];
  #state: TraceRunState = 'RUNNING';
  #resumed: EventEnvelope | undefined;

  constructor({ steps }: Pick<TraceSource, 'steps'>) {
    this.#steps = steps;
  }

  tell(envelope: EventEnvelope, note: AddTraceRecord, openFormOf: (step: string) => string | undefined): void {
    const { event } = envelope;
    switch (event.type) {
      case 'run:start':
        this.#tellStart(event, note);
        break;
      case 'run:refused':
        tellRefused(event, note);
        break;
      case 'run:suspended': {
        if (isPauseReason(event.reason)) {
          note('run_paused', { reason: event.reason, form_id: null }, event.nodeId);
          break;
        }
        const isInput = event.reason === 'user_input';
        const to = isInput ? 'PENDING_USER_INPUT' : 'PENDING_HUMAN';
        this.#move(to, isInput ? 'user_input_requested' : 'approval_requested', note);
        const form = event.nodeId === undefined ? undefined : openFormOf(event.nodeId);
        note('run_paused', { reason: event.reason, form_id: form ?? null }, event.nodeId);
        break;
      }
      case 'run:resumed':
        this.#resumed = envelope;
        break;
      case 'governance:decision':
        if (isOutputDenied(envelope)) note('output_denied', { reason: event.rule, details: deniedDetails(event) });
        break;
      case 'run:end':
        this.#tellEnd(event, note);
        break;
    }
  }

  #tellStart({ autonomy, rerunOf, rerunFromNode }: RunStartEvent, note: AddTraceRecord): void {
    note('run_started', { autonomy_level: autonomy ?? null });
    if (rerunOf === undefined) return;
    const index = rerunFromNode === undefined ? 0 : (this.#steps.get(rerunFromNode)?.index ?? null);
    note('run_replan_started', { previous_run: rerunOf, start_index: index });
  }

  /** Returns the last `run:resumed` if it has not been recorded yet. */
  takeResumed(): EventEnvelope | undefined {
    const resumed = this.#resumed;
    this.#resumed = undefined;
    return resumed;
  }

  /** @param next next event of the run itself; the answer that resumed it, if there was one */
  tellResumed({ event }: EventEnvelope, next: RunEvent | undefined, note: AddTraceRecord): void {
    if (event.type !== 'run:resumed') return;
    const given = next?.type === 'approval:resolved' ? next : undefined;
    const said = event.decision === undefined ? undefined : event.decision === 'approve';
    const approved = said ?? (given === undefined ? undefined : given.payload['approved'] === true);
    const decision = approved === undefined ? null : decisionOf(approved);
    const answer = next?.type === 'approval:resolved' || next?.type === 'input:received' ? next.payload : {};
    note('run_resumed', { decision, comment: event.comment ?? answer['comment'] ?? '' });
    if (this.#state === 'PENDING_USER_INPUT') this.#move('RUNNING', 'user_input_resumed', note);
    else if (this.#state === 'PENDING_HUMAN') {
      this.#move('RUNNING', approved === false ? 'approval_rejected' : 'approval_resumed', note);
    }
  }

  #tellEnd({ status, error }: RunEndEvent, note: AddTraceRecord): void {
    if (status === 'cancelled') {
      this.#move('CANCELLED', 'run_cancelled', note);
      note('run_cancelled', { ok: false });
    } else if (status === 'failed') {
      this.#move('FAILED', failureReason(error), note);
      note('run_failed', { error: errorPayload(error) });
    } else {
      this.#move('COMPLETED', 'run_completed', note);
      note('run_completed', { ok: true });
    }
  }

  #move(to: TraceRunState, reason: string, note: AddTraceRecord): void {
    const from = this.#state;
    this.#state = to;
    note('run_state_transition', { from, to, reason });
  }
}

/** Returns what was denied, the position of the rule, and the reason. */
export function deniedDetails({ target, place, reason }: GovernanceEvent): JsonMap {
  return { target, place: place ?? null, message: reason ?? '' };
}

/** Returns whether the output of the run as a whole was denied. */
function isOutputDenied({ event, context }: EventEnvelope): boolean {
  const isOutput = event.type === 'governance:decision' && event.effect === 'output' && !event.allowed;
  return isOutput && context.task === undefined;
}

export function decisionOf(approved: boolean): 'APPROVED' | 'REJECTED' {
  return approved ? 'APPROVED' : 'REJECTED';
}

/** Returns an error in the format of traces. */
export function errorPayload(error: ErrorRecord | undefined): JsonMap {
  return { message: error?.message ?? '', type: error?.code ?? 'unknown' };
}

function tellRefused({ code, message, details }: RunRefusedEvent, note: AddTraceRecord): void {
  if (code !== autonomyDenied) note('run_rejected', { code, message, details });
  else note(autonomyDenied, { reason: message, autonomy_level: detailOf(details, 'level') });
}

function detailOf(details: RunRefusedEvent['details'], key: string): string | null {
  const found = typeof details === 'object' && details !== null && key in details ? (details as JsonMap)[key] : null;
  return typeof found === 'string' ? found : null;
}

/** Failure reasons in traces, by the error code that ended the run. Any other code means that a step failed. */
const failureReasons: ReadonlyMap<string, string> = new Map([
  [rejectedCode, 'approval_rejected'],
  ['effect.denied', 'governance_denied'],
  [overBudgetCode, 'governance_denied'],
  ['output.denied', 'output_denied'],
  ['missing_run_output', 'missing_run_output'],
]);

function failureReason(error: ErrorRecord | undefined): string {
  const { details } = error ?? {};
  if (typeof details === 'object' && details !== null && 'effect' in details && details.effect === 'output') {
    return 'output_denied';
  }
  // If steps have their own codes, the details contain the engine's code.
  const inner = typeof details === 'object' && details !== null && 'code' in details ? details.code : undefined;
  return failureReasons.get(error?.code ?? '') ?? failureReasons.get(String(inner)) ?? 'step_failed';
}
