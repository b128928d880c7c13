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

interface ErrorPlace {
  /** The history. */
  readonly place: string;
  /** What to check if no connection can be opened. */
  readonly advice: string;
  readonly isEncrypted: boolean;
}

/**
 * Returns the engine error for a failed call of the driver. An error of the server that a correct statement cannot cause
 * is returned unchanged.
 */
export function asStoreError(error: unknown, at: ErrorPlace): unknown {
  if (EngineError.is(error) || !(error instanceof Error) || error instanceof TypeError) return error;
  const code = codeOf(error);
  const isOfServer = 'severity' in error;
  const problem =
    tlsProblem(code) ?? byCode(code, error.message, at) ?? (isOfServer ? undefined : unreachable(error, at.advice));
  if (problem === undefined) return error;
  const message = `The history at ${at.place} ${problem.why}`;
  return new EngineError({ code: problem.code, message, recoverable: problem.isTemporary === true, cause: error });
}

/** The server requires a password, and none is known. */
export function needsPassword({ place }: Pick<ErrorPlace, 'place'>): EngineError {
  const message = `The history at ${place} requires a password. Enter it in the settings, or set PGPASSWORD.`;
  return new EngineError({ code: 'store.denied', message });
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

/** Certificate problems other than an unknown authority. */
const certificateProblems: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name. Connect with a name in its certificate',
  CERT_HAS_EXPIRED: 'has an expired certificate. Renew it',
  CERT_NOT_YET_VALID: 'has a certificate that is not valid yet. Check the clocks of both machines',
};

function tlsProblem(code: string): Problem | undefined {
  if (!tlsCodes.test(code)) return undefined;
  const known = certificateProblems[code];
  if (known !== undefined) return { code: 'store.denied', why: `${known} (${code}).` };
  const advice = 'Name the file with its authority in sslrootcert or NODE_EXTRA_CA_CERTS.';
  return { code: 'store.denied', why: `has a certificate from an authority that is not trusted (${code}). ${advice}` };
}

const poolerSettings =
  'For PgBouncer, set ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout.';
const unpooled = 'Use session pooling, or connect to PostgreSQL directly.';

function byCode(code: string, message: string, { isEncrypted }: ErrorPlace): Problem | undefined {
  switch (code) {
    case '28000': {
      const advice = isEncrypted ? '' : ' If the server requires encryption, turn it on (sslmode=require).';
      return { code: 'store.denied', why: `denied access. Check the user name and pg_hba.conf.${advice}` };
    }
    case '28P01':
      return { code: 'store.denied', why: 'denied access. Check the user name and the password.' };
    // The statement was prepared on another connection of the server.
    case '26000':
    case '42P05':
      return {
        code: 'store.unreachable',
        why: `is behind a pooler that shares connections between transactions. ${unpooled}`,
      };
    // A pooler refuses settings of a connection. PostgreSQL itself accepts ours.
    case '08P01':
      return { code: 'store.unreachable', why: `refuses the connection: ${message}. ${poolerSettings}` };
    case '42501':
      return { code: 'store.denied', why: `denied an operation: ${message}. Grant the user access to the schema.` };
    case '3D000':
      return { code: 'store.not-found', why: 'does not exist. Create the database, or correct its name in the URL.' };
    case '3F000':
    case '42P01':
    case '42703':
      return { code: 'store.unreadable', why: `is damaged: ${message}. Restore it from a backup.` };
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
