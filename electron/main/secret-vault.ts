/**
 * Keys of model providers, encrypted by the system's own vault, in a JSON file that only the person may read.
 */
import { createHash } from 'node:crypto';
import { renameSync } from 'node:fs';
import { z } from 'zod';
import { EngineError } from '../ipc/engine-base.ts';
import { readOwnFile, writeOwnFile } from './own-file.ts';

/** What turns text into bytes that only this person on this machine can turn back. */
export interface Encryptor {
  /** Why nothing can be encrypted, in a sentence for the person; null = it can. */
  problem(): string | null;
  encrypt(text: string): Buffer;
  /** Throws for what it has not made itself. */
  decrypt(bytes: Buffer): string;
}

/** Keys by the name of the variable that stands for each in settings. */
export type Keys = Readonly<Record<string, string>>;

export interface SecretVault {
  /** Names of the variables that have a key. */
  variables(): string[];
  /** Whether a variable has a key, or had one that was removed or cannot be decrypted any more. */
  hasHad(variable: string): boolean;
  /** Why no key can be kept, in a sentence for the person; null = keys can be kept. */
  problem(): string | null;
  /** All keys, for engine hosts only. One that cannot be decrypted any more is left out. */
  keys(): Keys;
  /** Keeps a key. @throws EngineError `vault.unavailable` | `vault.not-writable`; what was kept stays */
  set(variable: string, value: string): void;
  /** Forgets a key; nothing happens when there is none. @throws EngineError `vault.not-writable` */
  remove(variable: string): void;
}

const vaultFile = z.object({
  version: z.literal(1),
  keys: z.record(z.string(), z.base64()),
  /** Hashes of the variables whose key was removed: who sets another one replaces it. */
  removed: z.array(z.string()).default([]),
});

/** Opens the vault. A file that cannot be understood is kept as `<file>.broken`, and the vault is empty. */
export function openSecretVault(file: string, encryptor: Encryptor): SecretVault {
  let { blobs, removed } = readKept(file);

  const write = (next: Kept): void => {
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
        // The system's vault is another one now; the person is shown that the key is missing and sets it anew.
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

/** Which keys there once were is nobody's business. */
function hashOf(variable: string): string {
  return createHash('sha256').update(variable).digest('hex');
}

interface Kept {
  /** Encrypted keys by variable. */
  readonly blobs: ReadonlyMap<string, string>;
  readonly removed: ReadonlySet<string>;
}

function readKept(file: string): Kept {
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
