/**
 * Shared parts of catalog forms: where values are written, and how invalid or rejected values are shown.
 */
import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import {
  type CatalogueChange,
  type CatalogueDoc,
  type ChangePath,
  catalogueProblems,
  type FieldProblem,
  isJsonList,
  type JsonValue,
  jsonEquals,
} from '../../engine/isomorphic.ts';
import { FieldRow } from '../inspector/fields/field-row.tsx';
import type { FormField } from '../inspector/fields/form-fields.ts';
import { type ChangeValue, type FormScope, FormScopeContext, useFormScope } from '../inspector/fields/form-scope.tsx';
import { useAhead } from '../inspector/fields/use-ahead.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import { Field } from '../ui/field.tsx';
import { Select, type SelectOption } from '../ui/select.tsx';
import { readOnlyReason } from './catalogue-actions.ts';
import { text } from './text.ts';

interface CatalogueForm {
  readonly path: string;
  readonly catalogue: CatalogueDoc;
  readonly isDisabled: boolean;
  /** Returns the problems of the value at a path in the file, or below it. */
  problemsAt(at: ChangePath): readonly FieldProblem[];
  /**
   * Sets the value at a path in the file. Undefined removes it.
   * @param onRefused called with the reason; if omitted, the reason is shown as a notice
   */
  set(at: ChangePath, value: JsonValue | undefined, rest?: SetOptions): Promise<boolean>;
}

interface SetOptions {
  readonly mergeKey?: string | undefined;
  readonly onRefused?: (reason: string) => void;
}

const CatalogueFormContext = createContext<CatalogueForm | null>(null);

/** @throws Error outside a `CatalogueScope` */
export function useCatalogueForm(): CatalogueForm {
  const form = use(CatalogueFormContext);
  if (form === null) throw new Error('A form of a catalogue stands outside of its scope');
  return form;
}

/** Addresses a flow by its name, so that the change stays correct if other flows are added meanwhile. */
function changeAt({ flows }: CatalogueDoc, at: ChangePath, value: JsonValue | undefined): CatalogueChange {
  const [section, index, ...path] = at;
  const flow = section === 'flows' ? flows[Number(index)] : undefined;
  if (flow === undefined) return { do: 'set-in-catalogue', path: at, value };
  return { do: 'set-in-flow', flow: flow.name, path, value };
}

interface ScopeProps {
  readonly file: SettledFlow;
  readonly catalogue: CatalogueDoc;
  readonly children: ReactNode;
}

/** Provides fields with the file they edit. */
export function CatalogueScope({ file, catalogue, children }: ScopeProps) {
  const { notices, edits } = useStores();
  const around = useFormScope();
  const { path } = file;
  const isDisabled = readOnlyReason(file) !== null;
  const scope = useMemo(
    (): FormScope => ({
      ...around,
      isDisabled,
      filePath: path,
      onLost: (typed) =>
        notices.getState().add({
          tone: 'error',
          title: text.names.lost,
          detail: text.names.lostDetail({ typed }),
        }),
    }),
    [around, isDisabled, path, notices],
  );
  const form = useMemo((): CatalogueForm => {
    const problems = catalogueProblems(catalogue);
    return {
      path,
      catalogue,
      isDisabled,
      problemsAt: (at) => problems.filter((problem) => at.every((segment, depth) => problem.path[depth] === segment)),
      set: (at, value, { mergeKey, onRefused } = {}) =>
        edits.changeCatalogue(path, changeAt(catalogue, at, value), mergeKey, onRefused),
    };
  }, [path, catalogue, isDisabled, edits]);
  return (
    <FormScopeContext value={scope}>
      <CatalogueFormContext value={form}>{children}</CatalogueFormContext>
    </FormScopeContext>
  );
}

function isSame(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return left === right || (left !== undefined && right !== undefined && jsonEquals(left, right));
}

/** Entries that have not been filled in yet exist only in the form. */
function withoutEmpty(value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined || !isJsonList(value)) return value;
  const filled = value.filter((one) => one !== '' && !isSame(one, {}));
  return filled.length === 0 ? undefined : filled;
}

interface CatalogueFieldProps {
  readonly field: FormField;
  /** Path in the file. */
  readonly at: ChangePath;
  readonly value: JsonValue | undefined;
}

interface CatalogueFieldError {
  readonly message: string;
  /** The value in the file, which does not change. */
  readonly over: JsonValue | undefined;
}

/**
 * A field for one value of the file. A rejected value stays in the field with the reason below it, and the file does
 * not change.
 */
export function CatalogueField({ field, at, value }: CatalogueFieldProps) {
  const form = useCatalogueForm();
  const [begun, setBegun] = useState<JsonValue | undefined>(undefined);
  const [refusal, setRefusal] = useState<CatalogueFieldError | null>(null);
  const [ahead, change] = useAhead(value, (next, mergeKey) =>
    form.set(at, next, { mergeKey, onRefused: (message) => setRefusal({ message, over: value }) }),
  );
  const put: ChangeValue = (next, mergeKey) => {
    setRefusal(null);
    setBegun(next);
    return change(withoutEmpty(next), mergeKey);
  };
  // A rejected value is discarded if the value changes by other means, such as undo.
  const isRefused = refusal !== null && isSame(refusal.over, value);
  const shown = isRefused || isSame(withoutEmpty(begun), ahead) ? begun : ahead;
  const told: readonly FieldProblem[] = isRefused ? [{ path: at, message: refusal.message, severity: 'error' }] : [];
  const problems = [...form.problemsAt(at), ...told];
  return <FieldRow field={field} value={shown} problems={problems} onChange={put} />;
}

interface CatalogueChoiceProps {
  readonly label: string;
  readonly about?: string;
  readonly at: ChangePath;
  readonly value: string;
  readonly options: readonly SelectOption<string>[];
  /** Undefined removes the value, like the option with the empty name. */
  readonly problems?: readonly FieldProblem[];
}

/** A choice from a list. The option with the empty name means no value. A value that is not in the list is kept. */
export function CatalogueChoice({ label, about, at, value, options, problems = [] }: CatalogueChoiceProps) {
  const { isDisabled, problemsAt, set } = useCatalogueForm();
  const sentences = [...new Set([...problemsAt(at), ...problems].map(({ message }) => message))];
  return (
    <Field label={label} about={about} problem={sentences.length === 0 ? undefined : sentences.join(' ')}>
      {(control) => (
        <Select
          {...control}
          disabled={isDisabled}
          value={value}
          placeholder={value}
          options={options}
          onChange={(next) => void set(at, next === '' ? undefined : next)}
        />
      )}
    </Field>
  );
}
