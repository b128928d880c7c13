/**
 * The permissions that a node needs from a person, determined when its input is resolved and before it runs.
 */
import type { PermissionNeed } from '../../../base/consent.ts';
import type { Hub } from '../hub/hub.ts';
import type { RunSecrets } from '../hub/run-secrets.ts';

/** Kinds of script effects that need a trusted workspace. */
export type ScriptReach = 'command' | 'web' | 'secret';

/** Something outside the run that a node will access, according to its resolved input. */
export type Reach =
  | { readonly effect: 'command'; readonly target: string }
  /** An agent's scripts, with the kinds of effects in their text. */
  | { readonly effect: 'script'; readonly target: string; readonly does: readonly ScriptReach[] }
  /** `sent`: everything sent besides the address that may contain secret placeholders. */
  | { readonly effect: 'web'; readonly url: string; readonly sent: readonly string[] };

interface ReachScope {
  readonly hub: Pick<Hub, 'products' | 'isUnseen'>;
  readonly secrets: Pick<RunSecrets, 'namesIn' | 'admit'> | undefined;
}

/** Finds missing permissions; present only if a person can be asked for them. */
export interface PermissionsCapability {
  /**
   * Returns the permissions that a person could grant. Effects that a policy denies are not included: the node fails
   * when it runs.
   */
  missing(reach: Reach, scope: ReachScope): Promise<readonly PermissionNeed[]>;
}
