/**
 * Converts `fetch` errors to engine errors with a description of the cause. The original messages are not passed on,
 * because they may contain the data that was sent.
 */
import { EngineError } from '../../base/engine-error.ts';
import { shownAddress } from '../../base/web-address.ts';

interface Cause {
  readonly words: string;
  /** Whether a retry would fail the same way. */
  readonly isLasting?: true;
}

const badCertificate = (words: string): Cause => ({ words: `its certificate ${words}`, isLasting: true });
const ownAuthority =
  'if your company issued it, set NODE_EXTRA_CA_CERTS to a file with the certificate of your company';

const causes: Readonly<Record<string, Cause>> = {
  ENOTFOUND: { words: 'the host does not exist' },
  EAI_AGAIN: { words: 'the name of the host could not be looked up' },
  ECONNREFUSED: { words: 'the connection was refused, because no program listens on that port' },
  ECONNRESET: { words: 'the connection closed unexpectedly' },
  EPIPE: { words: 'the connection closed unexpectedly' },
  ETIMEDOUT: { words: 'it did not respond in time' },
  EHOSTUNREACH: { words: 'no network route leads to the host' },
  ENETUNREACH: { words: 'its network cannot be reached' },
  UND_ERR_SOCKET: { words: 'it closed the connection without a response' },
  UND_ERR_CONNECT_TIMEOUT: { words: 'it did not accept the connection in time' },
  UND_ERR_HEADERS_TIMEOUT: { words: 'it did not start its response in time' },
  UND_ERR_BODY_TIMEOUT: { words: 'it stopped in the middle of its response' },
  UND_ERR_HEADERS_OVERFLOW: { words: 'the headers of its response are too long', isLasting: true },
  CERT_HAS_EXPIRED: badCertificate('has expired'),
  CERT_NOT_YET_VALID: badCertificate('is not valid yet'),
  DEPTH_ZERO_SELF_SIGNED_CERT: badCertificate('is self-signed'),
  SELF_SIGNED_CERT_IN_CHAIN: badCertificate(
    `is signed by an authority that this machine does not trust; ${ownAuthority}`,
  ),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: badCertificate(
    `is signed by an authority that this machine does not know; ${ownAuthority}`,
  ),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: badCertificate(`cannot be verified; ${ownAuthority}`),
  ERR_TLS_CERT_ALTNAME_INVALID: badCertificate('is for another host'),
  ERR_SSL_WRONG_VERSION_NUMBER: { words: 'it does not support https', isLasting: true },
  EPROTO: { words: 'it does not support https', isLasting: true },
};

/**
 * Returns the error for a request without a response: `web.unreachable`, `web.blocked-port`, `web.bad-request`, or the
 * engine error with which it was stopped.
 */
export function toSendError(error: unknown, url: URL): EngineError {
  const own = ownErrorIn(error);
  if (own !== undefined) return own;
  const code = codeOf(error);
  if (code === undefined || code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH') {
    return badRequest(url);
  }
  const { words, isLasting = false } = causeOf(code);
  return new EngineError({
    code: 'web.unreachable',
    message: `${shownAddress(url)} could not be reached: ${words} (${code}).`,
    recoverable: !isLasting,
    details: { cause: code },
  });
}

/** Returns the error for a response that ended early: `web.broken`. */
export function brokenBody(error: unknown, url: URL): EngineError {
  const code = codeOf(error);
  return new EngineError({
    code: 'web.broken',
    message: `The response of ${shownAddress(url)} is incomplete: ${wordsOfBreak(code)}${code === undefined ? '' : ` (${code})`}. Send the request again. If that does not help, the server or a proxy damages its responses.`,
    recoverable: true,
    ...(code === undefined ? {} : { details: { cause: code } }),
  });
}

function wordsOfBreak(code: string | undefined): string {
  if (code === 'Z_BUF_ERROR') return 'it cannot be decompressed, because its data ends too early';
  return code !== undefined && /^(?:Z_|ZSTD_|ERR_)/.test(code)
    ? 'it cannot be decompressed, because its data is damaged'
    : 'the connection closed too early';
}

function causeOf(code: string): Cause {
  if (code === parserError || code.startsWith('HPE_')) return { words: 'its response is not HTTP', isLasting: true };
  return causes[code] ?? { words: 'the connection failed' };
}

/** Name of the error for data that is not HTTP; only older Node versions set a code for it. */
const parserError = 'HTTPParserError';

function ownErrorIn(error: unknown): EngineError | undefined {
  if (EngineError.is(error)) return error;
  return error instanceof Error ? ownErrorIn(error.cause) : undefined;
}

/** Returns the code closest to the cause; a failed fetch itself has none. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const deeper = codeOf(error.cause);
  const own = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return deeper ?? own ?? (error.name === parserError ? parserError : undefined);
}

/** Ports of other protocols, which the Fetch standard blocks. */
const blockedPorts: ReadonlySet<number> = new Set([
  ...[0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104],
  ...[109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526],
  ...[530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045],
  ...[4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

/** `fetch` rejects such requests without a code. */
function badRequest(url: URL): EngineError {
  if (url.port !== '' && blockedPorts.has(Number(url.port))) {
    return new EngineError({
      code: 'web.blocked-port',
      message: `${shownAddress(url)} was not requested: the web standard reserves port ${url.port} for another protocol and blocks it. Use another port.`,
    });
  }
  return new EngineError({
    code: 'web.bad-request',
    message: `The request to ${shownAddress(url)} cannot be sent: its method or one of its headers is not allowed. Change them.`,
  });
}
