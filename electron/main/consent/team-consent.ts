/**
 * Creates the question about installing a team package.
 */
import { type ConsentQuestion, shown } from './consent.ts';

/** A package with a valid signature. Only a person can decide whether the key is the team's. */
interface VerifiedTeamPackage {
  readonly team: string;
  readonly version: string;
  readonly fingerprint: string;
  readonly packs: readonly string[];
  readonly providers: readonly string[];
  readonly trustedWorkspaces: readonly string[];
  /** All other settings of the package. */
  readonly settings?: readonly { readonly name: string; readonly value: string }[];
  readonly replaces?: { readonly version: string; readonly change: 'newer' | 'same' | 'changed' | 'older' };
}

function replacedText({ version, replaces }: VerifiedTeamPackage): string {
  if (replaces === undefined) return '';
  const [candidate, installed] = [shown(version), shown(replaces.version)];
  switch (replaces.change) {
    case 'newer':
      return `Updates the installed version ${installed}.\n\n`;
    case 'same':
      return `Version ${installed} is installed already, with the same content.\n\n`;
    case 'changed':
      return `Version ${installed} is installed with other content. This package replaces it under the same version.\n\n`;
    case 'older':
      return `Goes back to version ${candidate}: the installed version ${installed} is newer.\n\n`;
  }
}

export function teamQuestion(team: VerifiedTeamPackage): ConsentQuestion {
  const more = (team.settings ?? []).map(({ name, value }) => `${shown(name)}: ${shown(value)}\n`);
  const list = (names: readonly string[]): string => (names.length === 0 ? 'none' : shown(names.join(', ')));
  const isOlder = team.replaces?.change === 'older';
  return {
    message: isOlder
      ? `Replace version ${shown(team.replaces?.version ?? '')} of ${shown(team.team)} with the older version ${shown(team.version)}?`
      : `Let ${shown(team.team)} set what holds here?`,
    detail: `Version ${shown(team.version)}, signed by the key\n${shown(team.fingerprint)}\n\n${replacedText(team)}Packs: ${list(team.packs)}\nProviders of models: ${list(team.providers)}\nTrusted workspaces: ${list(team.trustedWorkspaces)}\n${more.join('')}\nAllow it only if your team has told you this very key.`,
    allow: isOlder ? 'Replace with Older Version' : 'Let It Hold',
  };
}

export function teamRemovalQuestion(): ConsentQuestion {
  return {
    message: "Remove the team's package?",
    detail:
      'Its rules, models and trusted workspaces no longer apply on this machine, and your own settings do again. Packs that it brought stay installed.',
    allow: 'Remove Package',
  };
}
