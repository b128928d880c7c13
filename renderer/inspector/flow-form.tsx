/**
 * The flow's own settings: name, description, default inputs, and how it runs.
 */
import type { ChangePath, FlowDoc, JsonValue } from '../../engine/isomorphic.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import { useAhead } from './field-form.tsx';
import { FieldRow } from './field-row.tsx';
import { FlowFormScope } from './flow-form-scope.tsx';
import { type FormField, plainField, unknownField } from './form-fields.ts';
import type { ChangeValue } from './form-scope.tsx';
import { readOnlyReason } from './read-only-reason.ts';
import { Group } from './setting-rows.tsx';

const nameField = plainField('name', 'text', { isRequired: true });
const aboutField = plainField('description', 'long-text', { label: 'Description' });
const inputsField = plainField('input', 'map', {
  label: 'Default inputs',
  description: 'Read as {{flow.input.<name>}}; who starts the flow may give others',
  member: unknownField([], false),
});
const parallelField = plainField('maxParallel', 'number', {
  label: 'Nodes at a time',
  description: 'How many nodes may run at once',
  default: 1,
  limits: { min: 1, isInteger: true },
});
const failFastField = plainField('failFast', 'boolean', {
  label: 'The first failing node ends the run',
  default: true,
});

interface AheadFieldProps {
  readonly field: FormField;
  readonly value: JsonValue | undefined;
  readonly onChange: ChangeValue;
}

function AheadField({ field, value, onChange }: AheadFieldProps) {
  const [shown, change] = useAhead(value, onChange);
  return <FieldRow field={field} value={shown} onChange={change} />;
}

export function FlowForm({ flow, header }: { flow: SettledFlow; header: FlowDoc['flow'] }) {
  const { edits } = useStores();
  const reason = readOnlyReason(flow);
  const changeAt =
    (...path: ChangePath): ChangeValue =>
    (value, mergeKey) =>
      edits.change(flow.path, { do: 'set-flow', path, value }, mergeKey);
  return (
    <FlowFormScope flow={flow} nodeId={null}>
      {reason === null ? null : <p className="inspector-note">{reason}</p>}
      <Group title="Flow">
        <div className="form-fields">
          <AheadField field={nameField} value={header.name} onChange={changeAt('name')} />
          <AheadField field={aboutField} value={header.description} onChange={changeAt('description')} />
          <AheadField field={inputsField} value={header.input} onChange={changeAt('input')} />
        </div>
      </Group>
      <Group title="Policy">
        <div className="form-fields">
          <AheadField
            field={parallelField}
            value={header.policy?.maxParallel}
            onChange={changeAt('policy', 'maxParallel')}
          />
          <AheadField field={failFastField} value={header.policy?.failFast} onChange={changeAt('policy', 'failFast')} />
        </div>
      </Group>
    </FlowFormScope>
  );
}
