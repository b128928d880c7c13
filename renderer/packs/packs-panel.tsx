/**
 * The list of packs in the side panel, and the actions for all of them.
 */
import { Package, PackagePlus, RefreshCw, TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores-context.tsx';
import type { Pack } from '../stores/workspace/packs.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { moveRovingFocus, rovingItem } from '../ui/roving-focus.ts';
import { withParts } from '../ui/with-parts.tsx';
import { originText } from './pack-words.ts';
import { text } from './text.ts';
import './packs-panel.css';

function PackRow({ pack, isTabStop }: { pack: Pack; isTabStop: boolean }) {
  const { packs } = useStores();
  const { ref, version, problem, isShadowed, folder } = pack;
  const notes = [version, originText(pack), ...(isShadowed ? [text.list.hidden] : [])].filter((note) => note !== '');
  return (
    <li>
      <button
        type="button"
        className="pack-row"
        title={ref}
        onClick={() => packs.getState().show(folder)}
        {...rovingItem(isTabStop)}
      >
        <Package aria-hidden className="pack-icon" size={14} />
        <span className="pack-name">{ref}</span>
        {problem === undefined ? null : (
          <TriangleAlert role="img" aria-label={text.list.unusable} className="pack-problem" size={13} />
        )}
        <span className="pack-notes">{notes.join(' · ')}</span>
      </button>
    </li>
  );
}

function NoPacks() {
  const { packs } = useStores();
  return (
    <EmptyState
      icon={<Package aria-hidden size={20} />}
      title={text.list.empty}
      actions={
        <Button size="small" onClick={() => packs.getState().askInstall('')}>
          {text.list.emptyInstall}
        </Button>
      }
    >
      {withParts(text.list.emptyNote, { example: <code>{'demo@proof'}</code> })}
    </EmptyState>
  );
}

function PackList() {
  const { packs } = useStores();
  const { list, status, error } = useStore(packs);
  if (status === 'failed') return <p className="side-note">{text.list.failed({ reason: error })}</p>;
  if (status === 'loading') return <p className="side-note">{text.list.loading}</p>;
  if (list.length === 0) return <NoPacks />;
  return (
    <ul aria-label={text.list.packs} onKeyDown={moveRovingFocus}>
      {list.map((pack, index) => (
        <PackRow key={pack.folder} pack={pack} isTabStop={index === 0} />
      ))}
    </ul>
  );
}

/** The progress or result of an operation on packs. */
export function PackReport() {
  const { packs } = useStores();
  const busy = useStore(packs, (state) => state.busy);
  const outcome = useStore(packs, (state) => state.outcome);
  const lines = busy === null ? (outcome?.lines ?? []) : [busy];
  return (
    <div className="pack-report" role="status" data-tone={busy === null ? outcome?.tone : undefined}>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}

/** All packs with agents that can be run. Read when the panel opens, and again from each new engine. */
export function PacksPanel() {
  const { packs, engine } = useStores();
  const isBusy = useStore(packs, ({ busy }) => busy !== null);
  useEffect(() => {
    void packs.getState().load();
    return engine.onConnected(() => void packs.getState().load());
  }, [packs, engine]);
  return (
    <div className="packs-panel">
      <div className="packs-actions">
        <Button size="small" disabled={isBusy} onClick={() => packs.getState().askInstall('')}>
          <PackagePlus aria-hidden size={14} />
          {text.list.install}
        </Button>
        <IconButton label={text.list.updateAll} disabled={isBusy} onClick={() => void packs.getState().update()}>
          <RefreshCw aria-hidden size={14} />
        </IconButton>
      </div>
      <PackReport />
      <PackList />
    </div>
  );
}
