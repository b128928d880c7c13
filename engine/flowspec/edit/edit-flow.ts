/**
 * A change of a flow → the smallest edits of its text.
 */
import type { ErrorRecord } from '../../base/engine-error.ts';
import type { TextEdit } from '../../base/text-edit.ts';
import type { FlowChange } from './flow-change.ts';

/** The edits of the text with a name for the undo menu, or why there are none; then the text is to stay as it is. */
export type FlowEdit =
  | { readonly ok: true; readonly edits: readonly TextEdit[]; readonly label: string }
  | { readonly ok: false; readonly error: ErrorRecord };

/** Finds the edits that carry out a change: by `start`, not overlapping, all at places of `text`. Never throws. */
export function editFlow(text: string, change: FlowChange): FlowEdit {
  const message = `The change "${change.do}" of a text of ${text.length} characters is not built yet.`;
  return { ok: false, error: { code: 'edit.refused', message } };
}
