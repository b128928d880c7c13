/**
 * A row of the inbox: a request of this workspace, or one of another workspace, which is answered in its own window.
 */
import { ExternalLink } from 'lucide-react';
import { useStore } from 'zustand';
import type { InboxRow } from '../stores/runs/requests/inbox-rows.ts';
import type { WaitingItem } from '../stores/runs/requests/waiting-list.ts';
import { showWaitingPlace } from '../stores/show-waiting.ts';
import { useStores } from '../stores/stores-context.tsx';
import { fullDateTimeText, shortTimeText, waitText } from '../ui/quantity-text.ts';
import { rovingItem } from '../ui/roving-focus.ts';
import { text } from './text.ts';

/** Returns the last component of a path of any operating system. */
export function nameOfFolder(folder: string | null): string {
  return folder?.split(/[\\/]/).findLast((part) => part !== '') ?? '';
}

const urgentMs = 3_600_000;

/** Highlights a deadline within an hour, by color and by text. */
function Deadline({ at, now }: { readonly at: number | undefined; readonly now: number }) {
  if (at === undefined) return null;
  return (
    <span className="run-row-time" data-urgent={at - now < urgentMs || undefined} title={fullDateTimeText(at)}>
      {at <= now ? text.inbox.overdue : text.inbox.dueBy({ time: shortTimeText(at, now) })}
    </span>
  );
}

interface WaitingItemRowProps {
  readonly item: WaitingItem;
  /** Name of the workspace folder. Null if there is only one workspace. */
  readonly workspace: string | null;
  readonly now: number;
  readonly isTabStop: boolean;
  readonly isSelected: boolean;
  /** When it is shown again, in epoch milliseconds. Undefined if it is not snoozed. */
  readonly until: number | undefined;
  readonly onSelect: (isRange: boolean) => void;
}

export function WaitingRow({ item, workspace, now, isTabStop, isSelected, until, onSelect }: WaitingItemRowProps) {
  const { inbox, ...views } = useStores();
  const isAnswering = useStore(inbox, ({ answering }) => answering.has(item.key));
  const { run, nodeId, name, message, since, deadlineAt } = item;
  const { sourcePath, runId, kind } = run;
  const show = (): Promise<void> => showWaitingPlace(views, { path: sourcePath, kind, runId, nodeId });
  return (
    <div className="waiting-item" data-state={isAnswering ? 'answering' : until === undefined ? 'waiting' : 'snoozed'}>
      <input
        type="checkbox"
        className="waiting-item-check"
        aria-label={text.inbox.select({ name })}
        tabIndex={-1}
        checked={isSelected}
        onChange={(event) => onSelect(event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)}
      />
      <button
        type="button"
        className="run-row"
        data-key={item.key}
        title={text.inbox.waitingSince({ path: run.sourcePath, time: fullDateTimeText(since) })}
        onClick={() => void show()}
        {...rovingItem(isTabStop)}
      >
        <b className="waiting-item-name">{name}</b>
        <span className="run-row-time">{waitText(now - since)}</span>
        <span className="waiting-item-text">{message === name ? null : message}</span>
        <span className="waiting-item-foot">
          <span className="run-row-detail">{workspace === null ? run.name : `${workspace} · ${run.name}`}</span>
          {until === undefined ? (
            <Deadline at={deadlineAt} now={now} />
          ) : (
            <span className="run-row-time">{text.inbox.snoozedUntil({ time: shortTimeText(until, now) })}</span>
          )}
        </span>
      </button>
    </div>
  );
}

interface OtherRowProps {
  readonly row: Extract<InboxRow, { item: null }>;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly isTabStop: boolean;
}

/** A request of another workspace. Opens the window of that workspace, where it can be answered. */
export function OtherRow({ row, now, isTabStop }: OtherRowProps) {
  const { inbox } = useStores();
  const { key, workspace, request } = row;
  const { folder, name } = workspace;
  const { title, run, since, deadlineAt } = request;
  return (
    <div className="waiting-item" data-state="elsewhere">
      <ExternalLink aria-hidden className="waiting-item-elsewhere" size={13} />
      <button
        type="button"
        className="run-row"
        data-key={key}
        title={text.inbox.opensWindow({ folder, time: fullDateTimeText(since) })}
        onClick={() => void inbox.getState().openOther(folder, key)}
        {...rovingItem(isTabStop)}
      >
        <b className="waiting-item-name">{title}</b>
        <span className="run-row-time">{waitText(now - since)}</span>
        <span className="waiting-item-text">{request.text}</span>
        <span className="waiting-item-foot">
          <span className="run-row-detail">
            {name} · {run}
          </span>
          <Deadline at={deadlineAt} now={now} />
        </span>
      </button>
    </div>
  );
}
