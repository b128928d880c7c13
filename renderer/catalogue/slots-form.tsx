/**
 * The slots of a flow and the slot types defined in the file: their names, types and whether they are required.
 */
import { ChevronDown, ChevronRight, Plus, X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import {
  baseOf,
  type CatalogueDoc,
  type ChangePath,
  catalogueShapes,
  type FlowTypeDoc,
  type JsonValue,
  type SlotDoc,
  slotParams,
  slotSchema,
  slotTypeNames,
} from '../../engine/isomorphic.ts';
import { schemaField, unknownField, valueField } from '../inspector/fields/form-fields.ts';
import { Group, Section } from '../inspector/fields/setting-rows.tsx';
import { useStores } from '../stores/stores-context.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import type { SelectOption } from '../ui/select.tsx';
import { CatalogueChoice, CatalogueField, useCatalogueForm } from './catalogue-fields.tsx';
import { freeName } from './catalogue-lanes.ts';
import { RenameRow } from './rename-row.tsx';
import { text } from './text.ts';

const aboutField = schemaField('description', catalogueShapes.slot.description, { kind: 'text' });
const questionField = schemaField('question', catalogueShapes.slot.question);

const priorities: readonly SelectOption<SlotDoc['priority']>[] = [
  { value: 'required', text: text.priority.required, hint: text.priority.requiredHint },
  { value: 'elective', text: text.priority.elective, hint: text.priority.electiveHint },
  { value: 'optional', text: text.priority.optional, hint: text.priority.optionalHint },
];

const builtInTypes: readonly SelectOption<string>[] = slotTypeNames.map((value) => ({
  value,
  text: value,
  group: text.slots.builtInTypes,
}));

interface SlotsFormProps {
  readonly flow: FlowTypeDoc;
  /** Path of the flow in the file. */
  readonly at: ChangePath;
}

export function SlotsForm({ flow, at }: SlotsFormProps) {
  const { edits } = useStores();
  const { path, isDisabled, set } = useCatalogueForm();
  const [open, setOpen] = useState<string | null>(null);
  const slots = Object.entries(flow.slots ?? {});
  const names = slots.map(([name]) => name);
  const add = async (): Promise<void> => {
    const name = freeName('value', names);
    if (await set([...at, 'slots', name], { type: 'exact', priority: 'required' })) setOpen(name);
  };
  const rename = async (slot: string, to: string): Promise<void> => {
    if (await edits.changeCatalogue(path, { do: 'rename-slot', flow: flow.name, slot, to })) setOpen(to);
  };
  return (
    <Group title={text.slots.title} note={slots.length === 0 ? text.slots.none : undefined}>
      <ul className="slot-list">
        {slots.map(([name, slot]) => (
          <FoldedItem
            key={name}
            name={name}
            facts={`${slot.type} · ${text.priority[slot.priority]}`}
            isOpen={open === name}
            onToggle={() => setOpen(open === name ? null : name)}
            removal={text.slots.remove({ name })}
            onRemove={isDisabled ? undefined : () => void set([...at, 'slots', name], undefined)}
          >
            <RenameRow
              label={text.slots.name}
              name={name}
              others={names}
              isDisabled={isDisabled}
              onRename={(to) => rename(name, to)}
            />
            <SlotFields slot={slot} at={[...at, 'slots', name]} />
          </FoldedItem>
        ))}
      </ul>
      {isDisabled ? null : <AddButton label={text.slots.add} onAdd={() => void add()} />}
    </Group>
  );
}

function AddButton({ label, onAdd }: { readonly label: string; readonly onAdd: () => void }) {
  return (
    <Button size="small" onClick={onAdd}>
      <Plus aria-hidden size={12} />
      {label}
    </Button>
  );
}

interface FoldedItemProps {
  readonly name: string;
  /** A summary shown in muted text to the right of the name. */
  readonly facts: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** Label of the remove button. */
  readonly removal: string;
  /** Undefined if the item cannot be removed. */
  readonly onRemove: (() => void) | undefined;
  readonly children: ReactNode;
}

/** A row of a list. Its fields are shown while it is open. */
function FoldedItem({ name, facts, isOpen, onToggle, removal, onRemove, children }: FoldedItemProps) {
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
          <span className="slot-item-facts" title={facts}>
            {facts}
          </span>
        </button>
        {onRemove === undefined ? null : (
          <IconButton label={removal} onClick={onRemove}>
            <X aria-hidden size={13} />
          </IconButton>
        )}
      </div>
      <div id={bodyId} hidden={!isOpen} className="form-fields slot-item-body">
        {isOpen ? children : null}
      </div>
    </li>
  );
}

