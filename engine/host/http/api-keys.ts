/**
 * The keys with which programs call published flows: `millrace/api-keys.json` in the base folder. It contains hashes
 * only, so a key is shown once, when it is created.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { openPersonList, type PersonList } from './person-list.ts';

/** A key, without its text. */
export interface ApiKey {
  readonly id: string;
  /** What the key is for; it is shown as the one who has started a run. */
  readonly name: string;
  /** The first characters of the key, to recognize it. */
  readonly prefix: string;
  /** Names of the flows that it may call. */
  readonly flows: readonly string[];
  readonly by: string;
  /** Epoch milliseconds, as the other times. */
  readonly createdAt: number;
  readonly revokedAt?: number;
  /** When it was used last, to the minute. */
  readonly lastUsedAt?: number;
}

/** A key as stored. */
export interface StoredKey extends ApiKey {
  /** SHA-256 of the key. */
  readonly hash: string;
}

const storedKeySchema = (): z.ZodType<StoredKey> =>
  z.object({
    id: z.string(),
    name: z.string(),
    prefix: z.string(),
    hash: z.string().regex(/^[0-9a-f]{64}$/),
    flows: z.array(z.string()).readonly(),
    by: z.string(),
    createdAt: z.number(),
    revokedAt: z.number().exactOptional(),
    lastUsedAt: z.number().exactOptional(),
  });

const usedMs = 60_000;
const keyStart = 'mk_';
const longestName = 100;

/** Opens the list of keys, by ID. */
export function openApiKeys(baseFolder: string, clock: Clock): PersonList<StoredKey> {
  return openPersonList({ baseFolder, name: 'api-keys.json', entry: storedKeySchema, clock });
}

/** Returns a key without its hash. */
export function withoutHash({ hash: _, ...key }: StoredKey): ApiKey {
  return key;
}

/** Creates a key. @throws EngineError `api-key.bad-name`; errors of `PersonList.change` */
export async function addApiKey(
  keys: PersonList<StoredKey>,
  { now, ...request }: Pick<ApiKey, 'name' | 'flows' | 'by'> & { readonly now: number },
): Promise<{ readonly key: string } & ApiKey> {
  const name = checkKeyName(request.name);
  const key = keyStart + randomBytes(32).toString('base64url');
  const id = randomBytes(6).toString('hex');
  const prefix = key.slice(0, keyStart.length + 6);
  const added: StoredKey = { ...request, name, id, prefix, hash: hashOf(key).toString('hex'), createdAt: now };
  await keys.change((former) => new Map([...former, [id, added]]));
  return { ...withoutHash(added), key };
}

/** Renames a flow in all keys, or removes it from them: another flow may take its name. @throws as `PersonList.change` */
export async function renameInKeys(keys: PersonList<StoredKey>, name: string, next?: string): Promise<void> {
  const left = next === undefined ? [] : [next];
  const renamed = (key: StoredKey): StoredKey => ({
    ...key,
    flows: key.flows.flatMap((one) => (one === name ? left : one)),
  });
  await keys.change((former) => new Map([...former].map(([id, key]) => [id, renamed(key)])));
}

/** Revokes a key, from the next request on. @throws EngineError `api-key.not-found`; errors of `PersonList.change` */
export async function revokeApiKey(keys: PersonList<StoredKey>, id: string, now: number): Promise<void> {
  await keys.change((former) => {
    const key = former.get(id);
    if (key === undefined) throw noKey(id);
    return key.revokedAt === undefined ? new Map([...former, [id, { ...key, revokedAt: now }]]) : former;
  });
}

/**
 * Finds the key with this text; undefined if there is none or it was revoked. Compares hashes, all of them in the same
 * time, so that the time of an answer reveals nothing about a key.
 */
export async function findApiKey(keys: PersonList<StoredKey>, text: string): Promise<StoredKey | undefined> {
  const hash = hashOf(text);
  const all = [...(await keys.read()).values()];
  const found = all.filter((key) => timingSafeEqual(Buffer.from(key.hash, 'hex'), hash));
  return found.find(({ revokedAt }) => revokedAt === undefined);
}

/** Records that a key is used, at most once a minute. */
export async function noteUse(keys: PersonList<StoredKey>, { id, lastUsedAt }: StoredKey, now: number): Promise<void> {
  if (lastUsedAt !== undefined && Math.abs(now - lastUsedAt) < usedMs) return;
  await keys.change((former) => {
    const key = former.get(id);
    return key === undefined ? former : new Map([...former, [id, { ...key, lastUsedAt: now }]]);
  });
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function checkKeyName(name: string): string {
  const plain = name.trim();
  if (plain !== '' && plain.length <= longestName && !/\p{C}/u.test(plain)) return plain;
  const message = `A name of a key must have 1 to ${longestName} characters on one line.`;
  throw new EngineError({ code: 'api-key.bad-name', message });
}

function noKey(id: string): EngineError {
  const message = `There is no API key ${JSON.stringify(id.slice(0, 80))}. To list them: millrace keys`;
  return new EngineError({ code: 'api-key.not-found', message });
}
