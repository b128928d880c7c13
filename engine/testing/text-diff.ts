/**
 * Changes of texts as a person reads them, for tests.
 */
import { applyEdits } from '../base/text-edit.ts';
import { alignLists } from '../flowspec/edit/align-lists.ts';
import { editFlow } from '../flowspec/edit/edit-flow.ts';
import type { FlowChange } from '../flowspec/edit/flow-change.ts';

/** The text after a change. @throws Error with the sentence of a refusal */
export function changedText(text: string, change: FlowChange): string {
  const edit = editFlow(text, change);
  if (!edit.ok) throw new Error(edit.error.message);
  return applyEdits(text, edit.edits);
}

/** The lines that went, with `-` before them, and those that came, with `+`, by their places. */
function diffOf(before: string, after: string): readonly string[] {
  const old = before.split('\n');
  const now = after.split('\n');
  const origins = alignLists(old, now, () => false);
  const lines: string[] = [];
  let came: string[] = [];
  let next = 0;
  const goTo = (origin: number): void => {
    lines.push(...old.slice(next, origin).map((gone) => `-${gone}`), ...came);
    came = [];
    next = origin + 1;
  };
  for (const [index, line] of now.entries()) {
    const origin = origins[index];
    if (origin === undefined) came.push(`+${line}`);
    else goTo(origin);
  }
  goTo(old.length);
  return lines;
}

/** What a change does to the lines of a text. */
export function diffBy(text: string, change: FlowChange): readonly string[] {
  return diffOf(text, changedText(text, change));
}
