/**
 * An attempt that is running in this process and hands out its events in parts. Its work continues between two parts,
 * except where it waits until its latest events are stored.
 */
import { isBarrier } from '../../kernel/hub/event-traits.ts';
import { Spending } from '../../kernel/hub/spending.ts';
import { EventRecorder, type RecordedEvent } from './event-recorder.ts';
import type { AttemptEnd, NodeJob } from './node-job.ts';

/** A step's result. `end` is absent if the attempt continues in the next step. */
export interface StepResult {
  readonly end?: AttemptEnd | { readonly kind: 'cut' };
  readonly told: readonly RecordedEvent[];
}

export class LiveAttempt {
  readonly #recorded: RecordedEvent[] = [];
  #end: AttemptEnd | undefined;
  /** Whether the next part can be handed out. */
  #isDue = false;
  #handOut: () => void = () => undefined;
  /** Work that continues once this number of events is stored. */
  #waiting: { readonly count: number; readonly proceed: () => void }[] = [];
  #eventsHandedOut = 0;
  #eventsStored = 0;

  /** Starts the attempt. @param attempt never throws */
  constructor(job: NodeJob, attempt: (job: NodeJob) => Promise<AttemptEnd>) {
    const recorder = new EventRecorder({
      recorded: this.#recorded,
      onEmit: (event) => {
        if (isBarrier(event, { ofCalledRun: true })) this.#close();
      },
      whenStored: () => this.#whenStored(),
    });
    void attempt({ ...job, hub: job.hub.with({ recorder }), spending: new Spending() }).then((end) => {
      this.#end = end;
      this.#close();
    });
  }

  /** Hands out the next part. Everything handed out before is stored. */
  async next(): Promise<StepResult> {
    this.#eventsStored = this.#eventsHandedOut;
    const isStored = ({ count }: { readonly count: number }): boolean => count <= this.#eventsStored;
    const released = this.#waiting.filter(isStored);
    this.#waiting = this.#waiting.filter((one) => !isStored(one));
    for (const { proceed } of released) proceed();
    if (!this.#isDue) {
      await new Promise<void>((resolve) => {
        this.#handOut = resolve;
      });
    }
    this.#isDue = false;
    const told = this.#recorded.splice(0);
    this.#eventsHandedOut += told.length;
    return this.#end === undefined ? { told } : { end: this.#end, told };
  }

  #whenStored(): Promise<void> | undefined {
    if (this.#recorded.length > 0) this.#close();
    const count = this.#eventsHandedOut + this.#recorded.length;
    if (count <= this.#eventsStored) return undefined;
    return new Promise((proceed) => this.#waiting.push({ count, proceed }));
  }

  #close(): void {
    this.#isDue = true;
    this.#handOut();
  }
}
