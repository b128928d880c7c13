/**
 * Handles the workspace permissions that nodes may wait for: finds missing ones, and grants them on behalf of a person.
 */

import { distinctNeeds, type PermissionNeed } from '../../base/consent.ts';
import { EngineError } from '../../base/engine-error.ts';
import { addressWithoutQuery, dialedHostAndPort, findWebAddress } from '../../base/web-address.ts';
import type {
  EffectPolicy,
  EffectRequest,
  EffectVerdict,
  RequestedEffect,
} from '../../runtime/kernel/capabilities/effect.ts';
import type { PermissionsCapability, Reach, ScriptReach } from '../../runtime/kernel/requests/permission.ts';
import { isPrivateHost } from '../../world/web/public-fetch.ts';
import type { SettingsEngine } from '../wiring/settings-service.ts';
import type { PrivateHosts } from './private-hosts.ts';
import type { SecretEngine } from './secret-service.ts';

/** Permission operations of a host. Only a person can grant permissions, and only in a system dialog or a terminal. */
export interface PermissionEngine {
  /**
   * Grants all given permissions to the workspace. @throws EngineError `team.locked` | `trust.*` | `secret.*` |
   * `web.private-hosts-unreadable`
   */
  grantPermissions(needs: readonly PermissionNeed[]): Promise<void>;
  /** Lists the private addresses that the workspace may access. */
  listPrivateHosts(): Promise<readonly string[]>;
  /** Removes an address. @throws EngineError `web.private-hosts-unreadable` */
  forgetPrivateHost(host: string): Promise<void>;
}

interface PermissionParts {
  readonly policy: EffectPolicy;
  /** Absolute path. */
  readonly workspace: string;
  readonly isTrusted: () => Promise<boolean>;
  readonly privateHosts: PrivateHosts;
}

type PermissionRequest = RequestedEffect & Pick<EffectRequest, 'actor'> & Partial<Pick<EffectRequest, 'place'>>;
type PermissionScope = Parameters<PermissionsCapability['missing']>[1];
type WebReach = Extract<Reach, { readonly effect: 'web' }>;

/** Creates the check that runs before a node. It emits no event and changes nothing. */
export function createPermissions(parts: PermissionParts): PermissionsCapability {
  const { policy, workspace, isTrusted, privateHosts } = parts;
  const verdictOn = (asked: PermissionRequest, { hub }: PermissionScope, isTrusted: boolean) => {
    const { products, isUnseen } = hub;
    return policy({ place: 'elsewhere', ...asked, workspace, isDry: false, products, isUnseen, isTrusted });
  };
  return {
    async missing(reach, scope) {
      // A person must review text written by a run first. No permission would help.
      const isUnseen = scope.hub.isUnseen === true;
      const trusted = !isUnseen && (await isTrusted());
      if (reach.effect === 'web') return webNeeds(reach, scope, { privateHosts, trusted, verdictOn });
      if (isUnseen) return [];
      const { target } = reach;
      // Trust does not help either if a policy denies the effect.
      const isHelped = (effect: ScriptReach): boolean => {
        const asked = { effect, target, place: effect === 'secret' ? 'workspace' : 'elsewhere' } as const;
        const [now, then] = [trusted, true].map((isTrusted) => verdictOn(asked, scope, isTrusted).decision);
        return now === 'deny' && then === 'allow';
      };
      const does = reach.effect === 'script' ? reach.does : [reach.effect];
      return does.some(isHelped) ? [{ kind: 'trust', command: target }] : [];
    },
  };
}

interface WebParts {
  readonly privateHosts: PrivateHosts;
  readonly trusted: boolean;
  readonly verdictOn: (asked: PermissionRequest, scope: PermissionScope, trusted: boolean) => EffectVerdict;
}

function webNeeds(
  reach: WebReach,
  scope: PermissionScope,
  { privateHosts, trusted, verdictOn }: WebParts,
): readonly PermissionNeed[] {
  const url = findWebAddress(reach.url);
  if (url === undefined) return [];
  const target = addressWithoutQuery(url);
  if (verdictOn({ effect: 'web', target, actor: 'node' }, scope, trusted).decision !== 'allow') return [];
  const host = dialedHostAndPort(url);
  const isRefused = !trusted && isPrivateHost(url) && !privateHosts.includes(host);
  if (isRefused && scope.hub.isUnseen === true) return [];
  return [
    ...(isRefused ? [{ kind: 'private-address', host } as const] : []),
    ...secretNeeds(reach, url, scope.secrets),
  ];
}

function secretNeeds(
  { sent, url: address }: WebReach,
  url: URL,
  secrets: PermissionScope['secrets'],
): readonly PermissionNeed[] {
  // A secret in the host is always rejected.
  if (secrets === undefined || secrets.namesIn(url.host).length > 0) return [];
  return secrets.namesIn([address, ...sent].join('\n')).flatMap((name): readonly PermissionNeed[] => {
    try {
      secrets.admit([name], url);
      return [];
    } catch (thrown) {
      if (!EngineError.is(thrown) || thrown.code !== 'secret.host-not-allowed') throw thrown;
      return [{ kind: 'secret-host', name, host: dialedHostAndPort(url) }];
    }
  });
}

interface GrantParts {
  readonly settings: Pick<SettingsEngine, 'setTrust'>;
  readonly secrets: Pick<SecretEngine, 'allowSecretHost' | 'allowSecrets'>;
  readonly privateHosts: PrivateHosts;
}

/** Creates the part of an engine that grants permissions. */
export function createPermissionEngine({ settings, secrets, privateHosts }: GrantParts): PermissionEngine {
  return {
    async grantPermissions(needs) {
      for (const need of distinctNeeds(needs)) {
        if (need.kind === 'trust') await settings.setTrust(true);
        else if (need.kind === 'private-address') await privateHosts.allow(need.host);
        else if (need.kind === 'secret-host') await secrets.allowSecretHost({ name: need.name, host: need.host });
        else await secrets.allowSecrets({ ...need });
      }
    },
    listPrivateHosts: async () => privateHosts.list(),
    forgetPrivateHost: (host) => privateHosts.forget(host),
  };
}
