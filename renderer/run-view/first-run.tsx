/**
 * Shows what a flow is for and which files it will create, before it has run. After the first run of a workspace, shows
 * what it created.
 */
import { FileText, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { type FlowDoc, isJsonMap, parseTemplate } from '../../engine/isomorphic.ts';
import { modelOf } from '../stores/flow/node-models.ts';
import type { LiveRun } from '../stores/runs/live/live-runs.ts';
import { allFlows, emptyRunList } from '../stores/runs/run-history.ts';
import { useStores } from '../stores/stores-context.tsx';
import { type SettledFlow, useShownRunPart } from '../stores/use-flow.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import './first-run.css';

/** Returns a path with the default inputs filled in. Null if it is known only at run time. */
function plannedPath(text: unknown, inputs: FlowDoc['flow']['input'] = {}): string | null {
  if (typeof text !== 'string') return null;
  const parts = parseTemplate(text).parts.map((part) => {
    if (typeof part === 'string') return part;
    const [root, kind, key = '', ...deeper] = part.path;
    const value = root === 'flow' && kind === 'input' && deeper.length === 0 ? inputs[key] : undefined;
    return typeof value === 'string' ? value : null;
  });
  return parts.includes(null) ? null : parts.join('');
}

/** Returns the files that a flow will write, as far as they are known in advance. */
function plannedFiles({ nodes, flow }: FlowDoc): readonly string[] {
  const paths = nodes.map(({ type, input }) => (type === 'file.write' ? plannedPath(input['path'], flow.input) : null));
  return [...new Set(paths.filter((path) => path !== null))];
}

/** Returns whether the flow needs neither a network nor a key: its models are scripted, and it calls no server. */
function worksOffline({ nodes }: FlowDoc): boolean {
  const models = nodes.map(modelOf).filter((model) => model !== undefined);
  const asksOthers = nodes.some(({ type }) => type === 'http.request' || type === 'agent');
  return models.length > 0 && !asksOthers && models.every((model) => model?.startsWith('scripted::') === true);
}

/** Returns the files that a run has written, in node order. */
function writtenFiles({ state }: LiveRun): readonly string[] {
  const paths = [...state.nodes.values()].map(({ nodeType, output }) =>
    nodeType === 'file.write' && isJsonMap(output) ? output['path'] : undefined,
  );
  return [...new Set(paths.filter((path) => typeof path === 'string'))];
}

/** Returns the number of runs in this workspace. Undefined until it is known. */
function useRunCount(): number | undefined {
  const { runHistory } = useStores();
  useEffect(() => runHistory.getState().watch(allFlows), [runHistory]);
  const { status, runs } = useStore(runHistory, ({ lists }) => lists.get(allFlows) ?? emptyRunList);
  return status === 'ready' ? runs.length : undefined;
}

/** Describes the result of a run in a sentence. Empty if nothing is known about it. */
function promiseOf(doc: FlowDoc): string {
  const files = plannedFiles(doc);
  const writes = files.length === 0 ? '' : `It writes ${files.join(', ')}`;
  if (!worksOffline(doc)) return writes === '' ? '' : `${writes}.`;
  return writes === '' ? 'It works offline.' : `${writes}, and works offline.`;
}

/**
 * Shown while a workspace has no runs: what the active flow does, and what the program is for. Only for flows with a
 * description.
 */
export function FirstStart({ flow, runAction }: { flow: SettledFlow; runAction: ReactNode }) {
  const count = useRunCount();
  const hasRun = useShownRunPart(flow.path, () => true) ?? false;
  const { doc } = flow;
  if (count !== 0 || hasRun || doc?.flow.description === undefined) return null;
  return (
    <Banner tone="info" actions={runAction}>
      <b>{doc.flow.name}</b>: {sentence(doc.flow.description)} {promiseOf(doc)}{' '}
      <span className="first-start-about">
        Millrace draws and runs flows of models, files and scripts, which stay plain files in your folder.
      </span>
    </Banner>
  );
}

/** Shown in the dock while no run is shown. */
export function BeforeRun({ flow, runAction }: { flow: SettledFlow; runAction: ReactNode }) {
  const { doc } = flow;
  const icon = <Play aria-hidden size={20} />;
  if (doc === null || flow.kind !== 'flow') {
    return (
      <EmptyState icon={icon} title="No run is shown" actions={runAction}>
        Run it, or choose one of its past runs: here stands what worked when, and what came out.
      </EmptyState>
    );
  }
  if (doc.nodes.length === 0) {
    return (
      <EmptyState icon={icon} title="No runs yet">
        This flow has no nodes yet. Add a node to run it.
      </EmptyState>
    );
  }
  const { name, description, input = {} } = doc.flow;
  return (
    <EmptyState icon={icon} title={`Run ${name}`} actions={runAction}>
      {description === undefined ? null : <p>{sentence(description)}</p>}
      <p>
        {promiseOf(doc)} {Object.keys(input).length === 0 ? null : 'Hold Shift to change its inputs first.'}
      </p>
    </EmptyState>
  );
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Shown after the first run of a workspace: what the flow does, what it created, and links to it. */
export function FirstResult({
  flow,
  run,
  onOpen,
}: {
  flow: SettledFlow;
  run: LiveRun;
  onOpen: (path: string) => void;
}) {
  const count = useRunCount();
  const files = run.state.status === 'completed' ? writtenFiles(run) : [];
  const [file] = files;
  if (count !== 1 || file === undefined || flow.doc === null) return null;
  const { name, description } = flow.doc.flow;
  return (
    <Banner
      tone="info"
      actions={
        <Button size="small" onClick={() => onOpen(file)}>
          <FileText aria-hidden size={14} />
          Open {file}
        </Button>
      }
    >
      {description === undefined ? `${name} has run.` : `${name}: ${sentence(description)}`} It made {files.join(', ')}.
    </Banner>
  );
}
