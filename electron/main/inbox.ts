/**
 * What waits for the person in the workspaces of all windows: its number, what the system tells of it, and what they do not want to
 * hear of before a time. Kept in a JSON file of the program's own.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { EngineError } from '../ipc/engine-base.ts';
import type { inboxContract, ToldRequest } from '../ipc/inbox-contract.ts';
import type { ThingToOpen } from '../ipc/main-contract.ts';
import type { Handlers } from '../ipc/rpc.ts';
import { readOwnFile, writeOwnFile } from './own-file.ts';

/** A message of the system. */
export interface InboxNotice {
  readonly title: string;
  readonly body: string;
  readonly onClick: () => void;
}

interface InboxParts {
  /** Null = begins with nothing and keeps nothing. */
  readonly file: string | null;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Whether the person looks at a window of the program. */
  readonly isInFront: () => boolean;
  readonly show: (notice: InboxNotice) => void;
  readonly setBadge: (count: number) => void;
}

/** A window, as far as it tells of requests. */
export interface InboxWindow {
  readonly content: { readonly workspace: string | null };
  readonly push: (name: 'inbox.changed', payload: { readonly snoozed: Record<string, number> }) => void;
  bringToFront(): void;
  offer(things: readonly ThingToOpen[]): void;
}

const kept = z.object({
  version: z.literal(1),
  /** By workspace. */
  workspaces: z.record(
    z.string(),
    z.object({
      /** When each may be shown again, by its key. */
      snoozed: z.record(z.string(), z.number()),
      /** Hashes of those that were told and wait still. */
      told: z.array(z.string()),
    }),
  ),
});

type Kept = z.output<typeof kept>['workspaces'];
type KeptWorkspace = Kept[string];

const nothing: KeptWorkspace = { snoozed: {}, told: [] };

/** More at once are told in one message. */
const mostNotices = 3;

export class Inbox {
  readonly #parts: InboxParts;
  readonly #told = new Map<InboxWindow, { readonly workspace: string; readonly count: number }>();
  #workspaces: Kept;

  constructor(parts: InboxParts) {
    this.#parts = parts;
    this.#workspaces = readKept(parts.file);
  }

