import type { ComponentType, ReactNode } from 'react';
import type { FieldProblem, JsonValue } from '../../../engine/isomorphic.ts';
import type { ControlProps } from '../../ui/field.tsx';
import type { FormField } from '../fields/form-fields.ts';
import type { ChangeValue } from '../fields/form-scope.tsx';

/** A labeled field with all its parts. */
export interface FieldRowProps {
  readonly field: FormField;
  /** Undefined if the value is not set in the file. */
  readonly value: JsonValue | undefined;
  readonly onChange: ChangeValue;
  /** Replaces the field's own label. */
  readonly label?: string;
  /** Whether the label is only for screen readers. */
  readonly isBare?: boolean;
  /** Problems of the value found by validation. */
  readonly problems?: readonly FieldProblem[];
  /** Elements to the right of the label, such as the buttons of a list member. */
  readonly buttons?: ReactNode;
  /** Set if the user has just added the field. */
  readonly isFocused?: boolean;
}

/** Props of the editor for one kind of value. */
export interface FieldEditorProps extends Pick<FieldRowProps, 'field' | 'value' | 'onChange' | 'isFocused'> {
  /** Called with the problem of the typed text while it is not in the file. Undefined if there is none. */
  readonly onProblem: (problem: string | undefined) => void;
  readonly control: ControlProps;
  /**
   * Renders the parts of lists, maps and groups. Passed as a prop because rows contain editors and editors contain
   * rows.
   */
  readonly Row: ComponentType<FieldRowProps>;
}
