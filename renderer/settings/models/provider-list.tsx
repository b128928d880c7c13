/**
 * The model providers: their details, whether they have a key, and whether they respond.
 */
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import type { ModelSettingsState, Provider, ProviderTest } from '../../stores/window/preferences.ts';
import { Button } from '../../ui/button.tsx';
import { LockedBy } from '../locked-by.tsx';
import { kindNames, ProviderForm } from './provider-form.tsx';
import { text } from './text.ts';

const words = text.providers;

/** Maximum number of models in a test result. A provider may have thousands. */
const maxShownModels = 30;

/** The result of testing a provider. */
export function TestResult({ test }: { test: ProviderTest }) {
  if (test.isRunning) return <p className="provider-test">{words.testing}</p>;
  const models = test.models ?? [];
  const shown = models.slice(0, maxShownModels).join(', ');
  const more = models.length - maxShownModels;
  return (
    <div className="provider-test" data-tone={test.ok ? 'ok' : 'error'}>
      <p>{test.message}</p>
      {models.length === 0 ? null : (
        <details>
          <summary>{words.modelCount({ count: models.length })}</summary>
          <p className="provider-models" data-selectable>
            {more > 0 ? words.modelsAndMore({ models: shown, count: more }) : shown}
          </p>
        </details>
      )}
    </div>
  );
}

/** Returns text about whether a provider has the key it needs. */
export function useKeyStatusText({ keyVariable, hasKey, isKeyAllowed }: Provider): string {
  const isKept = useStore(useStores().preferences, ({ vault }) => vault.variables.includes(keyVariable ?? ''));
  if (keyVariable === null) return words.noKeyNeeded;
  if (hasKey && !isKeyAllowed) return words.keyNotAllowed;
  if (isKept) return words.keySet;
  return hasKey ? words.keyInEnvironment : words.noKey;
}

interface ProviderRowProps {
  readonly provider: Provider;
  readonly isEdited: boolean;
  readonly onEdit: (name: string | null) => void;
}

function ProviderRow({ provider, isEdited, onEdit }: ProviderRowProps) {
  const { preferences, notices } = useStores();
  const { name, kind, baseUrl, isBuiltIn, hasKey, isKeyAllowed, lockedBy } = provider;
  const test = useStore(preferences, ({ tests }) => tests.get(name));
  const keyWords = useKeyStatusText(provider);
  const remove = async (): Promise<void> => {
    const problem = await preferences.getState().removeProvider(name);
    if (problem !== null)
      notices.getState().add({ tone: 'error', title: words.removeFailed({ name }), detail: problem });
  };
  const allow = async (): Promise<void> => {
    const problem = await preferences.getState().allowKey(name);
    if (problem !== null) notices.getState().add({ tone: 'error', title: words.allowFailed, detail: problem });
  };
  return (
    <li className="provider" aria-label={name}>
      <div className="provider-row">
        <div className="provider-facts">
          <b>{name}</b>
          <span className="provider-notes">
            {kindNames[kind]} ·{' '}
            <span data-key={keyWords === words.noKey && !isBuiltIn ? 'missing' : undefined}>{keyWords}</span>
          </span>
          <code title={baseUrl}>{baseUrl}</code>
          <LockedBy team={lockedBy} />
        </div>
        {hasKey && !isKeyAllowed ? (
          <Button size="small" aria-label={words.allowKey({ name })} onClick={() => void allow()}>
            {words.allow}
          </Button>
        ) : null}
        <Button
          size="small"
          disabled={test?.isRunning === true}
          aria-label={words.testProvider({ name })}
          onClick={() => void preferences.getState().test(name)}
        >
          {words.test}
        </Button>
        <Button
          size="small"
          aria-expanded={isEdited}
          aria-label={words.editProvider({ name })}
          onClick={() => onEdit(isEdited ? null : name)}
        >
          {words.edit}
        </Button>
        {isBuiltIn || lockedBy !== undefined ? null : (
          <Button
            size="small"
            variant="danger"
            aria-label={words.removeProvider({ name })}
            onClick={() => void remove()}
          >
            {words.remove}
          </Button>
        )}
      </div>
      <div role="status">{test === undefined ? null : <TestResult test={test} />}</div>
      {isEdited ? <ProviderForm provider={provider} taken={[]} onClose={() => onEdit(null)} /> : null}
    </li>
  );
}

/** No provider can have this name. */
const newProvider = '';

export function ProviderList({ models }: { models: ModelSettingsState }) {
  const [edited, setEdited] = useState<string | null>(null);
  const { providers, providersLockedBy } = models;
  return (
    <section aria-labelledby="providers-heading">
      <div className="settings-heading-row">
        <h3 id="providers-heading" className="settings-heading">
          {words.list}
        </h3>
        {providersLockedBy === undefined ? (
          <Button size="small" aria-expanded={edited === newProvider} onClick={() => setEdited(newProvider)}>
            <Plus aria-hidden size={14} />
            {words.add}
          </Button>
        ) : (
          <LockedBy team={providersLockedBy} />
        )}
      </div>
      {edited === newProvider ? (
        <ProviderForm provider={null} taken={providers.map(({ name }) => name)} onClose={() => setEdited(null)} />
      ) : null}
      <ul aria-labelledby="providers-heading">
        {providers.map((provider) => (
          <ProviderRow key={provider.name} provider={provider} isEdited={edited === provider.name} onEdit={setEdited} />
        ))}
      </ul>
    </section>
  );
}
