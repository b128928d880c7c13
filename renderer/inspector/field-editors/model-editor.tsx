/**
 * A model, chosen from the available ones. A missing API key is entered below it.
 */
import { KeyRound, TriangleAlert } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import type { Provider } from '../../stores/window/preferences.ts';
import { type ModelProblem, providerOfModel, unlistedReason } from '../../stores/workspace/models.ts';
import { Button } from '../../ui/button.tsx';
import { withParts } from '../../ui/with-parts.tsx';
import { useFormScope } from '../fields/form-scope.tsx';
import type { FieldEditorProps } from './field-editor-props.ts';
import { ModelPicker } from './model-picker.tsx';
import { text } from './text.ts';
import './model-editor.css';

/**
 * Returns undefined if nothing is known yet or the model can be used. The previous result is kept while it is
 * refreshed, because a form that disappeared meanwhile would lose what is typed in it.
 */
function useModelProblem(model: string | null): ModelProblem | undefined {
  const { models } = useStores();
  const problem = useStore(models, ({ problems }) => problems.get(model));
  const [last, setLast] = useState({ model, problem });
  if (problem !== undefined && (last.model !== model || last.problem !== problem)) setLast({ model, problem });
  useEffect(() => {
    if (problem === undefined) void models.getState().check([model]);
  }, [models, model, problem]);
  return (problem === undefined && last.model === model ? last.problem : problem) ?? undefined;
}

/**
 * Returns why no list contains the model. Undefined if one does, or if the lists are not known. @param model null to
 * skip the check
 */
function useUnlisted(model: string | null): string | undefined {
  const { preferences, models } = useStores();
  const settings = useStore(preferences, (state) => state.models);
  const known = useStore(models, (state) => state.known);
  const listed = useStore(models, (state) => state.listed);
  return model === null || known === null ? undefined : unlistedReason(model, settings, { known, listed });
}

/** A model is an alias or `provider::model`. */
export function ModelEditor({ field, value, onChange, control }: FieldEditorProps) {
  const { preferences, models } = useStores();
  const { isDisabled } = useFormScope();
  const settings = useStore(preferences, (state) => state.models);
  const known = useStore(models, (state) => state.known);
  const model = typeof value === 'string' && value !== '' ? value : null;
  const problem = useModelProblem(model);
  const provider = model === null ? undefined : providerOfModel(model, settings);
  const usual = known?.defaultModel;
  useEffect(() => {
    if (settings === null) void preferences.getState().refresh();
  }, [settings, preferences]);
  const isWanted = problem?.code === 'model.missing';
  const setUp = (): void =>
    preferences.getState().setUpModel({
      ...(provider === undefined ? {} : { provider: provider.name }),
      onModel: (chosen) => void onChange(chosen),
    });
  return (
    <>
      <ModelPicker
        control={control}
        value={model ?? undefined}
        placeholder={usual ? text.model.default({ model: usual }) : text.model.choose}
        onModel={(chosen) => void onChange(chosen)}
        onSetup={setUp}
      />
      {isWanted ? (
        <ModelNote>
          {field.mayBind ? text.model.missing : withParts(text.model.missingInSettings, { settings: <SettingsLink /> })}
        </ModelNote>
      ) : null}
      {isDisabled ? null : <MissingKey problem={problem} provider={provider} fieldId={control.id} />}
      {problem === undefined || isWanted || problem.variable !== undefined ? null : (
        <ModelNote>
          {problem.message}{' '}
          {isDisabled ? null : (
            <button type="button" className="inspector-line-link" onClick={setUp}>
              {text.model.setUp}
            </button>
          )}
        </ModelNote>
      )}
      <UnlistedNote model={problem === undefined ? model : null} />
    </>
  );
}

/** Shows why no list contains the model. Renders nothing if one does, or if the model is null. */
function UnlistedNote({ model }: { model: string | null }) {
  const reason = useUnlisted(model);
  if (model === null || reason === undefined) return null;
  return (
    <ModelNote>
      {text.model.unknown({ model, reason })} {withParts(text.model.checkName, { settings: <SettingsLink /> })}
    </ModelNote>
  );
}

