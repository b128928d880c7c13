/**
 * Stores keys of model providers, encrypted with the system's vault, in a JSON file that only the user can read.
 */
import { createHash } from 'node:crypto';
import { renameSync } from 'node:fs';
import { z } from 'zod';
import { EngineError } from '../../ipc/engine-base.ts';
import { readOwnFile, writeOwnFile } from '../own-file.ts';

/** Encrypts text so that only this user on this machine can decrypt it. */
export interface Encryptor {
  /** Returns why encryption is unavailable, as a message for the user; null if it is available. */
  problem(): string | null;
  encrypt(text: string): Buffer;
  /** Throws for bytes that it did not encrypt. */
  decrypt(bytes: Buffer): string;
}

/** Keys by the name of the variable that settings use for each. */
export type Keys = Readonly<Record<string, string>>;

export interface SecretVault {
  /** Returns the names of variables that have a key. */
  variables(): string[];
  /** Returns whether a variable has a key, or had one that was removed or can no longer be decrypted. */
  hasHad(variable: string): boolean;
  /** Returns why keys cannot be stored, as a message for the user; null if they can. */
  problem(): string | null;
  /** Returns all keys, for engine hosts only. Omits keys that can no longer be decrypted. */
  keys(): Keys;
  /** Stores a key. @throws EngineError `vault.unavailable` | `vault.not-writable`; existing keys are unchanged */
  set(variable: string, value: string): void;
  /** Deletes a key if it exists. @throws EngineError `vault.not-writable` */
  remove(variable: string): void;
}

const vaultFile = z.object({
  version: z.literal(1),
  keys: z.record(z.string(), z.base64()),
  /** Hashes of variables with a removed key. Setting a new key for one of them counts as replacing it. */
  removed: z.array(z.string()).default([]),
});

/** Opens the vault. An unreadable file is kept as `<file>.broken`, and the vault is empty. */
export function openSecretVault(file: string, encryptor: Encryptor): SecretVault {
  let { blobs, removed } = readKept(file);

  const write = (next: StoredSecrets): void => {
    const content = { version: 1, keys: Object.fromEntries(next.blobs), removed: [...next.removed] };
    try {
      writeOwnFile(file, `${JSON.stringify(content, null, 2)}\n`, 0o600);
    } catch (error) {
      throw notWritable(file, error);
    }
    ({ blobs, removed } = next);
  };

  const readable = (): [variable: string, key: string][] =>
    [...blobs].flatMap(([variable, blob]): [string, string][] => {
      try {
        return [[variable, encryptor.decrypt(Buffer.from(blob, 'base64'))]];
      } catch {
        // The system's vault has changed. Windows show that the key is missing, and the user can set it again.
        return [];
      }
    });

  return {
    variables: () => readable().map(([variable]) => variable),
    problem: () => encryptor.problem(),
    hasHad: (variable) => blobs.has(variable) || removed.has(hashOf(variable)),
    keys: () => Object.fromEntries(readable()),
    set(variable, value) {
      const problem = encryptor.problem();
      if (problem !== null) throw new EngineError({ code: 'vault.unavailable', message: problem });
      write({ blobs: new Map(blobs).set(variable, encryptor.encrypt(value).toString('base64')), removed });
    },
    remove(variable) {
      if (!blobs.has(variable)) return;
      const others = [...blobs].filter(([kept]) => kept !== variable);
      write({ blobs: new Map(others), removed: new Set(removed).add(hashOf(variable)) });
    },
  };
}

/** The names of removed keys are private, so they are hashed. */
function hashOf(variable: string): string {
  return createHash('sha256').update(variable).digest('hex');
}

interface StoredSecrets {
  /** Encrypted keys by variable. */
  readonly blobs: ReadonlyMap<string, string>;
  readonly removed: ReadonlySet<string>;
}

function readKept(file: string): StoredSecrets {
  const nothing = { blobs: new Map(), removed: new Set<string>() };
  const text = readOwnFile(file);
  if (text === undefined) return nothing;
  try {
    const { keys, removed } = vaultFile.parse(JSON.parse(text));
    return { blobs: new Map(Object.entries(keys)), removed: new Set(removed) };
  } catch {
    renameSync(file, `${file}.broken`);
    return nothing;
  }
}

function notWritable(file: string, error: unknown): EngineError {
  const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
  return new EngineError({
    code: 'vault.not-writable',
    message: `The key was not saved: ${file} cannot be written (${reason}). Make room on the disk or mend its permissions.`,
  });
}
