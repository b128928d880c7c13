import type { FieldProblem, JsonValue } from '../../../engine/isomorphic.ts';
import { FieldRow } from './field-row.tsx';
import type { FormField } from './form-fields.ts';
import type { ChangeValue } from './form-scope.tsx';
import { useAhead } from './use-ahead.ts';

interface AheadFieldProps {
  readonly field: FormField;
  readonly value: JsonValue | undefined;
  readonly problems?: readonly FieldProblem[];
  readonly onChange: ChangeValue;
}

/** A field that shows a change at once, before the text contains it. */
export function AheadField({ field, value, problems = [], onChange }: AheadFieldProps) {
  const [shown, change] = useAhead(value, onChange);
  return <FieldRow field={field} value={shown} problems={problems} onChange={change} />;
}
