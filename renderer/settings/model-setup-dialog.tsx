/**
 * Sets up a model from a model field: a provider, its key and URL, a test, and then one of the listed models.
 */
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores-context.tsx';
import type { ModelSettingsState, ModelSetup, Provider } from '../stores/window/preferences.ts';
import { isTextModel } from '../stores/workspace/models.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { Switch } from '../ui/switch.tsx';
import { LockedBy } from './locked-by.tsx';
import { ProviderForm } from './models/provider-form.tsx';
import { TestResult, useKeyStatusText } from './models/provider-list.tsx';
import { text as modelText } from './models/text.ts';
import { text } from './text.ts';
import './model-setup-dialog.css';

const words = text.modelSetup;

/** No provider can have this name. */
const newProvider = '';

export function ModelSetupDialog() {
  const { preferences } = useStores();
  const setup = useStore(preferences, (state) => state.setup);
  const settings = useStore(preferences, (state) => state.models);
  const error = useStore(preferences, (state) => state.error);
  return (
    <Dialog
      isOpen={setup !== null}
      onClose={() => preferences.getState().setUpModel(null)}
      title={words.title}
      description={words.description}
    >
      {setup === null ? null : settings === null ? (
        <p>{error ?? words.loading}</p>
      ) : (
        <ModelSetupSteps setup={setup} settings={settings} />
      )}
    </Dialog>
  );
}

function ModelSetupSteps({ setup, settings }: { setup: ModelSetup; settings: ModelSettingsState }) {
  const { preferences, models } = useStores();
  const { providers, providersLockedBy, problem } = settings;
  const [name, setName] = useState(setup.provider ?? providers[0]?.name ?? newProvider);
  const [testedHere, setTestedHere] = useState<string | null>(null);
  const provider = providers.find((one) => one.name === name) ?? null;
  const close = (): void => preferences.getState().setUpModel(null);
  const choose = (next: string): void => {
    setName(next);
    setTestedHere(null);
  };
  const test = async (saved: string): Promise<void> => {
    setName(saved);
    setTestedHere(saved);
    await preferences.getState().test(saved);
    void models.getState().lookAround();
  };
  return (
    <div className="model-setup">
      {problem === undefined ? null : (
        <p className="settings-problem" role="alert">
          {problem}
        </p>
      )}
      <div role="radiogroup" aria-label={words.provider} className="model-setup-providers">
        {providers.map((one) => (
          <ProviderChoice key={one.name} provider={one} isChosen={one.name === name} onChoose={choose} />
        ))}
        {providersLockedBy === undefined ? (
          <Choice
            name={words.anotherProvider}
            about={words.anotherProviderNote}
            isChosen={name === newProvider}
            onChoose={() => choose(newProvider)}
          />
        ) : null}
      </div>
      <LockedBy team={providersLockedBy} />
      <ProviderForm
        key={`form ${name}`}
        provider={provider}
        taken={providers.map((one) => one.name)}
        isShort
        saveText={words.save}
        onClose={close}
        onSaved={(saved) => void test(saved)}
      />
      {provider === null ? null : (
        <TestedModels
          key={`models ${name}`}
          provider={provider}
          setup={setup}
          settings={settings}
          takesFocus={testedHere === name}
        />
      )}
    </div>
  );
}

function ProviderChoice({
  provider,
  isChosen,
  onChoose,
}: {
  provider: Provider;
  isChosen: boolean;
  onChoose: (name: string) => void;
}) {
  const status = useKeyStatusText(provider);
  const about = status === modelText.providers.noKey ? words.needsKey : status;
  return <Choice name={provider.name} about={about} isChosen={isChosen} onChoose={() => onChoose(provider.name)} />;
}

interface ModelSetupChoiceProps {
  readonly name: string;
  readonly about: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Choice({ name, about, isChosen, onChoose }: ModelSetupChoiceProps) {
  const row = useRef<HTMLLabelElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isChosen]);
  return (
    <label ref={row} className="model-setup-provider">
      <input
        type="radio"
        name="model-setup-provider"
        checked={isChosen}
        data-first-focus={isChosen ? true : undefined}
        onChange={onChoose}
      />
      <b>{name}</b>
      <span>{about}</span>
    </label>
  );
}

interface TestedModelsProps {
  readonly provider: Provider;
  readonly setup: ModelSetup;
  readonly settings: ModelSettingsState;
  /** Whether to focus the next step as soon as there are models. Set only if the test was started in this dialog. */
  readonly takesFocus: boolean;
}

/** The result of a provider's test: its response, and the models to choose from. Renders nothing before a test. */
function TestedModels({ provider: { name }, setup, settings, takesFocus }: TestedModelsProps) {
  const { preferences } = useStores();
  const test = useStore(preferences, ({ tests }) => tests.get(name));
  const [chosen, setChosen] = useState<string | null>(null);
  const [isDefault, setIsDefault] = useState(settings.defaultModel === null);
  const [problem, setProblem] = useState<string | null>(null);
  if (test === undefined) return null;
  const listed = test.isRunning ? [] : (test.models ?? []).filter(isTextModel);
  const model = chosen ?? listed[0];
  const mayBeDefault = settings.defaultModel === null && settings.defaultModelLockedBy === undefined;
  const use = async (): Promise<void> => {
    const full = `${name}::${model}`;
    const failure = mayBeDefault && isDefault ? await preferences.getState().setDefaultModel(full) : null;
    setProblem(failure);
    if (failure !== null) return;
    preferences.getState().setUpModel(null);
    setup.onModel(full);
  };
  return (
    <>
      <div role="status">
        <TestResult test={test} />
      </div>
      {model === undefined ? null : (
        <>
          <Field label={words.model} problem={problem ?? undefined}>
            {(control) => (
              <Select
                {...control}
                value={model}
                options={listed.map((one) => ({ value: one, text: one }))}
                onChange={setChosen}
              />
            )}
          </Field>
          {mayBeDefault ? (
            // biome-ignore lint/a11y/noLabelWithoutControl: the switch is its control
            <label className="model-setup-default">
              <Switch checked={isDefault} onCheckedChange={setIsDefault} />
              {words.alsoDefault}
            </label>
          ) : null}
          <div className="provider-form-actions">
            <Button variant="primary" autoFocus={takesFocus} onClick={() => void use()}>
              {words.use({ model })}
            </Button>
          </div>
        </>
      )}
    </>
  );
}
