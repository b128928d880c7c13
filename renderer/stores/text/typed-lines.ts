/**
 * Tracks the lines that the user is editing. Problems caused by an unfinished word are not worth showing, so new
 * problems on such a line are held back until typing pauses or the cursor leaves the line. All others are shown at
 * once.
 */
import type { Diagnostic } from '../../../engine/isomorphic.ts';

/** Milliseconds without a keystroke after which typing counts as paused. */
const restMs = 1000;

export interface TypedLines {
  /** Reports that the user typed into a line of a file, counted from 1. */
  type(path: string, line: number): void;
  /** Reports that the cursor is in a line. */
  stay(path: string, line: number): void;
  /**
   * Returns a check with the problems to show. On a line that is being edited, only problems that `former` had are
   * shown.
   */
  calm<Check extends CheckedDiagnostics>(path: string, check: Check, former: CheckedDiagnostics): Check;
  /** Returns all problems of a file, including those not in `shown`. */
  all(path: string, shown: readonly Diagnostic[]): readonly Diagnostic[];
}

interface CheckedDiagnostics {
  readonly diagnostics: readonly Diagnostic[];
}

interface TypedLineProblems {
  readonly all: readonly Diagnostic[];
  readonly shown: readonly Diagnostic[];
}

interface TypedLine {
  readonly line: number;
  readonly timer: ReturnType<typeof setTimeout>;
  readonly latest: TypedLineProblems | null;
}

/** @param onRest called when problems no longer have to be held back */
export function createTypedLines(onRest: (path: string, problems: TypedLineProblems) => void): TypedLines {
  const typed = new Map<string, TypedLine>();

  const rest = (path: string): void => {
    const { timer, latest } = typed.get(path) ?? {};
    clearTimeout(timer);
    typed.delete(path);
    if (latest != null && latest.all !== latest.shown) onRest(path, latest);
  };
  const leave = (path: string, line: number): void => {
    if (typed.has(path) && typed.get(path)?.line !== line) rest(path);
  };

  return {
    type(path, line) {
      leave(path, line);
      const { timer, latest = null } = typed.get(path) ?? {};
      clearTimeout(timer);
      typed.set(path, { line, latest, timer: setTimeout(() => rest(path), restMs) });
    },
    stay: leave,
    calm(path, check, former) {
      const current = typed.get(path);
      if (current === undefined) return check;
      const all = check.diagnostics;
      const shown = withoutNews(all, former.diagnostics, current.line);
      typed.set(path, { ...current, latest: { all, shown } });
      return shown === all ? check : { ...check, diagnostics: shown };
    },
    all(path, shown) {
      const latest = typed.get(path)?.latest;
      return latest?.shown === shown ? latest.all : shown;
    },
  };
}

/**
 * Removes problems that are new in a line. Returns the same list if there are none, or the previous list if nothing
 * else is new.
 */
function withoutNews(all: readonly Diagnostic[], former: readonly Diagnostic[], line: number): readonly Diagnostic[] {
  const known = new Set(former.map(nameOf));
  const shown = all.filter((one) => one.range.line > line || one.range.endLine < line || known.has(nameOf(one)));
  if (shown.length === all.length) return all;
  const isAsBefore = shown.length === former.length && shown.every((one, index) => one === former[index]);
  return isAsBefore ? former : shown;
}

function nameOf({ code, message }: Diagnostic): string {
  return `${code} ${message}`;
}