  /** Takes all that waits in a window's workspace, and tells the person of what is new. */
  tell(window: InboxWindow, requests: readonly ToldRequest[]): void {
    const workspace = workspaceOf(window);
    const { snoozed, told } = this.#of(workspace);
    const known = new Set(told);
    const hashed = requests.map((request) => ({ request, hash: hashOf(request.key) }));
    const fresh = hashed.filter(({ hash }) => !known.has(hash)).map(({ request }) => request);
    const next = hashed.map(({ hash }) => hash);
    if (fresh.length > 0 || next.length !== told.length) this.#keep(workspace, { snoozed, told: next });
    this.#told.set(window, { workspace, count: requests.length });
    this.#showCount();
    if (!this.#parts.isInFront()) this.#notify(window, fresh);
  }

  /** The window shows the workspace no more. */
  leave(window: InboxWindow): void {
    if (this.#told.delete(window)) this.#showCount();
  }

  /** When each snoozed request of the window's workspace may be shown again, by key; those whose time has come are left out. */
  snoozed(window: InboxWindow): Record<string, number> {
    return this.#snoozedIn(workspaceOf(window));
  }

  /** @param until epoch milliseconds; null = they are shown from now on */
  snooze(window: InboxWindow, keys: readonly string[], until: number | null): void {
    const here = workspaceOf(window);
    const snoozed = new Map(Object.entries(this.#snoozedIn(here)));
    for (const key of keys) {
      if (until === null) snoozed.delete(key);
      else snoozed.set(key, until);
    }
    this.#keep(here, { ...this.#of(here), snoozed: Object.fromEntries(snoozed) });
    for (const [other, { workspace }] of this.#told) {
      if (workspace === here) other.push('inbox.changed', { snoozed: this.#snoozedIn(here) });
    }
  }

  #snoozedIn(workspace: string): Record<string, number> {
    const now = this.#parts.now();
    return Object.fromEntries(Object.entries(this.#of(workspace).snoozed).filter(([, until]) => until > now));
  }

  #of(workspace: string): KeptWorkspace {
    return Object.hasOwn(this.#workspaces, workspace) ? (this.#workspaces[workspace] ?? nothing) : nothing;
  }

  #keep(workspace: string, content: KeptWorkspace): void {
    const { [workspace]: _former, ...others } = this.#workspaces;
    const isEmpty = content.told.length === 0 && Object.keys(content.snoozed).length === 0;
    this.#workspaces = isEmpty ? others : { ...others, [workspace]: content };
    const { file } = this.#parts;
    if (file === null) return;
    try {
      writeOwnFile(file, `${JSON.stringify({ version: 1, workspaces: this.#workspaces })}\n`, 0o600);
    } catch (error) {
      // Something is told once more after the next start, or comes back too early: no reason to fail.
      process.stderr.write(`millrace: not kept for the next start: ${error}\n`);
    }
  }

  /** Windows on one workspace tell of the same requests. */
  #showCount(): void {
    const ofWorkspaces = new Map<string, number>();
    for (const { workspace, count } of this.#told.values()) {
      ofWorkspaces.set(workspace, Math.max(count, ofWorkspaces.get(workspace) ?? 0));
    }
    this.#parts.setBadge([...ofWorkspaces.values()].reduce((sum, count) => sum + count, 0));
  }

  /** Shows it, and no more: nothing is answered by a click on a message. */
  #open(window: InboxWindow, place: ToldRequest['place'] | null): void {
    // It may have been closed since.
    if (!this.#told.has(window)) return;
    window.bringToFront();
    window.offer([{ kind: 'waiting', place }]);
  }

  #notify(window: InboxWindow, fresh: readonly ToldRequest[]): void {
    if (fresh.length > mostNotices) {
      const title = `${fresh.length} requests wait for you`;
      this.#parts.show({ title, body: plainText(namesOf(fresh)), onClick: () => this.#open(window, null) });
      return;
    }
    for (const request of fresh) {
      const title = `${plainText(request.title)} waits for you`;
      this.#parts.show({ title, body: plainText(request.text), onClick: () => this.#open(window, request.place) });
    }
  }
}

/** What a window may call. */
export function createInboxHandlers(inbox: Inbox, window: InboxWindow): Handlers<typeof inboxContract> {
  return {
    'inbox.tell': ({ requests }) => inbox.tell(window, requests),
    'inbox.snoozed': () => ({ snoozed: inbox.snoozed(window) }),
    'inbox.snooze': ({ keys, until }) => inbox.snooze(window, keys, until),
  };
}

/** @throws EngineError `workspace.not-open` */
function workspaceOf({ content: { workspace } }: InboxWindow): string {
  if (workspace !== null) return workspace;
  throw new EngineError({
    code: 'workspace.not-open',
    message: 'This window has no folder, so nothing waits in it. Choose one with File > Open Folder.',
  });
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}

function namesOf(requests: readonly ToldRequest[]): string {
  const first = requests.slice(0, mostNotices).map(({ title }) => title);
  return `${first.join(', ')} and ${requests.length - first.length} more`;
}

/** Without characters that the system might act on, or that turn what is read around. Some desktops take `<` for markup. */
function plainText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('<', '\u2039')
    .replaceAll('>', '\u203a')
    .replaceAll('&', '\uff06')
    .slice(0, 200)
    .trim();
}

/** A file that cannot be understood counts as none: the next change replaces it. */
function readKept(file: string | null): Kept {
  try {
    const text = file === null ? undefined : readOwnFile(file);
    return text === undefined ? {} : kept.parse(JSON.parse(text)).workspaces;
  } catch {
    return {};
  }
}
