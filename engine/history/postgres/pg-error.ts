/**
 * Converts errors of PostgreSQL and its driver to engine errors. Messages contain no password.
 */
import { EngineError } from '../../base/engine-error.ts';

/** Codes of Node for connections that cannot be opened or broke. */
const networkCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);
/** Errors of the driver that have no code. */
const brokenConnection =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|not queryable|query read timeout|client was closed/i;
const noTls = /does not support SSL connections/i;
const tlsCodes = /^(ERR_TLS|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)/;

/** Reads the SQLSTATE of an error of the server, or the code of an error of Node. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

/**
 * Returns the engine error for a failed query; any other error, such as a bug in a statement, is returned unchanged.
 * @param place host, database and schema, for messages
 */
export function asStoreError(error: unknown, place: string): unknown {
  if (EngineError.is(error) || !(error instanceof Error)) return error;
  const code = codeOf(error);
  const known = byState(code, error.message);
  if (known === undefined && !isBroken(code, error.message)) return error;
  const found = known ?? {
    code: 'store.unreachable',
    why: `cannot be reached (${code === '' ? error.message : code}). Check that PostgreSQL is running and that the host and port are correct.`,
    isTemporary: true,
  };
  const { code: storeCode, why, isTemporary = false } = found;
  const message = `The history at ${place} ${why}`;
  return new EngineError({ code: storeCode, message, recoverable: isTemporary, cause: error });
}

interface Problem {
  readonly code: string;
  readonly why: string;
  readonly isTemporary?: boolean;
}

function isBroken(code: string, message: string): boolean {
  return networkCodes.has(code) || brokenConnection.test(message);
}

function byState(code: string, message: string): Problem | undefined {
  if (noTls.test(message)) {
    const why = 'does not offer TLS. Enable TLS on the server, or add sslmode=disable to connect without encryption.';
    return { code: 'store.denied', why };
  }
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
