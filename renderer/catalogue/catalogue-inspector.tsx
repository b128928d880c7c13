/**
 * The panel beside the canvas of a catalogue: the selected flow or intent, else the assistant as a whole.
 */
import { MessagesSquare } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { CatalogueDoc, ChangePath, JsonValue } from '../../engine/isomorphic.ts';
import { AheadField } from '../inspector/ahead-field.tsx';
import { plainField } from '../inspector/form-fields.ts';
import { type ChangeValue, type FormScope, FormScopeContext, useFormScope } from '../inspector/form-scope.tsx';
import { Group, Rows } from '../inspector/setting-rows.tsx';
import { useStores } from '../stores/stores-context.tsx';
import { type SettledFlow, useSelection } from '../stores/use-flow.ts';
import { Button } from '../ui/button.tsx';
import { pluralText } from '../ui/quantity-text.ts';
import { readOnlyReason } from './catalogue-actions.ts';
import { lanesOf } from './catalogue-lanes.ts';
import { FlowTypeForm } from './flow-type-form.tsx';
import { RenameRow } from './rename-row.tsx';
import '../inspector/inspector.css';
import './catalogue-inspector.css';

const nameField = plainField('name', 'text');
const aboutField = plainField('description', 'long-text', { label: 'Description' });
const modelField = plainField('model', 'model', {
  label: 'Model',
  description: 'For plans and replies, and to tell what is meant where no other is named for that',
});
const thresholdFields = [
  plainField('confidence', 'slider', {
    label: 'Confidence',
    description: 'Below it a person is asked what they mean',
    default: 0.64,
    limits: { min: 0, max: 1 },
  }),
  plainField('escalationTurns', 'number', {
    label: 'Turns with one question',
    description: 'So many turns may pass with the same question open',
    default: 3,
    limits: { min: 1, max: 100, isInteger: true },
  }),
  plainField('keepGoing', 'number', {
    label: 'Flows in one turn',
    description: 'So many flows go on by themselves in one turn',
    default: 5,
    limits: { min: 1, max: 100, isInteger: true },
  }),
  plainField('recoveryAttempts', 'number', {
    label: 'Attempts to recover',
    default: 2,
    limits: { min: 0, max: 10, isInteger: true },
  }),
] as const;

export function CatalogueInspector({ file }: { readonly file: SettledFlow }) {
  const { catalogue, path } = file;
  const { nodeId, chosen } = useSelection(path);
  if (catalogue === null) return <Head title={path} />;
  const flow = catalogue.flows.find(({ name }) => name === nodeId);
  const [intent] = chosen.groups;
  return (
    <CatalogueScope file={file}>
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

/** What fields know of the file that they are of. */
function CatalogueScope({ file, children }: { readonly file: SettledFlow; readonly children: ReactNode }) {
  const { notices } = useStores();
  const around = useFormScope();
  const { path } = file;
  const isDisabled = readOnlyReason(file) !== null;
  const scope = useMemo(
    (): FormScope => ({
      ...around,
      isDisabled,
      filePath: path,
      onLost: (text) =>
        notices.getState().add({
          tone: 'error',
          title: 'What you typed was not written',
          detail: `Its value was changed elsewhere meanwhile, and that stays. You had typed: ${text}`,
        }),
    }),
    [around, isDisabled, path, notices],
  );
  return <FormScopeContext value={scope}>{children}</FormScopeContext>;
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
  const { edits } = useStores();
  const { path } = file;
  const reason = readOnlyReason(file);
  const changeAt =
    (...at: ChangePath): ChangeValue =>
    (value, mergeKey) =>
      edits.changeCatalogue(path, { do: 'set-in-catalogue', path: at, value }, mergeKey);
  const { name, description, model, thresholds, flows } = catalogue;
  const ownThresholds = thresholds as Readonly<Record<string, JsonValue>> | undefined;
  return (
    <>
      <Head title={name ?? path}>
        <div className="inspector-crumb">{path}</div>
      </Head>
      <div className="inspector-scroll">
        <div className="inspector-body catalogue-inspector">
          <p className="inspector-note">
            {reason ?? 'Select a flow to edit what it needs, when it is meant, and what does its work.'}
          </p>
          <Rows
            rows={[['Size', `${pluralText(flows.length, 'flow')}, ${pluralText(lanesOf(catalogue).length, 'intent')}`]]}
          />
          <Group title="Assistant">
            <div className="form-fields">
              <AheadField field={nameField} value={name} onChange={changeAt('name')} />
              <AheadField field={aboutField} value={description} onChange={changeAt('description')} />
              <AheadField field={modelField} value={model} onChange={changeAt('model')} />
            </div>
          </Group>
          <Group title="Limits">
            <div className="form-fields">
              {thresholdFields.map((field) => {
                const key = String(field.path[0]);
                return (
                  <AheadField
                    key={key}
                    field={field}
                    value={ownThresholds?.[key]}
                    onChange={changeAt('thresholds', key)}
                  />
                );
              })}
            </div>
          </Group>
        </div>
      </div>
    </>
  );
}

/** An intent: its name, and what runs with each turn of its flows. */
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
          <span>intent · {pluralText(lane?.flows.length ?? 0, 'flow')}</span>
        </div>
      </Head>
      <div className="inspector-scroll">
        <div className="inspector-body catalogue-inspector">
          {isUniversal ? (
            <p className="inspector-note">This intent is in every catalogue, and keeps its name.</p>
          ) : (
            <RenameRow label="Name" name={intent} others={others} isDisabled={isDisabled} onRename={rename} />
          )}
          <Group title="Hooks">
            {Object.keys(hooks).length === 0 ? (
              <p className="inspector-quiet">Nothing runs with its turns but the flows themselves.</p>
            ) : (
              <Rows rows={Object.entries(hooks).map(([place, hook]) => [place, Object.values(hook ?? {}).join('')])} />
            )}
          </Group>
          {isEmpty && !isUniversal && !isDisabled ? (
            <Button
              size="small"
              onClick={() =>
                void edits
                  .changeCatalogue(path, { do: 'set-in-catalogue', path: ['intents', intent], value: undefined })
                  .then(() => choose(null))
              }
            >
              Remove the intent
            </Button>
          ) : null}
        </div>
      </div>
    </>
  );
}
