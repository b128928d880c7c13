/**
 * The flow as a whole, when no node is selected.
 */
import { Workflow } from 'lucide-react';
import type { JsonValue } from '../../engine/isomorphic.ts';
import { useReadValue } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import { useShownRunPart } from '../stores/use-flow.ts';
import { pluralText } from '../ui/quantity-text.ts';
import { ValueView } from '../ui/value-view.tsx';
import { FlowForm } from './flow-form.tsx';
import { Group, Rows } from './setting-rows.tsx';

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

export function FlowOverview({ flow }: { flow: SettledFlow }) {
  const { doc, path } = flow;
  const inputs = useShownRunPart(path, ({ state }) => state.inputs);
  const output = useShownRunPart(path, ({ state }) => state.output);
  const header = doc?.flow;
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
              : 'Select a node to edit it, and to see what goes in, what comes out, and why.'}
          </p>
          {doc === null ? null : (
            <Rows
              rows={[['Size', `${pluralText(doc.nodes.length, 'node')}, ${pluralText(doc.edges.length, 'edge')}`]]}
            />
          )}
          {inputs === undefined ? null : <RunValues inputs={inputs} output={output} />}
          {header === undefined ? null : <FlowForm flow={flow} header={header} />}
        </div>
      </div>
    </>
  );
}
