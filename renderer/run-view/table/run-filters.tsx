/**
 * The filter of the lists of runs, in the side panel and above the table.
 */
import { ListFilter } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { type RunStatus, type RunSummary, type StartedBy, startKinds } from '../../../engine/isomorphic.ts';
import type { RunFilter } from '../../stores/runs/history/run-history.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { visualStateLabels } from '../../ui/state-icon.tsx';
import { starterText } from '../run-header.tsx';
import { text as runText } from '../text.ts';
import { text } from './text.ts';
import './run-filters.css';

const all = 'all';
const dayMs = 24 * 3_600_000;

/** Periods of the filter, in days. */
const periods = [1, 7, 30, 90];

const statuses: readonly RunStatus[] = [
  ...(['running', 'queued', 'suspended', 'interrupted'] as const),
  ...(['completed', 'failed', 'cancelled', 'skipped'] as const),
];

function useFilter(): RunFilter {
  return useStore(useStores().runHistory, ({ filter }) => filter);
}

/** Restricts the list to runs with the same start: a kind, or one trigger, key or client of that kind. */
function StarterFilter({ runs }: { readonly runs: readonly RunSummary[] }) {
  const { runHistory } = useStores();
  const { startedBy: chosen } = useFilter();
  const named = [...runs.map(({ startedBy }) => startedBy), chosen].filter(
    (starter): starter is StartedBy => starter?.name !== undefined,
  );
  const keyOf = ({ kind, name }: StartedBy): string => JSON.stringify([kind, name]);
  const options = [...startKinds.map((kind): StartedBy => ({ kind })), ...named];
  const byKey = new Map(options.map((starter) => [keyOf(starter), starter]));
  return (
    <Select
      aria-label={runText.history.startedBy}
      value={chosen === undefined ? all : keyOf(chosen)}
      options={[
        { value: all, text: runText.history.anyStarter },
        ...[...byKey].map(([value, starter]) => ({
          value,
          text: starter.name === undefined ? runText.history.starters[starter.kind] : starterText(starter),
        })),
      ]}
      onChange={(key) => runHistory.getState().setFilter({ startedBy: byKey.get(key) })}
    />
  );
}

function StatusFilter() {
  const { runHistory } = useStores();
  const { status } = useFilter();
  return (
    <Select<RunStatus | typeof all>
      aria-label={text.filter.status}
      value={status ?? all}
      options={[
        { value: all, text: text.filter.anyStatus },
        ...statuses.map((value) => ({ value, text: visualStateLabels[value] })),
      ]}
      onChange={(value) => runHistory.getState().setFilter({ status: value === all ? undefined : value })}
    />
  );
}

/** Shown if any run has a label. */
function LabelFilter() {
  const { runHistory, runTable } = useStores();
  const { label } = useFilter();
  const labels = useStore(runTable, (state) => state.labels);
  useEffect(() => void runTable.getState().readLabels(), [runTable]);
  const options = label === undefined || labels.includes(label) ? labels : [label, ...labels];
  // No label has the value of the option for all.
  const keyOf = (one: string): string => JSON.stringify(one);
  if (options.length === 0) return null;
  return (
    <Select
      aria-label={text.filter.label}
      value={label === undefined ? all : keyOf(label)}
      options={[
        { value: all, text: text.filter.anyLabel },
        ...options.map((one) => ({ value: keyOf(one), text: one })),
      ]}
      onChange={(value) => runHistory.getState().setFilter({ label: options.find((one) => keyOf(one) === value) })}
    />
  );
}

function TimeFilter() {
  const { runHistory } = useStores();
  const { since } = useFilter();
  const [days, setDays] = useState(all);
  return (
    <Select
      aria-label={text.filter.since}
      value={since === undefined ? all : days}
      options={[
        { value: all, text: text.filter.anyTime },
        ...periods.map((count) => ({ value: `${count}`, text: text.filter.lastDays({ count }) })),
      ]}
      onChange={(value) => {
        setDays(value);
        runHistory.getState().setFilter({ since: value === all ? undefined : Date.now() - Number(value) * dayMs });
      }}
    />
  );
}

/** Searches when the typing pauses, because it reads many runs. */
const pauseMs = 300;

function ContentFilter() {
  const { runHistory } = useStores();
  const { content = '' } = useFilter();
  const [typed, setTyped] = useState(content);
  useEffect(() => setTyped(content), [content]);
  useEffect(() => {
    if (typed === content) return;
    const timer = setTimeout(() => runHistory.getState().setFilter({ content: typed || undefined }), pauseMs);
    return () => clearTimeout(timer);
  }, [runHistory, typed, content]);
  return (
    <TextInput
      type="search"
      aria-label={text.filter.content}
      placeholder={text.filter.content}
      maxLength={1000}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  );
}

interface RunFiltersProps {
  readonly runs: readonly RunSummary[];
  /** Whether the list has runs of every status. The queue groups runs by status. */
  readonly hasStatus: boolean;
}

/** All controls of the filter. */
export function RunFilters({ runs, hasStatus }: RunFiltersProps) {
  const isRemote = useStore(useStores().workspace, ({ remote }) => remote !== null);
  return (
    <div className="run-filters">
      {isRemote ? null : <ContentFilter />}
      {hasStatus ? <StatusFilter /> : null}
      <StarterFilter runs={runs} />
      {isRemote ? null : <LabelFilter />}
      <TimeFilter />
    </div>
  );
}

/** A button that shows the filter, with the number of its active fields. */
export function RunFilterButton({ runs, hasStatus, children }: RunFiltersProps & { readonly children?: ReactNode }) {
  const { runHistory } = useStores();
  const count = Object.keys(useFilter()).length;
  const [isOpen, setIsOpen] = useState(count > 0);
  return (
    <>
      <div className="run-filter-buttons">
        <Button size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <ListFilter aria-hidden size={12} />
          {count === 0 ? text.filter.button : text.filter.counted({ count })}
        </Button>
        {count === 0 ? null : (
          <Button
            size="small"
            onClick={() => {
              const none = { status: undefined, startedBy: undefined, label: undefined };
              runHistory.getState().setFilter({ ...none, since: undefined, content: undefined });
            }}
          >
            {text.filter.clear}
          </Button>
        )}
        {children}
      </div>
      {isOpen ? <RunFilters runs={runs} hasStatus={hasStatus} /> : null}
    </>
  );
}
