/**
 * Implements `package` and `team`.
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { explainSystemError } from '../../base/system-trouble.ts';
import { otherSettings, teamView } from '../../host/wiring/team-view.ts';
import { type Diagnostic, hasErrors } from '../../isomorphic.ts';
import { installTeam, type ReplacedTeam, removeTeam } from '../../packs/team/package/install-team.ts';
import { collectTeam } from '../../packs/team/package/team-content.ts';
import { teamDeb } from '../../packs/team/package/team-deb.ts';
import { teamZip, type VerifiedTeam, withTeamPackage } from '../../packs/team/package/team-zip.ts';
import { maxTeamFileLength, parseTeamFile } from '../../packs/team/team-file.ts';
import { writeFileAtomically } from '../../world/files/atomic-write.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { exitCode, usageError } from '../exit-code.ts';
import { showProblems } from '../flow-source.ts';
import { askPerson } from './ask-person.ts';
import { packWorldOf, printEach } from './with-packs.ts';

/** Options of `package`. */
export interface PackageFlags extends GlobalOptions {
  readonly team: string;
  readonly out?: string;
  readonly sign?: string;
}

/** Options of `team verify` and `team install`. */
export interface TeamFlags extends GlobalOptions {
  readonly key?: string;
  readonly yes?: true;
  readonly force?: true;
}

/**
 * Writes a team's packages: the Debian package and, with a key, the signed zip.
 * @returns the exit code
 * @throws EngineError `cli.usage` | `team.*` | `pack.*` | `files.*`
 */
export async function packageTeam(context: CliContext, options: PackageFlags): Promise<number> {
  const file = path.resolve(context.folder, options.team);
  const out = path.resolve(context.folder, options.out ?? '.');
  try {
    const key = options.sign === undefined ? undefined : textOf(context, options.sign);
    const content = await collectTeam(file);
    showProblems(context, options.team, content.warnings);
    const packages = [teamDeb(content), ...(key === undefined ? [] : [await teamZip(content, key)])];
    const values = [];
    for (const one of packages) {
      await writeFileAtomically(path.join(out, one.name), one.content);
      values.push({ file: path.join(out, one.name), bytes: one.content.length, packs: content.packs });
    }
    const brought = content.packs.map(({ ref, version }) => `${ref} ${version}`).join(', ');
    printEach(context, options, {
      values,
      lineOf: ({ file: written, bytes }) =>
        `${written}: ${bytes} bytes, ${brought === '' ? 'without packs' : `with ${brought}`}`,
    });
    return exitCode.ok;
  } catch (error) {
    return showInvalid(context, options.team, error);
  }
}

/** Shows an invalid team file's problems. @throws any other error */
function showInvalid(context: CliContext, shown: string, error: unknown): number {
  if (!EngineError.is(error) || error.code !== 'team.invalid') throw error;
  const { diagnostics } = error.details as { readonly diagnostics: readonly Diagnostic[] };
  showProblems(context, shown, diagnostics);
  return exitCode.refused;
}

/**
 * Prints the team settings on this machine.
 * @returns the exit code: 2 if the file has errors
 */
export function showTeam(context: CliContext, options: GlobalOptions): number {
  const team = packWorldOf(context, options).team();
  const view = teamView(team);
  if (options.json === true || view === null) {
    printEach(context, options, { values: [view], lineOf: () => 'No team settings on this machine.' });
  } else {
    const { name, file, contact, settings, closed } = view;
    const rows = settings.map((setting) => `${setting.name}: ${setting.value}`);
    const inForce = closed.map((words) => `Because of the problems: ${words}`);
    const ask = contact === undefined ? [] : [`Contact: ${contact}`];
    context.terminal.out(`${[`${name}, ${file}`, ...ask, ...rows, ...inForce].join('\n')}\n`);
  }
  showProblems(context, team?.file ?? '', team?.diagnostics ?? []);
  return hasErrors(team?.diagnostics ?? []) ? exitCode.refused : exitCode.ok;
}

/**
 * Checks a team file.
 * @returns the exit code
 * @throws EngineError `cli.usage` for a file that cannot be read
 */
export function checkTeam(context: CliContext, shown: string, options: GlobalOptions): number {
  const { diagnostics } = parseTeamFile(textOf(context, shown));
  if (options.json === true) {
    const values = diagnostics.map(({ range, severity, code, message }) => ({
      ...{ file: shown, ...range, severity, code, message },
    }));
    printEach(context, options, { values, lineOf: () => '' });
  } else showProblems(context, shown, diagnostics);
  if (hasErrors(diagnostics)) return exitCode.refused;
  if (options.json !== true) context.terminal.out(`${shown}: valid\n`);
  return exitCode.ok;
}

