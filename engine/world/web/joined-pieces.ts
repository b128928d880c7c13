/**
 * Joins pieces of a body that arrive faster than the screen refreshes. A model may send 200 per second, and processing
 * one takes about the same time regardless of its length.
 */
import type { Dispatcher } from 'undici';
import { type Clock, systemClock } from '../../base/clock.ts';

/** Milliseconds for which a piece waits for more: two screen frames, which readers do not notice. */
const frameMs = 32;
/** The first pieces of a body are not joined, because a short body gains nothing from it. */
const freePieces = 8;
/** Maximum number of waiting bytes. */
const mostHeld = 16 * 1024;

/**
 * Returns the interceptor that joins body pieces by frame: a piece that follows another one within a frame waits until
 * the frame ends.
 */
export function joinedPieces(
  { DecoratorHandler }: Pick<typeof import('undici'), 'DecoratorHandler'>,
  clock: Clock = systemClock,
): Dispatcher.DispatcherComposeInterceptor {
  class Handler extends DecoratorHandler {
    readonly #handler: Dispatcher.DispatchHandlers;
    #taken = 0;
    #held: Buffer[] = [];
    #heldBytes = 0;
    /** Ends the current frame early; undefined if none has started. */
    #endTimer: (() => void) | undefined;
    /** Whether the reader accepts more; returned to the connection for its next piece. */
    #isOpen = true;

    constructor(handler: Dispatcher.DispatchHandlers) {
      super(handler);
      this.#handler = handler;
    }

    onHeaders(status: number, headers: Buffer[], resume: () => void, statusText: string): boolean {
      const proceed = (): void => {
        this.#isOpen = true;
        resume();
      };
      return this.#handler.onHeaders?.(status, headers, proceed, statusText) ?? true;
    }

    onData(piece: Buffer): boolean {
      this.#held.push(piece);
      this.#heldBytes += piece.length;
      if (this.#endTimer === undefined) {
        this.#pass();
        if (++this.#taken > freePieces) this.#beginFrame();
      } else if (this.#heldBytes >= mostHeld) {
        this.#pass();
      }
      return this.#isOpen;
    }

    onComplete(trailers: string[] | null): void {
      this.#end();
      this.#handler.onComplete?.(trailers);
    }

    onError(error: Error): void {
      this.#end();
      this.#handler.onError?.(error);
    }

    #beginFrame(): void {
      this.#endTimer = clock.setTimer(() => {
        this.#endTimer = undefined;
        if (this.#held.length === 0) return;
        this.#pass();
        this.#beginFrame();
      }, frameMs);
    }

    #pass(): void {
      const [first, ...others] = this.#held;
      if (first === undefined) return;
      this.#held = [];
      this.#heldBytes = 0;
      this.#isOpen = this.#handler.onData?.(others.length === 0 ? first : Buffer.concat([first, ...others])) ?? true;
    }

    /** Waiting pieces are passed on before the end. */
    #end(): void {
      this.#endTimer?.();
      this.#endTimer = undefined;
      this.#pass();
    }
  }
  return (dispatch) => (options, handler) => dispatch(options, new Handler(handler));
}
