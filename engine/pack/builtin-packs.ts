/**
 * The packs that come with the program, in the folder of installed packs. Other programs and people write there too, so
 * a pack is only ever replaced when it is, byte for byte, what we have put there.
 */
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeFileAtomically } from '../files/atomic-write.ts';
import { isMissing } from '../files/file-error.ts';
import { isTaken, movePath } from '../files/move-path.ts';
import type { PackCandidate } from './installer.ts';
import { copyPack, hashContent, hashPack } from './pack-contents.ts';
import { downloadFolder, installedShelf } from './pack-folders.ts';
import { readPackManifest } from './pack-manifest.ts';
import { identityOf } from './pack-ref.ts';
import { inWorkFolder } from './pack-swap.ts';
import { compareVersions } from './pack-version.ts';

/** By `namespace@name`: what we have put there last. */
type Marks = Readonly<Record<string, { readonly version: string; readonly hash: string }>>;

interface Builtin {
  readonly identity: string;
  readonly version: string;
  readonly source: string;
  readonly target: string;
}

interface BuiltinOptions {
  /** Put removed ones back. */
  readonly isForced: boolean;
  /** Name of the file in `millrace/` that remembers them; that of the program's own if absent. */
  readonly marks?: string;
  /** Throws when the pack may not be installed here. */
  readonly admit?: (pack: PackCandidate) => void;
}

const builtinMarks = 'builtin-packs.json';

/**
 * Installs built-in packs that are missing, and replaces those of ours that are older and that nobody has changed. One
 * that a person has removed stays away.
 * @param resources absolute; holds packs as `namespace/name`
 * @returns `namespace@name` of those that were written
 * @throws EngineError `pack.*` for a broken built-in pack; what `admit` throws; the system's error
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

/** `namespace@name` of the packs that this program has put into the folder of installed packs; another may have put others there. */
export async function ownBuiltins(baseFolder: string): Promise<ReadonlySet<string>> {
  return new Set(Object.keys(await readMarks(join(baseFolder, 'millrace', builtinMarks))));
}

/**
 * Whether a pack is, byte for byte, what this program has put into the folder of installed packs.
 * @param pack `namespace@name` and its folder, absolute
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
  /** Of the pack that we would write. */
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

/** What is replaced is only what we have written ourselves, so it does not go to the trash. */
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

/** Marks that cannot be read are none: then nothing that is there is ours to replace. */
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