/**
 * Verifies a team zip without changing anything.
 * @returns the exit code: 1 if its content does not match the signature, or if it was signed with another key
 * @throws EngineError `cli.usage` | `team.*` | `pack.*` | `files.*`
 */
export async function verifyTeam(context: CliContext, shown: string, options: TeamFlags): Promise<number> {
  if (options.key === undefined) throw usageError('Name the public key of the required signer: --key PUBLIC-KEY.pem.');
  const key = textOf(context, options.key);
  const verified = await withTeamPackage(path.resolve(context.folder, shown), key, async (team) => team);
  printEach(context, options, {
    values: [verified],
    lineOf: (team) => `${shown}: signed by this key\n${summaryOf(team)}`,
  });
  return exitCode.ok;
}

/**
 * Verifies a team zip, asks the user, and installs it for them.
 * @returns the exit code: 4 without consent
 * @throws EngineError `cli.usage` | `team.*` | `pack.*` | `files.*`
 */
export async function installTeamPackage(context: CliContext, shown: string, options: TeamFlags): Promise<number> {
  const { terminal } = context;
  if (options.yes === true && options.key === undefined) {
    throw usageError('--yes requires --key PUBLIC-KEY.pem, because otherwise no one checks who signed the package.');
  }
  const publicKey = options.key === undefined ? undefined : textOf(context, options.key);
  const file = path.resolve(context.folder, shown);
  const source = { file, publicKey, allowsOlder: options.force === true };
  const installed = await installTeam(source, packWorldOf(context, options), async (team, replaced) => {
    terminal.err(`${summaryOf(team)}${replacedText(team, replaced)}`);
    if (options.yes === true) return true;
    const answer = await askPerson(
      'Install these settings for you? Compare the key with the one from your team. [y/N] ',
    );
    if (answer === undefined) terminal.err('millrace: cannot ask without a terminal. Add --key PUBLIC-KEY.pem --yes.');
    return answer === true;
  });
  if (installed === undefined) return exitCode.denied;
  printEach(context, options, {
    values: [installed],
    lineOf: ({ team }) => `The settings of ${team} apply to you from now on.`,
  });
  return exitCode.ok;
}

function replacedText({ version }: VerifiedTeam, replaced: ReplacedTeam | undefined): string {
  if (replaced === undefined) return '';
  const words = {
    newer: `updates version ${replaced.version}`,
    same: `version ${replaced.version}, which is already installed, with the same content`,
    changed: `version ${replaced.version} with different content under the same version`,
    older: `version ${replaced.version}, which is newer than ${version}`,
  };
  return `\nReplaces: ${words[replaced.change]}`;
}

function summaryOf({ team, version, fingerprint, packs, rules }: VerifiedTeam): string {
  const providers = Object.entries(rules.models?.providers ?? {}).map(
    ([name, { baseUrl }]) => `${name} ${baseUrl ?? ''}`,
  );
  const lines = [
    `Team: ${team} ${version}`,
    `Signed by key: ${fingerprint}`,
    `Packs: ${packs.length === 0 ? 'none' : packs.join(', ')}`,
    `Model providers: ${providers.length === 0 ? 'none' : providers.join(', ').trim()}`,
    `Trusted workspaces: ${rules.trust?.workspaces?.join(', ') ?? 'none'}`,
    ...otherSettings(rules).map(({ name, value }) => `${name}: ${value}`),
  ];
  return lines.join('\n');
}

/**
 * Removes what `team install` has installed.
 * @returns the exit code
 */
export async function removeInstalledTeam(context: CliContext, options: GlobalOptions): Promise<number> {
  const isRemoved = await removeTeam(packWorldOf(context, options).baseFolder);
  printEach(context, options, {
    values: [{ isRemoved }],
    lineOf: () =>
      isRemoved
        ? 'The team settings no longer apply. Packs from the team stay installed.'
        : 'No installed team settings to remove.',
  });
  return exitCode.ok;
}

/** @throws EngineError `cli.usage` */
function textOf({ folder }: CliContext, shown: string): string {
  const file = path.resolve(folder, shown);
  try {
    const state = statSync(file);
    if (state.isFile() && state.size <= maxTeamFileLength) return readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`${shown} cannot be read. ${explainSystemError(error) ?? ''}`);
  }
  throw usageError(`${shown} is not a file of at most 1 MiB.`);
}
