/**
 * What waits as lines of one list: of this workspace, snoozed or not, and of those that other windows show.
 */
import type { OtherWorkspace } from '../../bridge/main-client.ts';
import { byUrgency, type WaitingItem } from './waiting-list.ts';

/** When requests may be shown again, in epoch milliseconds by their keys. */
export type Snoozed = ReadonlyMap<string, number>;

/** Those that are shown now, in their order, and those that are shown later, the next one first. */
export function partedBySnooze(
  items: readonly WaitingItem[],
  snoozed: Snoozed,
): { readonly now: readonly WaitingItem[]; readonly later: readonly WaitingItem[] } {
  const untilOf = ({ key }: WaitingItem): number => snoozed.get(key) ?? 0;
  const later = items.filter(({ key }) => snoozed.has(key)).sort((left, right) => untilOf(left) - untilOf(right));
  return { now: items.filter(({ key }) => !snoozed.has(key)), later };
}

type OtherRequest = OtherWorkspace['requests'][number];

/** A line of the inbox: of this workspace, or of another one, where it is only seen. */
export type InboxRow =
  | { readonly key: string; readonly item: WaitingItem }
  | { readonly key: string; readonly item: null; readonly workspace: OtherWorkspace; readonly request: OtherRequest };

/** What waits in all workspaces as one list, the most urgent first, and what is shown later at its end. */
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

/** How much waits in all workspaces and is not snoozed. */
export function waitingCount(
  items: readonly WaitingItem[],
  snoozed: Snoozed,
  others: readonly OtherWorkspace[],
): number {
  return others.reduce((sum, { count }) => sum + count, partedBySnooze(items, snoozed).now.length);
}
