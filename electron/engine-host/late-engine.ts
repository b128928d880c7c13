/**
 * Creates the engine on first use, because loading it takes longer than reading the first flow, which does not need it.
 */
import type { Engine } from '../../engine/index.ts';

export interface LateEngine {
  /** Returns the engine and creates it on the first call. Rejects with the reason it could not be created. */
  need(): Promise<Engine>;
  /** Whether `need` has been called. */
  readonly isNeeded: boolean;
  /** Resolves to the engine after `need` has been called. Rejects as `need` does. */
  readonly made: Promise<Engine>;
}

/** @param make called at most once */
export function createLateEngine(make: () => Promise<Engine>): LateEngine {
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const made = begun.then(make);
  let isNeeded = false;
  return {
    made,
    get isNeeded() {
      return isNeeded;
    },
    need() {
      isNeeded = true;
      begin();
      return made;
    },
  };
}
