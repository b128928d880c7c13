/**
 * Builds a `human_approval` step's request from its own text and the context in its params.
 */
import { cutText } from '../../base/cut-text.ts';
import { isJsonList, isJsonMap, type JsonMap, textForm } from '../json/json-value.ts';

/** The reasons for an approval, as the step states them. */
export interface ApprovalContext {
  readonly reason?: string;
  readonly decision_notes?: readonly string[];
  readonly recommended_action?: string;
}

/** The information shown to a person, and the original context. */
export interface StepApproval {
  readonly title: string;
  readonly message?: string;
  readonly notes?: readonly string[];
  readonly recommended?: 'approve' | 'reject';
  readonly approval_context: ApprovalContext;
}

/** Maximum length of a derived title. */
const longestTitle = 200;

/** Returns the title, or the first non-empty line of the message; empty without both. */
export function titleOf(title = '', words = ''): string {
  const line = words.split('\n').find((one) => one.trim() !== '') ?? '';
  return title.trim() === '' ? cutText(line.trim(), longestTitle) : title;
}

/** @param params the step's resolved params */
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

/** The context is in a separate key or directly in the params. A template may have changed the type of its strings. */
function contextIn(params: JsonMap): ApprovalContext {
  const { approval_context: below } = params;
  const { reason, decision_notes: notes, recommended_action: action } = isJsonMap(below) ? below : params;
  return {
    ...(reason === undefined ? {} : { reason: textForm(reason) }),
    ...(notes === undefined ? {} : { decision_notes: (isJsonList(notes) ? notes : [notes]).map(textForm) }),
    ...(action === undefined ? {} : { recommended_action: textForm(action) }),
  };
}
