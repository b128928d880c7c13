/**
 * The side panel with the tests of the workspace: their states, and buttons that run them.
 */
import { ChevronDown, ChevronRight, FlaskConical, Play, Square } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { caseKey, countCases, entriesOf } from '../stores/cases/case-list.ts';
import { useStores } from '../stores/stores-context.tsx';
import { kindOfPath } from '../stores/text/paths.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { numberText } from '../ui/language.ts';
import { costText, durationText } from '../ui/quantity-text.ts';
import { StateIcon } from '../ui/state-icon.tsx';
import { TreeView } from '../ui/tree-view.tsx';
import { type CaseRow, caseRows } from './case-rows.ts';
import { text } from './text.ts';
import './tests-panel.css';

const words = text.panel;

interface TestsPanelProps {
  /** Path of the file on screen. Its open test is selected. */
  readonly activePath: string | null;
  /** Opens a test file as text at a line. */
  readonly onText: (path: string, line: number) => void;
  /** Called after a test was opened. */
  readonly onOpened: () => void;
  /** Buttons in the heading. */
  readonly actions: ReactNode;
  /** The button that creates the first test. */
  readonly firstAction: ReactNode;
}

export function TestsPanel({ activePath, onText, onOpened, actions, firstAction }: TestsPanelProps) {
  const { cases } = useStores();
  const files = useStore(cases, (state) => state.files);
  useEffect(() => void cases.getState().refresh(), [cases]);
  return (
    <div className="tests-panel">
      <div className="side-heading">
        <h2 id="side-heading" className="side-title">
          {words.title}
        </h2>
        {actions}
      </div>
      {files === null ? <p className="side-note">{words.loading}</p> : null}
      {files !== null && files.length === 0 ? (
        <EmptyState icon={<FlaskConical aria-hidden size={20} />} title={words.none} actions={firstAction}>
          {words.noneHelp}
        </EmptyState>
      ) : null}
      {files === null || files.length === 0 ? null : (
        <>
          <Bar />
          <Tree activePath={activePath} onText={onText} onOpened={onOpened} />
          <p className="tests-footer">{words.footer}</p>
        </>
      )}
    </div>
  );
}

/** The buttons that run tests, and how many pass. */
function Bar() {
  const { cases } = useStores();
  const { isRunning, affected, run, stop } = useStore(cases);
  return (
    <div className="tests-bar">
      <div className="tests-buttons">
        {isRunning ? (
          <Button size="small" onClick={stop}>
            <Square aria-hidden size={11} />
            {words.stop}
          </Button>
        ) : (
          <Button size="small" onClick={() => void run()}>
            <Play aria-hidden size={12} />
            {words.runAll}
          </Button>
        )}
        <Button
          size="small"
          title={words.affectedHint({ count: affected.length })}
          // Keeps the focus while the tests run.
          aria-disabled={isRunning || affected.length === 0}
          onClick={() => void run(affected)}
        >
          {words.affected}
          <span className="tests-count">{numberText(affected.length)}</span>
        </Button>
      </div>
      <Progress />
    </div>
  );
}

function Progress() {
  const { cases } = useStores();
  const { files, results, waiting, summary, isRunning } = useStore(cases);
  const { total, passed, failed } = countCases(files ?? [], { results, waiting });
  const hasRun = passed + failed > 0;
  const spent =
    summary === null
      ? null
      : words.spent({ time: durationText(summary.durationMs), cost: costText(summary.costUsd ?? 0, 0) });
  return (
    <div role="status" className="tests-progress">
      <span className="tests-result">
        <b>{hasRun ? words.passed({ passed, total }) : words.notRun({ total })}</b>
        <span>{isRunning ? null : spent}</span>
      </span>
      <span className="tests-meter" aria-hidden>
        <i data-part="passed" style={{ width: `${(100 * passed) / Math.max(1, total)}%` }} />
        <i data-part="failed" style={{ width: `${(100 * failed) / Math.max(1, total)}%` }} />
      </span>
    </div>
  );
}

function RowView({ row }: { readonly row: CaseRow }) {
  const Chevron = row.isExpanded === true ? ChevronDown : ChevronRight;
  return (
    <>
      {row.kind === 'file' ? <Chevron aria-hidden className="file-chevron" size={12} /> : null}
      <span className="tests-state">
        {row.state === 'idle' ? <i className="tests-idle" /> : <StateIcon state={row.state} isDecorative />}
      </span>
      <span className="tests-name" data-kind={row.kind} title={row.name}>
        {row.name}
      </span>
      <span className="tests-note">{row.note}</span>
    </>
  );
}

function Tree({ activePath, onText, onOpened }: Pick<TestsPanelProps, 'activePath' | 'onText' | 'onOpened'>) {
  const { cases, datasets } = useStores();
  const { files, results, waiting, folded, opened } = useStore(cases);
  const [activeId, setActiveId] = useState<string | null>(null);
  const rows = useMemo(() => caseRows(files ?? [], { results, waiting }, folded), [files, results, waiting, folded]);
  const shownDataset = useStore(datasets, ({ shown }) => (shown?.target === activePath ? shown?.key : undefined));
  const openKey = activePath === null ? undefined : opened.get(activePath);
  const { open, run, setFolded } = cases.getState();
  const casesOf = (row: CaseRow) =>
    row.kind === 'case' ? row.entry.cases : row.kind === 'file' ? entriesOf(row.file).flatMap((one) => one.cases) : [];
  const openRow = (row: CaseRow): void => {
    if (row.kind === 'file') setFolded(row.id, row.isExpanded === true);
    if (row.kind === 'problem') onText(row.path, row.line);
    if (row.kind !== 'case') return;
    if (row.entry.dataset !== undefined && kindOfPath(row.entry.target) !== 'file') {
      void datasets.getState().show(row.entry).then(onOpened);
      return;
    }
    // Of the dataset of an agent in a pack, the first row that fails is shown.
    const failed = row.entry.cases.find((one) => results.get(caseKey(one))?.isOk === false);
    const [first] = row.entry.cases;
    const chosen = failed ?? first;
    if (chosen !== undefined) void open(chosen).then(onOpened);
  };
  return (
    <TreeView<CaseRow>
      label={words.tree}
      rows={rows}
      activeId={activeId}
      onActive={({ id }) => setActiveId(id)}
      isSelected={(row) => {
        if (row.kind !== 'case') return false;
        if (shownDataset !== undefined) return row.entry.key === shownDataset;
        return row.entry.cases.some((one) => caseKey(one) === openKey);
      }}
      onOpen={openRow}
      onToggle={({ id }, isExpanded) => setFolded(id, !isExpanded)}
      onKey={(row, { key, ctrlKey, metaKey, altKey }) => {
        if (key.toLowerCase() !== 'r' || ctrlKey || metaKey || altKey) return false;
        void run(casesOf(row));
        return true;
      }}
      ownKeys="r R"
      findsByLetters={false}
      renderRow={(row) => <RowView row={row} />}
    />
  );
}
