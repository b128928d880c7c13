/**
 * Whether the executor has anything to do: told when the first action begins and when the last one has ended.
 */
import { Listeners } from '../base/listeners.ts';
import { warn } from './warn.ts';

/** Not part of any run's log. */
export interface ExecEvent {
  readonly type: 'exec:start' | 'exec:end';
}

export class Activity {
  readonly #listeners = new Listeners<[ExecEvent]>();
  #active = 0;

  subscribe(listener: (event: ExecEvent) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** An action begins. The function returned says that it has ended, and does so once however often it is called. */
  begin(): () => void {
    let isOver = false;
    if (this.#active++ === 0) this.#listeners.tell(warn, { type: 'exec:start' });
    return () => {
      if (isOver) return;
      isOver = true;
      if (--this.#active === 0) this.#listeners.tell(warn, { type: 'exec:end' });
    };
  }
}
