/**
 * What a person allows: a tool once or for good, and permissions that a flow lacks.
 */

/** How long an approval of a tool lasts: for the one call, or for every later call of the tool in the workspace. */
export const consentScopes = ['once', 'workspace'] as const;

export type ConsentScope = (typeof consentScopes)[number];

/** A missing permission. A person grants it to the workspace, in a dialog of the system or at a terminal. */
export type PermissionNeed =
  /** To trust the workspace, because a node runs this command. */
  | { readonly kind: 'trust'; readonly command: string }
  /** To send requests to an address of this machine or a private network; with the port where it is not the usual one. */
  | { readonly kind: 'private-address'; readonly host: string }
  /** To send a secret to a host. */
  | { readonly kind: 'secret-host'; readonly name: string; readonly host: string }
  /** To use secrets in a flow that is not the person's own, as its text is now. Asked for before a run, never while it waits. */
  | {
      readonly kind: 'flow-secrets';
      readonly path: string;
      /** SHA-256 of the definition, in hex. */
      readonly definitionHash: string;
      readonly names: readonly string[];
    };

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
    case 'flow-secrets':
      return JSON.stringify([need.kind, need.path, need.definitionHash, ...need.names]);
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
    case 'flow-secrets':
      return `let ${need.path} use the secret${need.names.length === 1 ? '' : 's'} ${need.names.join(', ')}, until its text changes`;
  }
}
