/**
 * What a form page shows to be allowed in: a session cookie, a one-time token in its address, or the link of a run. All are
 * signed with the service's key, so the service stores none of them, and they survive its restart.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { isMissing, systemCodeOf } from '../../world/files/file-error.ts';
import { isWithin, realPathOf } from '../../world/script/script-paths.ts';

/** A person's visit to one form page. */
export interface PageSession {
  /** Random. */
  readonly id: string;
  /** The API key that the person entered, if any. The session ends when it is revoked. */
  readonly keyId?: string;
  /** Everyone got a session, because the page needed no key. It ends when the page needs one. */
  readonly isOpen?: true;
}

/** The parts of a request that prove a session. */
export interface PageRequest {
  readonly method: string;
  readonly header: (name: string) => string | undefined;
  readonly query: (name: string) => string | undefined;
}

/** A page of a published flow, or of one of its runs. */
export interface PageName {
  /** The published name of the flow. */
  readonly name: string;
  readonly runId?: string;
}

/** The sessions of all form pages of a service. */
export interface PageSessions {
  /**
   * Returns the session for which a request has a cookie, or, for a page of a run, the run's link. Undefined if it has
   * neither.
   * @throws EngineError `http.forbidden` if the request could change something and does not come from a page of the service
   */
  of(request: PageRequest, page: PageName): PageSession | undefined;
  /** Uses a one-time token. Returns false if it is not valid for this flow, too old or was used. */
  redeem(name: string, token: string): boolean;
  /** Returns the value of `Set-Cookie` that gives a browser a new session. */
  cookie(name: string, options: Omit<PageSession, 'id'> & { readonly isSecure: boolean }): string;
  /** Returns the `link` parameter with which a page sees this run for a week. */
  runLink(page: Required<PageName>, session: PageSession): string;
}

interface PageSessionOptions {
  /** See `readServiceKey`. */
  readonly key: Uint8Array;
  readonly clock: Clock;
  /** Returns the origins of the service's own pages. */
  readonly origins: () => readonly string[];
}

/** How long a one-time token can be exchanged. */
const tokenMs = 60_000;
/** How long a browser can use a session, and a person the link of a run. */
const sessionMs = 7 * 24 * 3_600_000;
/** Used tokens are remembered for longer than they are valid, in case the clock is set back. */
const forgetMs = 24 * 3_600_000;
const longestProof = 2_000;

type Purpose = 'token' | 'session' | 'run';

interface Claim extends PageSession {
  readonly name: string;
  /** Issued at, in epoch milliseconds. */
  readonly at: number;
  readonly runId?: string;
}

/**
 * Returns the key that signs what pages show. It is created with the first use, and only the user can read it.
 * @param baseFolder absolute
 * @param workspaces folders where runs may read and write, so that the key must not be in one of them
 * @throws EngineError `http.key-inside`; the system's error
 */
export async function readServiceKey(baseFolder: string, workspaces: readonly string[]): Promise<Uint8Array> {
  const file = join(baseFolder, 'millrace', 'service-key');
  const real = await realPathOf(file);
  for (const workspace of workspaces) {
    if (!isWithin(await realPathOf(workspace), real, { isGuard: true })) continue;
    const message = `${workspace} contains ${file}, the key of form pages, so its flows cannot have pages. Open a smaller folder.`;
    throw new EngineError({ code: 'http.key-inside', message });
  }
  const key = await readFile(file).catch((error: unknown) => {
    if (isMissing(error)) return createKey(file);
    throw error;
  });
  if (key.byteLength === 32) return key;
  const message = `${file} is damaged: it must contain 32 bytes. Delete it, then open form pages again.`;
  throw new EngineError({ code: 'http.bad-key-file', message });
}

async function createKey(file: string): Promise<Uint8Array> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    await writeFile(draft, randomBytes(32), { mode: 0o600, flag: 'wx' });
    // Fails if another process has created a key meanwhile, which then counts.
    await link(draft, file);
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return await readFile(file);
}

