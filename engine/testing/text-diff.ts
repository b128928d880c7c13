/**
 * Shows text changes as a person would read them, for tests.
 */
import { applyEdits } from '../base/text-edit.ts';
import { editFlow } from '../language/edit/edit-flow.ts';
import type { FlowChange } from '../language/edit/flow-change.ts';
import { diffLines } from '../language/edit/yaml/line-diff.ts';

/** Returns the text after a change. @throws Error with the message of a refusal */
export function changedText(text: string, change: FlowChange): string {
  const edit = editFlow(text, change);
  if (!edit.ok) throw new Error(edit.error.message);
  return applyEdits(text, edit.edits);
}

/** Returns the changed lines of a text. */
export function diffBy(text: string, change: FlowChange): readonly string[] {
  return diffLines(text, changedText(text, change));
}
