/**
 * The status bar: the repository, problems, and details of the active file.
 */
import {
  ArrowUpCircle,
  Circle,
  CircleCheck,
  CircleX,
  FlaskConical,
  GitBranch,
  GitPullRequestArrow,
  Globe,
  TriangleAlert,
} from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import { useStore } from 'zustand';
import { useMomentWords } from '../../run-view/time/moments.tsx';
import { countCases } from '../../stores/cases/case-list.ts';
import { isStepFlow } from '../../stores/flow/step-lane.ts';
import { countNodes } from '../../stores/runs/live/count-nodes.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { isNew, type OpenFile } from '../../stores/text/file.ts';
import { useOpenFile, useSelection } from '../../stores/use-flow.ts';
import { clockText } from '../../ui/quantity-text.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useCommand } from '../commands/command-context.tsx';
import { text } from './text.ts';
import './status-bar.css';

const TriggerStatus = lazy(() => import('./trigger-status.tsx').then((loaded) => ({ default: loaded.TriggerStatus })));

interface TextFormat {
  readonly encoding: keyof typeof text.statusBar.encodings;
  readonly lineEnds: 'LF' | 'CRLF' | 'CR' | 'mixed';
}

/** Returns the format in which a text is stored on disk and will be saved. A text with a single line counts as LF. */
export function textFormatOf(source: string): TextFormat {
  // Runs on every keystroke, even for large texts. Most texts contain no carriage return, and a plain search is cheaper
  // than a regular expression.
  const hasReturns = source.includes('\r');
  const found = [
    ...(/(?<!\r)\n/.test(source) ? (['LF'] as const) : []),
    ...(hasReturns && source.includes('\r\n') ? (['CRLF'] as const) : []),
    ...(hasReturns && /\r(?!\n)/.test(source) ? (['CR'] as const) : []),
  ];
  return {
    encoding: source.startsWith('\ufeff') ? 'utf8WithBom' : 'utf8',
    lineEnds: found.length > 1 ? 'mixed' : (found[0] ?? 'LF'),
  };
}

function EngineStatus() {
  const { workspace } = useStores();
  const { state } = useStore(workspace, ({ engine }) => engine);
  return (
    <span className="status-item" data-engine={state}>
      <Circle aria-hidden className="status-engine" size={8} />
      {text.statusBar.engine[state]}
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
      <span className="status-item status-branch" title={text.statusBar.branch({ name: branch })}>
        <GitBranch aria-hidden size={13} />
        <span className="status-cut">{branch}</span>
      </span>
      <span className="status-item" title={text.statusBar.changedHint}>
        {text.statusBar.changed({ count: changed })}
      </span>
    </>
  );
}

function Problems({ flow }: { readonly flow: OpenFile }) {
  const problems = useCommand('view.problems');
  const errors = flow.diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = flow.diagnostics.filter(({ severity }) => severity === 'warning').length;
  const words = text.statusBar.problems({ errors, warnings });
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
        {isKept ? text.statusBar.errors[flow.kind]({ count: errors }) : ''}
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
      {cursor === undefined ? null : <span className="status-item">{text.statusBar.cursor(cursor)}</span>}
      <span className="status-item status-detail">{text.statusBar.encodings[encoding]}</span>
      <span className="status-item status-detail">
        {lineEnds === 'mixed' ? text.statusBar.mixedLineEnds : lineEnds}
      </span>
    </>
  );
}

function savedWords(file: OpenFile): string {
  const { isDirty, editedAt, isMissing, readOnlyReason } = file;
  if (readOnlyReason !== null) return text.statusBar.readOnly;
  if (isMissing && !isNew(file)) return text.statusBar.deleted;
  if (!isDirty && !isMissing) return text.statusBar.saved;
  const { unsaved, unsavedWithBackup } = text.statusBar;
  return editedAt === null ? unsaved : unsavedWithBackup({ time: clockText(editedAt) });
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
            ? text.statusBar.steps({ count: flow.doc.nodes.length })
            : text.statusBar.nodes({ nodes: countNodes(flow), edges: flow.doc.edges.length })}
        </span>
      )}
      {flow.catalogue === null ? null : (
        <span className="status-item">{text.statusBar.flows({ count: flow.catalogue.flows.length })}</span>
      )}
      {showsText ? <TextStatus flow={flow} /> : null}
      <span className="status-item" data-dirty={flow.isDirty} title={flow.readOnlyReason ?? undefined}>
        {flow.isDirty || flow.isMissing ? null : <CircleCheck aria-hidden size={13} />}
        {savedWords(flow)}
      </span>
    </>
  );
}

