/**
 * Converts requests to people to trace records: approvals, forms, and their answers.
 */
import { createHash } from 'node:crypto';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue, textForm } from '../../language/json/json-value.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { endedTask } from '../../runtime/kernel/events/task-events.ts';
import {
  type AskEvent,
  canonicalText,
  type RefusedAnswerEvent,
  rejectedCode,
} from '../../runtime/kernel/requests/ask.ts';
import type { AddTraceRecord, TracedEvent, TraceSource } from './trace-record.ts';
import { decisionOf } from './trace-runs.ts';

interface OpenForm {
  readonly formId: string;
  readonly mode: string;
}

/** Key of a node's only form. It adds nothing to the node's name. */
const onlyKey = 'input';
const mostNames = 10;

type Requested = Extract<AskEvent, { readonly request: unknown }>;
type Answered = Extract<AskEvent, { readonly payload: unknown }>;

export class AskTrace {
  readonly #source: Pick<TraceSource, 'runId' | 'whole'>;
  /** Forms by the step's full name, then by key. */
  readonly #forms = new Map<string, Map<string, OpenForm>>();
  /** The rejection with which a step may end, by the step's full name. */
  readonly #rejected = new Map<string, JsonMap>();

  constructor(source: Pick<TraceSource, 'runId' | 'whole'>) {
    this.#source = source;
  }

  /** Returns the form that a step waits for; undefined if there is none. */
  openFormOf(step: string): string | undefined {
    return [...(this.#forms.get(step)?.values() ?? [])][0]?.formId;
  }

  tell({ envelope: { event }, step = '' }: TracedEvent, note: AddTraceRecord): void {
    switch (event.type) {
      case 'approval:requested':
        this.#tellApproval(event, step, note);
        break;
      case 'input:requested':
        this.#tellForm(event, step, note);
        break;
      case 'approval:resolved':
        this.#tellDecision(event, step, note);
        break;
      case 'input:received':
        this.#tellValues(event, step, note);
        break;
      case 'input:refused':
        this.#tellRefused(event, step, note);
        break;
      case 'node:suspended':
        if (event.request.reason === 'operator') {
          note('pending_human', {
            approval_id: this.#approvalId(step, 'operator', ''),
            approval_context: { reason: event.request.message, decision_notes: [], recommended_action: null },
          });
        }
        break;
      default:
        this.#tellEnd(event, step, note);
    }
  }

  #tellApproval({ key, requestHash, request }: Requested, step: string, note: AddTraceRecord): void {
    const asked = this.#wholeRequest(request as unknown as JsonMap);
    const { title = '', message = title, notes = [], recommended } = asked;
    const given = isJsonMap(asked['approval_context']) ? asked['approval_context'] : {};
    note('pending_human', {
      approval_id: this.#approvalId(step, key, requestHash),
      approval_context: {
        reason: given['reason'] ?? message,
        decision_notes: given['decision_notes'] ?? notes,
        recommended_action:
          given['recommended_action'] ?? (typeof recommended === 'string' ? recommended.toUpperCase() : null),
      },
    });
  }

  #tellDecision({ key, requestHash, payload, by }: Answered, step: string, note: AddTraceRecord): void {
    const answer = this.#wholeRequest(payload);
    const approved = answer['approved'] === true;
    const said = { decision: decisionOf(approved), approved, comment: answer['comment'] ?? '' };
    if (!approved) this.#rejected.set(step, said);
    const approvalId = this.#approvalId(step, key, requestHash);
    note('approval_resolved', { approval_id: approvalId, ...said, resolved_by: by ?? null });
  }

