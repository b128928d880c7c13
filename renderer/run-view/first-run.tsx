/**
 * Before a flow has run, shows its purpose and the files it will create. After the first run of a workspace, shows what
 * the run created.
 */
import { FileText, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { defaultInputs, type FlowDoc, isJsonMap, type JsonMap, parseTemplate } from '../../engine/isomorphic.ts';
import { modelOf } from '../stores/flow/node-models.ts';
import { allFlows, emptyRunList } from '../stores/runs/history/run-history.ts';
import type { LiveRun } from '../stores/runs/live/live-runs.ts';
import { useStores } from '../stores/stores-context.tsx';
import { type SettledFlow, useShownRunPart } from '../stores/use-flow.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { text } from './text.ts';
import './first-run.css';

/** Returns a path with the default inputs filled in. Null if it is known only at run time. */
function plannedPath(template: unknown, inputs: JsonMap): string | null {
  if (typeof template !== 'string') return null;
  const parts = parseTemplate(template).parts.map((part) => {
    if (typeof part === 'string') return part;
    const [root, kind, key = '', ...deeper] = part.path;
    const value = root === 'flow' && kind === 'input' && deeper.length === 0 ? inputs[key] : undefined;
    return typeof value === 'string' ? value : null;
  });
  return parts.includes(null) ? null : parts.join('');
}

/** Returns the files that a flow will write, as far as they are known in advance. */
function plannedFiles({ nodes, flow }: FlowDoc): readonly string[] {
  const inputs = defaultInputs(flow);
  const paths = nodes.map(({ type, input }) => (type === 'file.write' ? plannedPath(input['path'], inputs) : null));
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

/** Describes the result of a run in a sentence. Empty if the result is not known. */
function promiseOf(doc: FlowDoc): string {
  const paths = plannedFiles(doc);
  const files = paths.join(', ');
  const { writes, writesOffline, offline } = text.firstRun;
  if (!worksOffline(doc)) return paths.length === 0 ? '' : writes({ files });
  return paths.length === 0 ? offline : writesOffline({ files });
}

/**
 * Shown while a workspace has no runs: the result of the active flow, and the purpose of Millrace. Only for flows with a
 * description, which is in the inspector.
 */
export function FirstStart({ flow, runAction }: { flow: SettledFlow; runAction: ReactNode }) {
  const count = useRunCount();
  const hasRun = useShownRunPart(flow.path, () => true) ?? false;
  const { doc } = flow;
  if (count !== 0 || hasRun || doc?.flow.description === undefined) return null;
  return (
    <Banner tone="info" actions={runAction}>
      <b>{sentence(text.firstRun.run({ name: doc.flow.name }))}</b> {promiseOf(doc)}{' '}
      <span className="first-start-about">{text.firstRun.about}</span>
    </Banner>
  );
}

/** Shown in the dock while no run is shown. */
export function BeforeRun({ flow, runAction }: { flow: SettledFlow; runAction: ReactNode }) {
  const { doc } = flow;
  const icon = <Play aria-hidden size={20} />;
  if (doc === null || flow.kind !== 'flow') {
    return (
      <EmptyState icon={icon} title={text.firstRun.noneShown} actions={runAction}>
        {text.firstRun.noneShownHint}
      </EmptyState>
    );
  }
  if (doc.nodes.length === 0) {
    return (
      <EmptyState icon={icon} title={text.firstRun.noneYet}>
        {text.firstRun.noNodes}
      </EmptyState>
    );
  }
  const { name, description } = doc.flow;
  return (
    <EmptyState icon={icon} title={text.firstRun.run({ name })} actions={runAction}>
      {description === undefined ? null : <p>{sentence(description)}</p>}
      <p>
        {promiseOf(doc)} {Object.keys(defaultInputs(doc.flow)).length === 0 ? null : text.firstRun.changeInputs}
      </p>
    </EmptyState>
  );
}

function sentence(words: string): string {
  return /[.!?…]$/.test(words) ? words : `${words}.`;
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
          {text.firstRun.open({ file })}
        </Button>
      }
    >
      {description === undefined ? text.firstRun.hasRun({ name }) : `${name}: ${sentence(description)}`}{' '}
      {text.firstRun.made({ files: files.join(', ') })}
    </Banner>
  );
}
