/**
 * Past runs, newest first. Selecting one shows it over its flow.
 */
import { History, Table2 } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useStore } from 'zustand';
import type { RunSummary } from '../../engine/isomorphic.ts';
import type { WantedRule } from '../stores/runs/history/old-runs.ts';
import {
  allFlows,
  emptyRunList,
  maxListedRuns,
  queue,
  type RunHistory,
  type RunList,
} from '../stores/runs/history/run-history.ts';
import { useStores } from '../stores/stores-context.tsx';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { byteText } from '../ui/quantity-text.ts';
import { Segmented } from '../ui/segmented.tsx';
import { withParts } from '../ui/with-parts.tsx';
import { RunListMenu } from './run-menu.tsx';
import { RunQueue } from './run-queue.tsx';
import { RunRow } from './run-row.tsx';
import { RunFilterButton } from './table/run-filters.tsx';
import { text as tableText } from './table/text.ts';
import { text } from './text.ts';
import './run-history-list.css';

type RunHistoryScope = RunHistory['scope'];

/** Lists interrupted runs that can be resumed. Nothing resumes automatically. */
function InterruptedNote({ runs }: { runs: readonly RunSummary[] }) {
  const count = runs.filter(({ status }) => status === 'interrupted').length;
  if (count === 0) return null;
  return <p className="run-history-note">{text.history.interrupted({ count })}</p>;
}

interface RunRowsProps {
  readonly list: RunList;
  readonly scope: RunHistoryScope;
  readonly path: string | null;
}

function RunRows({ list, scope, path }: RunRowsProps) {
  const isFiltered = useStore(useStores().runHistory, ({ filter }) => Object.keys(filter).length > 0);
  if (list.status === 'failed') return <p className="run-history-note">{list.error}</p>;
  if (list.runs.length === 0 && list.status === 'ready') {
    return (
      <EmptyState
        icon={<History aria-hidden size={20} />}
        title={isFiltered ? text.history.noneStarted : text.history.noneYet}
      >
        {isFiltered ? text.history.noneStartedHint : text.history.noneYetHint}
      </EmptyState>
    );
  }
  return (
    <>
      <InterruptedNote runs={list.runs} />
      <RunListMenu list={list.runs}>
        {list.runs.map((run, index) => (
          <RunRow
            key={run.runId}
            run={run}
            hasName={scope === 'all'}
            isInFront={run.sourcePath === path}
            isTabStop={index === 0}
          />
        ))}
      </RunListMenu>
      {list.runs.length === maxListedRuns ? (
        <p className="run-history-note">
          {withParts(text.history.newest({ count: maxListedRuns }), {
            command: <code>{text.history.listCommand}</code>,
          })}
        </p>
      ) : null}
    </>
  );
}

/** Age in days of the runs that the offer deletes. */
const offeredDays = 90;

/** Asks what to do with a history that has become large, until the user decides. */
function OldRunsOffer() {
  const { oldRuns, preferences, workspace } = useStores();
  const isLocal = useStore(workspace, ({ remote }) => remote === null);
  const known = useStore(oldRuns, (state) => state.known);
  const problem = useStore(oldRuns, (state) => state.problem);
  useEffect(() => (isLocal ? oldRuns.getState().watch() : undefined), [oldRuns, isLocal]);
  if (!isLocal || known === null || !known.isLarge || known.rule !== undefined) return null;
  const choose = (rule: WantedRule): void => void oldRuns.getState().setRule(rule);
  return (
    <Banner
      tone="info"
      actions={
        <div className="old-runs-actions">
          <Button size="small" onClick={() => choose({ olderThanDays: offeredDays })}>
            {text.history.deleteOlder({ count: offeredDays })}
          </Button>
          <Button size="small" onClick={() => choose({})}>
            {text.history.keepAll}
          </Button>
          <Button size="small" onClick={() => preferences.getState().open('history')}>
            {text.history.chooseOld}
          </Button>
        </div>
      }
    >
      {text.history.old({ count: known.runs, size: byteText(known.bytes) })}
      {problem === null ? null : <p className="field-problem">{problem}</p>}
    </Banner>
  );
}

interface RunHistoryListProps {
  /** The active flow, or null. */
  readonly path: string | null;
  /** What the person has chosen to compare. */
  readonly picks: ReactNode;
}

export function RunHistoryList({ path, picks }: RunHistoryListProps) {
  const { runHistory, openFiles, selection } = useStores();
  const isAgent = useStore(openFiles, ({ files }) => path !== null && files.get(path)?.kind === 'agent');
  const scope = useStore(runHistory, (state) => state.scope);
  const key = scope === 'queue' ? queue : scope === 'all' ? allFlows : path;
  const list = useStore(runHistory, ({ lists }) => (key === null ? undefined : lists.get(key))) ?? emptyRunList;
  useEffect(() => (key === null ? undefined : runHistory.getState().watch(key)), [runHistory, key]);
  return (
    <div className="run-history">
      <OldRunsOffer />
      <div className="run-history-scope">
        <Segmented<RunHistoryScope>
          label={text.history.scope}
          value={scope}
          options={[
            { value: 'this', text: isAgent ? text.history.thisAgent : text.history.thisFlow },
            { value: 'all', text: text.history.all },
            { value: 'queue', text: text.queue.title },
          ]}
          onChange={(next) => runHistory.getState().setScope(next)}
        />
        <RunFilterButton runs={list.runs} hasStatus={scope !== 'queue'}>
          {path === null || scope !== 'this' ? null : (
            <Button size="small" onClick={() => selection.getState().setMode(path, 'runs')}>
              <Table2 aria-hidden size={12} />
              {tableText.table.rows}
            </Button>
          )}
        </RunFilterButton>
      </div>
      {picks}
      {key === null ? (
        <p className="run-history-note">{text.history.noFlow}</p>
      ) : scope === 'queue' ? (
        <RunQueue list={list} path={path} />
      ) : (
        <RunRows list={list} scope={scope} path={path} />
      )}
    </div>
  );
}
