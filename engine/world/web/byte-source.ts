/**
 * Bytes that arrive in pieces, read by count or as they arrive.
 */

/** Maximum number of bytes read from a body after its data is complete. */
const mostIgnored = 64 * 1024;

export class ByteSource {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #unread: Uint8Array[] = [];

  constructor(pieces: AsyncIterator<Uint8Array>) {
    this.#pieces = pieces;
  }

  /** Returns the next piece, never empty; undefined at the end. */
  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const piece = this.#unread.shift() ?? (await this.#arrived());
      if (piece === undefined || piece.byteLength > 0) return piece;
    }
  }

  async #arrived(): Promise<Uint8Array | undefined> {
    const { done, value } = await this.#pieces.next();
    return done === true ? undefined : value;
  }

  /** Puts a piece back, to be read next. */
  unread(piece: Uint8Array): void {
    this.#unread.unshift(piece);
  }

  /** Returns the next bytes, or fewer at the end. */
  async take(count: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for (let missing = count; missing > 0; ) {
      const piece = await this.next();
      if (piece === undefined) break;
      if (piece.byteLength > missing) this.unread(piece.subarray(missing));
      parts.push(piece.subarray(0, missing));
      missing -= Math.min(missing, piece.byteLength);
    }
    return Buffer.concat(parts);
  }

  /** Reads and discards the rest, so that a broken connection is detected. */
  async drain(): Promise<void> {
    let ignored = 0;
    for (let piece = await this.next(); piece !== undefined && ignored <= mostIgnored; piece = await this.next()) {
      ignored += piece.byteLength;
    }
  }
}
