/**
 * Checks that a request comes from a caller that knows a webhook's secret: it sends the secret itself, or a signature in
 * the style of GitHub, Stripe or Slack. Signatures are of the bytes of the body, exactly as they were received.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { WebhookSignatureDoc } from '../../language/triggers/trigger-doc.ts';

/** A request as it was received. */
export interface ReceivedRequest {
  /** By lowercase name. A repeated header is one value with commas. */
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** When it was received, in epoch milliseconds. */
  readonly now: number;
}

/** The request is genuine, or the reason why it is refused. `digest` is different for each signed content. */
export type SignatureVerdict =
  | { readonly isGenuine: true; readonly digest: string }
  | { readonly isGenuine: false; readonly reason: string };

/** Signed timestamps may differ by this from the time of this machine. Older requests could be repeated by others. */
const toleranceMs = 5 * 60_000;

/** Stripe sends one signature for each secret while a secret is replaced. */
const mostSignatures = 10;

/** The headers of each style. Requests without them are refused before their body is read. */
export const signatureHeaders: Readonly<Record<WebhookSignatureDoc['style'], readonly string[]>> = {
  github: ['x-hub-signature-256'],
  stripe: ['stripe-signature'],
  slack: ['x-slack-signature', 'x-slack-request-timestamp'],
};

/** Verifies a request's signature. The secret must not be empty. */
export function verifySignature(
  style: WebhookSignatureDoc['style'],
  secret: string,
  request: ReceivedRequest,
): SignatureVerdict {
  const signed = signers[style](request);
  if ('reason' in signed) return { isGenuine: false, reason: signed.reason };
  const digest = createHmac('sha256', secret).update(signed.prefix).update(request.body).digest();
  const isEqual = signed.signatures.some((signature) => equalsDigest(signature, digest));
  if (!isEqual) return refused('The signature does not match the body and the secret.');
  if (signed.at !== undefined && Math.abs(request.now - signed.at) > toleranceMs)
    return refused('The signed timestamp differs by more than 5 minutes from the time of this service.');
  return { isGenuine: true, digest: digest.toString('hex') };
}

/**
 * Returns whether a request has the secret in one of the two headers. Takes the same time for all wrong values.
 * @param digest of the secret, see `secretDigest`
 */
export function hasSecret({ headers }: Pick<ReceivedRequest, 'headers'>, digest: Buffer): boolean {
  const [, token] = /^Bearer +(.+)$/i.exec(headers.authorization ?? '') ?? [];
  const sent = headers['x-webhook-secret'] ?? token;
  return typeof sent === 'string' && timingSafeEqual(secretDigest(sent), digest);
}

/** Returns the hash that stands for a secret in comparisons: all hashes have the same length. */
export function secretDigest(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** What a header says: what was signed before the body, when, and the signatures in hex. */
interface SignedContent {
  readonly prefix: string;
  readonly at?: number;
  readonly signatures: readonly string[];
}

type ReadSigned = (request: ReceivedRequest) => SignedContent | { readonly reason: string };

const signers: Readonly<Record<WebhookSignatureDoc['style'], ReadSigned>> = {
  github({ headers }) {
    const [, signature] = /^sha256=([0-9a-f]{64})$/.exec(headerOf(headers, 'x-hub-signature-256')) ?? [];
    if (signature === undefined) return { reason: 'X-Hub-Signature-256 must be sha256= and 64 hex digits.' };
    return { prefix: '', signatures: [signature] };
  },
  stripe({ headers }) {
    const fields = headerOf(headers, 'stripe-signature')
      .split(',')
      .map((field) => field.trim().split('='));
    const named = (name: string): string[] => fields.flatMap(([key, value = '']) => (key === name ? [value] : []));
    const [time = '', other] = named('t');
    const signatures = named('v1');
    // With two times, it would not be clear which one was signed.
    if (other !== undefined || !isTime(time) || signatures.length === 0 || signatures.length > mostSignatures)
      return { reason: 'Stripe-Signature must have one time (t) and at least one signature (v1).' };
    return { prefix: `${time}.`, at: Number(time) * 1_000, signatures };
  },
  slack({ headers }) {
    const time = headerOf(headers, 'x-slack-request-timestamp');
    const [, signature] = /^v0=([0-9a-f]{64})$/.exec(headerOf(headers, 'x-slack-signature')) ?? [];
    if (signature === undefined || !isTime(time))
      return { reason: 'X-Slack-Signature must be v0= and 64 hex digits, with the time in X-Slack-Request-Timestamp.' };
    return { prefix: `v0:${time}:`, at: Number(time) * 1_000, signatures: [signature] };
  },
};

function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

function isTime(text: string): boolean {
  return /^\d{1,12}$/.test(text);
}

function equalsDigest(hex: string, digest: Buffer): boolean {
  return /^[0-9a-f]{64}$/.test(hex) && timingSafeEqual(Buffer.from(hex, 'hex'), digest);
}

function refused(reason: string): SignatureVerdict {
  return { isGenuine: false, reason };
}
