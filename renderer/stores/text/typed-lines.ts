/**
 * The lines that a person is typing into: what is wrong with a word that is only half there is not worth showing. New problems
 * of such a line wait until typing rests or the cursor leaves the line; all others are shown at once.
 */
import type { Diagnostic } from '../../../engine/isomorphic.ts';

/** Milliseconds without a letter after which typing rests. */
const restMs = 1000;

export interface TypedLines {
  /** The person typed into a line of a file, counted from 1. */
  type(path: string, line: number): void;
  /** The cursor is in a line. */
  stay(path: string, line: number): void;
  /** A check with those of its problems that are to be shown: of a line that is typed into only what `former` had. */
  calm<Check extends Checked>(path: string, check: Check, former: Checked): Check;
  /** All problems of a file of which `shown` are shown. */
  all(path: string, shown: readonly Diagnostic[]): readonly Diagnostic[];
}

interface Checked {
  readonly diagnostics: readonly Diagnostic[];
}

interface Problems {
  readonly all: readonly Diagnostic[];
  readonly shown: readonly Diagnostic[];
}

interface Typed {
  readonly line: number;
  readonly timer: ReturnType<typeof setTimeout>;
  readonly latest: Problems | null;
}

/** @param onRest called when problems do not have to wait any more */
export function createTypedLines(onRest: (path: string, problems: Problems) => void): TypedLines {
  const typed = new Map<string, Typed>();

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

/** All but what is new in a line; the same list when that is nothing, or when it is what was there before. */
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
