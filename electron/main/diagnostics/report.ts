/**
 * What somebody who helps needs to know of a program that misbehaves, as one text without secrets: versions, the system,
 * settings, the last lines of the log. The person copies it, looks it over, and gives it to whom they like.
 */
import type { Settings } from '../settings-store.ts';

interface Facts {
  readonly version: string;
  /** By what it runs on: `electron`, `chrome`, `node`. */
  readonly versions: Readonly<Record<string, string | undefined>>;
  /** How it was installed, such as `deb`. */
  readonly packageType: string;
  readonly system: string;
  readonly isSafe: boolean;
  readonly settings: Settings;
  /** How many keys the vault holds; not which. */
  readonly keys: number;
  readonly log: readonly string[];
  readonly redact: (text: string) => string;
}

export function diagnosticsText(facts: Facts): string {
  const { theme, zoom, preferences, recentWorkspaces } = facts.settings;
  const rows: readonly [string, unknown][] = [
    ['Millrace', `${facts.version} (${facts.packageType})${facts.isSafe ? ', safe mode' : ''}`],
    ...Object.entries(facts.versions),
    ['system', facts.system],
    // Which folders they are is nobody's business.
    ['settings', JSON.stringify({ theme, zoom, preferences, recentWorkspaces: recentWorkspaces.length })],
    ['keys in the vault', facts.keys],
  ];
  const head = rows.map(([name, value]) => `${name}: ${value}`).join('\n');
  const log = facts.log.length === 0 ? 'The log is empty.' : facts.log.join('\n');
  return facts.redact(`${head}\n\nLast lines of the log:\n${log}\n`);
}
