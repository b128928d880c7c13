/**
 * The flow as a whole, when no node is selected.
 */
import { Workflow } from 'lucide-react';
import type { JsonValue } from '../../engine/isomorphic.ts';
import type { OpenFlow } from '../stores/open-flows.ts';
import { useReadValue } from '../stores/use-engine.ts';
import { useShownRunPart } from '../stores/use-flow.ts';
import { pluralText } from '../ui/quantity-text.ts';
import { ValueView } from '../ui/value-view.tsx';
import { Group, Rows, Settings } from './setting-rows.tsx';

function hasContent(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null && !(typeof value === 'object' && Object.keys(value).length === 0);
}

interface RunValuesProps {
  readonly inputs: JsonValue;
  readonly output: JsonValue | undefined;
}

function RunValues({ inputs, output }: RunValuesProps) {
  const readLarge = useReadValue();
  return (
    <>
      {hasContent(inputs) ? (
        <Group title="Inputs of the run">
          <ValueView label="Inputs" value={inputs} readLarge={readLarge} />
        </Group>
      ) : null}
      {hasContent(output) ? (
        <Group title="Outputs of the run">
          <ValueView label="Outputs" value={output} readLarge={readLarge} />
        </Group>
      ) : null}
    </>
  );
}

function DefaultInputs({ values }: { values: Readonly<Record<string, JsonValue>> }) {
  if (Object.keys(values).length === 0) return null;
  return (
    <Group title="Inputs" note="defaults">
      <Settings values={values} />
    </Group>
  );
}

export function FlowOverview({ flow }: { flow: OpenFlow }) {
  const { doc, path } = flow;
  const inputs = useShownRunPart(path, ({ state }) => state.inputs);
  const output = useShownRunPart(path, ({ state }) => state.output);
  const header = doc?.flow;
  const { failFast = true, maxParallel = 1 } = header?.policy ?? {};
  return (
    <>
      <header className="inspector-top">
        <div className="inspector-title">
          <Workflow aria-hidden size={18} />
          <h2 className="inspector-name">{header?.name ?? path}</h2>
        </div>
        {header === undefined ? null : <div className="inspector-crumb">{path}</div>}
      </header>
      <div className="inspector-scroll">
        <div className="inspector-body">
          <p className="inspector-note">
            {header === undefined
              ? 'Its nodes appear here once the text can be read; the problems say what is in the way.'
              : (header.description ?? 'Select a node to see what goes in, what comes out, and why.')}
          </p>
          {doc === null ? null : (
            <Group title="Flow">
              <Rows
                rows={[
                  ['Size', `${pluralText(doc.nodes.length, 'node')}, ${pluralText(doc.edges.length, 'edge')}`],
                  ['Works on', maxParallel === 1 ? 'one node after another' : `up to ${maxParallel} nodes at once`],
                  ['If a node fails', failFast ? 'the run fails' : 'the other nodes go on'],
                ]}
              />
            </Group>
          )}
          {inputs === undefined ? (
            <DefaultInputs values={header?.input ?? {}} />
          ) : (
            <RunValues inputs={inputs} output={output} />
          )}
        </div>
      </div>
    </>
  );
}
