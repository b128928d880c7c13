/**
 * The slots of a flow: what each is called, what it holds, and how much the flow needs it.
 */
import { ChevronDown, ChevronRight, Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import {
  baseOf,
  type CatalogueDoc,
  type FlowTypeDoc,
  type JsonValue,
  type SlotDoc,
  slotParams,
  slotTypeNames,
} from '../../engine/isomorphic.ts';
import { AheadField } from '../inspector/ahead-field.tsx';
import { type FormField, plainField } from '../inspector/form-fields.ts';
import { Group } from '../inspector/setting-rows.tsx';
import { useStores } from '../stores/stores-context.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Select, type SelectOption } from '../ui/select.tsx';
import type { ChangeAt } from './catalogue-actions.ts';
import { freeName } from './catalogue-lanes.ts';
import { RenameRow } from './rename-row.tsx';

const aboutField = plainField('description', 'text', { label: 'Description' });
const textMember = plainField('', 'text');
const paramFields: Readonly<Record<ReturnType<typeof slotParams>[number], FormField>> = {
  min: plainField('min', 'number', { label: 'At least', default: 1, limits: { min: 1, max: 100, isInteger: true } }),
  part: plainField('part', 'text', { label: 'Key that each must have', default: 'name' }),
  options: plainField('options', 'list', { label: 'Options', member: textMember }),
  exclusive: plainField('exclusive', 'boolean', { label: 'Only one of them', default: true }),
  threshold: plainField('threshold', 'number', { label: 'From which number on' }),
  inverse: plainField('inverse', 'boolean', { label: 'Below it instead', default: false }),
  keys: plainField('keys', 'list', { label: 'Keys that need a value', member: textMember }),
};

const priorities: readonly SelectOption<SlotDoc['priority']>[] = [
  { value: 'required', text: 'required', hint: 'it cannot do without' },
  { value: 'elective', text: 'elective', hint: 'one of several is enough' },
  { value: 'optional', text: 'optional', hint: 'good to have' },
];

interface SlotsFormProps {
  readonly path: string;
  readonly catalogue: CatalogueDoc;
  readonly flow: FlowTypeDoc;
  readonly isDisabled: boolean;
  readonly changeAt: ChangeAt;
}

export function SlotsForm(props: SlotsFormProps) {
  const { path, flow, isDisabled, changeAt } = props;
  const { edits } = useStores();
  const [open, setOpen] = useState<string | null>(null);
  const slots = Object.entries(flow.slots ?? {});
  const add = async (): Promise<void> => {
    const name = freeName(
      'value',
      slots.map(([taken]) => taken),
    );
    if (await changeAt('slots', name)({ type: 'exact', priority: 'required' })) setOpen(name);
  };
  const rename = async (slot: string, to: string): Promise<void> => {
    if (await edits.changeCatalogue(path, { do: 'rename-slot', flow: flow.name, slot, to })) setOpen(to);
  };
  return (
    <Group title="Slots" note={slots.length === 0 ? 'none' : undefined}>
      <ul className="slot-list">
        {slots.map(([name, slot]) => (
          <SlotItem
            key={name}
            {...props}
            name={name}
            slot={slot}
            isOpen={open === name}
            onToggle={() => setOpen(open === name ? null : name)}
            onRename={(to) => rename(name, to)}
          />
        ))}
      </ul>
      {isDisabled ? null : (
        <Button size="small" onClick={() => void add()}>
          <Plus aria-hidden size={12} />
          Add a slot
        </Button>
      )}
    </Group>
  );
}

interface SlotItemProps extends SlotsFormProps {
  readonly name: string;
  readonly slot: SlotDoc;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onRename: (to: string) => Promise<void>;
}

function SlotItem({ name, slot, isOpen, onToggle, onRename, ...props }: SlotItemProps) {
  const { flow, isDisabled, changeAt } = props;
  const bodyId = useId();
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <li className="slot-item" data-open={isOpen}>
      <div className="slot-item-head">
        <button
          type="button"
          className="slot-item-fold"
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={onToggle}
        >
          <Chevron aria-hidden size={12} />
          <span className="slot-item-name" title={name}>
            {name}
          </span>
          <span className="slot-item-facts">
            {slot.type} · {slot.priority}
          </span>
        </button>
        {isDisabled ? null : (
          <IconButton label={`Remove the slot ${name}`} onClick={() => void changeAt('slots', name)(undefined)}>
            <X aria-hidden size={13} />
          </IconButton>
        )}
      </div>
      <div id={bodyId} hidden={!isOpen} className="form-fields slot-item-body">
        {isOpen ? (
          <>
            <RenameRow
              label="Slot name"
              name={name}
              others={Object.keys(flow.slots ?? {})}
              isDisabled={isDisabled}
              onRename={onRename}
            />
            <SlotFields {...props} name={name} slot={slot} />
          </>
        ) : null}
      </div>
    </li>
  );
}

type SlotFieldsProps = Omit<SlotItemProps, 'isOpen' | 'onToggle' | 'onRename'>;

function SlotFields({ name, slot, catalogue, isDisabled, changeAt }: SlotFieldsProps) {
  const own = Object.keys(catalogue.slotTypes ?? {});
  const types: readonly SelectOption<string>[] = [
    ...own.map((value) => ({ value, text: value, group: 'Of this file' })),
    ...slotTypeNames.map((value) => ({ value, text: value, group: 'Built in' })),
  ];
  const base = baseOf(slot.type, catalogue.slotTypes);
  const values = slot as Readonly<Record<string, JsonValue | undefined>>;
  return (
    <>
      <Field label="Type">
        {(control) => (
          <Select
            {...control}
            disabled={isDisabled}
            value={slot.type}
            placeholder={slot.type}
            options={types}
            onChange={(type) => void changeAt('slots', name)(ofType(slot, type, catalogue))}
          />
        )}
      </Field>
      <Field label="Priority">
        {(control) => (
          <Select
            {...control}
            disabled={isDisabled}
            value={slot.priority}
            options={priorities}
            onChange={(priority) => void changeAt('slots', name, 'priority')(priority)}
          />
        )}
      </Field>
      <AheadField field={aboutField} value={slot.description} onChange={changeAt('slots', name, 'description')} />
      {(base === undefined ? [] : slotParams(base.type)).map((param) => (
        <AheadField
          key={param}
          field={paramFields[param]}
          value={values[param]}
          onChange={changeAt('slots', name, param)}
        />
      ))}
    </>
  );
}

/** The slot with another type; settings that the type does not have go, as the file would be refused with them. */
function ofType(slot: SlotDoc, type: string, { slotTypes }: CatalogueDoc): JsonValue {
  const known = slotParams(baseOf(type, slotTypes)?.type ?? 'base');
  const kept = Object.entries(slot).filter(([key]) => !(key in paramFields) || known.some((param) => param === key));
  return { ...Object.fromEntries(kept), type } as JsonValue;
}
