/**
 * Changes or adds a provider, and stores its key in the vault. The key exists only in its field, which is cleared after
 * saving.
 */
import { type FormEvent, useState } from 'react';
import { useStore } from 'zustand';
import { webAddressProblem } from '../../../engine/isomorphic.ts';
import { useStores } from '../../stores/stores-context.tsx';
import type { Provider, ProviderDraft } from '../../stores/window/preferences.ts';
import { Button } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Select, type SelectOption } from '../../ui/select.tsx';
import { text as areaText } from './text.ts';

const words = areaText.form;

export const kindNames: Readonly<Record<Provider['kind'], string>> = {
  'openai-compatible': words.openAiCompatible,
  openai: words.openAi,
  anthropic: words.anthropic,
  gemini: words.gemini,
  ollama: words.ollama,
};

type DraftProblems = { readonly [Name in keyof ProviderDraft | 'key']?: string };

/** Returns the form of a provider, or an empty form for null. */
function draftOf(provider: Provider | null): ProviderDraft {
  if (provider === null) return { name: '', kind: 'openai-compatible', baseUrl: '', keyVariable: '' };
  const { name, kind, baseUrl, keyVariable } = provider;
  return { name, kind, baseUrl, keyVariable: keyVariable ?? '' };
}

/** Returns whether the provider itself has changed, and not only its key. */
function differs(draft: ProviderDraft, provider: Provider | null): boolean {
  const before = draftOf(provider);
  return (Object.keys(before) as (keyof ProviderDraft)[]).some((name) => before[name] !== draft[name]);
}

/** Returns the default variable for a key: `MY_CLOUD_API_KEY` for `my-cloud`. */
function variableFor(name: string): string {
  return `${name.toUpperCase().replace(/\W/g, '_')}_API_KEY`;
}

/** Returns the problems by field. Empty if the provider can be saved. */
function problemsOf(draft: ProviderDraft, key: string, taken: readonly string[]): DraftProblems {
  const { name, kind, baseUrl, keyVariable } = draft;
  const namePattern = /^[a-zA-Z][\w-]{0,99}$/;
  return {
    ...(namePattern.test(name) ? {} : { name: words.nameInvalid }),
    ...(taken.includes(name) ? { name: words.nameTaken } : {}),
    ...baseUrlProblem(baseUrl),
    ...(kind === 'openai-compatible' && baseUrl === '' ? { baseUrl: words.baseUrlMissing } : {}),
    ...(/^([A-Za-z_]\w{0,199})?$/.test(keyVariable) ? {} : { keyVariable: words.keyVariableInvalid }),
    ...(/^[\x21-\x7e]{0,10000}$/.test(key) ? {} : { key: words.keyInvalid }),
  };
}

function baseUrlProblem(text: string): DraftProblems {
  const problem = text === '' ? undefined : webAddressProblem(text);
  return problem === undefined ? {} : { baseUrl: problem };
}

const kinds = Object.entries(kindNames).map(([value, text]) => ({ value, text })) as SelectOption<Provider['kind']>[];

interface ProviderFieldsProps {
  readonly draft: ProviderDraft;
  readonly isNew: boolean;
  /** Omits settings of a known provider that rarely need to be changed. */
  readonly isShort: boolean;
  readonly problems: DraftProblems;
  readonly onChange: (change: Partial<ProviderDraft>) => void;
}

function ProviderFields({ draft, isNew, isShort, problems, onChange }: ProviderFieldsProps) {
  return (
    <>
      {isNew ? (
        <Field label={words.name} note={words.nameNote} problem={problems.name}>
          {(control) => (
            <TextInput {...control} value={draft.name} onChange={({ target }) => onChange({ name: target.value })} />
          )}
        </Field>
      ) : null}
      {isShort ? null : (
        <Field label={words.kind}>
          {(control) => (
            <Select {...control} value={draft.kind} options={kinds} onChange={(kind) => onChange({ kind })} />
          )}
        </Field>
      )}
      <Field label={words.baseUrl} note={words.baseUrlNote} problem={problems.baseUrl}>
        {(control) => (
          <TextInput
            {...control}
            value={draft.baseUrl}
            onChange={({ target }) => onChange({ baseUrl: target.value.trim() })}
          />
        )}
      </Field>
      {isShort ? null : (
        <Field label={words.keyVariable} problem={problems.keyVariable}>
          {(control) => (
            <TextInput
              {...control}
              placeholder={draft.name === '' ? '' : variableFor(draft.name)}
              value={draft.keyVariable}
              onChange={({ target }) => onChange({ keyVariable: target.value.trim() })}
            />
          )}
        </Field>
      )}
    </>
  );
}

