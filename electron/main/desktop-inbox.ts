/**
 * Tracks the requests that wait for the user in all windows' workspaces: their number, system notifications about them
 * and about runs, and which ones are snoozed. The state is stored in a JSON file.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import type { InboxRequest, inboxContract, OtherWorkspace, ToldRun } from '../ipc/contracts/inbox-contract.ts';
import type { ThingToOpen } from '../ipc/contracts/main-contract.ts';
import { EngineError } from '../ipc/engine-base.ts';
import type { RpcHandlers } from '../ipc/rpc.ts';
import { readOwnFile, writeOwnFile } from './own-file.ts';
import { RunNotices, type RunNoticesOptions } from './run-notices.ts';
import { text } from './text.ts';
import { plainText } from './windows/plain-text.ts';

interface DesktopInboxOptions extends RunNoticesOptions {
  /** Path of the state file. If null, the state starts empty and is not stored. */
  readonly file: string | null;
  readonly setBadge: (count: number) => void;
  /** Delivers new requests outside the program. Each request is passed once. */
  readonly deliver: (workspace: string, requests: readonly InboxRequest[]) => void;
}

interface PushInbox {
  (name: 'inbox.changed', payload: { readonly snoozed: Record<string, number> }): void;
  (name: 'inbox.othersChanged', payload: { readonly workspaces: readonly OtherWorkspace[] }): void;
}

/** A window as a source of requests. */
export interface InboxWindow {
  readonly content: { readonly workspace: string | null };
  readonly push: PushInbox;
  bringToFront(): void;
  offer(things: readonly ThingToOpen[]): void;
}

const kept = z.object({
  version: z.literal(1),
  /** State by workspace. */
  workspaces: z.record(
    z.string(),
    z.object({
      /** Time at which each request may be shown again, by key. */
      snoozed: z.record(z.string(), z.number()),
      /** Hashes of requests that were shown and are still open. */
      told: z.array(z.string()),
      /** Hashes of requests that were delivered outside the program, most recent last. */
      delivered: z.array(z.string()).default([]),
    }),
  ),
});

type StoredInboxes = z.output<typeof kept>['workspaces'];
type KeptWorkspace = StoredInboxes[string];

const nothing: KeptWorkspace = { snoozed: {}, told: [], delivered: [] };

/** If there are more new requests than this, they are combined into one notification. */
const mostNotices = 3;

/** Maximum number of requests shown from another workspace, and the maximum length of their texts. */
const mostOthers = 300;
const longestOtherText = 200;

/** Far more than the number of open requests, so that a request that reappears after a crash is still listed. */
const mostDelivered = 20_000;

export class DesktopInbox {
  readonly #parts: DesktopInboxOptions;
  readonly #runs: RunNotices;
  readonly #told = new Map<InboxWindow, { readonly workspace: string; readonly requests: readonly InboxRequest[] }>();
  /** The requests that each workspace last sent to other windows, as text. */
  readonly #shownToOthers = new Map<string, string>();
  #workspaces: StoredInboxes;

  constructor(parts: DesktopInboxOptions) {
    this.#parts = parts;
    this.#runs = new RunNotices(parts);
    this.#workspaces = readKept(parts.file);
  }

