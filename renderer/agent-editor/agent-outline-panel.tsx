/**
 * Lists the stages of an agent: their content, missing ones, which flows run the agent, and problems.
 */
import { CircleX, Info, Plus, TriangleAlert, Workflow } from 'lucide-react';
import { useDeferredValue, useMemo } from 'react';
import { useStore } from 'zustand';
import { applyEdits, type Diagnostic } from '../../engine/isomorphic.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { OpenFile } from '../stores/text/file.ts';
import { useAgentUsers, useOpenUser } from '../stores/use-agent-users.ts';
import { fileNameOf } from '../stores/workspace/workspace.ts';
import { addStage, agentOutline, modelOfText, type OutlineEntry, stageAtLine } from './agent-outline.ts';
import { text } from './text.ts';
import './agent-outline-panel.css';

const icons = { error: CircleX, warning: TriangleAlert, info: Info } as const;

function ProblemIcon({ severity, label }: { severity: Diagnostic['severity']; label: string }) {
  const Icon = icons[severity];
  return <Icon role="img" aria-label={label} className="agent-problem-icon" data-severity={severity} size={14} />;
}

function worstOf(problems: readonly Diagnostic[]): Diagnostic['severity'] | undefined {
  return (['error', 'warning', 'info'] as const).find((one) => problems.some(({ severity }) => severity === one));
}

interface OutlineActions {
  /** Key of the section at the cursor. */
  readonly currentKey: string | undefined;
  readonly onReveal: (line: number, column?: number) => void;
  readonly onAdd: (entry: OutlineEntry) => void;
  readonly isReadOnly: boolean;
}

function StageRow({ entry, currentKey, onReveal, onAdd, isReadOnly }: { entry: OutlineEntry } & OutlineActions) {
  const { stage, line, summary, problems } = entry;
  const worst = worstOf(problems);
  if (line === null) {
    return (
      <button
        type="button"
        className="agent-stage-row agent-stage-missing"
        title={stage.doc}
        aria-label={text.outline.add({ stage: stage.title })}
        disabled={isReadOnly}
        onClick={() => onAdd(entry)}
      >
        <span className="agent-stage-dot" />
        <span className="agent-stage-title">{stage.title}</span>
        <Plus aria-hidden size={14} />
      </button>
    );
  }
  return (
    <button
      type="button"
      className="agent-stage-row"
      title={stage.doc}
      aria-current={entry.key === currentKey}
      onClick={() => onReveal(line)}
    >
      <span className="agent-stage-dot" data-language={stage.language} />
      <span className="agent-stage-text">
        <span className="agent-stage-title">{stage.title}</span>
        <span className="agent-stage-summary">{summary}</span>
      </span>
      {worst === undefined ? null : (
        <ProblemIcon severity={worst} label={text.outline.problemCount({ count: problems.length })} />
      )}
      <span className="agent-stage-number">{line}</span>
    </button>
  );
}

/** A row for the model call between the prompts and Output, which is not a section of the file. */
function ModelRow({
  model,
  entry,
  onReveal,
}: { model: string | undefined; entry: OutlineEntry } & Pick<OutlineActions, 'onReveal'>) {
  const { line } = entry;
  return (
    <button
      type="button"
      className="agent-stage-row"
      title={text.outline.modelCallNote}
      onClick={() => line !== null && onReveal(line)}
    >
      <span className="agent-stage-dot" data-language="model" />
      <span className="agent-stage-text">
        <span className="agent-stage-title agent-stage-quiet">{text.outline.modelCall}</span>
        <span className="agent-stage-summary">{model ?? text.outline.defaultModel}</span>
      </span>
    </button>
  );
}

function Stages({ entries, agent, ...actions }: { entries: readonly OutlineEntry[]; agent: string } & OutlineActions) {
  const options = entries.find(({ stage }) => stage.kind === 'options');
  const asks = entries.some(({ stage, line }) => stage.language === 'prompt' && line !== null);
  const groups = [
    { title: text.outline.oncePerRun, kinds: ['options', 'beforeAll'] },
    { title: text.outline.forEachInput, kinds: ['data', 'system', 'user', 'assistant'], hasModel: asks },
    { title: '', kinds: ['output'] },
    { title: text.outline.oncePerRun, kinds: ['afterAll'] },
  ];
  return groups.map(({ title, kinds, hasModel }) => (
    <section key={kinds[0]} aria-label={title === '' ? text.outline.afterResponse : title}>
      {title === '' ? null : <h3 className="agent-outline-group">{title}</h3>}
      {entries
        .filter(({ stage }) => kinds.includes(stage.kind))
        .map((entry) => (
          <StageRow key={entry.key} entry={entry} {...actions} />
        ))}
      {hasModel === true && options !== undefined ? (
        <ModelRow model={modelOfText(agent)} entry={options} onReveal={actions.onReveal} />
      ) : null}
    </section>
  ));
}

