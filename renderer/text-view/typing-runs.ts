/**
 * Determines which keystrokes are undone together: a word with the spaces after it, or a series of deletions.
 */
import type { TextEdit } from '../../engine/isomorphic.ts';

/** Longer insertions are pasted or completed, and are separate steps. */
const longestKey = 2;

interface TypedSpan {
  readonly start: number;
  readonly end: number;
}

interface TypingRun {
  readonly key: string;
  readonly kind: 'insert' | 'delete';
  /** The text typed by each cursor, as ranges in the current text. */
  readonly spans: readonly TypedSpan[];
  readonly endsInBlank: boolean;
}

export interface TypingRuns {
  /**
   * Returns the key of the step that a change belongs to. A change with the same key as the previous one is part of its
   * step. Undefined for a separate step. Pauses are handled by the edit log.
   * @param edits in text order
   */
  keyOf(edits: readonly TextEdit[]): string | undefined;
  /** Called when the cursor moves elsewhere: the next change starts a new step. */
  end(): void;
}

export function createTypingRuns(): TypingRuns {
  let run: TypingRun | undefined;
  return {
    keyOf(edits) {
      const kind = kindOf(edits);
      if (kind === undefined) {
        run = undefined;
        return undefined;
      }
      const isBlank = edits.every(({ text }) => /^\s*$/.test(text));
      const goesOn = run !== undefined && continues(run, kind, edits) && (isBlank || !run.endsInBlank);
      const key = goesOn && run !== undefined ? run.key : crypto.randomUUID();
      const spans = spansAfter(edits, goesOn ? run : undefined);
      run = { key, kind, spans, endsInBlank: kind === 'insert' && isBlank };
      return key;
    },
    end() {
      run = undefined;
    },
  };
}

function kindOf(edits: readonly TextEdit[]): TypingRun['kind'] | undefined {
  if (edits.every(({ start, end, text }) => text === '' && end - start <= longestKey)) return 'delete';
  const isKey = ({ start, end, text }: TextEdit): boolean => {
    const isNewLine = text.startsWith('\n') && text.trim() === '';
    return end - start <= longestKey && text !== '' && (text.length <= longestKey || isNewLine);
  };
  return edits.every(isKey) ? 'insert' : undefined;
}

function continues(run: TypingRun, kind: TypingRun['kind'], edits: readonly TextEdit[]): boolean {
  if (run.kind !== kind || run.spans.length !== edits.length) return false;
  return edits.every(({ start, end }, index) => {
    const span = run.spans[index];
    if (span === undefined) return false;
    return kind === 'delete' ? end === span.start || start === span.start : start >= span.start && end <= span.end;
  });
}

function spansAfter(edits: readonly TextEdit[], run: TypingRun | undefined): TypedSpan[] {
  let shift = 0;
  return edits.map(({ start, end, text }, index) => {
    const change = text.length - (end - start);
    const span = run?.spans[index] ?? { start, end };
    const from = Math.min(span.start, start) + shift;
    const to = Math.max(span.end, end) + shift + change;
    shift += change;
    return { start: from, end: Math.max(from, to) };
  });
}
