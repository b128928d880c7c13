/**
 * The permissions of a workspace that nodes may wait for: which are missing, and how a person grants them.
 */

import { distinctNeeds, type PermissionNeed } from '../base/consent.ts';
import { EngineError } from '../base/engine-error.ts';
import { addressWithoutQuery, dialedHostAndPort, findWebAddress } from '../base/web-address.ts';
import type { AskedEffect, EffectPolicy, EffectRequest, EffectVerdict } from '../kernel/effect.ts';
import type { PermissionsCapability, Reach, ScriptReach } from '../kernel/permission.ts';
import { isPrivateHost } from '../web/public-fetch.ts';
import type { PrivateHosts } from './private-hosts.ts';
import type { SecretEngine } from './secret-service.ts';
import type { SettingsEngine } from './settings-service.ts';

/** What hosts may do with permissions. Only in a dialog of the system or at a terminal does a person give one. */
export interface PermissionEngine {
  /** Gives permissions to the workspace, all that are named. @throws EngineError `team.locked` | `trust.*` | `secret.*` | `web.private-hosts-unreadable` */
  grantPermissions(needs: readonly PermissionNeed[]): Promise<void>;
  /** Lists the private addresses that the workspace may reach. */
  listPrivateHosts(): Promise<readonly string[]>;
  /** Takes one away. @throws EngineError `web.private-hosts-unreadable` */
  forgetPrivateHost(host: string): Promise<void>;
}

interface PermissionParts {
  readonly policy: EffectPolicy;
  /** Absolute. */
  readonly workspace: string;
  readonly isTrusted: () => Promise<boolean>;
  readonly privateHosts: PrivateHosts;
}

type Asked = AskedEffect & Pick<EffectRequest, 'actor'> & Partial<Pick<EffectRequest, 'place'>>;
type Scope = Parameters<PermissionsCapability['missing']>[1];
type WebReach = Extract<Reach, { readonly effect: 'web' }>;

/** Makes the check before a node runs. It emits no event and changes nothing. */
export function createPermissions(parts: PermissionParts): PermissionsCapability {
  const { policy, workspace, isTrusted, privateHosts } = parts;
  const verdictOn = (asked: Asked, { hub }: Scope, isTrusted: boolean) => {
    const { products, isUnseen } = hub;
    return policy({ place: 'elsewhere', ...asked, workspace, isDry: false, products, isUnseen, isTrusted });
  };
  return {
    async missing(reach, scope) {
      // A text that a run has written is looked at by a person first: no permission would help it.
      const isUnseen = scope.hub.isUnseen === true;
      const trusted = !isUnseen && (await isTrusted());
      if (reach.effect === 'web') return webNeeds(reach, scope, { privateHosts, trusted, verdictOn });
      if (isUnseen) return [];
      const { target } = reach;
      // Nor does trust help where a policy refuses the effect anyway.
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
  readonly verdictOn: (asked: Asked, scope: Scope, trusted: boolean) => EffectVerdict;
}

function webNeeds(
  reach: WebReach,
  scope: Scope,
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

function secretNeeds({ sent, url: address }: WebReach, url: URL, secrets: Scope['secrets']): readonly PermissionNeed[] {
  // A secret in the host is refused whatever was allowed.
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

/** Makes the part of an engine that gives permissions. */
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
