/**
 * The journal of a run in Restate. The only part of a run that knows Restate's SDK.
 */

import type * as sdk from '@restatedev/restate-sdk';
import type { RestatePromise, Serde, WorkflowContext } from '@restatedev/restate-sdk';
import type { Finished, Handle, Journal } from './journal.ts';

/** Name of the promise with this message. */
export function messageName(index: number): string {
  return `message/${index}`;
}

/** Text as it is. The texts of steps and messages are JSON already. */
export const textSerde: Serde<string> = {
  contentType: 'application/json',
  serialize: (text) => new TextEncoder().encode(text),
  deserialize: (bytes) => new TextDecoder().decode(bytes),
};

/** The SDK, which is loaded only by workers. */
export type RestateSdk = typeof sdk;

export class RestateJournal implements Journal {
  readonly ended: AbortSignal;
  readonly #sdk: RestateSdk;
  readonly #context: WorkflowContext;
  readonly #suspend: () => void;

  /** @param suspend ends the input of the attempt */
  constructor(loaded: RestateSdk, context: WorkflowContext, suspend: () => void) {
    this.#sdk = loaded;
    this.#context = context;
    this.#suspend = suspend;
    this.ended = context.request().attemptCompletedSignal;
  }

  step(name: string, work: () => Promise<string>): Handle {
    return this.#handle(this.#context.run(name, work, { serde: textSerde }));
  }

  sleep(ms: number): Handle {
    return this.#handle(this.#context.sleep(Math.max(0, Math.ceil(ms))));
  }

  message(index: number): Handle {
    return this.#handle(this.#context.promise(messageName(index), textSerde).get());
  }

  cancellation(): Handle {
    return this.#handle((this.#context as WorkflowContext & sdk.internal.ContextInternal).cancellation());
  }

  async next(handles: readonly Handle[]): Promise<Finished> {
    return await this.#sdk.RestatePromise.race(handles as readonly RestatePromise<Finished>[]);
  }

  suspend(): void {
    this.#suspend();
  }

  /** The handle of an operation is the promise for its result, together with itself. */
  #handle(operation: RestatePromise<string | undefined> | RestatePromise<void>): Handle {
    const handle: RestatePromise<Finished> = operation.map((text, failure) => {
      if (failure !== undefined) throw failure;
      return { handle, text: text ?? '' };
    });
    return handle;
  }
}
