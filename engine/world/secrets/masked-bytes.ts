/**
 * Masks a response body that is saved to a file, because a server may send back a secret it received.
 */
import type { RunSecrets } from '../../runtime/kernel/hub/run-secrets.ts';

/**
 * Passes on bytes with marks in place of secrets. Holds back a possible start of a secret until more bytes arrive or
 * `end` is called.
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
      // Maps each byte to one character, so that any file can be searched and is preserved.
      stream.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1'));
      await flush();
    },
    async end() {
      stream.end();
      await flush();
    },
  };
}

/** Characters above one byte occur only in marks. */
function bytesOf(text: string): Buffer {
  const parts = text.match(/[\0-\xff]+|[^\0-\xff]+/g) ?? [];
  return Buffer.concat(parts.map((part) => Buffer.from(part, part.charCodeAt(0) > 0xff ? 'utf8' : 'latin1')));
}