  /** Receives all open requests of a window's workspace, most urgent first, and notifies the user of new ones. */
  tell(window: InboxWindow, requests: readonly InboxRequest[]): void {
    const workspace = workspaceOf(window);
    const { snoozed, told, delivered } = this.#of(workspace);
    const hashed = requests.flatMap((request) => tellingsOf(request, this.#parts.clock.now()));
    const notIn = (hashes: readonly string[]) => {
      const known = new Set(hashes);
      return hashed.filter(({ hash }) => !known.has(hash));
    };
    const fresh = notIn(told);
    // A snoozed request is shown again here, but not delivered again outside the program.
    const toDeliver = notIn(delivered);
    if (fresh.length > 0 || hashed.length !== told.length || toDeliver.length > 0) {
      const all = [...delivered, ...toDeliver.map(({ hash }) => hash)].slice(-mostDelivered);
      this.#keep(workspace, { snoozed, told: hashed.map(({ hash }) => hash), delivered: all });
    }
    this.#told.set(window, { workspace, requests });
    this.#showCount();
    this.#tellOthers();
    this.#parts.deliver(workspace, requestsOf(toDeliver));
    const news = requestsOf(fresh);
    if (!this.#parts.isInFront()) this.#notify(window, news);
  }

  /** Receives a run of a window's workspace that has just ended or is paused. */
  tellRun(window: InboxWindow, run: ToldRun): void {
    const { runId } = run;
    this.#runs.tell(workspaceOf(window), run, () => this.#open(window, { kind: 'run', runId, nodeId: null }));
  }

  /** Called when the window no longer shows its workspace. */
  leave(window: InboxWindow): void {
    if (!this.#told.delete(window)) return;
    this.#showCount();
    this.#tellOthers();
  }

  /** Returns the requests in the workspaces of other windows. */
  others(window: InboxWindow): readonly OtherWorkspace[] {
    return this.#othersThan(workspaceOf(window));
  }

  #othersThan(own: string): readonly OtherWorkspace[] {
    return [...this.#requestsByWorkspace()]
      .filter(([folder, requests]) => folder !== own && requests.length > 0)
      .map(([folder, requests]) => ({
        folder,
        name: path.basename(folder) || folder,
        count: requests.length,
        requests: requests
          .slice(0, mostOthers)
          .map(({ place: _place, text, ...request }) => ({ ...request, text: text.slice(0, longestOtherText) })),
      }));
  }

  /**
   * Focuses the window of another workspace at one of the requests it has reported. @returns false if the request is
   * closed
   */
  openOther(folder: string, key: string): boolean {
    for (const [window, { workspace, requests }] of this.#told) {
      const request = workspace === folder ? requests.find((one) => one.key === key) : undefined;
      if (request === undefined) continue;
      this.#open(window, { kind: 'waiting', place: request.place });
      return true;
    }
    return false;
  }

  /**
   * Returns the times when snoozed requests in the window's workspace may be shown again, by key. Excludes expired
   * ones.
   */
  snoozed(window: InboxWindow): Record<string, number> {
    return this.#snoozedIn(workspaceOf(window));
  }

  /** @param until epoch milliseconds; null ends the snooze */
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
    const now = this.#parts.clock.now();
    return Object.fromEntries(Object.entries(this.#of(workspace).snoozed).filter(([, until]) => until > now));
  }

  #of(workspace: string): KeptWorkspace {
    return Object.hasOwn(this.#workspaces, workspace) ? (this.#workspaces[workspace] ?? nothing) : nothing;
  }

  #keep(workspace: string, content: KeptWorkspace): void {
    const { [workspace]: _former, ...others } = this.#workspaces;
    const isEmpty = [content.told, content.delivered, Object.keys(content.snoozed)].every(({ length }) => length === 0);
    this.#workspaces = isEmpty ? others : { ...others, [workspace]: content };
    const { file } = this.#parts;
    if (file === null) return;
    try {
      writeOwnFile(file, `${JSON.stringify({ version: 1, workspaces: this.#workspaces })}\n`, 0o600);
    } catch (error) {
      // After a failure, a request is shown again after the next start, or its snooze ends early. Both are acceptable.
      process.stderr.write(`millrace: not kept for the next start: ${error}\n`);
    }
  }

  /** Windows on the same workspace report the same requests. */
  #requestsByWorkspace(): ReadonlyMap<string, readonly InboxRequest[]> {
    const all = new Map<string, readonly InboxRequest[]>();
    for (const { workspace, requests } of this.#told.values()) {
      if (requests.length >= (all.get(workspace)?.length ?? 0)) all.set(workspace, requests);
    }
    return all;
  }

  #showCount(): void {
    this.#parts.setBadge([...this.#requestsByWorkspace().values()].reduce((sum, { length }) => sum + length, 0));
  }

  /** Notifies only the windows whose list has changed. */
  #tellOthers(): void {
    const seen = new Map<string, string>();
    for (const [window, { workspace }] of this.#told) {
      const workspaces = this.#othersThan(workspace);
      const text = JSON.stringify(workspaces);
      seen.set(workspace, text);
      if ((this.#shownToOthers.get(workspace) ?? '[]') !== text) window.push('inbox.othersChanged', { workspaces });
    }
    this.#shownToOthers.clear();
    for (const [workspace, text] of seen) this.#shownToOthers.set(workspace, text);
  }

  /** Shows a request or a run. Clicking a notification never answers anything. */
  #open(window: InboxWindow, thing: ThingToOpen): void {
    // The window may have been closed in the meantime.
    if (!this.#told.has(window)) return;
    window.bringToFront();
    window.offer([thing]);
  }

  #notify(window: InboxWindow, fresh: readonly InboxRequest[]): void {
    const opens = (place: InboxRequest['place'] | null) => () => this.#open(window, { kind: 'waiting', place });
    if (fresh.length > mostNotices) {
      const title = text().requests.many({ count: fresh.length });
      this.#parts.show({ title, body: plainText(namesOf(fresh)), onClick: opens(null) });
      return;
    }
    for (const request of fresh) {
      const title = text().requests.one({ title: plainText(request.title) });
      this.#parts.show({ title, body: plainText(request.text), onClick: opens(request.place) });
    }
  }
}

/** Creates the handlers for a window's calls. */
export function createInboxHandlers(inbox: DesktopInbox, window: InboxWindow): RpcHandlers<typeof inboxContract> {
  return {
    'inbox.tell': ({ requests }) => inbox.tell(window, requests),
    'inbox.tellRun': (run) => inbox.tellRun(window, run),
    'inbox.snoozed': () => ({ snoozed: inbox.snoozed(window) }),
    'inbox.snooze': ({ keys, until }) => inbox.snooze(window, keys, until),
    'inbox.others': () => ({ workspaces: inbox.others(window) }),
    'inbox.openOther': ({ folder, key }) => ({ isOpen: inbox.openOther(folder, key) }),
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

/** An item that the user is notified about once. */
interface Telling {
  readonly request: InboxRequest;
  readonly hash: string;
}

/** Returns an item for a request, and another when its deadline has passed and it is still open. */
function tellingsOf(request: InboxRequest, now: number): readonly Telling[] {
  const { key, deadlineAt } = request;
  const first = { request, hash: hashOf(key) };
  if (deadlineAt === undefined || deadlineAt > now) return [first];
  const overdue = text().requests.overdue({ text: request.text });
  return [first, { request: { ...request, text: overdue }, hash: hashOf(`${key} due`) }];
}

/** Returns each request once, in its latest version. */
function requestsOf(tellings: readonly Telling[]): readonly InboxRequest[] {
  return [...new Map(tellings.map(({ request }) => [request.key, request])).values()];
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}

function namesOf(requests: readonly InboxRequest[]): string {
  const first = requests.slice(0, mostNotices).map(({ title }) => title);
  return text().requests.names({ names: first.join(', '), count: requests.length - first.length });
}

/** An unreadable file is treated as missing. The next change replaces it. */
function readKept(file: string | null): StoredInboxes {
  try {
    const text = file === null ? undefined : readOwnFile(file);
    return text === undefined ? {} : kept.parse(JSON.parse(text)).workspaces;
  } catch {
    return {};
  }
}
