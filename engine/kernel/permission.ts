/**
 * What a node needs a person's permission for, known when its input is resolved and before it runs.
 */
import type { PermissionNeed } from '../base/consent.ts';
import type { Hub } from './hub.ts';
import type { RunSecrets } from './run-secrets.ts';

/** What scripts do that needs a workspace that the person trusts. */
export type ScriptReach = 'command' | 'web' | 'secret';

/** Something outside of the run that a node will reach, as its resolved input says. */
export type Reach =
  | { readonly effect: 'command'; readonly target: string }
  /** Scripts of an agent, by the kinds of effects that their text calls. */
  | { readonly effect: 'script'; readonly target: string; readonly does: readonly ScriptReach[] }
  /** `sent`: everything beside the address that is sent, where placeholders of secrets may be. */
  | { readonly effect: 'web'; readonly url: string; readonly sent: readonly string[] };

interface ReachScope {
  readonly hub: Pick<Hub, 'products' | 'isUnseen'>;
  readonly secrets: Pick<RunSecrets, 'namesIn' | 'admit'> | undefined;
}

/** Finds missing permissions; present only where a person can be asked for them. */
export interface PermissionsCapability {
  /** Returns what a person could allow. What a policy refuses is not among it: the node fails when it runs. */
  missing(reach: Reach, scope: ReachScope): Promise<readonly PermissionNeed[]>;
}
