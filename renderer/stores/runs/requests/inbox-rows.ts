/**
 * The open requests as rows of one list: those of this workspace, snoozed or not, and those of workspaces in other
 * windows.
 */
import type { OtherWorkspace } from '../../../bridge/main-client.ts';
import { byUrgency, type WaitingItem } from './waiting-list.ts';

/** When snoozed requests are shown again, in epoch milliseconds by key. */
export type Snoozed = ReadonlyMap<string, number>;

/** Separates the requests shown now, in order, from the snoozed ones, next due first. */
export function partedBySnooze(
  items: readonly WaitingItem[],
  snoozed: Snoozed,
): { readonly now: readonly WaitingItem[]; readonly later: readonly WaitingItem[] } {
  const untilOf = ({ key }: WaitingItem): number => snoozed.get(key) ?? 0;
  const later = items.filter(({ key }) => snoozed.has(key)).sort((left, right) => untilOf(left) - untilOf(right));
  return { now: items.filter(({ key }) => !snoozed.has(key)), later };
}

type OtherRequest = OtherWorkspace['requests'][number];

/** A row of the inbox: a request of this workspace, or of another one, where it is read-only. */
export type InboxRow =
  | { readonly key: string; readonly item: WaitingItem }
  | { readonly key: string; readonly item: null; readonly workspace: OtherWorkspace; readonly request: OtherRequest };

/** Returns the open requests of all workspaces as one list, most urgent first, snoozed ones at the end. */
export function inboxRows(
  items: readonly WaitingItem[],
  snoozed: Snoozed,
  others: readonly OtherWorkspace[],
): readonly InboxRow[] {
  const { now, later } = partedBySnooze(items, snoozed);
  const own = (item: WaitingItem): InboxRow => ({ key: item.key, item });
  const ofOthers = others.flatMap((workspace) =>
    workspace.requests.map((request): InboxRow => ({ key: request.key, item: null, workspace, request })),
  );
  const all = ofOthers.length === 0 ? now.map(own) : [...now.map(own), ...ofOthers].sort(rowsByUrgency);
  return [...all, ...later.map(own)];
}

function rowsByUrgency(left: InboxRow, right: InboxRow): number {
  return byUrgency(left.item ?? left.request, right.item ?? right.request);
}

/** Returns the number of open requests in all workspaces that are not snoozed. */
export function waitingCount(
  items: readonly WaitingItem[],
  snoozed: Snoozed,
  others: readonly OtherWorkspace[],
): number {
  return others.reduce((sum, { count }) => sum + count, partedBySnooze(items, snoozed).now.length);
}
