/**
 * What a step of type `human_approval` asks, by its own words and the context in its params.
 */
import { cutText } from '../../base/cut-text.ts';
import { isJsonList, isJsonMap, type JsonMap, textForm } from '../json-value.ts';

/** What led to an approval, as the step says it. */
export interface ApprovalContext {
  readonly reason?: string;
  readonly decision_notes?: readonly string[];
  readonly recommended_action?: string;
}

/** What a person is shown, and the context as it was given. */
export interface StepApproval {
  readonly title: string;
  readonly message?: string;
  readonly notes?: readonly string[];
  readonly recommended?: 'approve' | 'reject';
  readonly approval_context: ApprovalContext;
}

/** Of a title that nobody wrote. */
const longestTitle = 200;

/** The title, or else the first line of the message that has words; empty without both. */
export function titleOf(title = '', words = ''): string {
  const line = words.split('\n').find((one) => one.trim() !== '') ?? '';
  return title.trim() === '' ? cutText(line.trim(), longestTitle) : title;
}

/** @param params as the step runs with them, templates filled in */
export function approvalOf(
  id: string,
  params: JsonMap,
  { title, message }: { readonly title?: string | undefined; readonly message?: string | undefined },
): StepApproval {
  const context = contextIn(params);
  const { reason, decision_notes: noted = [], recommended_action: action = '' } = context;
  const notes = reason === undefined ? noted : [reason, ...noted];
  const recommended = /^\s*(approve|reject)/i.exec(action)?.[1]?.toLowerCase();
  return {
    title: titleOf(title?.trim(), message) || `Approve the step "${id}"?`,
    ...(message === undefined ? {} : { message }),
    ...(notes.length === 0 ? {} : { notes }),
    ...(recommended === 'approve' || recommended === 'reject' ? { recommended } : {}),
    approval_context: context,
  };
}

/** It stands below a key of its own, or directly in the params; a template may have made anything of its texts. */
function contextIn(params: JsonMap): ApprovalContext {
  const { approval_context: below } = params;
  const { reason, decision_notes: notes, recommended_action: action } = isJsonMap(below) ? below : params;
  return {
    ...(reason === undefined ? {} : { reason: textForm(reason) }),
    ...(notes === undefined ? {} : { decision_notes: (isJsonList(notes) ? notes : [notes]).map(textForm) }),
    ...(action === undefined ? {} : { recommended_action: textForm(action) }),
  };
}
