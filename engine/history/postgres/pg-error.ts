/**
 * Converts errors of PostgreSQL and its driver to engine errors. Messages contain no password.
 */
import { EngineError } from '../../base/engine-error.ts';

const tlsCodes = /^(ERR_TLS|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)/;

/** Reads the SQLSTATE of an error of the server, or the code of an error of Node. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

/**
 * Returns the engine error for a failed call of the driver. An error of the server that a correct statement cannot cause
 * is returned unchanged.
 * @param at `place` of the history, and advice for a connection that cannot be opened
 */
export function asStoreError(error: unknown, at: { readonly place: string; readonly advice: string }): unknown {
  if (EngineError.is(error) || !(error instanceof Error) || error instanceof TypeError) return error;
  const code = codeOf(error);
  const isOfServer = 'severity' in error;
  const problem = byCode(code, error.message) ?? (isOfServer ? undefined : unreachable(error, at.advice));
  if (problem === undefined) return error;
  const message = `The history at ${at.place} ${problem.why}`;
  return new EngineError({ code: problem.code, message, recoverable: problem.isTemporary === true, cause: error });
}

/** The driver's own errors have no code. All are about the connection. */
function unreachable(error: Error, advice: string): Problem {
  const code = codeOf(error);
  // Node's messages for several addresses are empty.
  const reason = error.message === '' ? code : error.message;
  return { code: 'store.unreachable', why: `cannot be reached: ${reason}. ${advice}`, isTemporary: true };
}

interface Problem {
  readonly code: string;
  readonly why: string;
  readonly isTemporary?: boolean;
}

function byCode(code: string, message: string): Problem | undefined {
  if (tlsCodes.test(code))
    return {
      code: 'store.denied',
      why: `has a certificate that is not trusted (${code}). Check sslmode and sslrootcert.`,
    };
  switch (code) {
    case '28000':
    case '28P01':
      return { code: 'store.denied', why: 'denied access. Check the user name, the password and pg_hba.conf.' };
    case '42501':
      return { code: 'store.denied', why: `denied an operation: ${message}. Grant the user access to the schema.` };
    case '3D000':
      return { code: 'store.not-found', why: 'does not exist. Create the database, or correct its name in the URL.' };
    case '25006':
      return { code: 'store.read-only', why: 'is read-only. Connect to the primary server to write.' };
    case '53100':
      return { code: 'store.full', why: 'cannot be written: the disk of the server is full. Free up space.' };
    case '57014':
      return { code: 'store.unreachable', why: 'did not answer in time. Try again.', isTemporary: true };
    default:
      return temporary(code, message);
  }
}

/** Classes of states after which the same statement may succeed: connection, resources, shutdown, conflicts. */
const temporaryClasses: ReadonlySet<string> = new Set(['08', '53', '57', '40', '55']);

function temporary(code: string, message: string): Problem | undefined {
  if (!temporaryClasses.has(code.slice(0, 2)) || code.length !== 5) return undefined;
  return { code: 'store.unreachable', why: `is temporarily unavailable (${message}).`, isTemporary: true };
}
