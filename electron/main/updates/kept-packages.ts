/**
 * Stores packages in the user's data folder: the downloaded one, and the previous version to go back to.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import compare from 'semver/functions/compare.js';
import { z } from 'zod';
import { EngineError } from '../../ipc/engine-base.ts';
import { readOwnFile, writeOwnFile } from '../own-file.ts';
import { isPackageIntact } from './feed.ts';
import type { InstallPackage, PackageInstallResult } from './install-package.ts';
import { type PackageKind, type ProgramRelease, packageKinds } from './manifest.ts';

const keptPackage = z.object({
  version: z.string(),
  kind: z.enum(packageKinds),
  size: z.number(),
  sha512: z.string(),
});

const keptFile = z.object({
  packages: z.array(keptPackage).default([]),
  /** Versions that the user went back from. */
  failed: z.array(z.string()).default([]),
});

export type StoredUpdatePackage = z.output<typeof keptPackage>;

const endings: Partial<Record<PackageKind, string>> = { deb: '.deb', AppImage: '.AppImage', nsis: '.exe', dmg: '.zip' };

export class StoredUpdatePackages {
  readonly #folder: string;
  #kept: z.output<typeof keptFile>;

  /** @param folder absolute path of the packages; it need not exist */
  constructor(folder: string) {
    this.#folder = folder;
    this.#kept = this.#read();
  }

  /**
   * Returns the path of a version's package, whether or not it exists. The version is the only part of the name that
   * comes from a feed, and is validated.
   */
  fileOf({ version, kind }: Pick<ProgramRelease, 'version' | 'kind'>): string {
    return path.join(this.#folder, `millrace-${version}${endings[kind] ?? ''}`);
  }

  ofVersion(version: string): StoredUpdatePackage | undefined {
    return this.#kept.packages.find((one) => one.version === version);
  }

  /** Returns the newest package of the same type that is older than a version. */
  before(version: string, kind: PackageKind): StoredUpdatePackage | undefined {
    const lower = this.#kept.packages.filter((one) => one.kind === kind && compare(one.version, version) < 0);
    return lower.sort((left, right) => compare(right.version, left.version))[0];
  }

  hasFailed(version: string): boolean {
    return this.#kept.failed.includes(version);
  }

  /** Records that the user went back from a version. @throws the system's error */
  noteFailure(version: string): void {
    this.#write({ ...this.#kept, failed: [...new Set([...this.#kept.failed, version])] });
  }

  /** Keeps these packages, which must exist, and deletes all others. @throws the system's error */
  keep(packages: readonly StoredUpdatePackage[]): void {
    const entries = packages.map(({ version, kind, size, sha512 }) => ({ version, kind, size, sha512 }));
    this.#write({ ...this.#kept, packages: entries });
    const names = new Set([...entries.map((one) => path.basename(this.fileOf(one))), path.basename(this.#listFile)]);
    for (const name of readdirSync(this.#folder)) {
      if (!names.has(name)) rmSync(path.join(this.#folder, name), { recursive: true, force: true });
    }
  }

  get #listFile(): string {
    return path.join(this.#folder, 'packages.json');
  }

  #read(): z.output<typeof keptFile> {
    try {
      return keptFile.parse(JSON.parse(readOwnFile(this.#listFile) ?? '{}'));
    } catch {
      // Without the list, only the option to go back is lost.
      return keptFile.parse({});
    }
  }

  #write(kept: z.output<typeof keptFile>): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    writeOwnFile(this.#listFile, `${JSON.stringify(kept, null, 2)}\n`);
    this.#kept = kept;
  }
}

/**
 * Installs a stored package.
 * @throws EngineError `update.bad-hash` if it has changed since the download, `update.not-installed`
 */
export async function installStoredPackage(
  kept: StoredUpdatePackages,
  wanted: StoredUpdatePackage,
  { install, isOlder }: { readonly install: InstallPackage; readonly isOlder: boolean },
): Promise<PackageInstallResult> {
  const file = kept.fileOf(wanted);
  // The package is verified again, because all programs of this user can write to its folder.
  if (await isPackageIntact(file, wanted)) return install({ file, isOlder });
  throw new EngineError({ code: 'update.bad-hash', message: 'The package was damaged after it was downloaded.' });
}
