/**
 * Creates error messages about cassettes.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { FieldDifference } from './compare-requests.ts';

const shownDifferences = 5;

/** A call that has no recorded response. */
export interface Miss {
  readonly file: string;
  readonly kind: string;
  /** Describes the call by its model, or by its method and URL. */
  readonly title: string;
  /** Index of the call among equal calls, starting at 1. */
  readonly occurrence: number;
  /** Number of recorded equal calls. */
  readonly recordedCount: number;
  /** Differences from the nearest recorded call; undefined if no call of its kind was recorded. */
  readonly differences: readonly FieldDifference[] | undefined;
}

/** Creates the error of the first miss, with the reason. */
export function firstMissError(miss: Miss, mend: string): EngineError {
  const { kind, differences = [] } = miss;
  return new EngineError({
    code: 'cassette.miss',
    message: `${missed(miss)}: ${reasonOf(miss)}. ${mend}`,
    details: { kind, differences: differences.slice(0, shownDifferences) },
  });
}

/** Creates the error of a later miss. It omits the reason, which is usually the same as for the first miss. */
export function laterMissError(miss: Miss): EngineError {
  return new EngineError({ code: 'cassette.miss', message: `${missed(miss)}, like a call before it.` });
}

function missed({ file, kind, title, occurrence }: Miss): string {
  const which = occurrence === 1 ? '' : ` (number ${occurrence} of this kind)`;
  return `The cassette ${file} has no response for the ${kind} call ${title}${which}`;
}

function reasonOf({ kind, recordedCount, differences }: Miss): string {
  if (differences === undefined) return `it contains no ${kind} call`;
  if (recordedCount > 0) return `the same call was recorded ${recordedCount === 1 ? 'once' : `${recordedCount} times`}`;
  const shown = differences.slice(0, shownDifferences).map(differenceText);
  const rest = differences.length - shown.length;
  return `the most similar recorded call differs in ${shown.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

function differenceText({ path, recorded, asked }: FieldDifference): string {
  return `${path === '' ? 'the request' : path}: ${recorded ?? '(nothing)'} -> ${asked ?? '(nothing)'}`;
}

/** Creates the error for a missing file in replay mode. */
export function notFound(file: string): EngineError {
  return new EngineError({
    code: 'cassette.not-found',
    message: `The cassette ${file} does not exist. Check the path, or record it first (mode "record" or "auto").`,
  });
}

/** Creates the error for a file that is damaged or not a cassette. */
export function unreadable(file: string, problem: string): EngineError {
  return new EngineError({
    code: 'cassette.unreadable',
    message: `${file} cannot be used as a cassette: ${problem}. The file is unchanged. Fix it, or delete it and record again.`,
  });
}

/** Creates the error for a file of another kind, which must not be deleted. */
export function notCassette(file: string, format: number): EngineError {
  return new EngineError({
    code: 'cassette.unreadable',
    message: `${file} is not a cassette: "cassette: ${format}" is missing. The file is unchanged. Name another file.`,
  });
}

const shownEntries = 5;

/** Creates the warning about invalid entries. All other entries remain usable. */
export function invalidCassetteEntries(file: string, odd: readonly { readonly problem: string }[]): EngineError {
  const shown = odd.slice(0, shownEntries).map(({ problem }) => problem);
  const rest = odd.length - shown.length;
  const [what, mend] = odd.length === 1 ? ['1 recording', 'it'] : [`${odd.length} recordings`, 'them'];
  return new EngineError({
    code: 'cassette.odd-entry',
    message: `${file} has ${what} that cannot be used: ${shown.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}. The other calls are used. Fix ${mend}, or record again.`,
  });
}

/** Creates the error for a file written by a later version of the program. */
export function newerFormat(file: string, format: number): EngineError {
  return new EngineError({
    code: 'cassette.newer-format',
    message: `${file} was written by a newer version of Millrace (format ${format}). The file is unchanged. Update Millrace.`,
  });
}

/** Creates the error for a file that was changed by another program. */
export function changedOnDisk(file: string): EngineError {
  return new EngineError({
    code: 'cassette.changed',
    message: `${file} was changed by another program while calls were recorded. That change is kept, and this call is not recorded. Run again.`,
  });
}

/** Creates the error for a recording that would contain a known secret. */
export function leaking(file: string): EngineError {
  return new EngineError({
    code: 'cassette.secret',
    message: `Nothing was written to ${file}: a call contains a key from the settings where it cannot be removed, such as a field's name. Take the key out of the flow.`,
  });
}
