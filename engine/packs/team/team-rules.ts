/**
 * Converts team settings to rules for packs, models, trust and scripts.
 */
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { layersOfProducts } from '../../runtime/governance/policy-layer.ts';
import type { EffectPolicy, EffectRequest, EffectVerdict } from '../../runtime/kernel/capabilities/effect.ts';
import type { TeamModels } from '../../world/model/model-settings.ts';
import type { ProviderConfig } from '../../world/model/provider-config.ts';
import type { PackCandidate, PackInstallOptions } from '../pack/install/installer.ts';
import type { Team, TeamSource } from './find-team.ts';
import { providerConfigOf } from './team-schema.ts';

/** Returns the error for a setting that the user cannot change. */
export function teamLocked(team: Team, what: string): EngineError {
  return new EngineError({
    code: 'team.locked',
    message: `${what} is set by ${team.lockedBy}.${contactOf(team)}`,
    details: { team: team.rules.team.name, file: team.file },
  });
}

function contactOf({ rules }: Team): string {
  const { contact } = rules.team;
  return contact === undefined ? '' : ` Ask ${contact} to change it.`;
}

/** Returns the repositories for packs by name, and the check for packs that may be installed. */
export function packRulesOf(
  team: Team | undefined,
): Pick<PackInstallOptions, 'repository' | 'otherRepositories' | 'admit'> {
  const { repositories, allowed } = team?.rules.packs ?? {};
  const [repository, ...otherRepositories] = repositories ?? [];
  return {
    ...(repository === undefined ? {} : { repository, otherRepositories }),
    ...(team === undefined || allowed === undefined ? {} : { admit: (pack) => admit(pack, team, allowed) }),
  };
}

type Allowed = readonly { readonly pack: string; readonly version?: string; readonly sha256: string }[];

/** @throws EngineError `pack.not-allowed` */
function admit({ ref, version, sha256 }: PackCandidate, team: Team, allowed: Allowed): void {
  const ofName = allowed.filter(({ pack }) => pack === ref);
  const isOfVersion = (one: Allowed[number]): boolean => one.version === undefined || one.version === version;
  if (ofName.some((one) => isOfVersion(one) && one.sha256 === sha256)) return;
  const why =
    ofName.length === 0
      ? 'it is not an allowed pack'
      : ofName.some(isOfVersion)
        ? `its content does not match the allowed content (its hash is ${sha256})`
        : 'this version is not allowed';
  throw new EngineError({
    code: 'pack.not-allowed',
    message: `${ref} ${version} is not allowed by ${team.lockedBy}: ${why}.${contactOf(team)}`,
    details: { ref, version, sha256, team: team.rules.team.name, file: team.file },
  });
}

/** Returns the team's model settings; undefined if there are none. */
export function teamModelsOf(team: Team | undefined): TeamModels | undefined {
  const models = team?.rules.models;
  if (team === undefined || models === undefined) return undefined;
  const providers = new Map<string, ProviderConfig>();
  for (const [name, entry] of Object.entries(models.providers ?? {})) {
    const config = providerConfigOf(name, entry);
    if (typeof config !== 'string') providers.set(name, config);
  }
  return {
    providers,
    ...(models.default === undefined ? {} : { defaultModel: models.default }),
    isClosed: models.others === 'denied',
    lockedBy: team.lockedBy,
  };
}

/** Returns the team's instructions for getting a provider's key. */
export function keyHelpOf(team: Team | undefined, provider: string): string | undefined {
  const providers = team?.rules.models?.providers ?? {};
  return Object.hasOwn(providers, provider) ? providers[provider]?.keyHelp : undefined;
}

/**
 * Returns the team's trust setting for a workspace: trusted, never trusted, or undefined if the user decides.
 * @param workspace absolute
 */
export async function teamTrust(team: Team | undefined, workspace: string): Promise<boolean | undefined> {
  const trust = team?.rules.trust;
  if (trust === undefined) return undefined;
  const real = await realOf(workspace);
  const listed = await Promise.all((trust.workspaces ?? []).map((folder) => realOf(withHome(folder))));
  if (real !== undefined && listed.includes(real)) return true;
  return trust.others === 'denied' ? false : undefined;
}

function withHome(folder: string): string {
  return folder.startsWith('~/') ? join(homedir(), folder.slice(2)) : resolve(folder);
}

async function realOf(folder: string): Promise<string | undefined> {
  return await realpath(folder).catch(() => undefined);
}

/**
 * Returns the policy with the team's setting for each effect: `deny` denies it everywhere, `ask` asks the user each
 * time, `allow` requires no trust. Effects that are never allowed stay denied.
 */
export function withTeamPolicy(policy: EffectPolicy, team: TeamSource): EffectPolicy {
  return (request) => {
    const verdict = policy(request);
    const current = team();
    if (current === undefined) return verdict;
    const { decision, line } = saidOfEffect(current, request);
    if (decision === undefined) return withoutTrust(verdict, current);
    const isForEver = verdict.decision === 'deny' && !verdict.trustHelps;
    if (isForEver) return verdict;
    const verdictOfTeam = verdictOf(decision, current, request.effect);
    return line === undefined ? verdictOfTeam : { ...verdictOfTeam, place: `${current.file}:${line}` };
  };
}

/** Returns the team's setting for an effect; for a run with several products, the strictest one. */
function saidOfEffect(
  { rules, file, policy }: Team,
  { effect, products = [] }: EffectRequest,
): { readonly decision?: EffectVerdict['decision'] | undefined; readonly line?: number } {
  // An invalid policy allows nothing and has no lines.
  if (policy === undefined) return { decision: rules.policies?.effects?.[effect] };
  const layers = layersOfProducts([{ scope: 'team', file, policy }], products);
  const said = layers.flatMap((layer) => layer.policy?.effects[effect] ?? []);
  const strictest = strictness
    .map((decision) => said.find(({ value }) => value === decision))
    .find((one) => one !== undefined);
  return strictest === undefined ? {} : { decision: strictest.value, line: strictest.line };
}

const strictness = ['deny', 'ask', 'allow'] as const;

/** Removes the advice to trust the workspace if the team does not allow other workspaces to be trusted. */
function withoutTrust(verdict: EffectVerdict, { rules, lockedBy }: Team): EffectVerdict {
  if (!verdict.trustHelps || rules.trust?.others !== 'denied') return verdict;
  return {
    ...verdict,
    trustHelps: false,
    reason: `${verdict.reason}, and ${lockedBy} does not allow other workspaces to be trusted`,
  };
}

function verdictOf(decision: EffectVerdict['decision'], team: Team, effect: string): EffectVerdict {
  const reason = decision === 'allow' ? '' : `The effect ${effect} is ${words[decision]} by ${team.lockedBy}`;
  return { decision, rule: `team-${decision}`, reason, trustHelps: false };
}

const words = { ask: 'allowed only after confirmation,', deny: 'refused' } as const;