interface KeyFieldProps {
  readonly value: string;
  readonly variable: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

function KeyField({ value, variable, problem, onChange }: KeyFieldProps) {
  const { preferences } = useStores();
  const vault = useStore(preferences, (state) => state.vault);
  const [failure, setFailure] = useState<string | null>(null);
  const isKept = vault.variables.includes(variable);
  const remove = async (): Promise<void> => setFailure(await preferences.getState().removeKey(variable));
  return (
    <div>
      <Field
        label={words.key}
        note={isKept ? words.keySavedNote : words.keyNote}
        problem={problem ?? failure ?? undefined}
      >
        {(control) => (
          <TextInput
            {...control}
            type="password"
            value={value}
            disabled={vault.problem !== null}
            onChange={({ target }) => onChange(target.value)}
          />
        )}
      </Field>
      {vault.problem === null ? null : <p className="settings-note">{vault.problem}</p>}
      {isKept ? (
        <Button size="small" className="provider-remove-key" onClick={() => void remove()}>
          {words.removeKey}
        </Button>
      ) : null}
    </div>
  );
}

interface ProviderFormProps {
  /** Null for a new provider. */
  readonly provider: Provider | null;
  /** Names that a new provider cannot have. */
  readonly taken: readonly string[];
  /** Shows only the URL and the key of a known provider. */
  readonly isShort?: boolean;
  /** Label of the save button. */
  readonly saveText?: string;
  readonly onClose: () => void;
  /** Called with the name of the provider after saving. Defaults to `onClose`. */
  readonly onSaved?: (name: string) => void;
}

export function ProviderForm({ provider, taken, onClose, ...rest }: ProviderFormProps) {
  const { isShort = false, saveText = words.save, onSaved = onClose } = rest;
  const { preferences } = useStores();
  const [draft, setDraft] = useState(draftOf(provider));
  const [key, setKey] = useState('');
  const [hasTried, setHasTried] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const problems = problemsOf(draft, key, provider === null ? taken : []);

  const save = async (): Promise<string | null> => {
    const { saveProvider, setKey: keepKey } = preferences.getState();
    const whole = key === '' || draft.keyVariable !== '' ? draft : { ...draft, keyVariable: variableFor(draft.name) };
    const problem = differs(whole, provider) ? await saveProvider(whole) : null;
    if (problem !== null || key === '') return problem;
    return keepKey(whole.keyVariable, key);
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setHasTried(true);
    if (Object.keys(problems).length > 0) return;
    const problem = await save();
    setFailure(problem);
    if (problem !== null) return;
    setKey('');
    onSaved(draft.name);
  };

  return (
    <form
      className="provider-form"
      aria-label={provider === null ? words.newProvider : provider.name}
      onSubmit={(event) => void submit(event)}
    >
      {provider?.lockedBy === undefined ? (
        <ProviderFields
          draft={draft}
          isNew={provider === null}
          isShort={isShort && provider !== null}
          problems={hasTried ? problems : {}}
          onChange={(change) => setDraft({ ...draft, ...change })}
        />
      ) : null}
      {provider?.keyHelp === undefined ? null : <p className="settings-note">{provider.keyHelp}</p>}
      <KeyField
        value={key}
        variable={draft.keyVariable}
        problem={hasTried ? problems.key : undefined}
        onChange={(text) => setKey(text.trim())}
      />
      {failure === null ? null : (
        <p className="settings-problem" role="alert">
          {failure}
        </p>
      )}
      <div className="provider-form-actions">
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button type="submit" variant="primary">
          {saveText}
        </Button>
      </div>
    </form>
  );
}
