/**
 * The actions for a run in the history, in the menu of its row and in the context menu.
 */
import {
  Columns2,
  Copy,
  Ellipsis,
  FileJson,
  FlaskConical,
  FolderOutput,
  History,
  Send,
  SquareX,
  Trash2,
  Undo2,
  Waypoints,
} from 'lucide-react';
import { Fragment, type MouseEvent, type ReactNode, useState } from 'react';
import { useStore } from 'zustand';
import type { RunSummary } from '../../engine/isomorphic.ts';
import { isCancellable, isOver, isUnfinished } from '../stores/runs/live/live-runs.ts';
import { isComparable } from '../stores/runs/run-picks.ts';
import { useStores } from '../stores/stores-context.tsx';
import { IconButton } from '../ui/button.tsx';
import { ContextMenu, ContextMenuItem, ContextMenuSeparator } from '../ui/context-menu.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { moveRovingFocus } from '../ui/roving-focus.ts';
import { text as words } from './text.ts';

interface RunEntry {
  readonly text: string;
  readonly icon: ReactNode;
  readonly act: () => void;
  /** Why the action is not available. Undefined if it is. */
  readonly refusal?: string;
}

/**
 * Returns the actions for a run, shared by its button and the context menu. Actions that cannot be undone are in a
 * separate group.
 */
function useRunEntries(): (run: RunSummary) => readonly (readonly RunEntry[])[] {
  const { runPicks, runs, workspace, panes, savedCase, sending } = useStores();
  // Only workers delete runs of a remote history.
  const isRemote = useStore(workspace, ({ remote }) => remote !== null);
  return (run) => {
    const { runId, sourcePath, kind } = run;
    const compare = {
      text: words.history.compare,
      icon: <Columns2 aria-hidden size={14} />,
      act: () => runPicks.getState().pickFor(run),
    };
    const undo = {
      text: words.history.undo,
      icon: <Undo2 aria-hidden size={14} />,
      act: () => void runs.openRun(sourcePath, runId, kind).then(() => panes.getState().showDock('files')),
    };
    const saveTest = {
      text: words.history.saveTest,
      icon: <FlaskConical aria-hidden size={14} />,
      act: () => savedCase.getState().ask(run),
    };
    const cancel = {
      text: words.history.cancel,
      icon: <SquareX aria-hidden size={14} />,
      act: () => void runs.cancel(runId),
    };
    const lasts = isUnfinished(run) ? { refusal: words.history.afterEnd } : {};
    return [
      [
        {
          text: words.history.open,
          icon: <History aria-hidden size={14} />,
          act: () => void runs.openRun(sourcePath, runId, kind),
        },
        ...(isComparable(run) ? [compare] : []),
        ...(isOver(run) && !isRemote ? [undo, saveTest] : []),
        ...(isCancellable(run) ? [cancel] : []),
      ],
      [
        {
          text: words.history.copyId,
          icon: <Copy aria-hidden size={14} />,
          act: () => void navigator.clipboard.writeText(runId),
        },
      ],
      [
        ...(isRemote
          ? []
          : [
              {
                text: words.history.send,
                icon: <Send aria-hidden size={14} />,
                act: () => sending.getState().ask(run),
              },
            ]),
        {
          text: words.history.export,
          icon: <FileJson aria-hidden size={14} />,
          act: () => void runs.exportRun(runId, 'bundle'),
        },
        {
          text: words.history.exportTrace,
          icon: <FolderOutput aria-hidden size={14} />,
          act: () => void runs.exportRun(runId, 'trace'),
        },
        {
          text: words.history.exportTelemetry,
          icon: <Waypoints aria-hidden size={14} />,
          act: () => void runs.exportRun(runId, 'otlp'),
        },
      ],
      ...(isRemote
        ? []
        : [
            [
              {
                text: words.history.delete,
                icon: <Trash2 aria-hidden size={14} />,
                act: () => void runs.deleteRun(runId),
                ...lasts,
              },
            ],
          ]),
    ];
  };
}

/** The menu button of a row. */
export function RunMenu({ run }: { run: RunSummary }) {
  const entriesOf = useRunEntries();
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label={words.history.menu({ number: run.number })} className="run-more">
          <Ellipsis aria-hidden size={14} />
        </IconButton>
      }
    >
      {entriesOf(run).map((group, index) => (
        <Fragment key={group[0]?.text}>
          {index === 0 ? null : <MenuSeparator />}
          {group.map(({ text, icon, act, refusal }) => (
            <MenuItem
              key={text}
              text={text}
              icon={icon}
              hint={refusal}
              isDisabled={refusal !== undefined}
              onSelect={act}
            />
          ))}
        </Fragment>
      ))}
    </Menu>
  );
}

/** Adds a context menu to rows. It opens for the row that is right-clicked, or for the focused row by key. */
export function RunListMenu({ list, children }: { list: readonly RunSummary[]; children: ReactNode }) {
  const entriesOf = useRunEntries();
  const [runId, setRunId] = useState<string>();
  const run = list.find((one) => one.runId === runId);
  const meet = (event: MouseEvent): void => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-run]') : null;
    setRunId(row?.dataset['run']);
    if (row === null) event.stopPropagation();
  };
  return (
    <ContextMenu
      trigger={
        <ul aria-label={words.history.list} onKeyDown={moveRovingFocus} onContextMenuCapture={meet}>
          {children}
        </ul>
      }
    >
      {run === undefined
        ? null
        : entriesOf(run).map((group, index) => (
            <Fragment key={group[0]?.text}>
              {index === 0 ? null : <ContextMenuSeparator />}
              {group.map(({ text, icon, act, refusal }) => (
                <ContextMenuItem
                  key={text}
                  text={text}
                  icon={icon}
                  hint={refusal}
                  isDisabled={refusal !== undefined}
                  onSelect={act}
                />
              ))}
            </Fragment>
          ))}
    </ContextMenu>
  );
}
