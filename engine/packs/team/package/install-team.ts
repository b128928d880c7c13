/**
 * Installs a team's zip package into a user's base folder, and the team's packs into the folder of installed packs.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EngineError } from '../../../base/engine-error.ts';
import { writeFileAtomically } from '../../../world/files/atomic-write.ts';
import { isMissing } from '../../../world/files/file-error.ts';
import { isTaken, movePath } from '../../../world/files/folders/move-path.ts';
import { installBuiltins } from '../../pack/builtin-packs.ts';
import { inWorkFolder } from '../../pack/install/pack-swap.ts';
import { downloadFolder } from '../../pack/pack-folders.ts';
import { formerTeamFolder, type Team, type TeamSource, teamFolderOf } from '../find-team.ts';
import { packRulesOf, teamLocked } from '../team-rules.ts';
import { contentsName, sha256Of } from './team-content.ts';
import { readInstalledContents, type VerifiedTeam, withTeamPackage } from './team-zip.ts';

interface TeamPackageSource {
  /** Absolute path of the package. */
  readonly file: string;
  /** Key in PEM format; undefined to accept any signer that the user confirms. */
  readonly publicKey: string | undefined;
  /** Whether to install even if the installed package is newer. */
  readonly allowsOlder?: boolean;
}

/** The installed package, and how the new one compares with it. */
export interface ReplacedTeam {
  readonly team: string;
  readonly version: string;
  /** `same` means the identical package; `changed` means the same version with different content. */
  readonly change: 'newer' | 'same' | 'changed' | 'older';
}

interface InstallPlaces {
  /** Absolute path of the base folder. */
  readonly baseFolder: string;
  readonly team: TeamSource;
}

/** File next to the installed package that records who signed it. */
const signerName = 'signer';

/**
 * Verifies a package, asks the user, and moves it to the folder where the team file is searched for. Replaces an
 * earlier package as a whole.
 * @param agree receives the package and the one that it replaces; false leaves everything unchanged
 * @returns undefined if the user did not agree
 * @throws EngineError `team.locked` if the machine has its own team file | `team.other-signer` for an update by another
 * signer | `team.older-version`; the errors of `withTeamPackage`; the system's error
 */
export async function installTeam(
  { file, publicKey, allowsOlder = false }: TeamPackageSource,
  { baseFolder, team }: InstallPlaces,
  agree: (team: VerifiedTeam, replaced: ReplacedTeam | undefined) => Promise<boolean>,
): Promise<VerifiedTeam | undefined> {
  const present = team();
  if (present?.origin === 'system') throw teamLocked(present, 'What a team sets on this machine');
  return await withTeamPackage(file, publicKey, async (verified, archive) => {
    await checkSigner(verified, baseFolder);
    const replaced = await findReplacedTeam(verified, baseFolder);
    if (replaced?.change === 'older' && !allowsOlder) throw olderVersion(verified, replaced);
    if (!(await agree(verified, replaced))) return undefined;
    await inWorkFolder(downloadFolder(baseFolder), async (workFolder) => {
      const staged = join(workFolder, 'team');
      await archive.extractTo(staged);
      await writeFileAtomically(join(staged, signerName), `${verified.fingerprint}\n`);
      await replaceFolder(staged, baseFolder);
    });
    return verified;
  });
}

/**
 * Returns what installing a package would replace; undefined if nothing is installed or its list of contents is
 * unreadable.
 */
export async function findReplacedTeam(
  { version, contents }: Pick<VerifiedTeam, 'version' | 'contents'>,
  baseFolder: string,
): Promise<ReplacedTeam | undefined> {
  const list = await readFromInstalled(contentsName, baseFolder);
  const installed = list === undefined ? undefined : readInstalledContents(list);
  if (installed === undefined) return undefined;
  const order = orderOfVersions(version, installed.version);
  const equal = installed.contents === contents ? 'same' : 'changed';
  const change = order === 0 ? equal : order > 0 ? 'newer' : 'older';
  return { team: installed.team, version: installed.version, change };
}

/** Compares two team versions, which are dotted numbers: negative if the first one is older. */
function orderOfVersions(first: string, second: string): number {
  const [left = [], right = []] = [first, second].map((version) => version.split('.').map(Number));
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function olderVersion({ team, version }: VerifiedTeam, replaced: ReplacedTeam): EngineError {
  return new EngineError({
    code: 'team.older-version',
    message: `The package of ${team} has version ${version}, but version ${replaced.version} is installed and newer. Nothing was changed. To downgrade to ${version}, use --force, or remove the installed package first (millrace team remove).`,
    details: { version, installed: replaced.version },
  });
}

/** Reads a file of the installed package, or of the previous one during a replacement. */
async function readFromInstalled(name: string, baseFolder: string): Promise<string | undefined> {
  const folders = [teamFolderOf(baseFolder), formerTeamFolder(baseFolder)];
  const texts = await Promise.all(folders.map((folder) => readIfThere(join(folder, name))));
  return texts.find((text) => text !== undefined);
}

async function checkSigner({ fingerprint, team }: VerifiedTeam, baseFolder: string): Promise<void> {
  const known = (await readFromInstalled(signerName, baseFolder))?.trim();
  if (known === undefined || known === fingerprint) return;
  throw new EngineError({
    code: 'team.other-signer',
    message: `The package of ${team} is signed with key ${fingerprint}, but the installed package is signed with ${known}. If the new key is correct, remove the installed package first (millrace team remove).`,
    details: { fingerprint, known },
  });
}

/**
 * Replaces the installed package. One of the two folders exists at any time, so that the team settings always apply.
 */
async function replaceFolder(staged: string, baseFolder: string): Promise<void> {
  const target = teamFolderOf(baseFolder);
  const former = formerTeamFolder(baseFolder);
  await mkdir(dirname(target), { recursive: true });
  const hasFormer = await isTaken(target);
  if (hasFormer) {
    await rm(former, { recursive: true, force: true });
    await movePath(target, former);
  }
  try {
    await movePath(staged, target);
  } catch (error) {
    if (hasFormer) await movePath(former, target);
    throw error;
  }
  await rm(former, { recursive: true, force: true });
}

/**
 * Removes the installed package but keeps its packs.
 * @returns whether there was one
 */
export async function removeTeam(baseFolder: string): Promise<boolean> {
  const folders = [formerTeamFolder(baseFolder), teamFolderOf(baseFolder)];
  const present = await Promise.all(folders.map(isTaken));
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  return present.includes(true);
}

/**
 * Installs the team's packs without network access. Returns quickly if this has already been done for the same package.
 * Does not restore packs that the user removed.
 * @returns `namespace@name` of the packs that were written
 * @throws EngineError `pack.*`; the system's error
 */
export async function installTeamPacks(team: Team | undefined, baseFolder: string): Promise<readonly string[]> {
  if (team === undefined || team.closed.includes('packs')) return [];
  const contents = await readIfThere(join(team.resources, contentsName));
  const resources = join(team.resources, 'packs');
  if (contents === undefined || !(await isTaken(resources))) return [];
  const mark = `${sha256Of(Buffer.from(contents))}\n`;
  const markFile = join(baseFolder, 'millrace', 'team-packs-done');
  if ((await readIfThere(markFile)) === mark) return [];
  const { admit } = packRulesOf(team);
  const written = await installBuiltins(baseFolder, resources, {
    marks: 'team-packs.json',
    isForced: false,
    ...(admit === undefined ? {} : { admit }),
  });
  await writeFileAtomically(markFile, mark);
  return written;
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