function ModelNote({ children }: { children: ReactNode }) {
  return (
    <p className="model-note">
      <TriangleAlert aria-hidden size={14} />
      <span>{children}</span>
    </p>
  );
}

function SettingsLink() {
  const { preferences } = useStores();
  return (
    <button type="button" className="inspector-line-link" onClick={() => preferences.getState().open('models')}>
      {text.model.settings}
    </button>
  );
}

interface MissingKeyProps {
  readonly problem: ModelProblem | undefined;
  /** The model's provider, if it is known. */
  readonly provider: Provider | undefined;
  /** ID of the model field, which receives the focus when the form disappears. */
  readonly fieldId: string;
}

/** The form for a missing key. Renders nothing if no key is missing. */
function MissingKey({ problem, provider, fieldId }: MissingKeyProps) {
  if (problem?.code === 'model.key-not-allowed') {
    return <AllowKey provider={problem.provider ?? ''} message={problem.message} />;
  }
  if (problem?.code === 'model.missing-key' && problem.variable !== undefined) {
    return (
      <KeyForm key={problem.variable} provider={problem.provider ?? ''} variable={problem.variable} fieldId={fieldId} />
    );
  }
  if (provider === undefined || provider.hasKey || provider.keyVariable === null) return null;
  return (
    <KeyForm key={provider.keyVariable} provider={provider.name} variable={provider.keyVariable} fieldId={fieldId} />
  );
}

interface KeyFormProps {
  readonly provider: string;
  readonly variable: string;
  readonly fieldId: string;
}

/** The key is stored only in its field and sent only to main. */
function KeyForm({ provider, variable, fieldId }: KeyFormProps) {
  const { preferences, models } = useStores();
  const vaultProblem = useStore(preferences, ({ vault }) => vault.problem);
  const help = useStore(preferences, (state) => state.models?.providers.find(({ name }) => name === provider)?.keyHelp);
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!/^[\x21-\x7e]+$/.test(key)) return setProblem(text.model.badKey);
    const failure = await preferences.getState().setKey(variable, key);
    setProblem(failure);
    if (failure !== null) return;
    setKey('');
    document.getElementById(fieldId)?.focus();
    void models.getState().lookAround();
  };
  if (vaultProblem !== null) {
    return (
      <p className="model-note">
        <KeyRound aria-hidden size={14} />
        {text.model.needsVariable({ provider, variable, problem: vaultProblem })}
      </p>
    );
  }
  return (
    <form className="model-key" onSubmit={(event) => void save(event)}>
      <label htmlFor={id} className="model-key-label">
        <KeyRound aria-hidden size={14} />
        {text.model.needsKey({ provider })}
      </label>
      <div className="model-key-line">
        <input
          id={id}
          type="password"
          className="field-input"
          autoComplete="off"
          placeholder={variable}
          value={key}
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : `${id}-problem`}
          onChange={({ target }) => setKey(target.value)}
        />
        <Button type="submit" size="small" disabled={key === ''}>
          {text.model.saveKey}
        </Button>
      </div>
      {help === undefined ? null : <p className="model-note">{help}</p>}
      {problem === null ? null : (
        <p id={`${id}-problem`} className="field-problem">
          {problem}
        </p>
      )}
    </form>
  );
}

function AllowKey({ provider, message }: { provider: string; message: string }) {
  const { preferences } = useStores();
  const [problem, setProblem] = useState<string | null>(null);
  const allow = async (): Promise<void> => setProblem(await preferences.getState().allowKey(provider));
  return (
    <div className="model-key">
      <p className="model-note">
        <TriangleAlert aria-hidden size={14} />
        {message}
      </p>
      <Button size="small" onClick={() => void allow()}>
        {text.model.allowKey}
      </Button>
      {problem === null ? null : <p className="field-problem">{problem}</p>}
    </div>
  );
}
