/**
 * A flow text together with what the engine's own parser and checks say about it.
 */
import { checkFlow, type Diagnostic, type FlowDoc } from '../../engine/isomorphic.ts';

export interface CheckedText {
  readonly text: string;
  /** The document of this text, or of the last text that could be read as one; null when there was none yet. */
  readonly doc: FlowDoc | null;
  /** Whether `doc` belongs to an earlier text than `text`. */
  readonly isDocStale: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Checks a text; while it cannot be read as a flow the document of `former` stays. */
export function checkText(text: string, former: CheckedText | null): CheckedText {
  const { doc, diagnostics } = checkFlow(text);
  if (doc !== null) return { text, doc, isDocStale: false, diagnostics };
  return { text, doc: former?.doc ?? null, isDocStale: former?.doc != null, diagnostics };
}
