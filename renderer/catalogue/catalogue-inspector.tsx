/**
 * The panel beside the canvas of a catalog: the selected flow or intent, or else the assistant as a whole.
 */
import { MessagesSquare, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import {
  type CatalogueDoc,
  type ChangePath,
  catalogueShapes,
  hookNames,
  type JsonValue,
} from '../../engine/isomorphic.ts';
import { AheadField } from '../inspector/fields/ahead-field.tsx';
import { plainField, schemaField } from '../inspector/fields/form-fields.ts';
import { Group, Rows } from '../inspector/fields/setting-rows.tsx';
import { useStores } from '../stores/stores-context.tsx';
import { type SettledFlow, useSelection } from '../stores/use-flow.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Select, type SelectOption } from '../ui/select.tsx';
import { readOnlyReason } from './catalogue-actions.ts';
import { CatalogueField, CatalogueScope, useCatalogueForm } from './catalogue-fields.tsx';
import { lanesOf } from './catalogue-lanes.ts';
import { FlowTypeForm } from './flow-type-form.tsx';
import { RenameRow } from './rename-row.tsx';
import { SlotTypesForm } from './slots-form.tsx';
import { text } from './text.ts';
import '../inspector/inspector.css';
import './catalogue-inspector.css';

const nameField = schemaField('name', catalogueShapes.assistant.name);
const aboutField = schemaField('description', catalogueShapes.assistant.description);
const modelField = schemaField('model', catalogueShapes.assistant.model);
const thresholdFields = Object.entries(catalogueShapes.thresholds).map(([key, schema]) => schemaField(key, schema));

export function CatalogueInspector({ file }: { readonly file: SettledFlow }) {
  const { catalogue, path } = file;
  const { nodeId, chosen } = useSelection(path);
  if (catalogue === null) return <Head title={path} />;
  const flow = catalogue.flows.find(({ name }) => name === nodeId);
  const [intent] = chosen.groups;
  return (
    <CatalogueScope file={file} catalogue={catalogue}>
      {flow !== undefined ? (
        <FlowTypeForm key={flow.name} file={file} catalogue={catalogue} flow={flow} />
      ) : intent !== undefined && nodeId === null ? (
        <IntentForm key={intent} file={file} catalogue={catalogue} intent={intent} />
      ) : (
        <Assistant file={file} catalogue={catalogue} />
      )}
    </CatalogueScope>
  );
}

function Head({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <header className="inspector-top">
      <div className="inspector-title">
        <MessagesSquare aria-hidden size={18} />
        <h2 className="inspector-name" title={title}>
          {title}
        </h2>
      </div>
      {children}
    </header>
  );
}

interface PartProps {
  readonly file: SettledFlow;
  readonly catalogue: CatalogueDoc;
}

function Assistant({ file, catalogue }: PartProps) {
  const { path } = file;
  const reason = readOnlyReason(file);
  const { name, description, model, thresholds, flows } = catalogue;
  const ownThresholds = thresholds as Readonly<Record<string, JsonValue>> | undefined;
  return (
    <>
      <Head title={name ?? path}>
        <div className="inspector-crumb">{path}</div>
      </Head>
      <div className="inspector-scroll">
        <div className="inspector-body catalogue-inspector">
          <p className="inspector-note">{reason ?? text.assistant.note}</p>
          <Rows
            rows={[
              [
                text.assistant.size,
                text.assistant.sizeValue({ flows: flows.length, intents: lanesOf(catalogue).length }),
              ],
            ]}
          />
          <Group title={text.assistant.title}>
            <div className="form-fields">
              <CatalogueField field={nameField} at={['name']} value={name} />
              <CatalogueField field={aboutField} at={['description']} value={description} />
              <CatalogueField field={modelField} at={['model']} value={model} />
            </div>
          </Group>
          <Group title={text.assistant.limits}>
            <div className="form-fields">
              {thresholdFields.map((field) => {
                const key = String(field.path[0]);
                // A value equal to the default is shown as if it were not set.
                const value = ownThresholds?.[key] === field.default ? undefined : ownThresholds?.[key];
                return <CatalogueField key={key} field={field} at={['thresholds', key]} value={value} />;
              })}
            </div>
          </Group>
          <SlotTypesForm />
        </div>
      </div>
    </>
  );
}

/** The form of an intent: its name, and the hooks that run with each turn of its flows. */
function IntentForm({ file, catalogue, intent }: PartProps & { readonly intent: string }) {
  const { edits, selection } = useStores();
  const { path } = file;
  const lane = lanesOf(catalogue).find((one) => one.intent === intent);
  const isDisabled = readOnlyReason(file) !== null;
  const isUniversal = lane?.isUniversal === true;
  const others = lanesOf(catalogue).map((one) => one.intent);
  const hooks = (Object.hasOwn(catalogue.intents, intent) ? catalogue.intents[intent]?.hooks : undefined) ?? {};
  const choose = (name: string | null): void =>
    selection.getState().choose(path, { groups: name === null ? [] : [name] }, null);
  const rename = async (to: string): Promise<void> => {
    if (await edits.changeCatalogue(path, { do: 'rename-intent', intent, to })) choose(to);
  };
  const isEmpty = lane?.flows.length === 0;
  return (
    <>
      <Head title={intent}>
        <div className="inspector-crumb">
          <span>{text.intent.about({ count: lane?.flows.length ?? 0 })}</span>
        </div>
      </Head>
      <div className="inspector-scroll">
        <div className="inspector-body catalogue-inspector">
          {isUniversal ? (
            <p className="inspector-note">{text.intent.universal}</p>
          ) : (
            <RenameRow
              label={text.intent.name}
              name={intent}
              others={others}
              isDisabled={isDisabled}
              onRename={rename}
            />
          )}
          <HooksForm intent={intent} hooks={hooks} />
          {isEmpty && !isUniversal && !isDisabled ? (
            <Button
              size="small"
              onClick={() =>
                void edits
                  .changeCatalogue(path, { do: 'set-in-catalogue', path: ['intents', intent], value: undefined })
                  .then(() => choose(null))
              }
            >
              {text.intent.remove}
            </Button>
          ) : null}
        </div>
      </div>
    </>
  );
}

const hookKinds: readonly SelectOption<HookKind>[] = [
  { value: 'script', text: text.hooks.aScript },
  { value: 'agent', text: text.hooks.anAgent },
  { value: 'none', text: text.hooks.nothing },
];
const hookFields = {
  script: plainField('script', 'script', { label: text.hooks.script, isRequired: true }),
  agent: plainField('agent', 'agent', { label: text.hooks.agent, isRequired: true }),
} as const;

type HookKind = 'script' | 'agent' | 'none';
type Hooks = NonNullable<CatalogueDoc['intents'][string]['hooks']>;
type HookName = (typeof hookNames)[number];

/** The hooks that run with the turns of an intent. Hooks that are not set are hidden until they are added. */
function HooksForm({ intent, hooks }: { readonly intent: string; readonly hooks: Hooks }) {
  const { isDisabled } = useCatalogueForm();
  const [asked, setAsked] = useState<readonly HookName[]>([]);
  const isShown = (name: HookName): boolean => hooks[name] !== undefined || asked.includes(name);
  const missing = hookNames.filter((name) => !isShown(name));
  return (
    <Group title={text.hooks.title}>
      {missing.length === hookNames.length ? <p className="inspector-quiet">{text.hooks.none}</p> : null}
      <div className="form-fields">
        {hookNames.filter(isShown).map((name) => (
          <HookRow
            key={name}
            name={name}
            hook={hooks[name]}
            at={['intents', intent, 'hooks', name]}
            onEmpty={() => setAsked(asked.filter((one) => one !== name))}
          />
        ))}
      </div>
      {isDisabled || missing.length === 0 ? null : (
        <div className="form-adders">
          {missing.map((name) => (
            <Button
              key={name}
              size="small"
              variant="ghost"
              title={text.hooks[name]}
              onClick={() => setAsked([...asked, name])}
            >
              <Plus aria-hidden size={13} />
              {name}
            </Button>
          ))}
        </div>
      )}
    </Group>
  );
}

interface HookRowProps {
  readonly name: HookName;
  /** Undefined if the hook was added but nothing is selected yet. */
  readonly hook: Hooks[HookName];
  readonly at: ChangePath;
  readonly onEmpty: () => void;
}

/** Nothing is written until the script or agent is selected. */
function HookRow({ name, hook, at, onEmpty }: HookRowProps) {
  const { isDisabled, set } = useCatalogueForm();
  const [wanted, setWanted] = useState<Exclude<HookKind, 'none'> | null>(null);
  const written = hook === undefined ? null : 'agent' in hook ? 'agent' : 'script';
  const kind = wanted ?? written ?? 'script';
  const value = hook === undefined ? undefined : Object.entries(hook).find(([key]) => key === kind)?.[1];
  const choose = (next: HookKind): void => {
    setWanted(next === 'none' ? null : next);
    if (next !== 'none') return;
    onEmpty();
    if (hook !== undefined) void set(at, undefined);
  };
  const put = async (next: JsonValue | undefined, mergeKey?: string): Promise<boolean> => {
    if (next === undefined || next === '') return false;
    const isSet = await set(at, { [kind]: next }, { mergeKey });
    if (isSet) setWanted(null);
    return isSet;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot be in a form's row
    <div role="group" aria-label={text.hooks.hook({ name })} className="hook-row">
      <Field label={name} about={text.hooks[name]}>
        {(control) => <Select {...control} disabled={isDisabled} value={kind} options={hookKinds} onChange={choose} />}
      </Field>
      <AheadField key={kind} field={hookFields[kind]} value={value} onChange={put} />
    </div>
  );
}
