/**
 * Whether the person trusts the engine's workspace.
 */
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
}

/** Reads the person's list, and again each time it is asked. */
export function createTrust({ workspace, baseFolder, isTrusted }: TrustPlaces): Trust {
  const list = createTrustList(baseFolder);
  let lastKnown = isTrusted === true;
  return {
    async isTrusted() {
      lastKnown = isTrusted === true || (await list.isTrusted(workspace));
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
