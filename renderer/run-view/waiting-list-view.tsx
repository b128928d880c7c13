/**
 * The inbox: open requests of the workspace, which can be answered by keyboard, answered together, snoozed, or opened
 * in their run.
 */
import { AlarmClock, Hand } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { asksForValues } from '../stores/runs/requests/inbox.ts';
import { type InboxRow, inboxRows } from '../stores/runs/requests/inbox-rows.ts';
import type { WaitingItem } from '../stores/runs/requests/waiting-list.ts';
import { useStores } from '../stores/stores-context.tsx';
import { Button } from '../ui/button.tsx';
import { type ApprovalDecision, DecisionButtons } from '../ui/decision-form.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { shortTimeText } from '../ui/quantity-text.ts';
import { useNow } from '../ui/use-now.ts';
import { VirtualRows } from '../ui/virtual-rows.tsx';
import { text as words } from './text.ts';
import { useRestoredFocus } from './use-kept-focus.ts';
import { nameOfFolder, OtherRow, WaitingRow } from './waiting-row.tsx';
import './run-history-list.css';
import './waiting-list.css';

/** Height in pixels: the name, a line of the question, and a line with its origin. */
const rowHeight = 60;

/** The selected rows, and functions to select them one by one or as a range. */
function useSelectedKeys(rows: readonly InboxRow[]) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string | null>(null);
  // Requests of other workspaces are answered there.
  const items = rows.flatMap(({ item }) => (item === null ? [] : [item]));
  const selected = items.filter(({ key }) => keys.has(key));
  return {
    selected,
    has: (key: string): boolean => keys.has(key),
    clear: () => setKeys(new Set()),
    toggle(key: string) {
      const next = new Set(keys);
      if (!next.delete(key)) next.add(key);
      setKeys(next);
      setAnchor(key);
    },
    /** @param from start of the range if nothing was selected before */
    extendTo(key: string, from: string) {
      const start = items.findIndex((item) => item.key === (keys.size === 0 ? from : (anchor ?? from)));
      const end = items.findIndex((item) => item.key === key);
      if (start < 0 || end < 0) return;
      const range = items.slice(Math.min(start, end), Math.max(start, end) + 1);
      setKeys(new Set(range.map((item) => item.key)));
      setAnchor(items[start]?.key ?? null);
    },
  };
}

/** The actions for the selected rows. */
function SelectionBar({ selected, onDone }: { selected: readonly WaitingItem[]; onDone: () => void }) {
  const { inbox } = useStores();
  const snoozed = useStore(inbox, (state) => state.snoozed);
  const count = selected.length;
  const snooze = (until: number | null): void => {
    void inbox.getState().snooze(selected, until);
    onDone();
  };
  return (
    <div className="waiting-bar" role="toolbar" aria-label={words.inbox.selection}>
      <Menu
        trigger={
          <Button size="small" aria-label={words.inbox.snoozeSelected({ count })}>
            <AlarmClock aria-hidden size={13} />
            {words.inbox.snooze}
          </Button>
        }
      >
        {snoozeTimes(Date.now()).map(({ text, until }) => (
          <MenuItem key={text} text={text} hint={shortTimeText(until, Date.now())} onSelect={() => snooze(until)} />
        ))}
        {selected.some(({ key }) => snoozed.has(key)) ? (
          <MenuItem text={words.inbox.stopSnoozing} onSelect={() => snooze(null)} />
        ) : null}
      </Menu>
      <DecisionButtons
        subject={words.inbox.selected({ count })}
        scope={words.inbox.scope({ count })}
        isDisabled={selected.every(asksForValues)}
        onDecide={(decision) => {
          void inbox.getState().answer(selected, decision);
          onDone();
        }}
      />
    </div>
  );
}

