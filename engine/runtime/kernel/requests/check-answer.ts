/**
 * Validates an answer against its request. Windows and commands validate before sending; the engine validates again.
 */
import type { ConsentScope } from '../../../base/consent.ts';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import { type AnswerMisfit, isEmpty, isMap, misfit, unknownKeys, valueMisfits } from './answer-fields.ts';
import type { ApprovalRequest, AskRequest, InputRequest } from './ask.ts';

export type CheckedAnswer =
  | { readonly ok: true; readonly payload: JsonMap }
  | { readonly ok: false; readonly misfits: readonly AnswerMisfit[] };

/** Maximum length of JSON text, in UTF-16 units. */
const mostText = 1024 * 1024;

/**
 * Validates an answer.
 * @param given for an approval `{ approved, comment?, params?, scope? }`, for an input `{ values, comment? }`; also in
 * the format of step flows: `{ decision, approval_payload, comment }` and `{ user_input_response }`
 */
export function checkAnswer(request: AskRequest, given: JsonValue): CheckedAnswer {
  if (!isMap(given)) return refused('An answer must be a map.');
  if (JSON.stringify(given).length > mostText) return refused('The answer is larger than 1 MiB.');
  return request.kind === 'approval' ? checkApproval(request, decisionIn(given)) : checkInput(request, given);
}

function unwrapped(given: JsonMap): JsonMap {
  const { user_input_response: response } = given;
  return isMap(response) ? without(response, ['schema_version', 'form_id', 'metadata']) : given;
}

/** The decision is also stored next to the payload. It counts as approval only if both agree. */
function decisionIn(given: JsonMap): JsonMap {
  const { approval_payload: payload, decision, comment, resolved_by: _, ...others } = given;
  const isRejected = decision !== undefined && !/^approved?$/i.test(String(decision));
  const own = isMap(payload) ? payload : others;
  return {
    ...own,
    ...(isRejected && own['approved'] === true ? { approved: false } : {}),
    ...(comment === undefined ? {} : { comment }),
  };
}

function without(map: JsonMap, keys: readonly string[]): JsonMap {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)));
}

function checkApproval(
  { params: editable, approval_context: context, scopes }: ApprovalRequest,
  given: JsonMap,
): CheckedAnswer {
  const { approved, comment, params, scope } = given;
  const approval =
    typeof approved === 'boolean' ? [] : [misfit(approvalCode(approved), 'approved must be true or false.')];
  const said = commentMisfits(comment);
  // An answer to a step may contain additional keys.
  const misfits =
    context === undefined
      ? [
          ...unknownKeys(given, ['approved', 'comment', 'params', 'scope']),
          ...approval,
          ...scopeMisfits(scope, scopes),
          ...said,
          ...editMisfits(params, editable),
        ]
      : [...approval, ...said];
  if (misfits.length > 0) return { ok: false, misfits };
  return { ok: true, payload: isMap(params) ? { ...given, params: { ...editable, ...params } } : given };
}

function scopeMisfits(
  scope: JsonValue | undefined,
  scopes: readonly ConsentScope[] = ['once'],
): readonly AnswerMisfit[] {
  if (scope === undefined || scopes.some((one) => one === scope)) return [];
  const message = scopes.includes('workspace')
    ? 'scope must be once or workspace.'
    : 'This approval is for one call only. Remove scope, or set it to once.';
  return [misfit('enum_mismatch:scope', message, 'scope')];
}

function approvalCode(approved: JsonValue | undefined): string {
  return approved === undefined ? 'missing_approval_field' : 'bad_payload';
}

function editMisfits(params: JsonValue | undefined, editable: JsonMap | undefined): readonly AnswerMisfit[] {
  if (params === undefined) return [];
  if (editable === undefined) return [misfit('unknown_key:params', 'This request has no values to edit.', 'params')];
  if (!isMap(params)) return [misfit('type_mismatch:params', 'params must be a map.', 'params')];
  return unknownKeys(params, Object.keys(editable));
}

function checkInput(request: InputRequest, given: JsonMap): CheckedAnswer {
  const { form, schema } = request;
  if (request.mayDecline === true && given['declined'] === true) return checkDecline(given);
  const answer = form === undefined ? unwrapped(given) : responseIn(given);
  const { values, comment } = answer;
  if (!isMap(values)) return refused(form === undefined ? mapOfValues : noResponse);
  const misfits = [
    ...(form === undefined ? [] : formMisfits(form, { given, values })),
    ...unknownKeys(answer, ['values', 'comment']),
    ...commentMisfits(comment),
    ...valueMisfits(values, schema).filter(
      ({ code }) => form === undefined || code !== 'missing_required:text' || !isFree(form),
    ),
  ];
  return misfits.length > 0 ? { ok: false, misfits } : { ok: true, payload: answer };
}

const mapOfValues = 'values must be a map with an entry for each field.';
const noResponse = 'An answer to a step must contain user_input_response: { form_id, values: { … } }.';

/** Reads a step's response. A response from Millrace's own form does not name the form. */
function responseIn(given: JsonMap): JsonMap {
  const { user_input_response: response, ...others } = given;
  return isMap(response) ? { ...others, ...without(response, ['schema_version', 'form_id', 'metadata']) } : given;
}

function checkDecline(given: JsonMap): CheckedAnswer {
  const misfits = [...unknownKeys(given, ['declined', 'comment']), ...commentMisfits(given['comment'])];
  return misfits.length > 0 ? { ok: false, misfits } : { ok: true, payload: given };
}

function isFree({ mode }: JsonMap): boolean {
  return mode === 'free_text_input';
}

const modes: readonly JsonValue[] = ['choice_input', 'free_text_input'];

/** Returns a step answer's mismatches in addition to those of its schema. */
function formMisfits(
  form: JsonMap,
  { given, values }: { readonly given: JsonMap; readonly values: JsonMap },
): readonly AnswerMisfit[] {
  const { user_input_response: response } = given;
  const { form_id: formId, schema_version: version = '1.0' } = isMap(response) ? response : form;
  const shown = typeof formId === 'string' ? `"${formId}"` : 'none';
  return [
    ...(formId === form['form_id']
      ? []
      : [
          misfit(
            'form_id_mismatch',
            `The step requests the form "${String(form['form_id'])}", but the answer is for ${shown}.`,
          ),
        ]),
    ...(version === '1.0' ? [] : [misfit('bad_payload', 'schema_version of an answer must be "1.0".')]),
    ...(modes.includes(form['mode'] ?? null)
      ? []
      : [misfit('invalid_mode', `The mode "${String(form['mode'])}" does not exist.`)]),
    ...(isFree(form) && isEmpty(values['text'])
      ? [misfit('missing_or_empty:text', 'text is missing or empty.', 'text')]
      : []),
  ];
}

function commentMisfits(comment: JsonValue | undefined): readonly AnswerMisfit[] {
  return comment === undefined || typeof comment === 'string' ? [] : [misfit('bad_payload', 'comment must be text.')];
}

function refused(message: string): CheckedAnswer {
  return { ok: false, misfits: [misfit('bad_payload', message)] };
}
