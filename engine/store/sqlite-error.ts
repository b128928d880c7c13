/**
 * SQLite's result codes → the store's own errors, in words that say what to do.
 */
import { EngineError } from '../base/engine-error.ts';

const busyCodes: ReadonlySet<number> = new Set([5, 6]);
const fullCode = 13;
/** CORRUPT, NOTADB. */
const damagedCodes: ReadonlySet<number> = new Set([11, 26]);
/** PERM, READONLY, IOERR, CANTOPEN, PROTOCOL, NOLFS, AUTH. */
const outsideCodes: ReadonlySet<number> = new Set([3, 8, 10, 14, 15, 22, 23]);

/**
 * The store's error for what a driver threw; anything that is our own mistake (bad SQL, a broken constraint) comes back
 * unchanged, as a bug.
 * @param place the database's path, or what stands for it in a message
 */
export function toStoreError(thrown: unknown, place: string): unknown {
  const code = resultCodeOf(thrown);
  if (code === undefined) {
    return thrown;
  }
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  if (code === fullCode) {
    return new EngineError({
      code: 'store.full',
      message: `The disk is full: nothing more can be recorded in ${place}. Free some space, then run the flow again.`,
      cause: thrown,
    });
  }
  if (busyCodes.has(code)) {
    return new EngineError({
      code: 'store.write-failed',
      message: `Another program has kept ${place} locked for more than 5 seconds. Close it, or try again.`,
      recoverable: true,
      cause: thrown,
    });
  }
  if (damagedCodes.has(code)) {
    return new EngineError({
      code: 'store.unreadable',
      message: `${place} is damaged or is no run history (${reason}). Move the file away to start a new one; it is left as it is.`,
      cause: thrown,
    });
  }
  if (outsideCodes.has(code)) {
    return new EngineError({
      code: 'store.write-failed',
      message: `${place} cannot be opened or written (${reason}). Check that the folder exists and that you may write to it.`,
      cause: thrown,
    });
  }
  return thrown;
}

/** The primary result code; the extended one keeps its detail above the lowest byte. */
function resultCodeOf(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error && 'errcode' in thrown && typeof thrown.errcode === 'number')) {
    return undefined;
  }
  return thrown.errcode & 0xff;
}