function WaitingRows({ rows, later }: { rows: readonly InboxRow[]; later: ReadonlyMap<string, number> }) {
  const { inbox, workspace } = useStores();
  const folder = useStore(workspace, (state) => state.folder);
  // The workspace's name is shown only if there are several.
  const here = rows.some(({ item }) => item === null) ? nameOfFolder(folder) : null;
  const now = useNow(true, 1000);
  const selection = useSelectedKeys(rows);
  const list = useRestoredFocus(rows.map(({ key }) => key));

  const step = (index: number, by: 1 | -1): void => {
    const [from, to] = [rows[index], rows[index + by]];
    if (from === undefined || to === undefined) return;
    selection.extendTo(to.key, from.key);
    list.focus(to.key);
  };
  const answer = (decision: ApprovalDecision, item: WaitingItem): void => {
    void inbox.getState().answer(selection.has(item.key) ? selection.selected : [item], decision);
    selection.clear();
  };
  const acts: Readonly<Record<RowAction, (item: WaitingItem, index: number) => void>> = {
    approve: (item) => answer('approve', item),
    reject: (item) => answer('reject', item),
    snooze(item) {
      const chosen = selection.has(item.key) ? selection.selected : [item];
      void inbox.getState().snooze(chosen, later.has(item.key) ? null : nextSnooze());
      selection.clear();
    },
    select: ({ key }) => selection.toggle(key),
    clear: selection.clear,
    down: (_item, index) => step(index, 1),
    up: (_item, index) => step(index, -1),
  };
  const act = (action: RowAction, index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    if (row.item !== null) acts[action](row.item, index);
    // A request of another workspace is answered in its own window.
    else if (action === 'approve' || action === 'reject')
      void inbox.getState().openOther(row.workspace.folder, row.key);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const focused = event.target instanceof HTMLElement ? event.target.dataset['key'] : undefined;
    const index = rows.findIndex(({ key }) => key === focused);
    const action = actionOf(event);
    if (index === -1 || action === undefined) return;
    // Without a selection, Escape keeps its usual meaning.
    if (action === 'clear' && selection.selected.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    // A key that is held down must not answer one request after the other.
    if (!event.repeat || action === 'down' || action === 'up') act(action, index);
  };

  return (
    <div className="waiting-list" ref={list.element} onKeyDownCapture={onKeyDown}>
      {selection.selected.length > 0 ? (
        <SelectionBar selected={selection.selected} onDone={selection.clear} />
      ) : (
        <p className="waiting-hint">{words.inbox.keys}</p>
      )}
      <VirtualRows
        label={words.inbox.label}
        count={rows.length}
        rowHeight={rowHeight}
        keyOf={(index) => rows[index]?.key ?? ''}
        renderRow={(index, isTabStop) => {
          const row = rows[index];
          if (row === undefined) return null;
          const { key, item } = row;
          if (item === null) return <OtherRow {...{ row, now, isTabStop }} />;
          return (
            <WaitingRow
              {...{ item, now, isTabStop, workspace: here }}
              isSelected={selection.has(key)}
              until={later.get(key)}
              onSelect={(isRange) => (isRange ? selection.extendTo(key, key) : selection.toggle(key))}
            />
          );
        }}
      />
    </div>
  );
}

type RowAction = 'approve' | 'reject' | 'snooze' | 'select' | 'clear' | 'down' | 'up';

const actionsByKey: Readonly<Record<string, RowAction>> = {
  a: 'approve',
  r: 'reject',
  s: 'snooze',
  ' ': 'select',
  escape: 'clear',
};

function nextSnooze(): number {
  const now = Date.now();
  return snoozeTimes(now)[0]?.until ?? now;
}

function actionOf({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): RowAction | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  if (shiftKey) return key === 'ArrowDown' ? 'down' : key === 'ArrowUp' ? 'up' : undefined;
  return actionsByKey[key.toLowerCase()];
}

/** Why the last notification about a request failed to send. Renders nothing if it was sent. */
function Undelivered() {
  const { delivery, preferences } = useStores();
  const problem = useStore(delivery, ({ known }) => known?.problem);
  if (!problem) return null;
  return (
    <p className="run-history-note">
      {words.inbox.notSent({ problem: problem.message })}{' '}
      <button type="button" className="waiting-settings" onClick={() => preferences.getState().open('messages')}>
        {words.inbox.settings}
      </button>
    </p>
  );
}

export function WaitingListView() {
  const { waitingList, inbox, delivery } = useStores();
  useEffect(() => void delivery.getState().refresh(), [delivery]);
  const items = useStore(waitingList, (state) => state.items);
  const isLoading = useStore(waitingList, (state) => state.isLoading);
  const error = useStore(waitingList, (state) => state.error);
  const { snoozed, others } = useStore(inbox);
  const rows = useMemo(() => inboxRows(items, snoozed, others), [items, snoozed, others]);
  if (rows.length === 0 && error === null) {
    if (isLoading) return null;
    return (
      <EmptyState icon={<Hand aria-hidden size={20} />} title={words.inbox.none}>
        {words.inbox.noneHint}
      </EmptyState>
    );
  }
  return (
    <>
      {error === null ? null : <p className="run-history-note">{error}</p>}
      <Undelivered />
      {others.map(({ folder, name, count, requests }) =>
        count > requests.length ? (
          <p key={folder} className="run-history-note">
            {words.inbox.moreElsewhere({ name, count: count - requests.length })}
          </p>
        ) : null,
      )}
      <WaitingRows rows={rows} later={snoozed} />
    </>
  );
}

/** A time until which a request can be snoozed. */
interface SnoozeTime {
  readonly text: string;
  /** Epoch milliseconds. */
  readonly until: number;
}

const hourMs = 60 * 60 * 1000;
const morningHour = 9;

/**
 * Returns the usual snooze times, nearest first. Days are in the time zone of the system. @param now epoch milliseconds
 */
function snoozeTimes(now: number): readonly SnoozeTime[] {
  const today = new Date(now).getDay();
  const daysToMonday = (8 - today) % 7 || 7;
  return [
    { text: words.inbox.oneHour, until: now + hourMs },
    { text: words.inbox.fourHours, until: now + 4 * hourMs },
    { text: words.inbox.tomorrow, until: morningAfter(now, 1) },
    { text: words.inbox.monday, until: morningAfter(now, daysToMonday) },
  ];
}

/** Uses the calendar, because a day does not always have 24 hours. */
function morningAfter(now: number, days: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days, morningHour).getTime();
}
