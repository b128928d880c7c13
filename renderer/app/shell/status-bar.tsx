/**
 * The status bar: the repository, problems, and details of the active file.
 */
import { ArrowUpCircle, Circle, CircleCheck, CircleX, GitBranch, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { isStepFlow } from '../../stores/flow/step-lane.ts';
import { countNodes } from '../../stores/runs/live/count-nodes.ts';
import { useStores } from '../../stores/stores-context.tsx';
import type { OpenFile } from '../../stores/text/file.ts';
import { useOpenFile, useSelection } from '../../stores/use-flow.ts';
import { clockText, pluralText } from '../../ui/quantity-text.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useCommand } from '../commands/command-context.tsx';
import './status-bar.css';

interface TextFormat {
  readonly encoding: 'UTF-8' | 'UTF-8 with BOM';
  readonly lineEnds: 'LF' | 'CRLF' | 'CR' | 'mixed line ends';
}

/** Returns the format in which a text is stored on disk and will be saved. A text with a single line counts as LF. */
export function textFormatOf(text: string): TextFormat {
  // Runs on every keystroke, even for large texts. Most texts contain no carriage return, and a plain search is cheaper
  // than a regular expression.
  const hasReturns = text.includes('\r');
  const found = [
    ...(/(?<!\r)\n/.test(text) ? (['LF'] as const) : []),
    ...(hasReturns && text.includes('\r\n') ? (['CRLF'] as const) : []),
    ...(hasReturns && /\r(?!\n)/.test(text) ? (['CR'] as const) : []),
  ];
  return {
    encoding: text.startsWith('\ufeff') ? 'UTF-8 with BOM' : 'UTF-8',
    lineEnds: found.length > 1 ? 'mixed line ends' : (found[0] ?? 'LF'),
  };
}

const engineWords = {
  starting: 'Engine starting',
  ready: 'Engine ready',
  silent: 'Engine does not answer',
  restarting: 'Engine restarting',
  failed: 'Engine stopped',
} as const;

function EngineStatus() {
  const { workspace } = useStores();
  const { state } = useStore(workspace, ({ engine }) => engine);
  return (
    <span className="status-item" data-engine={state}>
      <Circle aria-hidden className="status-engine" size={8} />
      {engineWords[state]}
    </span>
  );
}

function GitStatus() {
  const { git } = useStores();
  const branch = useStore(git, (state) => state.branch);
  const changed = useStore(git, (state) => state.changed);
  if (branch === null) return null;
  return (
    <>
      <span className="status-item status-branch" title={`Branch ${branch}`}>
        <GitBranch aria-hidden size={13} />
        <span className="status-cut">{branch}</span>
      </span>
      <span className="status-item" title="Files that differ from the last commit">
        {changed} changed
      </span>
    </>
  );
}

/** Describes what the errors prevent. A plain file cannot be run, so only their number is shown. */
function refusalOf(kind: OpenFile['kind'], errors: number): string {
  const keep = `${pluralText(errors, 'error')} ${errors === 1 ? 'keeps' : 'keep'}`;
  if (kind === 'file') return `${pluralText(errors, 'error')} in this file`;
  return kind === 'dialogue' ? `${keep} this catalogue from being talked to` : `${keep} this ${kind} from running`;
}

function Problems({ flow }: { readonly flow: OpenFile }) {
  const problems = useCommand('view.problems');
  const errors = flow.diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = flow.diagnostics.filter(({ severity }) => severity === 'warning').length;
  const words = `${pluralText(errors, 'error')}, ${pluralText(warnings, 'warning')}`;
  const isKept = errors > 0 && !flow.isOldVersion;
  return (
    <>
      <Tooltip text={words} hint={problems.keys}>
        <button type="button" className="status-item status-problems" onClick={problems.run} aria-label={words}>
          <CircleX aria-hidden size={13} data-tone={errors > 0 ? 'error' : undefined} />
          {errors}
          <TriangleAlert aria-hidden size={13} data-tone={warnings > 0 ? 'warning' : undefined} />
          {warnings}
        </button>
      </Tooltip>
      <span className="status-cut status-refusal" role="status">
        {isKept ? refusalOf(flow.kind, errors) : ''}
      </span>
    </>
  );
}

/** The cursor position, and the encoding and line endings of the text. */
function TextStatus({ flow }: { readonly flow: OpenFile }) {
  const { cursors } = useStores();
  const cursor = useStore(cursors, ({ places }) => places.get(flow.path));
  const { lineEnds, encoding } = useMemo(() => textFormatOf(flow.text), [flow.text]);
  return (
    <>
      {cursor === undefined ? null : (
        <span className="status-item">
          Ln {cursor.line}, Col {cursor.column}
        </span>
      )}
      <span className="status-item status-detail">{encoding}</span>
      <span className="status-item status-detail">{lineEnds}</span>
    </>
  );
}

function savedWords({ isDirty, editedAt, isMissing, readOnlyReason }: OpenFile): string {
  if (readOnlyReason !== null) return 'Read-only';
  if (isMissing) return 'Deleted on disk';
  if (!isDirty) return 'Saved';
  return editedAt === null ? 'Unsaved' : `Unsaved, backup of ${clockText(editedAt)}`;
}

function FileStatus({ flow }: { readonly flow: OpenFile }) {
  const { mode } = useSelection(flow.path);
  const hasCanvas = flow.kind === 'flow' || flow.kind === 'dialogue';
  const showsText = !hasCanvas || mode === 'split' || mode === 'text';
  return (
    <>
      {flow.doc === null ? null : (
        <span className="status-item">
          {isStepFlow(flow.doc)
            ? pluralText(flow.doc.nodes.length, 'step')
            : `${pluralText(countNodes(flow), 'node')}, ${pluralText(flow.doc.edges.length, 'edge')}`}
        </span>
      )}
      {flow.catalogue === null ? null : (
        <span className="status-item">{pluralText(flow.catalogue.flows.length, 'flow')}</span>
      )}
      {showsText ? <TextStatus flow={flow} /> : null}
      <span className="status-item" data-dirty={flow.isDirty} title={flow.readOnlyReason ?? undefined}>
        {flow.isDirty || flow.isMissing ? null : <CircleCheck aria-hidden size={13} />}
        {savedWords(flow)}
      </span>
    </>
  );
}

function OpenStatus({ path }: { readonly path: string }) {
  const flow = useOpenFile(path);
  if (flow?.status !== 'ready') return <span className="status-gap" />;
  return (
    <>
      <Problems flow={flow} />
      <span className="status-gap" />
      <FileStatus flow={flow} />
    </>
  );
}

/** Shows a newer version if one is known, unless it failed to start here. */
function UpdateMark() {
  const { updates } = useStores();
  const step = useStore(updates, ({ known }) => known?.step);
  const settings = useCommand('settings.updates');
  if (step === undefined || !('release' in step) || step.release.hasFailed) return null;
  return (
    <button type="button" className="status-item status-problems" onClick={settings.run}>
      <ArrowUpCircle aria-hidden size={13} />
      Millrace {step.release.version} {step.name === 'ready' ? 'is downloaded' : 'is there'}
    </button>
  );
}

export function StatusBar() {
  const { openFiles, workspace } = useStores();
  const activePath = useStore(openFiles, (state) => state.activePath);
  const hasFolder = useStore(workspace, ({ folder }) => folder !== null);
  return (
    <footer className="status-bar">
      {hasFolder ? <GitStatus /> : null}
      {activePath === null ? <span className="status-gap" /> : <OpenStatus path={activePath} />}
      {hasFolder ? <UpdateMark /> : null}
      {hasFolder ? <EngineStatus /> : null}
    </footer>
  );
}
