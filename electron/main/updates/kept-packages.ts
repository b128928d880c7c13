/**
 * Packages in the person's data folder: the one that was downloaded, and that of the version before it to go back to.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import compare from 'semver/functions/compare.js';
import { z } from 'zod';
import { EngineError } from '../../ipc/engine-base.ts';
import { readOwnFile, writeOwnFile } from '../own-file.ts';
import { isWhole } from './feed.ts';
import type { Installed, InstallPackage } from './install-package.ts';
import { type PackageKind, packageKinds, type Release } from './manifest.ts';

const keptPackage = z.object({
  version: z.string(),
  kind: z.enum(packageKinds),
  size: z.number(),
  sha512: z.string(),
});

const keptFile = z.object({
  packages: z.array(keptPackage).default([]),
  /** Versions that the person went back from. */
  failed: z.array(z.string()).default([]),
});

export type KeptPackage = z.output<typeof keptPackage>;

const endings: Partial<Record<PackageKind, string>> = { deb: '.deb', AppImage: '.AppImage', nsis: '.exe', dmg: '.zip' };

export class KeptPackages {
  readonly #folder: string;
  #kept: z.output<typeof keptFile>;

  /** @param folder of the packages, absolute; it need not be there */
  constructor(folder: string) {
    this.#folder = folder;
    this.#kept = this.#read();
  }

  /** Where the package of a version lies, or would. Nothing of the name comes from a feed but the version, which is checked. */
  fileOf({ version, kind }: Pick<Release, 'version' | 'kind'>): string {
    return path.join(this.#folder, `millrace-${version}${endings[kind] ?? ''}`);
  }

  ofVersion(version: string): KeptPackage | undefined {
    return this.#kept.packages.find((one) => one.version === version);
  }

  /** The newest one below a version, of the same kind. */
  before(version: string, kind: PackageKind): KeptPackage | undefined {
    const lower = this.#kept.packages.filter((one) => one.kind === kind && compare(one.version, version) < 0);
    return lower.sort((left, right) => compare(right.version, left.version))[0];
  }

  hasFailed(version: string): boolean {
    return this.#kept.failed.includes(version);
  }

  /** Remembers that the person went back from a version. @throws the system's error */
  noteFailure(version: string): void {
    this.#write({ ...this.#kept, failed: [...new Set([...this.#kept.failed, version])] });
  }

  /** Keeps these, whose files are there, and deletes all others. @throws the system's error */
  keep(packages: readonly KeptPackage[]): void {
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
      // Without the list there is only no way back.
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
 * Installs a kept package.
 * @throws EngineError `update.bad-hash` when it is not any more what was downloaded, `update.not-installed`
 */
export async function installKept(
  kept: KeptPackages,
  wanted: KeptPackage,
  { install, isOlder }: { readonly install: InstallPackage; readonly isOlder: boolean },
): Promise<Installed> {
  const file = kept.fileOf(wanted);
  // It has lain in a folder where all programs of this person can write.
  if (await isWhole(file, wanted)) return install({ file, isOlder });
  throw new EngineError({ code: 'update.bad-hash', message: 'The downloaded package was damaged meanwhile.' });
}
