/**
 * Triggers of the workspace in the status bar: how many are on, whether a person has to confirm one, and which one is due
 * next. Loaded when a workspace has triggers.
 */
import { TriangleAlert, Zap } from 'lucide-react';
import { useStore } from 'zustand';
import { text } from '../../card/trigger/text.ts';
import { soonText } from '../../card/trigger/trigger-words.ts';
import { useStores } from '../../stores/stores-context.tsx';
import type { ListedTrigger } from '../../stores/workspace/triggers.ts';
import { useNow } from '../../ui/use-now.ts';

const tickMs = 30_000;

export function TriggerStatus() {
  const { triggers, openFiles, selection } = useStores();
  const entries = useStore(triggers, (state) => state.entries);
  const now = useNow(true, tickMs);
  const working = entries.filter(({ state, problem }) => state === 'on' && problem === undefined);
  const changed = entries.filter(({ state, problem }) => state === 'changed' && problem === undefined);
  const next = nextOf(working, now);
  const show = async ({ flow, trigger }: ListedTrigger): Promise<void> => {
    await openFiles.getState().open(flow);
    selection.getState().choose(flow, { triggers: [trigger] }, null);
  };
  const [toConfirm] = changed;
  return (
    <>
      {working.length === 0 ? null : (
        <span className="status-item">
          <Zap aria-hidden size={13} />
          {text.status.on({ count: working.length })}
        </span>
      )}
      {toConfirm === undefined ? null : (
        <button type="button" className="status-item status-problems" onClick={() => void show(toConfirm)}>
          <TriangleAlert aria-hidden size={13} data-tone="warning" />
          {text.status.confirm({ count: changed.length })}
        </button>
      )}
      {next === undefined ? null : (
        <button
          type="button"
          className="status-item status-problems status-service status-detail"
          onClick={() => void show(next.entry)}
        >
          <span className="status-cut">
            {text.status.next({ name: next.entry.trigger, time: soonText(next.at, now) })}
          </span>
        </button>
      )}
    </>
  );
}

function nextOf(
  entries: readonly ListedTrigger[],
  now: number,
): { readonly entry: ListedTrigger; readonly at: number } | undefined {
  const due = entries.flatMap((entry) => {
    return entry.dueAt === undefined || entry.dueAt < now ? [] : [{ entry, at: entry.dueAt }];
  });
  return due.sort((a, b) => a.at - b.at)[0];
}
