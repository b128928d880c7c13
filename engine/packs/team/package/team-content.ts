/**
 * Collects the files that a team distributes (the team file, selected packs and examples), with the hash of each file.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { EngineError } from '../../../base/engine-error.ts';
import { type Diagnostic, hasErrors } from '../../../language/findings/diagnostic.ts';
import { withArchive } from '../../../world/archive/archive-reader.ts';
import { isMissing } from '../../../world/files/file-error.ts';
import { readTextFile } from '../../../world/files/read-text.ts';
import { hashContent, listPackFiles } from '../../pack/pack-contents.ts';
import { readPackManifest } from '../../pack/pack-manifest.ts';
import { identityOf } from '../../pack/pack-ref.ts';
import { checkInstallable } from '../../pack/pack-version.ts';
import { maxTeamFileLength, parseTeamFile } from '../team-file.ts';
import { packRulesOf } from '../team-rules.ts';
import type { TeamRules } from '../team-schema.ts';

/** A pack included in the package. */
export interface TeamPack {
  /** Reference of the pack, as `namespace@name`. */
  readonly ref: string;
  readonly version: string;
  readonly sha256: string;
}

export interface TeamContent {
  readonly rules: TeamRules;
  /** Name of the package: the team's name in lower case letters, digits and `-`. */
  readonly slug: string;
  readonly version: string;
  /** The team file, byte for byte. */
  readonly teamFile: Buffer;
  readonly packs: readonly TeamPack[];
  /** All other files by path: `contents.json`, `packs/namespace/name/…`, and the examples. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Warnings about the team file. */
  readonly warnings: readonly Diagnostic[];
}

/** Name of the file that lists all other files with their hashes. */
export const contentsName = 'contents.json';

/**
 * Collects the files that a team file names.
 * @param file absolute
 * @throws EngineError `team.invalid` with the diagnostics as `details` | `team.no-version` | `team.no-name` |
 * `pack.not-allowed` for a pack that the file itself does not allow | `pack.*` | `files.*`
 */
export async function collectTeam(file: string): Promise<TeamContent> {
  const text = await readTextFile(file, { maxBytes: maxTeamFileLength, shownPath: file, keepsMark: true });
  const { rules, diagnostics } = parseTeamFile(text);
  if (hasErrors(diagnostics)) throw invalid(file, diagnostics);
  const { name, version } = rules.team;
  if (version === undefined) throw missing('team.no-version', file, 'team.version, such as "1.0.0"');
  const slug = slugOf(name);
  if (slug.length < 2) throw missing('team.no-name', file, 'two letters or digits from A to Z in team.name');
  const folder = dirname(file);
  const files = new Map<string, Uint8Array>();
  const packs: TeamPack[] = [];
  for (const path of rules.packs?.include ?? [])
    packs.push(await addPack(resolve(folder, path), { rules, file, files }));
  if (rules.examples !== undefined)
    await addFolder(resolve(folder, rules.examples), `${trimmed(rules.examples)}/`, files);
  const teamFile = Buffer.from(text);
  files.set(contentsName, contentsOf({ name, version, packs, files: new Map([['team.yaml', teamFile], ...files]) }));
  return { rules, slug, version, teamFile, packs, files, warnings: diagnostics };
}

function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
    .replace(/-$/, '');
}

/** Normalizes a path to forward slashes without empty parts. */
function trimmed(path: string): string {
  return path
    .split(/[/\\]/)
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

interface Collecting {
  readonly rules: TeamRules;
  readonly file: string;
  readonly files: Map<string, Uint8Array>;
}

async function addPack(path: string, collecting: Collecting): Promise<TeamPack> {
  const state = await stat(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    throw new EngineError({ code: 'files.not-found', message: `packs.include: ${path} does not exist.` });
  });
  if (state.isDirectory()) return await addPackFolder(path, collecting);
  const work = await mkdtemp(join(tmpdir(), 'millrace-team-'));
  try {
    const unpacked = join(work, 'pack');
    await withArchive(path, { shownPath: basename(path) }, (archive) => archive.extractTo(unpacked));
    return await addPackFolder(unpacked, collecting);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function addPackFolder(folder: string, { rules, file, files }: Collecting): Promise<TeamPack> {
  const manifest = await readPackManifest(folder);
  const { namespace, name, version } = manifest;
  checkInstallable(version);
  const pack = { ref: identityOf(manifest), version, sha256: await hashContent(folder) };
  const team = {
    rules,
    file,
    lockedBy: file,
    origin: 'variable',
    resources: dirname(file),
    closed: [],
    diagnostics: [],
  } as const;
  packRulesOf(team).admit?.(pack);
  await addFolder(folder, `packs/${namespace}/${name}/`, files);
  return pack;
}

async function addFolder(folder: string, prefix: string, files: Map<string, Uint8Array>): Promise<void> {
  for (const { path } of await listPackFiles(folder)) files.set(`${prefix}${path}`, await readFile(join(folder, path)));
}

interface Contents {
  readonly name: string;
  readonly version: string;
  readonly packs: readonly TeamPack[];
  readonly files: ReadonlyMap<string, Uint8Array>;
}

function contentsOf({ name, version, packs, files }: Contents): Buffer {
  const sorted = [...files].sort(([left], [right]) => (left < right ? -1 : 1));
  const hashes = Object.fromEntries(sorted.map(([path, content]) => [path, sha256Of(content)]));
  return Buffer.from(`${JSON.stringify({ format: 1, team: name, version, packs, files: hashes }, null, 2)}\n`);
}

/** Returns the SHA-256 in hexadecimal. */
export function sha256Of(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function invalid(file: string, diagnostics: readonly Diagnostic[]): EngineError {
  return new EngineError({
    code: 'team.invalid',
    message: `${file} has errors, so no package was created.`,
    details: { diagnostics },
  });
}

function missing(code: string, file: string, what: string): EngineError {
  return new EngineError({ code, message: `${file} needs ${what} before it can be packaged.` });
}
