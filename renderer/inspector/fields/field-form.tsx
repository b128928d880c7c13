/**
 * The fields of one section of a node: those that are set or common, then buttons for the others, then values without a
 * schema.
 */
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { FieldProblem, JsonMap, JsonValue } from '../../../engine/isomorphic.ts';
import { Button } from '../../ui/button.tsx';
import type { FieldRowProps } from '../field-editors/field-editor-props.ts';
import { MapEntries } from '../field-editors/map-editor.tsx';
import { FieldRow } from './field-row.tsx';
import { type FormField, type FormSection, unknownField } from './form-fields.ts';
import { type ChangeValue, useFormScope } from './form-scope.tsx';
import { text } from './text.ts';
import { useAhead } from './use-ahead.ts';

/** Sets a value of the section by its key. Undefined removes it. */
export type ChangeKey = (key: string, value: JsonValue | undefined, mergeKey?: string) => Promise<boolean>;

interface FieldFormProps {
  readonly section: FormSection;
  /** Which fields are shown; by default all. Values without a field belong to the common ones. */
  readonly part?: 'common' | 'advanced';
  readonly values: JsonMap;
  /** Whether values without a schema may contain bindings. */
  readonly mayBind: boolean;
  readonly problems: readonly FieldProblem[];
  readonly onChange: ChangeKey;
}

function AheadRow({ value, onChange, ...rest }: FieldRowProps) {
  const [shown, change] = useAhead(value, onChange);
  return <FieldRow {...rest} value={shown} onChange={change} />;
}

function AheadEntries({ values, member, onChange }: { values: JsonMap; member: FormField; onChange: ChangeValue }) {
  const [shown, change] = useAhead(values, onChange);
  return <MapEntries map={shown as JsonMap} member={member} label={text.row.values} Row={FieldRow} onChange={change} />;
}

const alwaysShown: ReadonlySet<FormField['kind']> = new Set([
  'number',
  'slider',
  'duration',
  'boolean',
  'enum',
  'model',
  // The inputs of another flow, once that flow is known.
  'call',
]);

/** Settings with a default are always shown. Others are hidden until they are added. */
function isUsual({ isRequired, kind, default: fallback }: FormField): boolean {
  return isRequired || alwaysShown.has(kind) || (fallback !== undefined && kind !== 'map');
}

const keyOf = ({ path }: FormField): string => String(path.at(-1));

function problemsAt(problems: readonly FieldProblem[], key: string): readonly FieldProblem[] {
  return problems.filter(({ path }) => path[1] === key);
}

/** Returns the fields that are folded away, or all others. */
export function fieldsOfPart({ fields }: FormSection, part: 'common' | 'advanced'): readonly FormField[] {
  return fields.filter(({ isAdvanced }) => isAdvanced === (part === 'advanced'));
}

export function FieldForm({ section, part, values, mayBind, problems, onChange }: FieldFormProps) {
  const { isDisabled } = useFormScope();
  const [asked, setAsked] = useState<ReadonlySet<string>>(new Set());
  const fields = part === undefined ? section.fields : fieldsOfPart(section, part);
  const isShown = (field: FormField): boolean =>
    isUsual(field) || field.isMixed === true || values[keyOf(field)] !== undefined || asked.has(keyOf(field));
  const extra = part === 'advanced' ? undefined : section.extra;
  const known = new Set(section.fields.map(keyOf));
  const others = Object.fromEntries(
    part === 'advanced' ? [] : Object.entries(values).filter(([key]) => !known.has(key)),
  );
  const missing = isDisabled ? [] : fields.filter((field) => !isShown(field));
  const changeOthers: ChangeValue = async (next, mergeKey) => {
    const wanted = (next ?? {}) as JsonMap;
    const keys = [...new Set([...Object.keys(others), ...Object.keys(wanted)])];
    const changed = keys.filter((key) => others[key] !== wanted[key]);
    // Renaming a key consists of two changes that form one undo step.
    const entry = mergeKey ?? `keys:${changed.join()}`;
    const done = await Promise.all(changed.map((key) => onChange(key, wanted[key], entry)));
    return done.every(Boolean);
  };
  return (
    <div className="form-fields">
      {fields.filter(isShown).map((field) => (
        <AheadRow
          key={keyOf(field)}
          field={field}
          value={values[keyOf(field)]}
          problems={problemsAt(problems, keyOf(field))}
          isFocused={asked.has(keyOf(field)) && values[keyOf(field)] === undefined}
          onChange={(value, mergeKey) => onChange(keyOf(field), value, mergeKey)}
        />
      ))}
      {extra === undefined ? (
        Object.entries(others).map(([key, value]) => (
          <AheadRow
            key={key}
            field={unknownField([key], mayBind)}
            value={value}
            problems={problemsAt(problems, key)}
            onChange={(next, mergeKey) => onChange(key, next, mergeKey)}
          />
        ))
      ) : (
        <AheadEntries values={others} member={extra} onChange={changeOthers} />
      )}
      {missing.length === 0 ? null : (
        <div className="form-adders">
          {missing.map((field) => (
            <Button
              key={keyOf(field)}
              size="small"
              variant="ghost"
              title={field.description}
              onClick={() => setAsked(new Set([...asked, keyOf(field)]))}
            >
              <Plus aria-hidden size={13} />
              {field.label}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
