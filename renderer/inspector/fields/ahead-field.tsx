import type { JsonValue } from '../../../engine/isomorphic.ts';
import { FieldRow } from './field-row.tsx';
import type { FormField } from './form-fields.ts';
import type { ChangeValue } from './form-scope.tsx';
import { useAhead } from './use-ahead.ts';

interface AheadFieldProps {
  readonly field: FormField;
  readonly value: JsonValue | undefined;
  readonly onChange: ChangeValue;
}

/** A field that shows a change at once, before the text contains it. */
export function AheadField({ field, value, onChange }: AheadFieldProps) {
  const [shown, change] = useAhead(value, onChange);
  return <FieldRow field={field} value={shown} onChange={change} />;
}
