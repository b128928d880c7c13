/**
 * Defines what a person can allow: a tool, once or permanently, and the permissions that a flow lacks.
 */

/** Duration of a tool approval: one call, or all later calls of the tool in the workspace. */
export const consentScopes = ['once', 'workspace'] as const;

export type ConsentScope = (typeof consentScopes)[number];

/** A missing permission. A person grants it to the workspace in a system dialog or in a terminal. */
export type PermissionNeed =
  /** Trust in the workspace, because a node runs this command. */
  | { readonly kind: 'trust'; readonly command: string }
  /** Requests to an address on this machine or in a private network. Includes the port unless it is the default. */
  | { readonly kind: 'private-address'; readonly host: string }
  /** Sending a secret to a host. */
  | { readonly kind: 'secret-host'; readonly name: string; readonly host: string }
  /**
   * Use of secrets in the current version of a flow that is not the user's own. Only requested before a run, never
   * while it waits.
   */
  | {
      readonly kind: 'flow-secrets';
      readonly path: string;
      /** SHA-256 of the definition, in hexadecimal. */
      readonly definitionHash: string;
      readonly names: readonly string[];
    };

/** Returns the needs without duplicates, in order. */
export function distinctNeeds(needs: readonly PermissionNeed[]): readonly PermissionNeed[] {
  const known = new Map(needs.map((need) => [needKey(need), need]));
  return [...known.values()];
}

/** Returns a key that is equal for equal needs. */
export function needKey(need: PermissionNeed): string {
  switch (need.kind) {
    case 'trust':
      // Trust applies to all commands.
      return 'trust';
    case 'private-address':
      return JSON.stringify([need.kind, need.host]);
    case 'secret-host':
      return JSON.stringify([need.kind, need.name, need.host]);
    case 'flow-secrets':
      return JSON.stringify([need.kind, need.path, need.definitionHash, ...need.names]);
  }
}

/** Describes a need as an action, in lower case and without a final period. */
export function needText(need: PermissionNeed): string {
  switch (need.kind) {
    case 'trust':
      return `trust this workspace to run ${need.command}`;
    case 'private-address':
      return `send requests to ${need.host}, an address on this machine or your network`;
    case 'secret-host':
      return `send the secret ${need.name} to ${need.host}`;
    case 'flow-secrets':
      return `let ${need.path} use the secret${need.names.length === 1 ? '' : 's'} ${need.names.join(', ')}, until its text changes`;
  }
}
