import { CircleX, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { NodePolicy } from '../../engine/isomorphic.ts';
import { useOpenFlow } from '../stores/use-flow.ts';
import { durationText } from '../ui/quantity-text.ts';
import type { NodeFacts } from './node-facts.ts';
import { Group, Rows, Settings } from './setting-rows.tsx';
import { linesOfWhen } from './when-lines.ts';
import { WhenView } from './when-view.tsx';

function policyRows({ timeoutMs = 0, continueOnError, retry }: NodePolicy): [string, ReactNode][] {
  return [
    ['Attempts', String(retry?.maxAttempts ?? 1)],
    ...(retry?.backoffMs ? [['Pause between', durationText(retry.backoffMs)] as [string, ReactNode]] : []),
    ['Time limit', timeoutMs === 0 ? 'none' : durationText(timeoutMs)],
    ['When it fails', failureText(continueOnError)],
  ];
}

function failureText(continueOnError: boolean | undefined): string {
  if (continueOnError === undefined) return 'as the flow says';
  return continueOnError ? 'the run goes on' : 'the run fails';
}

function Problems({ path, nodeId }: { path: string; nodeId: string }) {
  const problems = useOpenFlow(path)?.diagnostics.filter((problem) => problem.nodeId === nodeId) ?? [];
  if (problems.length === 0) return null;
  return (
    <Group title="Problems" note={String(problems.length)}>
      {problems.map(({ code, message, range, severity }) => (
        <p key={`${code} ${range.line}:${range.column}`} className="node-problem" data-selectable>
          {severity === 'error' ? (
            <CircleX role="img" aria-label="error" className="node-error" size={14} />
          ) : (
            <TriangleAlert role="img" aria-label={severity} size={14} />
          )}
          <span>
            {message} <span className="inspector-quiet">Line {range.line}</span>
          </span>
        </p>
      ))}
    </Group>
  );
}

/** What the file says of the node. */
export function NodeTab({ path, facts }: { path: string; facts: NodeFacts }) {
  const { node, spec } = facts;
  const { config = {} } = node;
  return (
    <div className="inspector-body">
      <p className="inspector-note">{node.description ?? spec?.description ?? 'No node type of this name is known.'}</p>
      <Problems path={path} nodeId={node.id} />
      {Object.keys(node.input).length === 0 ? null : (
        <Group title="Input">
          <Settings values={node.input} />
        </Group>
      )}
      {Object.keys(config).length === 0 ? null : (
        <Group title="Config">
          <Settings values={config} />
        </Group>
      )}
      {node.when === undefined ? null : (
        <Group title="Runs when">
          <WhenView label="Condition" lines={linesOfWhen(node.when)} />
        </Group>
      )}
      <Group title="Policy">
        <Rows rows={policyRows(node.policy ?? {})} />
      </Group>
    </div>
  );
}
