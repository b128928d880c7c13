import {
  ChartNoAxesGantt,
  FlaskConical,
  Folder,
  type LucideIcon,
  Package,
  Search,
  Settings,
  UserRound,
} from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useStore } from 'zustand';
import { allFlows } from '../../stores/runs/history/run-history.ts';
import { waitingCount } from '../../stores/runs/requests/inbox-rows.ts';
import { useStores } from '../../stores/stores-context.tsx';
import type { SideView } from '../../stores/window/panes.ts';
import { IconButton } from '../../ui/button.tsx';
import { CommandIconButton, useCommand } from '../commands/command-context.tsx';

import type { CommandId } from '../commands/commands.ts';
import { text } from './text.ts';
import './rail.css';

interface RailEntry {
  readonly command: CommandId;
  readonly view: SideView;
  readonly label: string;
  readonly Icon: LucideIcon;
}

/** Counts the runs that need attention. */
function useOpenRuns(): { readonly waiting: number; readonly interrupted: number } {
  const { runHistory, waitingList, inbox } = useStores();
  useEffect(() => runHistory.getState().watch(allFlows), [runHistory]);
  useEffect(() => inbox.getState().follow(), [inbox]);
  const runs = useStore(runHistory, ({ lists }) => lists.get(allFlows)?.runs) ?? [];
  const items = useStore(waitingList, (state) => state.items);
  const { snoozed, others } = useStore(inbox);
  const waiting = waitingCount(items, snoozed, others);
  return { waiting, interrupted: runs.filter(({ status }) => status === 'interrupted').length };
}

function RailButton({ command, view, label, Icon, children }: RailEntry & { readonly children?: ReactNode }) {
  const { panes } = useStores();
  const isShown = useStore(panes, ({ isOpen, sideView }) => isOpen.side && sideView === view);
  const { keys, isAvailable, run } = useCommand(command);
  return (
    <IconButton label={label} hint={keys} disabled={!isAvailable} aria-pressed={isShown} onClick={run}>
      <Icon aria-hidden size={16} />
      {children}
    </IconButton>
  );
}

/** The buttons that choose what the side panel shows. */
export function Rail() {
  const isRemote = useStore(useStores().workspace, ({ remote }) => remote !== null);
  const { waiting, interrupted } = useOpenRuns();
  const runsLabel = interrupted === 0 ? text.rail.runs : text.rail.runsInterrupted({ count: interrupted });
  const waitingLabel = waiting === 0 ? text.rail.waiting : text.rail.waitingCounted({ count: waiting });
  return (
    <nav className="rail" aria-label={text.rail.label}>
      <RailButton command="view.files" view="flows" label={text.rail.files} Icon={Folder} />
      {isRemote ? null : <RailButton command="view.search" view="search" label={text.rail.search} Icon={Search} />}
      <RailButton command="view.runs" view="runs" label={runsLabel} Icon={ChartNoAxesGantt}>
        {interrupted > 0 ? <span className="rail-dot" /> : null}
      </RailButton>
      {isRemote ? null : <RailButton command="view.tests" view="tests" label={text.rail.tests} Icon={FlaskConical} />}
      <RailButton command="view.waiting" view="waiting" label={waitingLabel} Icon={UserRound}>
        {waiting > 0 ? <span className="rail-badge">{waiting > 99 ? '99+' : waiting}</span> : null}
      </RailButton>
      {isRemote ? null : <RailButton command="view.packs" view="packs" label={text.rail.packs} Icon={Package} />}
      <span className="rail-gap" />
      <CommandIconButton
        command={isRemote ? 'settings.editor' : 'settings.models'}
        icon={<Settings aria-hidden size={16} />}
      />
    </nav>
  );
}
