/**
 * The labels and the note of a run: of the one selected last in the table of runs, otherwise of the shown one.
 */
import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { useStore } from 'zustand';
import type { RunSummary } from '../../../engine/isomorphic.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { TextArea, TextInput } from '../../ui/field.tsx';
import { Group } from '../fields/setting-rows.tsx';
import { text } from './text.ts';
import './run-marks.css';

/** Undefined if no run is shown, or it is not in the history yet. */
function useMarkedRun(path: string): RunSummary | undefined {
  const { liveRuns, runHistory, runTable } = useStores();
  const shown = useStore(liveRuns, (state) => state.shown.get(path)?.runId);
  const listed = useStore(runHistory, ({ lists }) => lists.get(path)?.runs);
  const table = useStore(runTable);
  const isTable = table.path === path;
  const runId = isTable ? table.chosen.at(-1) : shown;
  return (isTable ? table.runs : listed)?.find((run) => run.runId === runId);
}

export function RunMarks({ path }: { path: string }) {
  const { runTable, workspace } = useStores();
  const isRemote = useStore(workspace, ({ remote }) => remote !== null);
  const problem = useStore(runTable, (state) => state.problem);
  const run = useMarkedRun(path);
  if (run === undefined || isRemote) return null;
  return (
    <>
      <Labels key={`labels ${run.runId}`} run={run} />
      <Note key={`note ${run.runId} ${run.note ?? ''}`} run={run} />
      {problem === null ? null : <p className="field-problem">{problem}</p>}
    </>
  );
}

function Labels({ run: { runId, number, labels = [] } }: { run: RunSummary }) {
  const { runTable } = useStores();
  const known = useStore(runTable, (state) => state.labels);
  const [typed, setTyped] = useState('');
  const listId = useId();
  return (
    <Group title={text.marks.labels({ number })}>
      {labels.length === 0 ? null : (
        <ul className="run-labels">
          {labels.map((label) => (
            <li key={label} className="run-label">
              <span title={label}>{label}</span>
              <button
                type="button"
                aria-label={text.marks.remove({ label })}
                onClick={() => void runTable.getState().mark(runId, { removeLabels: [label] })}
              >
                <X aria-hidden size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const label = typed.trim();
          setTyped('');
          if (label !== '') void runTable.getState().mark(runId, { addLabels: [label] });
        }}
      >
        <TextInput
          aria-label={text.marks.add}
          placeholder={text.marks.add}
          maxLength={60}
          list={listId}
          value={typed}
          onFocus={() => void runTable.getState().readLabels()}
          onChange={({ target }) => setTyped(target.value)}
        />
        <datalist id={listId}>
          {known.map((label) => (
            <option key={label} value={label} />
          ))}
        </datalist>
      </form>
    </Group>
  );
}

/** Saved when the field loses the focus. */
function Note({ run: { runId, number, note = '' } }: { run: RunSummary }) {
  const { runTable } = useStores();
  const [typed, setTyped] = useState(note);
  return (
    <Group title={text.marks.note({ number })}>
      <TextArea
        aria-label={text.marks.note({ number })}
        placeholder={text.marks.noteHint}
        maxLength={2000}
        rows={3}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={() => {
          if (typed.trim() !== note) void runTable.getState().mark(runId, { note: typed });
        }}
      />
    </Group>
  );
}
