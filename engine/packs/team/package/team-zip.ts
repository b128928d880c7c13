/**
 * Creates and verifies a team's package for systems without Debian packages: a zip whose list of contents has an
 * Ed25519 signature.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { ZipFile } from 'yazl';
import { z } from 'zod';
import { EngineError } from '../../../base/engine-error.ts';
import { hasErrors } from '../../../language/findings/diagnostic.ts';
import { type PackArchive, withArchive } from '../../../world/archive/archive-reader.ts';
import { packLimits } from '../../../world/archive/pack-limits.ts';
import { parseTeamFile } from '../team-file.ts';
import type { TeamRules } from '../team-schema.ts';
import { contentsName, sha256Of, type TeamContent } from './team-content.ts';

/** Name of the signature file, next to the list that it signs. */
const signatureName = 'signature.json';
const teamFileName = 'team.yaml';
const maxListBytes = 8 * 1024 * 1024;
const maxSignatureBytes = 4096;
const fixedTime = (): Date => new Date(1985, 0, 1);

/**
 * Creates the package.
 * @param key a private Ed25519 key in PEM format (PKCS #8)
 * @returns the file name and the bytes: identical for equal content and key
 * @throws EngineError `team.bad-key`
 */
export async function teamZip(
  { slug, version, teamFile, files }: TeamContent,
  key: string,
): Promise<{ readonly name: string; readonly content: Buffer }> {
  const contents = files.get(contentsName) ?? Buffer.alloc(0);
  const all = new Map<string, Uint8Array>([
    [contentsName, contents],
    [signatureName, signatureOf(contents, readKey(key, createPrivateKey))],
    [teamFileName, teamFile],
    ...[...files].filter(([path]) => path !== contentsName).sort(([left], [right]) => (left < right ? -1 : 1)),
  ]);
  const zip = new ZipFile();
  for (const [path, bytes] of all) {
    const options = { mtime: fixedTime(), mode: 0o100644, compressionLevel: 9, forceDosTimestamp: true };
    zip.addBuffer(Buffer.from(bytes), path, options);
  }
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  return { name: `millrace-team-${slug}_${version}.zip`, content: Buffer.concat(chunks) };
}

function signatureOf(contents: Uint8Array, key: KeyObject): Buffer {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  const signature = sign(null, contents, key).toString('base64');
  return Buffer.from(`${JSON.stringify({ algorithm: 'Ed25519', publicKey, signature }, null, 2)}\n`);
}

function readKey(text: string, create: (text: string) => KeyObject): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = create(text);
  } catch {
    // Reported below.
  }
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw new EngineError({
    code: 'team.bad-key',
    message:
      'The key is not an Ed25519 private key in PEM format. Create one with: openssl genpkey -algorithm ed25519 -out team.key',
  });
}

/** Parses the list of contents of an installed package; undefined if it is invalid. */
export function readInstalledContents(list: string): Pick<VerifiedTeam, 'team' | 'version' | 'contents'> | undefined {
  const { data } = contentsFile.safeParse(parseJson(list));
  return data && { team: data.team, version: data.version, contents: sha256Of(Buffer.from(list)) };
}

/** A package with a verified signature and content. */
export interface VerifiedTeam {
  readonly team: string;
  readonly version: string;
  /** SHA-256 of the signer's public key (DER of SPKI), in hexadecimal. */
  readonly fingerprint: string;
  readonly rules: TeamRules;
  readonly packs: readonly string[];
  readonly files: number;
  /** SHA-256 of the list of contents, in hexadecimal; identical for equal packages. */
  readonly contents: string;
}

const signatureFile = z.strictObject({
  algorithm: z.literal('Ed25519'),
  publicKey: z.base64().max(200),
  signature: z.base64().max(200),
});
const contentsFile = z.strictObject({
  format: z.number().int(),
  team: z.string().max(100),
  version: z.string().regex(/^\d{1,9}(?:\.\d{1,9}){1,3}$/),
  packs: z.array(z.strictObject({ ref: z.string(), version: z.string(), sha256: z.string() })).max(1000),
  files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
});

