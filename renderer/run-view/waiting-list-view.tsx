/**
 * What waits for a person in the workspace; choosing one shows it in its run.
 */
import { Hand } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { WaitingItem } from '../stores/runs/waiting-list.ts';
import { showWaiting } from '../stores/show-waiting.ts';
import { useStores } from '../stores/stores-context.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { fullMomentText, waitText } from '../ui/quantity-text.ts';
import { moveRovingFocus, rovingItem } from '../ui/roving-focus.ts';
import { StateIcon } from '../ui/state-icon.tsx';
import { useNow } from '../ui/use-now.ts';
import './run-history-list.css';

function WaitingRow({ item, now, isTabStop }: { item: WaitingItem; now: number; isTabStop: boolean }) {
  const { runs, ...views } = useStores();
  const { run, nodeId, name, message, since } = item;
  const show = async (): Promise<void> => {
    await runs.openRun(run.sourcePath, run.runId, run.kind);
    if (nodeId !== '') showWaiting(views, run.sourcePath, item);
  };
  return (
    <li>
      <button
        type="button"
        className="run-row"
        title={`${run.sourcePath}, since ${fullMomentText(since)}`}
        onClick={() => void show()}
        {...rovingItem(isTabStop)}
      >
        <StateIcon state="suspended" isDecorative />
        <b className="waiting-item-name">{name}</b>
        <span className="run-row-time">{waitText(now - since)}</span>
        <span className="waiting-item-text">{message}</span>
        <span className="run-row-detail">{run.name}</span>
      </button>
    </li>
  );
}

export function WaitingListView() {
  const { waitingList } = useStores();
  const items = useStore(waitingList, (state) => state.items);
  const isLoading = useStore(waitingList, (state) => state.isLoading);
  const error = useStore(waitingList, (state) => state.error);
  const now = useNow(items.length > 0, 1000);
  useEffect(() => waitingList.getState().follow(), [waitingList]);
  if (items.length === 0 && error === null) {
    if (isLoading) return null;
    return (
      <EmptyState icon={<Hand aria-hidden size={20} />} title="Nothing waits for you">
        When the program stops in the middle of a node or an agent’s input that acts outside (a request, an appended
        file, an agent), nobody knows how far it came. It then asks here whether to run it again; all else goes on by
        itself when you resume the run.
      </EmptyState>
    );
  }
  return (
    <>
      {error === null ? null : <p className="run-history-note">{error}</p>}
      <ul aria-label="Waiting for you" onKeyDown={moveRovingFocus}>
        {items.map((item, index) => (
          <WaitingRow key={`${item.run.runId} ${item.nodeId}`} item={item} now={now} isTabStop={index === 0} />
        ))}
      </ul>
    </>
  );
}
