/**
 * The slots of a flow as a form. Missing slots come first, each with a field of its type.
 */
import { Send } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type FlowView, isJsonMap, type JsonMap, type JsonValue, type SlotView } from '../../engine/isomorphic.ts';
import { FieldRow } from '../inspector/fields/field-row.tsx';
import { valueField } from '../inspector/fields/form-fields.ts';
import { submitByKey } from '../inspector/fields/input-fields.tsx';
import { Button } from '../ui/button.tsx';
import { withParts } from '../ui/with-parts.tsx';
import { text } from './text.ts';

interface SlotFormProps {
  readonly flow: FlowView;
  /** Errors of the last submitted values, by slot. */
  readonly rejected: Readonly<Record<string, string>>;
  readonly isDisabled: boolean;
  /** Resolves to whether the values were accepted. */
  readonly onFill: (slots: JsonMap) => Promise<boolean>;
}

export function SlotForm({ flow, rejected, isDisabled, onFill }: SlotFormProps) {
  const [showsAll, setShowsAll] = useState(false);
  const [problem, setProblem] = useState('');
  const [isSending, setIsSending] = useState(false);
  const [draft, setDraft] = useState<JsonMap>({});
  // A field reports its text when it loses the focus, which happens when the button is pressed.
  const latest = useRef<JsonMap>(draft);
  const form = useRef<HTMLFormElement>(null);
  useFirstProblem(form, rejected);
  const needed = flow.slots.filter(({ isMissing, name }) => isMissing || Object.hasOwn(rejected, name));
  const others = flow.slots.filter((slot) => !needed.includes(slot));
  const shown = showsAll ? [...needed, ...others] : needed;

  const put = (name: string, value: JsonValue | undefined): Promise<boolean> => {
    const { [name]: _, ...rest } = latest.current;
    latest.current = value === undefined || value === '' ? rest : { ...rest, [name]: value };
    setDraft(latest.current);
    setProblem('');
    return Promise.resolve(true);
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isSending || isDisabled) return;
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    const values = latest.current;
    if (Object.keys(values).length === 0) {
      setProblem(shown.length === 1 ? text.slots.fillField : text.slots.fillOne);
      return;
    }
    setIsSending(true);
    if (await onFill(values)) {
      latest.current = {};
      setDraft({});
    }
    setIsSending(false);
  };
  return (
    <form
      ref={form}
      className="slot-form"
      aria-label={text.slots.label({ name: flow.flowName })}
      data-own-keys="Mod+Enter"
      onSubmit={(event) => void submit(event)}
      onKeyDown={submitByEnter}
    >
      <p className="slot-form-title">{withParts(needText(needed), { flow: <b>{flow.flowName}</b> })}</p>
      <div className="form-fields">
        {shown.map((slot) => (
          <SlotField
            key={slot.name}
            slot={slot}
            value={Object.hasOwn(draft, slot.name) ? draft[slot.name] : undefined}
            problem={rejected[slot.name]}
            onChange={(value) => put(slot.name, value)}
          />
        ))}
      </div>
      {problem === '' ? null : <p className="field-problem">{problem}</p>}
      <div className="slot-form-foot">
        {others.length === 0 ? (
          <span />
        ) : (
          <Button size="small" variant="ghost" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? text.slots.onlyMissing : text.slots.more({ count: others.length })}
          </Button>
        )}
        <Button type="submit" size="small" variant="primary" disabled={isSending || isDisabled}>
          <Send aria-hidden size={12} />
          {text.slots.submit}
        </Button>
      </div>
    </form>
  );
}

/** Enter submits the form in a text or number field. Mod+Enter submits it in every field. */
function submitByEnter(event: KeyboardEvent<HTMLFormElement>): void {
  submitByKey(event);
  const { target, key, shiftKey, ctrlKey, metaKey, nativeEvent } = event;
  const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  if (key !== 'Enter' || !isText || shiftKey || ctrlKey || metaKey || nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

/** Focuses the first rejected field when its error appears, unless the user is typing elsewhere. */
function useFirstProblem(
  form: { readonly current: HTMLFormElement | null },
  rejected: Readonly<Record<string, string>>,
) {
  const key = Object.entries(rejected).flat().join('\n');
  useEffect(() => {
    const { activeElement: focused, body } = document;
    const isElsewhere = focused !== null && focused !== body && form.current?.contains(focused) !== true;
    if (key !== '' && !isElsewhere) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [form, key]);
}

/** Returns a sentence with `{flow}` in place of the flow's name. */
function needText(missing: readonly SlotView[]): string {
  const required = missing.filter(({ priority }) => priority === 'required').length;
  const electives = missing.some(({ priority }) => priority === 'elective');
  const { needsValue, needsValues, needsOneOf, needsValueAndOneOf, needsValuesAndOneOf, needsValidValue } = text.slots;
  if (required === 0) return electives ? needsOneOf : needsValidValue;
  if (required === 1) return electives ? needsValueAndOneOf : needsValue;
  return electives ? needsValuesAndOneOf({ count: required }) : needsValues({ count: required });
}

interface SlotFieldProps {
  readonly slot: SlotView;
  /** The entered value that has not been sent. Undefined if there is none. */
  readonly value: JsonValue | undefined;
  readonly problem: string | undefined;
  readonly onChange: (value: JsonValue | undefined) => Promise<boolean>;
}

function SlotField({ slot, value, problem, onChange }: SlotFieldProps) {
  const { name, typeName, priority, description, schema, value: held } = slot;
  // Required here means that the field has no default to return to.
  const field = valueField(name, formSchema(schema), {
    label: name,
    description: text.slots.about({ description, type: typeName }),
    isRequired: true,
  });
  const isPartial = held !== null && !slot.isFilled && value === undefined;
  const sentence = problem ?? (isPartial ? text.slots.insufficient : undefined);
  return (
    <div className="slot-field">
      <FieldRow
        field={field}
        value={value ?? (held === null ? undefined : held)}
        problems={sentence === undefined ? [] : [{ path: [], message: sentence, severity: 'error' }]}
        buttons={<span className="slot-field-priority">{text.slots.priorities[priority]}</span>}
        onChange={onChange}
      />
      {description === '' ? null : <p className="slot-field-about">{description}</p>}
    </div>
  );
}

/** A value that may be text, a number or a boolean is entered as text, and the flow parses it. */
function formSchema(schema: JsonMap): JsonMap {
  const { type, items } = schema;
  return {
    ...schema,
    ...(Array.isArray(type) ? { type: 'string' } : {}),
    ...(isJsonMap(items) ? { items: formSchema(items) } : {}),
  };
}