  #tellForm({ key, request }: Requested, step: string, note: AddTraceRecord): void {
    const asked = this.#wholeRequest(request as unknown as JsonMap);
    // The form of a step is its request as written.
    const form = isJsonMap(asked['form']) ? asked['form'] : {};
    const shown = form['schema'] ?? (Object.keys(form).length === 0 ? asked['schema'] : {});
    const schema = isJsonMap(shown) ? shown : {};
    const formId = formIdOf(asked, step, key);
    const mode = typeof form['mode'] === 'string' ? form['mode'] : 'choice_input';
    const forms = this.#forms.get(step) ?? new Map<string, OpenForm>();
    this.#forms.set(step, forms.set(key, { formId, mode }));
    const { title = '', message = title, defaults = {} } = asked;
    const required = form['required'] ?? schema['required'] ?? [];
    note('user_input_requested', {
      ...{ form_id: formId, title, mode, required, defaults },
      schema_summary: schemaSummary(schema),
    });
    note('pending_user_input', {
      ...{ prompt_id: formId, run_id: this.#source.runId, step_id: step, title, question: form['prompt'] ?? message },
      ...{
        options: optionsOf(form['choices'], schema),
        defaults,
        required,
        allow_free_text: mode === 'free_text_input',
      },
    });
  }

  #tellValues({ key, payload }: Answered, step: string, note: AddTraceRecord): void {
    const forms = this.#forms.get(step);
    const { formId = step, mode = 'choice_input' } = forms?.get(key) ?? {};
    forms?.delete(key);
    const answer = this.#wholeRequest(payload);
    const { values = {}, comment = '' } = answer;
    note('user_input_received', { form_id: formId, mode, values, comment });
  }

  #tellRefused({ key, errors, rule }: RefusedAnswerEvent, step: string, note: AddTraceRecord): void {
    if (rule !== undefined) note('user_input_denied', { reason: rule, details: { errors: [...errors] } });
    else
      note('user_input_validation_failed', {
        form_id: this.#forms.get(step)?.get(key)?.formId ?? step,
        errors: [...errors],
      });
  }

  #tellEnd(event: RunEvent, step: string, note: AddTraceRecord): void {
    const ended = endedTask(event);
    if (ended === undefined) return;
    const rejected = this.#rejected.get(step);
    if (rejected !== undefined && 'error' in ended && ended.error.code === rejectedCode) {
      note('run_rejected', rejected);
    }
    this.#rejected.delete(step);
    this.#forms.delete(step);
  }

  /** Resolves each value separately, because any of them may be stored outside the event. */
  #wholeRequest(map: JsonMap): JsonMap {
    const { whole } = this.#source;
    const found = whole(map);
    if (!isJsonMap(found)) return {};
    return Object.fromEntries(Object.entries(found).map(([key, value]) => [key, whole(value)]));
  }

  #approvalId(step: string, key: string, requestHash: string): string {
    const text = JSON.stringify([this.#source.runId, step, key, requestHash]);
    return `appr_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  }
}

/** Returns the id of a form: its own, otherwise that of the requesting step. */
export function formIdOf(asked: JsonMap, step: string, key: string): string {
  const { form_id: own } = isJsonMap(asked['form']) ? asked['form'] : {};
  if (typeof own === 'string' && own !== '') return own;
  return key === onlyKey ? step : `${step}.${key}`;
}

function schemaSummary(schema: JsonMap): JsonMap {
  const names = isJsonMap(schema['properties']) ? Object.keys(schema['properties']) : [];
  const sha256 = createHash('sha256').update(canonicalText(schema)).digest('hex');
  return { properties: names.slice(0, mostNames), property_count: names.length, sha256 };
}

/** Returns the options: the listed ones, otherwise the possible values of the first property. */
function optionsOf(choices: JsonValue | undefined, schema: JsonMap): readonly JsonValue[] {
  if (isJsonList(choices)) {
    return choices.flatMap((one) => {
      if (!isJsonMap(one)) return [];
      const { id, value = null, ...more } = one;
      return [{ option_id: id ?? textForm(value), value, ...more }];
    });
  }
  const properties = isJsonMap(schema['properties']) ? Object.values(schema['properties']) : [];
  const [first] = properties.flatMap((one) => (isJsonMap(one) && isJsonList(one['enum']) ? [one['enum']] : []));
  return (first ?? []).map((value) => ({ option_id: textForm(value), label: textForm(value), value }));
}
