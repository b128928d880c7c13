/**
 * Installs the built-in packs into the folder of installed packs. Other programs and people also write there, so a pack
 * is replaced only if it is byte for byte what this program wrote.
 */
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeFileAtomically } from '../../world/files/atomic-write.ts';
import { isMissing } from '../../world/files/file-error.ts';
import { isTaken, movePath } from '../../world/files/folders/move-path.ts';
import type { PackCandidate } from './install/installer.ts';
import { inWorkFolder } from './install/pack-swap.ts';
import { copyPack, hashContent, hashPack } from './pack-contents.ts';
import { downloadFolder, installedShelf } from './pack-folders.ts';
import { readPackManifest } from './pack-manifest.ts';
import { identityOf } from './pack-ref.ts';
import { compareVersions } from './pack-version.ts';

/** The last version of each pack that this program wrote, by `namespace@name`. */
type Marks = Readonly<Record<string, { readonly version: string; readonly hash: string }>>;

interface Builtin {
  readonly identity: string;
  readonly version: string;
  readonly source: string;
  readonly target: string;
}

interface BuiltinOptions {
  /** Whether to restore removed packs. */
  readonly isForced: boolean;
  /** Name of the file in `millrace/` that records the packs; defaults to the file for the program's own packs. */
  readonly marks?: string;
  /** Throws if the pack must not be installed here. */
  readonly admit?: (pack: PackCandidate) => void;
}

const builtinMarks = 'builtin-packs.json';

/**
 * Installs missing built-in packs, and replaces older versions that this program wrote and nobody changed. Does not
 * restore packs that the user removed.
 * @param resources absolute; contains packs as `namespace/name`
 * @returns `namespace@name` of the packs that were written
 * @throws EngineError `pack.*` for an invalid built-in pack; errors of `admit`; the system's error
 */
export async function installBuiltins(
  baseFolder: string,
  resources: string,
  { isForced, marks: marksName = builtinMarks, admit }: BuiltinOptions,
): Promise<readonly string[]> {
  const marksFile = join(baseFolder, 'millrace', marksName);
  const marks = { ...(await readMarks(marksFile)) };
  const written: string[] = [];
  for (const pack of await findBuiltins(baseFolder, resources)) {
    const hash = await hashPack(pack.source);
    if (!(await isWanted(pack, { hash, mark: marks[pack.identity], isForced }))) continue;
    admit?.({ ref: pack.identity, version: pack.version, sha256: await hashContent(pack.source) });
    await replacePack(pack, baseFolder);
    marks[pack.identity] = { version: pack.version, hash };
    written.push(pack.identity);
    await writeFileAtomically(marksFile, `${JSON.stringify(marks, null, 2)}\n`);
  }
  return written;
}

/**
 * Returns `namespace@name` of the packs that this program wrote to the folder of installed packs. Other programs may
 * have added others.
 */
export async function ownBuiltins(baseFolder: string): Promise<ReadonlySet<string>> {
  return new Set(Object.keys(await readMarks(join(baseFolder, 'millrace', builtinMarks))));
}

/**
 * Returns whether a pack is byte for byte what this program wrote to the folder of installed packs.
 * @param pack `namespace@name` and its absolute folder
 */
export async function isOwnBuiltin(
  baseFolder: string,
  { identity, folder }: { readonly identity: string; readonly folder: string },
): Promise<boolean> {
  const marks = await readMarks(join(baseFolder, 'millrace', builtinMarks));
  return Object.hasOwn(marks, identity) && marks[identity]?.hash === (await hashPack(folder));
}

async function findBuiltins(baseFolder: string, resources: string): Promise<Builtin[]> {
  const packs: Builtin[] = [];
  for (const namespaceFolder of await foldersIn(resources)) {
    for (const source of await foldersIn(namespaceFolder)) {
      const manifest = await readPackManifest(source);
      const target = join(installedShelf(baseFolder), manifest.namespace, manifest.name);
      packs.push({ identity: identityOf(manifest), version: manifest.version, source, target });
    }
  }
  return packs;
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
}

interface Standing {
  /** Hash of the bundled pack. */
  readonly hash: string;
  readonly mark: Marks[string] | undefined;
  readonly isForced: boolean;
}

async function isWanted(pack: Builtin, { hash, mark, isForced }: Standing): Promise<boolean> {
  if (!(await isTaken(pack.target))) return isForced || mark === undefined;
  if (mark === undefined || mark.hash === hash || compareVersions(pack.version, mark.version) < 0) return false;
  const present = await hashPack(pack.target).catch(() => undefined);
  return present === mark.hash;
}

/** Replaces a built-in pack. This only replaces our own files, so they do not go to the trash. */
async function replacePack({ source, target }: Builtin, baseFolder: string): Promise<void> {
  await inWorkFolder(downloadFolder(baseFolder), async (workFolder) => {
    const staged = join(workFolder, 'staged');
    const former = join(workFolder, 'former');
    await copyPack(source, staged);
    await mkdir(dirname(target), { recursive: true });
    if (!(await isTaken(target))) return await movePath(staged, target);
    await movePath(target, former);
    try {
      await movePath(staged, target);
    } catch (error) {
      await movePath(former, target);
      throw error;
    }
  });
}

/** Returns no marks if the file is unreadable, so that no existing pack is replaced. */
async function readMarks(file: string): Promise<Marks> {
  try {
    const marks: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isMarks(marks) ? marks : {};
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return {};
    throw error;
  }
}

function isMarks(value: unknown): value is Marks {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((mark: unknown) => {
    if (typeof mark !== 'object' || mark === null || !('version' in mark) || !('hash' in mark)) return false;
    return typeof mark.version === 'string' && typeof mark.hash === 'string';
  });
}
