import type { ComponentType, ReactNode } from 'react';
import type { FieldProblem, JsonValue } from '../../../engine/isomorphic.ts';
import type { ControlProps } from '../../ui/field.tsx';
import type { FormField } from '../form-fields.ts';
import type { ChangeValue } from '../form-scope.tsx';

/** A labelled field with all that belongs to it. */
export interface FieldRowProps {
  readonly field: FormField;
  /** Undefined = the file says nothing. */
  readonly value: JsonValue | undefined;
  readonly onChange: ChangeValue;
  /** In the place of the field's own label. */
  readonly label?: string;
  /** The label is for screen readers only. */
  readonly isBare?: boolean;
  /** What the checks say of the value. */
  readonly problems?: readonly FieldProblem[];
  /** Stand at the right of the label, such as the buttons of a member of a list. */
  readonly buttons?: ReactNode;
  /** Set right after the person asked for the field. */
  readonly isFocused?: boolean;
}

/** What the editor of one kind of value gets. */
export interface FieldEditorProps extends Pick<FieldRowProps, 'field' | 'value' | 'onChange' | 'isFocused'> {
  /** Called with what is wrong with what is typed, as long as it is not in the file; undefined = nothing. */
  readonly onProblem: (problem: string | undefined) => void;
  readonly control: ControlProps;
  /** For the parts of lists, maps and groups. Handed in, because rows hold editors and editors rows. */
  readonly Row: ComponentType<FieldRowProps>;
}