/** Returns a token that opens a flow's form page once, within a minute. Any process with the key may issue it. */
export function issuePageToken(key: Uint8Array, name: string, now: number): string {
  return signed(key, 'token', { name, id: newId(), at: now });
}

/** Creates the sessions of a service that starts now. */
export function createPageSessions({ key, clock, origins }: PageSessionOptions): PageSessions {
  const startedAt = clock.now();
  /** IDs of the tokens that were used, with the time when each was issued. */
  const used = new Map<string, number>();
  const read = (purpose: Purpose, name: string, proof: string): Claim | undefined => {
    const claim = verified(key, purpose, proof);
    if (claim?.name !== name) return undefined;
    const age = clock.now() - claim.at;
    // After the clock was set back, a token must not be valid for longer than its minute.
    if (purpose === 'token' && age < -tokenMs) return undefined;
    return age <= (purpose === 'token' ? tokenMs : sessionMs) ? claim : undefined;
  };
  const find = (request: PageRequest, { name, runId }: PageName): Claim | undefined => {
    const proofs = runId === undefined ? cookiesIn(request, name) : [request.query('link') ?? ''];
    const claims = proofs.map((proof) => read(runId === undefined ? 'session' : 'run', name, proof));
    return claims.find((claim) => claim !== undefined && claim.runId === runId);
  };
  return {
    of(request, page) {
      const claim = find(request, page);
      if (claim === undefined) return undefined;
      if (request.method !== 'GET') refuseOtherPages(request, origins());
      const { name: _, at: _at, runId: _run, ...session } = claim;
      return session;
    },
    redeem(name, token) {
      const claim = read('token', name, token);
      // The IDs that a former service has accepted are not known here.
      if (claim === undefined || claim.at < startedAt || used.has(claim.id)) return false;
      for (const [id, at] of used) if (at < clock.now() - forgetMs) used.delete(id);
      used.set(claim.id, claim.at);
      return true;
    },
    cookie(name, { isSecure, ...session }) {
      const age = Math.floor(sessionMs / 1000);
      const flags = `Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
      return `${cookieName(name)}=${signed(key, 'session', { name, id: newId(), at: clock.now(), ...session })}; ${flags}`;
    },
    runLink: ({ name, runId }, session) => signed(key, 'run', { name, runId, at: clock.now(), ...session }),
  };
}

function newId(): string {
  return randomBytes(16).toString('base64url');
}

function cookieName(name: string): string {
  return `millrace-page-${name}`;
}

/** There may be several: another server of this computer can set cookies with the same name. */
function cookiesIn({ header }: PageRequest, name: string): readonly string[] {
  const start = `${cookieName(name)}=`;
  const pairs = (header('cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length));
}

function refuseOtherPages({ header }: PageRequest, origins: readonly string[]): void {
  const origin = header('origin');
  if (origin !== undefined && origins.includes(origin)) return;
  throw new EngineError({ code: 'http.forbidden', message: 'Only a page of this service may do this.' });
}

function signed(key: Uint8Array, purpose: Purpose, claim: Claim): string {
  const text = Buffer.from(JSON.stringify(claim)).toString('base64url');
  return `${text}.${mac(key, purpose, text).toString('base64url')}`;
}

function mac(key: Uint8Array, purpose: Purpose, text: string): Buffer {
  return createHmac('sha256', key).update(`${purpose}\n${text}`).digest();
}

function verified(key: Uint8Array, purpose: Purpose, proof: string): Claim | undefined {
  if (proof.length > longestProof) return undefined;
  const [text = '', sent = ''] = proof.split('.', 2);
  const given = Buffer.from(sent, 'base64url');
  const own = mac(key, purpose, text);
  if (given.length !== own.length || !timingSafeEqual(given, own)) return undefined;
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as Claim;
}