/**
 * Verifies a package completely and passes it to `use`: its signature, that it contains exactly what was signed, and
 * that its team file has no errors.
 * @param file absolute
 * @param publicKey required signer in PEM format; if absent, any key in the package is accepted, and a person must
 * compare its fingerprint
 * @throws EngineError `team.bad-package` | `team.bad-signature` | `team.other-signer` | `team.newer-version` |
 * `team.bad-key` | `files.not-found`, and the errors of `withArchive`; errors of `use`
 */
export async function withTeamPackage<T>(
  file: string,
  publicKey: string | undefined,
  use: (team: VerifiedTeam, archive: PackArchive) => Promise<T>,
): Promise<T> {
  return await withArchive(file, { expected: 'team package' }, async (archive) => {
    const list = await archive.readBytes(contentsName, maxListBytes);
    const signature = await archive.readText(signatureName, maxSignatureBytes);
    if (list === undefined || signature === undefined) throw badPackage(file, 'it is not signed');
    const fingerprint = checkSignature({ file, list, signature }, publicKey);
    const contents = readContents(file, list);
    await checkFiles(archive, contents.files, file);
    const { rules, diagnostics } = parseTeamFile((await archive.readText(teamFileName, maxListBytes)) ?? '');
    if (hasErrors(diagnostics)) throw badPackage(file, 'its team file has errors');
    const { team, version, packs, files } = contents;
    const names = packs.map((pack) => `${pack.ref} ${pack.version}`);
    const verified = { team, version, fingerprint, rules, packs: names, files: Object.keys(files).length };
    return await use({ ...verified, contents: sha256Of(list) }, archive);
  });
}

interface Signed {
  readonly file: string;
  readonly list: Uint8Array;
  readonly signature: string;
}

/** @returns the fingerprint of the signer */
function checkSignature({ file, list, signature: text }: Signed, wanted: string | undefined): string {
  const { data } = signatureFile.safeParse(parseJson(text));
  if (data === undefined) throw badPackage(file, 'its signature cannot be read');
  const der = Buffer.from(data.publicKey, 'base64');
  const key = readKey(data.publicKey, () => createPublicKey({ key: der, type: 'spki', format: 'der' }));
  const fingerprint = fingerprintOf(key);
  if (wanted !== undefined && fingerprintOf(readKey(wanted, createPublicKey)) !== fingerprint) {
    throw new EngineError({
      code: 'team.other-signer',
      message: `${file} is signed with another key (${fingerprint}) than the specified one. Nothing was installed.`,
      details: { fingerprint },
    });
  }
  if (!verify(null, list, key, Buffer.from(data.signature, 'base64'))) {
    throw new EngineError({
      code: 'team.bad-signature',
      message: `The signature of ${file} does not match its content: the file was changed, or the signature belongs to another file. Nothing was installed.`,
    });
  }
  return fingerprint;
}

function fingerprintOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

function readContents(file: string, list: Uint8Array): z.output<typeof contentsFile> {
  const { data } = contentsFile.safeParse(parseJson(new TextDecoder().decode(list)));
  if (data === undefined) throw badPackage(file, 'its list of contents cannot be read');
  if (data.format === 1) return data;
  throw new EngineError({
    code: 'team.newer-version',
    message: `${file} has package format ${data.format}, but this version of Millrace supports 1. Update Millrace.`,
  });
}

/** Checks that the files match the list exactly. */
async function checkFiles(
  { entries, readBytes }: PackArchive,
  listed: Readonly<Record<string, string>>,
  file: string,
): Promise<void> {
  const present = entries.filter(({ isFolder }) => !isFolder).map(({ path }) => path);
  const others = present.filter((path) => path !== contentsName && path !== signatureName);
  const extra = others.find((path) => !Object.hasOwn(listed, path));
  if (extra !== undefined) throw badPackage(file, `it contains ${JSON.stringify(extra)}, which is not signed`);
  if (!Object.hasOwn(listed, teamFileName)) throw badPackage(file, 'it has no team file');
  for (const [path, hash] of Object.entries(listed)) {
    const content = await readBytes(path, packLimits.maxFileBytes);
    if (content === undefined) throw badPackage(file, `${JSON.stringify(path)} is missing`);
    if (sha256Of(content) !== hash) throw badPackage(file, `${JSON.stringify(path)} does not match its signature`);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function badPackage(file: string, problem: string): EngineError {
  return new EngineError({
    code: 'team.bad-package',
    message: `${file} is not a usable team package: ${problem}. Nothing was installed.`,
  });
}
