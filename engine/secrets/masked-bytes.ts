/**
 * The body of an answer on its way into a file: a server may send back the secret that it was sent.
 */
import type { RunSecrets } from '../kernel/run-secrets.ts';

/**
 * Hands bytes on, with marks instead of the values of secrets. What may be the beginning of one is held back until more comes, or
 * until `end`.
 */
export function maskedBytes(
  secrets: RunSecrets,
  write: (piece: Uint8Array) => Promise<void>,
): { push(piece: Uint8Array): Promise<void>; end(): Promise<void> } {
  let ready: Buffer[] = [];
  const stream = secrets.stream((text) => void ready.push(bytesOf(text)));
  const flush = async (): Promise<void> => {
    const pieces = ready;
    ready = [];
    for (const piece of pieces) await write(piece);
  };
  return {
    async push(piece) {
      // A sign for each byte: so any file can be looked through, and comes out as it was.
      stream.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1'));
      await flush();
    },
    async end() {
      stream.end();
      await flush();
    },
  };
}

/** Signs beyond a byte stand in marks only. */
function bytesOf(text: string): Buffer {
  const parts = text.match(/[\0-\xff]+|[^\0-\xff]+/g) ?? [];
  return Buffer.concat(parts.map((part) => Buffer.from(part, part.charCodeAt(0) > 0xff ? 'utf8' : 'latin1')));
}
