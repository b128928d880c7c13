/**
 * Creates the question about installing a team package.
 */
import { type ConsentQuestion, shown } from './consent.ts';
import { text } from './text.ts';

/** A package with a valid signature. Only a person can decide whether the key is the team's. */
interface VerifiedTeamPackage {
  readonly team: string;
  readonly version: string;
  readonly fingerprint: string;
  readonly packs: readonly string[];
  readonly providers: readonly string[];
  readonly trustedWorkspaces: readonly string[];
  /** The package's other settings. */
  readonly settings?: readonly { readonly name: string; readonly value: string }[];
  readonly replaces?: { readonly version: string; readonly change: 'newer' | 'same' | 'changed' | 'older' };
}

function replacedText({ version, replaces }: VerifiedTeamPackage): string[] {
  if (replaces === undefined) return [];
  const words = text().team;
  const [candidate, installed] = [shown(version), shown(replaces.version)];
  switch (replaces.change) {
    case 'newer':
      return [words.newer({ version: installed })];
    case 'same':
      return [words.same({ version: installed })];
    case 'changed':
      return [words.changed({ version: installed })];
    case 'older':
      return [words.older({ version: candidate, former: installed })];
  }
}

export function teamQuestion(team: VerifiedTeamPackage): ConsentQuestion {
  const words = text().team;
  const [name, version] = [shown(team.team), shown(team.version)];
  const list = (names: readonly string[]): { names: string } => ({
    names: names.length === 0 ? words.none : shown(names.join(', ')),
  });
  const settings = [
    words.packs(list(team.packs)),
    words.providers(list(team.providers)),
    words.workspaces(list(team.trustedWorkspaces)),
    ...(team.settings ?? []).map((setting) => `${shown(setting.name)}: ${shown(setting.value)}`),
  ];
  const signed = words.signed({ version, fingerprint: shown(team.fingerprint) });
  const isOlder = team.replaces?.change === 'older';
  return {
    message: isOlder
      ? words.applyOlder({ team: name, former: shown(team.replaces?.version ?? ''), version })
      : words.apply({ team: name }),
    detail: [signed, ...replacedText(team), settings.join('\n'), words.warning].join('\n\n'),
    allow: isOlder ? words.allowOlder : words.allow,
  };
}

export function teamRemovalQuestion(): ConsentQuestion {
  const { remove, removeDetail, removeButton } = text().team;
  return { message: remove, detail: removeDetail, allow: removeButton };
}
