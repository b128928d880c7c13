/**
 * The line at the bottom: what is wrong, how the engine is, how large the flow is.
 */
import { Circle, CircleX, TriangleAlert } from 'lucide-react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores-context.tsx';
import { useOpenFlow } from '../stores/use-flow.ts';
import { pluralText } from '../ui/quantity-text.ts';
import { Tooltip } from '../ui/tooltip.tsx';
import { useCommand } from './command-context.tsx';
import './status-bar.css';

const engineWords = {
  starting: 'Engine starting',
  ready: 'Engine ready',
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

function FlowStatus({ path }: { path: string }) {
  const flow = useOpenFlow(path);
  const problems = useCommand('view.problems');
  if (flow === undefined) return null;
  const errors = flow.diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = flow.diagnostics.filter(({ severity }) => severity === 'warning').length;
  const words = `${pluralText(errors, 'error')}, ${pluralText(warnings, 'warning')}`;
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
      <span className="status-gap" />
      {flow.doc === null ? null : (
        <span className="status-item">
          {pluralText(flow.doc.nodes.length, 'node')}, {pluralText(flow.doc.edges.length, 'edge')}
        </span>
      )}
    </>
  );
}

export function StatusBar() {
  const { openFlows, workspace } = useStores();
  const activePath = useStore(openFlows, (state) => state.activePath);
  const hasFolder = useStore(workspace, ({ folder }) => folder !== null);
  return (
    <footer className="status-bar">
      {activePath === null ? <span className="status-gap" /> : <FlowStatus path={activePath} />}
      {hasFolder ? <EngineStatus /> : null}
    </footer>
  );
}