function UsedBy({ path }: { path: string }) {
  const users = useAgentUsers(path);
  const open = useOpenUser();
  if (users === null || users.length === 0) return null;
  return (
    <section className="agent-outline-part" aria-label={text.outline.usedBy}>
      <h3 className="agent-outline-heading">{text.outline.usedBy}</h3>
      {users.map((user) => (
        <button key={user.path} type="button" className="agent-user-row" title={user.path} onClick={() => open(user)}>
          <Workflow aria-hidden size={14} />
          <span className="agent-user-name">{fileNameOf(user.path)}</span>
          <span className="agent-stage-number">{user.nodeIds.length}</span>
        </button>
      ))}
    </section>
  );
}

function Problems({
  entries,
  diagnostics,
  onReveal,
}: { entries: readonly OutlineEntry[]; diagnostics: readonly Diagnostic[] } & Pick<OutlineActions, 'onReveal'>) {
  if (diagnostics.length === 0) return null;
  const placeOf = (diagnostic: Diagnostic): string => {
    const stage = entries.find(({ problems }) => problems.includes(diagnostic))?.stage.title;
    const { line } = diagnostic.range;
    return stage === undefined ? text.outline.line({ line }) : text.outline.lineInStage({ line, stage });
  };
  return (
    <section className="agent-outline-part" aria-label={text.outline.problemsLabel}>
      <h3 className="agent-outline-heading">
        {text.outline.problems}
        <span>{diagnostics.length}</span>
      </h3>
      {diagnostics.slice(0, 20).map((diagnostic) => {
        const { line, column } = diagnostic.range;
        return (
          <button
            key={`${diagnostic.code} ${line} ${column}`}
            type="button"
            className="agent-problem-row"
            onClick={() => onReveal(line, column)}
          >
            <ProblemIcon severity={diagnostic.severity} label={text.outline[diagnostic.severity]} />
            <span>
              <span className="agent-problem-text">{diagnostic.message}</span>
              <span className="agent-stage-summary">{placeOf(diagnostic)}</span>
            </span>
          </button>
        );
      })}
    </section>
  );
}

interface AgentOutlinePanelProps {
  /** The open agent. */
  readonly file: OpenFile;
}

export function AgentOutlinePanel({ file }: AgentOutlinePanelProps) {
  const { path, readOnlyReason, isOldVersion, diagnostics, isCheckStale } = file;
  const { selection, edits, cursors } = useStores();
  const cursorLine = useStore(cursors, ({ places }) => places.get(path)?.line);
  // Deferred, so that typing has priority.
  const agent = useDeferredValue(file.text);
  const problems = useMemo(() => (isCheckStale ? [] : diagnostics), [isCheckStale, diagnostics]);
  const entries = useMemo(() => agentOutline(agent, problems), [agent, problems]);
  const onReveal = (line: number, column = 1): void => selection.getState().revealText(path, { line, column });
  const onAdd = ({ stage }: OutlineEntry): void => {
    const { edit, line } = addStage(file.text, stage.kind);
    edits.replace(path, applyEdits(file.text, [edit]), text.outline.add({ stage: stage.title }));
    onReveal(line);
  };
  return (
    <nav className="agent-outline" aria-label={text.outline.label}>
      <Stages
        entries={entries}
        agent={agent}
        currentKey={cursorLine === undefined ? undefined : stageAtLine(entries, cursorLine)?.key}
        onReveal={onReveal}
        onAdd={onAdd}
        isReadOnly={readOnlyReason !== null || isOldVersion}
      />
      <UsedBy path={path} />
      <Problems entries={entries} diagnostics={problems} onReveal={onReveal} />
    </nav>
  );
}
