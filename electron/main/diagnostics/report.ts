/**
 * Builds a diagnostic report without secrets: versions, system, settings and the last lines of the log. The user
 * copies, reviews and shares it.
 */
import type { ProgramSettings } from '../settings-store.ts';

interface ReportFacts {
  readonly version: string;
  /** Versions by runtime: `electron`, `chrome`, `node`. */
  readonly versions: Readonly<Record<string, string | undefined>>;
  /** Type of the installed package, such as `deb`. */
  readonly packageType: string;
  readonly system: string;
  readonly isSafe: boolean;
  readonly settings: ProgramSettings;
  /** Number of keys in the vault. Their names are omitted. */
  readonly keys: number;
  readonly log: readonly string[];
  readonly redact: (text: string) => string;
}

export function diagnosticsText(facts: ReportFacts): string {
  const { theme, zoom, preferences, recentWorkspaces } = facts.settings;
  const rows: readonly [string, unknown][] = [
    ['Millrace', `${facts.version} (${facts.packageType})${facts.isSafe ? ', safe mode' : ''}`],
    ...Object.entries(facts.versions),
    ['system', facts.system],
    // Folder paths are private, so only their number is included.
    ['settings', JSON.stringify({ theme, zoom, preferences, recentWorkspaces: recentWorkspaces.length })],
    ['keys in the vault', facts.keys],
  ];
  const head = rows.map(([name, value]) => `${name}: ${value}`).join('\n');
  const log = facts.log.length === 0 ? 'The log is empty.' : facts.log.join('\n');
  return facts.redact(`${head}\n\nLast lines of the log:\n${log}\n`);
}