function SlotFields({ slot, at }: { readonly slot: SlotDoc; readonly at: ChangePath }) {
  const { catalogue, problemsAt } = useCatalogueForm();
  const { slotTypes = {} } = catalogue;
  const own = Object.keys(slotTypes).map((value) => ({ value, text: value, group: text.slots.typesOfFile }));
  const base = baseOf(slot.type, slotTypes);
  // A problem that is not about a single setting, such as too few options, belongs to the type.
  const ofType = problemsAt(at).filter((problem) => problem.path.length === at.length);
  return (
    <>
      <CatalogueChoice
        label={text.slots.type}
        at={[...at, 'type']}
        value={slot.type}
        options={[...own, ...builtInTypes]}
        problems={ofType}
      />
      <CatalogueChoice
        label={text.slots.priority}
        at={[...at, 'priority']}
        value={slot.priority}
        options={priorities}
      />
      <CatalogueField field={aboutField} at={[...at, 'description']} value={slot.description} />
      <CatalogueField field={questionField} at={[...at, 'question']} value={slot.question} />
      <ParamFields base={base} given={slot} at={at} />
      {slot.priority === 'optional' || slot.default !== undefined ? (
        <CatalogueField field={defaultField(base, slot)} at={[...at, 'default']} value={slot.default} />
      ) : null}
    </>
  );
}

type SlotBase = ReturnType<typeof baseOf>;

/** Returns the field for a default: of the slot's type, or JSON if the value may be either text or a number. */
function defaultField(base: SlotBase, slot: SlotDoc) {
  const { label, description } = schemaField('default', catalogueShapes.slot.default);
  if (base === undefined) return { ...unknownField(['default'], false), label, description };
  return valueField('default', slotSchema(base.type, { ...base.params, ...slot }), { label, description });
}

interface ParamFieldsProps {
  readonly base: SlotBase;
  /** The slot, or the type defined in the file. */
  readonly given: object;
  readonly at: ChangePath;
}

/** The settings of a type. Settings that a type in the file specifies are the defaults. */
function ParamFields({ base, given, at }: ParamFieldsProps) {
  if (base === undefined) return null;
  const values = given as Readonly<Record<string, JsonValue | undefined>>;
  const inherited = base.params as Readonly<Record<string, JsonValue | undefined>>;
  return slotParams(base.type).map((param) => {
    const field = schemaField(param, catalogueShapes.slot[param]);
    return (
      <CatalogueField
        key={param}
        field={{ ...field, default: inherited[param] ?? field.default }}
        at={[...at, param]}
        value={values[param]}
      />
    );
  });
}

/** Returns where a type is used, as `flow.slot`. */
function usersOf({ flows }: CatalogueDoc, typeName: string): readonly string[] {
  return flows.flatMap(({ name, slots = {} }) =>
    Object.entries(slots).flatMap(([slot, { type }]) => (type === typeName ? [`${name}.${slot}`] : [])),
  );
}

/** The slot types defined in this file. */
export function SlotTypesForm() {
  const { edits } = useStores();
  const { path, catalogue, isDisabled, set } = useCatalogueForm();
  const [open, setOpen] = useState<string | null>(null);
  const { slotTypes = {} } = catalogue;
  const taken = [...Object.keys(slotTypes), ...slotTypeNames];
  const add = async (): Promise<void> => {
    const name = freeName('own_type', taken);
    if (await set(['slotTypes', name], { base: 'exact' })) setOpen(name);
  };
  const rename = async (slotType: string, to: string): Promise<void> => {
    if (await edits.changeCatalogue(path, { do: 'rename-slot-type', slotType, to })) setOpen(to);
  };
  const count = Object.keys(slotTypes).length;
  return (
    <Section title={text.slotTypes.title} note={count === 0 ? undefined : String(count)} startsFolded>
      <ul className="slot-list">
        {Object.entries(slotTypes).map(([name, own]) => {
          const at = ['slotTypes', name];
          const users = usersOf(catalogue, name);
          const remove = (): void => void edits.changeCatalogue(path, { do: 'remove-slot-type', slotType: name });
          const canGo = !isDisabled && users.length === 0;
          return (
            <FoldedItem
              key={name}
              name={name}
              facts={own.base}
              isOpen={open === name}
              onToggle={() => setOpen(open === name ? null : name)}
              removal={text.slotTypes.remove({ name })}
              onRemove={canGo ? remove : undefined}
            >
              <RenameRow
                label={text.slotTypes.name}
                name={name}
                others={taken}
                isDisabled={isDisabled}
                onRename={(to) => rename(name, to)}
              />
              <CatalogueChoice
                label={text.slotTypes.base}
                at={[...at, 'base']}
                value={own.base}
                options={builtInTypes}
              />
              <CatalogueField field={aboutField} at={[...at, 'description']} value={own.description} />
              <ParamFields base={baseOf(own.base)} given={own} at={at} />
              <p className="inspector-quiet">
                {users.length === 0 ? text.slotTypes.unused : text.slotTypes.usedBy({ slots: users.join(', ') })}
              </p>
            </FoldedItem>
          );
        })}
      </ul>
      {isDisabled ? null : <AddButton label={text.slotTypes.add} onAdd={() => void add()} />}
    </Section>
  );
}
