/**
 * What a node needs a person's permission for, known when its input is resolved and before it runs.
 */
import type { Hub } from './hub.ts';
import type { RunSecrets } from './run-secrets.ts';

/** A permission that is missing. A person gives it in a dialog of the system or at a terminal, for the workspace. */
export type PermissionNeed =
  /** To trust the workspace, because a node runs this command. */
  | { readonly kind: 'trust'; readonly command: string }
  /** To send requests to an address of this machine or a private network; with the port where it is not the usual one. */
  | { readonly kind: 'private-address'; readonly host: string }
  /** To send a secret to a host. */
  | { readonly kind: 'secret-host'; readonly name: string; readonly host: string };

/** Something outside of the run that a node will reach, as its resolved input says. */
export type Reach =
  | { readonly effect: 'command'; readonly target: string }
  /** `sent`: everything beside the address that is sent, where placeholders of secrets may be. */
  | { readonly effect: 'web'; readonly url: string; readonly sent: readonly string[] };

interface ReachScope {
  readonly hub: Pick<Hub, 'products' | 'isUnseen'>;
  readonly secrets: RunSecrets | undefined;
}

/** Finds missing permissions; present only where a person can be asked for them. */
export interface PermissionsCapability {
  /** Returns what a person could allow. What a policy refuses is not among it: the node fails when it runs. */
  missing(reach: Reach, scope: ReachScope): Promise<readonly PermissionNeed[]>;
}

/** Returns the needs without repetitions, in their order. */
export function distinctNeeds(needs: readonly PermissionNeed[]): readonly PermissionNeed[] {
  const known = new Map(needs.map((need) => [needKey(need), need]));
  return [...known.values()];
}

/** Equal for equal needs. */
export function needKey(need: PermissionNeed): string {
  switch (need.kind) {
    case 'trust':
      // Trust is for all commands.
      return 'trust';
    case 'private-address':
      return JSON.stringify([need.kind, need.host]);
    case 'secret-host':
      return JSON.stringify([need.kind, need.name, need.host]);
  }
}

/** Describes a need as an action, in lower case and without a full stop. */
export function needText(need: PermissionNeed): string {
  switch (need.kind) {
    case 'trust':
      return `trust this workspace, to run ${need.command}`;
    case 'private-address':
      return `send requests to ${need.host}, an address of this machine or your network`;
    case 'secret-host':
      return `send the secret ${need.name} to ${need.host}`;
  }
}
