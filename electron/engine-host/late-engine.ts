/**
 * An engine that is made when somebody needs it. To load it takes longer than to read the first flow, which needs none.
 */
import type { Engine } from '../../engine/index.ts';

export interface LateEngine {
  /** The engine; made now, if nobody has needed it before. Rejects with why it could not be made. */
  need(): Promise<Engine>;
  /** Whether somebody has. */
  readonly isNeeded: boolean;
  /** The engine once somebody has needed it. Rejects as `need` does. */
  readonly made: Promise<Engine>;
}

/** @param make called once at most */
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
