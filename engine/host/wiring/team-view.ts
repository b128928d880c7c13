/**
 * Shows a team's settings on this machine in windows and on the command line.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { Team, TeamSource } from '../../packs/team/find-team.ts';
import type { ReplacedTeam } from '../../packs/team/package/install-team.ts';
import type { VerifiedTeam } from '../../packs/team/package/team-zip.ts';
import { closedSectionText } from '../../packs/team/team-schema.ts';
import type { EngineNotice } from '../executor/notices.ts';

/** The team file in effect. */
export interface TeamView {
  readonly name: string;
  readonly contact?: string;
  /** Absolute path. */
  readonly file: string;
  /** Problems. Lines and columns start at 1. */
  readonly problems: readonly {
    readonly severity: 'error' | 'warning' | 'info';
    readonly line: number;
    readonly column: number;
    readonly message: string;
  }[];
  /** The settings that apply in place of unreadable sections, as text. */
  readonly closed: readonly string[];
  /** The settings, one per line. */
  readonly settings: readonly { readonly name: string; readonly value: string }[];
  /** Whether it comes from a package that the user installed and can remove. */
  readonly isInstalled?: true;
}

/** A team's zip after its signature and content were verified. */
export interface TeamPackageView {
  readonly team: string;
  readonly version: string;
  /** Fingerprint of the signing key, hexadecimal. */
  readonly fingerprint: string;
  /** `namespace@name version` */
  readonly packs: readonly string[];
  /** Name and address of each model provider. */
  readonly providers: readonly string[];
  readonly trustedWorkspaces: readonly string[];
  /** Settings other than bundled packs, providers and trusted workspaces, one per line. */
  readonly settings: TeamView['settings'];
  /** Hash of this exact content, hexadecimal. */
  readonly contents: string;
  /** The installed package that it would replace, and how they compare. */
  readonly replaces?: ReplacedTeam;
}

/** A package as it was shown to the user. */
export interface AgreedTeamPackage extends Pick<TeamPackageView, 'fingerprint' | 'contents' | 'replaces'> {
  /** Absolute path. */
  readonly file: string;
}

export interface TeamEngine {
  /** Returns a team's settings on this machine; null if there are none. */
  readTeam(): Promise<TeamView | null>;
  /** Verifies a team's zip (absolute path). @throws EngineError `team.*` | `pack.*` | `files.*` */
  inspectTeamPackage(file: string): Promise<TeamPackageView>;
  /**
   * Applies a zip and installs its packs, if the zip and the package that it replaces are still as they were shown.
   * @throws EngineError as `inspectTeamPackage`, `team.other-signer` | `team.locked`
   */
  installTeamPackage(request: AgreedTeamPackage): Promise<void>;
  /** Removes the installed package, but not the packs that it installed. */
  removeTeamPackage(): Promise<boolean>;
}

/** Creates the part of an engine that handles teams. */
export function createTeamService(baseFolder: string, team: TeamSource): TeamEngine {
  return {
    readTeam: async () => teamView(team()),
    async inspectTeamPackage(file) {
      const [{ findReplacedTeam }, { withTeamPackage }] = await Promise.all([
        import('../../packs/team/package/install-team.ts'),
        import('../../packs/team/package/team-zip.ts'),
      ]);
      return await withTeamPackage(file, undefined, async (verified) =>
        packageView(verified, await findReplacedTeam(verified, baseFolder)),
      );
    },
    async installTeamPackage({ file, fingerprint, contents, replaces }) {
      const { installTeam, installTeamPacks } = await import('../../packs/team/package/install-team.ts');
      const places = { baseFolder, team };
      const allowsOlder = replaces?.change === 'older';
      await installTeam({ file, publicKey: undefined, allowsOlder }, places, async (verified, replaced) => {
        // The file may have been replaced since the user was asked.
        const isAsShown = verified.fingerprint === fingerprint && verified.contents === contents;
        if (!isAsShown || replaced?.version !== replaces?.version) throw otherSigner(file);
        return true;
      });
      await installTeamPacks(team(), baseFolder);
    },
    async removeTeamPackage() {
      const { removeTeam } = await import('../../packs/team/package/install-team.ts');
      return await removeTeam(baseFolder);
    },
  };
}

