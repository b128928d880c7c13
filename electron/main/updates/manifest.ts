/**
 * Reads the signed release list and decides whether it contains a package for this program. Accesses neither the
 * network nor the disk.
 */
import { createPublicKey, verify } from 'node:crypto';
import compare from 'semver/functions/compare.js';
import valid from 'semver/functions/valid.js';
import { z } from 'zod';
import type { UpdateChannel } from '../../ipc/contracts/update-contract.ts';
import { EngineError, findWebAddress } from '../../ipc/engine-base.ts';

/** The supported format version. */
const format = 1;

/** Package types of the program, as stated in `resources/package-type`. */
export const packageKinds = ['tar.gz', 'deb', 'rpm', 'AppImage', 'nsis', 'zip', 'dmg'] as const;
export type PackageKind = (typeof packageKinds)[number];

/** Maximum size in bytes, about ten times the size of a package. */
const maxPackageSize = 1024 * 1024 * 1024;

const version = z.string().max(100).refine(isPlainVersion, 'must be a version such as 1.2.0');

const packageEntry = z.object({
  /** Accepts unknown types, because a newer program may have others. */
  kind: z.string().max(50),
  /** An architecture as in `process.arch`, or `universal`. */
  arch: z.string().max(50),
  /** Absolute URL, or relative to the manifest. */
  url: z.string().min(1).max(2000),
  /** Size in bytes. */
  size: z.number().int().positive().max(maxPackageSize),
  sha512: z.string().regex(/^[0-9a-f]{128}$/),
});

const manifestSchema = z.object({
  format: z.literal(format),
  version,
  channel: z.enum(['stable', 'beta']),
  /** Release date. */
  date: z.iso.datetime(),
  /** URL of the release notes. */
  notes: z.url({ protocol: /^https$/ }).max(2000),
  packages: z.array(packageEntry).max(100),
});

export type Manifest = z.output<typeof manifestSchema>;

/** A package that can be downloaded for this program. */
export interface ProgramRelease {
  readonly version: string;
  readonly date: string;
  readonly notes: string;
  readonly kind: PackageKind;
  readonly url: URL;
  /** Size in bytes. */
  readonly size: number;
  /** Hash in hexadecimal. */
  readonly sha512: string;
}

/** Rejects other spellings of a version, because file names are compared as text. */
function isPlainVersion(text: string): boolean {
  return valid(text) === text;
}

/**
 * Reads a manifest signed by one of the keys.
 * @param signature as base64
 * @param keys public Ed25519 keys, PEM
 * @throws EngineError `update.no-key` | `update.bad-signature` | `update.newer-format` | `update.bad-manifest`
 */
export function readManifest(bytes: Buffer, signature: string, keys: readonly string[]): Manifest {
  if (keys.length === 0)
    throw refused('no-key', 'This program knows no key that a newer version could be signed with.');
  if (!keys.some((key) => isSignedBy(bytes, signature, key))) {
    throw refused(
      'bad-signature',
      'The list of releases does not bear the signature of those who publish this program.',
    );
  }
  const content = parseJson(bytes.toString('utf8'));
  const named = z.object({ format: z.number() }).safeParse(content);
  if (named.success && named.data.format > format) {
    throw refused(
      'newer-format',
      'The list of releases is written for newer versions: install the newest one by hand.',
    );
  }
  const read = manifestSchema.safeParse(content);
  if (read.success) return read.data;
  const [problem] = read.error.issues;
  const where = problem?.path.join('.') || 'it';
  throw refused('bad-manifest', `The list of releases cannot be used: of ${where}, ${problem?.message ?? 'nothing'}.`);
}

function isSignedBy(bytes: Buffer, signature: string, key: string): boolean {
  try {
    const publicKey = createPublicKey(key);
    if (publicKey.asymmetricKeyType !== 'ed25519') return false;
    return verify(null, bytes, publicKey, Buffer.from(signature.trim(), 'base64'));
  } catch {
    // An invalid key has not signed anything.
    return false;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refused('bad-manifest', 'The list of releases is no JSON.');
  }
}

/** Properties of the program that checks for updates. */
export interface OwnProgram {
  readonly version: string;
  readonly kind: PackageKind;
  /** Architecture as in `process.arch`. */
  readonly arch: string;
  readonly channel: UpdateChannel;
}

/** Result of comparing a manifest with a program. */
export type Verdict =
  | { readonly is: 'newer'; readonly release: ProgramRelease }
  | { readonly is: 'same' }
  /** An older version is never installed. */
  | { readonly is: 'older'; readonly version: string };

/**
 * Compares a manifest with the program.
 * @param address URL of the manifest
 * @throws EngineError `update.other-channel` | `update.no-package` | `update.bad-address`
 */
export function judge(manifest: Manifest, own: OwnProgram, address: URL): Verdict {
  if (manifest.channel === 'beta' && own.channel === 'stable') {
    throw refused('other-channel', `The feed offers ${manifest.version} of the channel beta in the place of stable.`);
  }
  const order = compare(manifest.version, own.version);
  if (order < 0) return { is: 'older', version: manifest.version };
  if (order === 0) return { is: 'same' };
  return { is: 'newer', release: releaseFor(manifest, own, address) };
}

/**
 * Returns the package of the program's own version, for going back to it later.
 * @throws EngineError `update.other-version` | `update.no-package` | `update.bad-address`
 */
export function ownRelease(manifest: Manifest, own: OwnProgram, address: URL): ProgramRelease {
  if (manifest.version !== own.version) {
    throw refused('other-version', `The feed has ${manifest.version} where ${own.version} should be.`);
  }
  return releaseFor(manifest, own, address);
}

function releaseFor(manifest: Manifest, { kind, arch }: OwnProgram, address: URL): ProgramRelease {
  const entry = manifest.packages.find((one) => one.kind === kind && (one.arch === arch || one.arch === 'universal'));
  if (entry === undefined) {
    throw refused('no-package', `Of ${manifest.version} there is no ${kind} for ${arch}.`);
  }
  const { version: offered, date, notes } = manifest;
  const { size, sha512 } = entry;
  return { version: offered, date, notes, kind, size, sha512, url: safeAddress(entry.url, address) };
}

/**
 * Returns a URL that may be requested: https, or http on this machine.
 * @param base base of a relative URL
 * @throws EngineError `update.bad-address`
 */
export function safeAddress(text: string, base?: URL): URL {
  const url = findWebAddress(text, base);
  const isLocal = url?.protocol === 'http:' && url.hostname === '127.0.0.1';
  if (url !== undefined && (url.protocol === 'https:' || isLocal)) return url;
  throw refused('bad-address', `Newer versions are asked for by https only, not at ${text.slice(0, 200)}.`);
}

function refused(kind: string, message: string): EngineError {
  return new EngineError({ code: `update.${kind}`, message });
}
