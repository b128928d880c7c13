/**
 * Whether the person trusts the engine's workspace.
 */
import type { Clock } from '../base/clock.ts';
import { createTrustList } from '../script/trust-list.ts';

export interface Trust {
  isTrusted(): Promise<boolean>;
  /** As it was when it was last looked at; false before that. */
  readonly lastKnown: boolean;
  set(isTrusted: boolean): Promise<void>;
}

interface TrustPlaces {
  readonly workspace: string;
  readonly baseFolder: string;
  /** Trusted whatever the list says, for this one engine. */
  readonly isTrusted?: true | undefined;
  readonly clock: Clock;
}

/** Scripts cause a look before everything they do; another program's change may count a moment later, in milliseconds. */
const keptMs = 1000;

/** Reads the person's list when it is asked, and again after a moment. */
export function createTrust({ workspace, baseFolder, isTrusted, clock }: TrustPlaces): Trust {
  const list = createTrustList(baseFolder);
  let lastKnown = isTrusted === true;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return {
    async isTrusted() {
      if (isTrusted === true || clock.now() - lookedAt < keptMs) return lastKnown;
      lastKnown = await list.isTrusted(workspace);
      lookedAt = clock.now();
      return lastKnown;
    },
    get lastKnown() {
      return lastKnown;
    },
    async set(trusts) {
      await list.setTrusted(workspace, trusts);
      lastKnown = isTrusted === true || trusts;
    },
  };
}