/** Says which moment of the run is on screen, if that is not now. */
function MomentStatus({ path }: { readonly path: string }) {
  const words = useMomentWords(path);
  return words === null ? null : <span className="status-item">{words}</span>;
}

function OpenStatus({ path }: { readonly path: string }) {
  const flow = useOpenFile(path);
  if (flow?.status !== 'ready') return <span className="status-gap" />;
  return (
    <>
      <Problems flow={flow} />
      <span className="status-gap" />
      <MomentStatus path={path} />
      <FileStatus flow={flow} />
    </>
  );
}

/** Shows how many proposals wait for a decision, and opens the next one. */
function Proposals() {
  const { proposals } = useStores();
  const count = useStore(proposals, (state) => state.count);
  const review = useCommand('review.proposal');
  if (count === 0) return null;
  return (
    <button type="button" className="status-item status-problems" title={review.title} onClick={review.run}>
      <GitPullRequestArrow aria-hidden size={13} />
      {text.statusBar.proposals({ count })}
    </button>
  );
}

/** Shows how many tests fail, and opens their panel. Renders nothing before tests have run. */
function TestStatus() {
  const { cases } = useStores();
  const { files, results, waiting, affected } = useStore(cases);
  const show = useCommand('view.tests');
  if (files === null || results.size === 0) return null;
  const { total, passed, failed } = countCases(files, { results, waiting });
  return (
    <>
      <button
        type="button"
        className="status-item status-problems status-tests"
        title={text.statusBar.showTests}
        data-failed={failed > 0}
        onClick={show.run}
      >
        <FlaskConical aria-hidden size={13} />
        {failed > 0 ? text.statusBar.tests({ failed, total }) : text.statusBar.testsPass({ count: passed })}
      </button>
      {affected.length === 0 ? null : (
        <span className="status-item status-detail">{text.statusBar.affected({ count: affected.length })}</span>
      )}
    </>
  );
}

/** Shows whether triggers run without a window, and opens the settings. */
function BackgroundMark() {
  const { background } = useStores();
  const known = useStore(background, (state) => state.known);
  const settings = useCommand('settings.background');
  if (known === null || !known.isOn) return null;
  const { service, address, published } = known;
  const hasFailed = service === 'waiting';
  return (
    <>
      {address === null || published === 0 ? null : (
        <button type="button" className="status-item status-problems status-service" onClick={settings.run}>
          <Globe aria-hidden size={13} />
          <span className="status-cut">{text.statusBar.published({ address: new URL(address).host })}</span>
        </button>
      )}
      <button type="button" className="status-item status-problems status-service" onClick={settings.run}>
        {hasFailed ? <TriangleAlert aria-hidden size={13} data-tone="warning" /> : null}
        <span className="status-cut">{hasFailed ? text.statusBar.backgroundFailed : text.statusBar.background}</span>
      </button>
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
      {step.name === 'ready'
        ? text.statusBar.updateDownloaded(step.release)
        : text.statusBar.updateAvailable(step.release)}
    </button>
  );
}

export function StatusBar() {
  const { openFiles, workspace, triggers } = useStores();
  const hasTriggers = useStore(triggers, ({ entries }) => entries.some(({ state }) => state !== 'off'));
  const activePath = useStore(openFiles, (state) => state.activePath);
  const hasFolder = useStore(workspace, ({ folder }) => folder !== null);
  return (
    <footer className="status-bar">
      {hasFolder ? <GitStatus /> : null}
      {hasFolder ? <TestStatus /> : null}
      {hasFolder ? <Proposals /> : null}
      {hasTriggers ? (
        <Suspense fallback={null}>
          <TriggerStatus />
        </Suspense>
      ) : null}
      {hasFolder ? <BackgroundMark /> : null}
      {activePath === null ? <span className="status-gap" /> : <OpenStatus path={activePath} />}
      {hasFolder ? <UpdateMark /> : null}
      {hasFolder ? <EngineStatus /> : null}
    </footer>
  );
}