function packageView(
  { team, version, fingerprint, packs, rules, contents }: VerifiedTeam,
  replaces: ReplacedTeam | undefined,
): TeamPackageView {
  const providers = Object.entries(rules.models?.providers ?? {});
  return {
    ...{ team, version, fingerprint, packs, contents },
    ...(replaces === undefined ? {} : { replaces }),
    providers: providers.map(([name, { baseUrl }]) => (baseUrl === undefined ? name : `${name} (${baseUrl})`)),
    trustedWorkspaces: rules.trust?.workspaces ?? [],
    settings: otherSettings(rules),
  };
}

function otherSigner(file: string): EngineError {
  return new EngineError({
    code: 'team.other-signer',
    message: `${file} has changed since you confirmed the package. Nothing was changed.`,
  });
}

/** Returns a team's settings for display; see `TeamEngine.readTeam`. */
export function teamView(team: Team | undefined): TeamView | null {
  if (team === undefined) return null;
  const { name, contact } = team.rules.team;
  return {
    ...{ name, file: team.file },
    ...(contact === undefined ? {} : { contact }),
    problems: team.diagnostics.map(({ severity, message, range: { line, column } }) => ({
      ...{ severity, line, column, message },
    })),
    closed: team.closed.map((section) => closedSectionText[section]),
    settings: settingsOf(team),
    ...(team.origin === 'package' ? { isInstalled: true as const } : {}),
  };
}

/**
 * Returns the settings other than model providers and trusted workspaces, which are shown in more detail where consent
 * is required.
 */
export function otherSettings(rules: Team['rules']): TeamView['settings'] {
  return settingsOf({ rules }).filter(({ name }) => name !== providersName && name !== workspacesName);
}

const providersName = 'Providers of models';
const workspacesName = 'Trusted workspaces';

function settingsOf({ rules }: Pick<Team, 'rules'>): TeamView['settings'] {
  const { packs, models, trust, policies, updates, examples } = rules;
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['Pack repositories', packs?.repositories?.join(', ')],
    ['Allowed packs', packs?.allowed === undefined ? undefined : allowedText(packs.allowed)],
    [providersName, listText(Object.keys(models?.providers ?? {}))],
    ['Other providers', models?.others],
    ['Default model', models?.default],
    [workspacesName, listText(trust?.workspaces ?? [])],
    ['Trust in other workspaces', trust?.others],
    ['Effects of scripts', effectsText(policies?.effects ?? {})],
    ...policyLines(policies ?? {}),
    ['Updates', updates === undefined ? undefined : [updates.channel, updates.feed].filter(Boolean).join(', from ')],
    ['Examples', examples],
  ];
  return lines.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

/** Returns the policy rules except those for effects, by their names in the file. */
function policyLines({ effects: _, ...rules }: NonNullable<Team['rules']['policies']>): readonly [string, string][] {
  return Object.entries(rules).flatMap(([name, value]): readonly [string, string][] => {
    if (value === undefined) return [];
    const isList = Array.isArray(value);
    return [
      [
        `Policy ${name}`,
        isList ? (listText(value) ?? 'none') : typeof value === 'object' ? JSON.stringify(value) : String(value),
      ],
    ];
  });
}

function allowedText(allowed: readonly { readonly pack: string; readonly version?: string }[]): string {
  if (allowed.length === 0) return 'none';
  return allowed.map(({ pack, version }) => (version === undefined ? pack : `${pack} ${version}`)).join(', ');
}

function listText(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : names.join(', ');
}

function effectsText(effects: Readonly<Record<string, string | undefined>>): string | undefined {
  return listText(Object.entries(effects).map(([effect, decision]) => `${effect}: ${decision}`));
}

/** Returns notices about an invalid team file: the problems first, then what applies now. */
export function teamNotices(team: Team | undefined): readonly EngineNotice[] {
  const [problem] = team?.diagnostics.filter(({ severity }) => severity === 'error') ?? [];
  if (team === undefined || problem === undefined) return [];
  const { line, column } = problem.range;
  const { contact } = team.rules.team;
  const holds =
    team.closed.length === 0 ? 'the rest of it' : team.closed.map((name) => closedSectionText[name]).join('; ');
  const ask = contact === undefined ? 'its maintainer' : contact;
  return [
    {
      code: 'team.broken',
      message: `The team file has an error (${team.file}:${line}:${column}): ${problem.message} Until ${ask} fixes it, these rules apply: ${holds}.`,
    },
  ];
}
