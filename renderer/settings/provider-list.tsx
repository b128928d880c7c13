/**
 * The model providers: their details, whether they have a key, and whether they respond.
 */
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores-context.tsx';
import type { ModelSettingsState, Provider, ProviderTest } from '../stores/window/preferences.ts';
import { Button } from '../ui/button.tsx';
import { pluralText } from '../ui/quantity-text.ts';
import { LockedBy } from './locked-by.tsx';
import { kindNames, ProviderForm } from './provider-form.tsx';

/** Maximum number of models in a test result. A provider may have thousands. */
const maxShownModels = 30;

/** The result of testing a provider. */
export function TestResult({ test }: { test: ProviderTest }) {
  if (test.isRunning) return <p className="provider-test">Asking…</p>;
  const models = test.models ?? [];
  const more = models.length - maxShownModels;
  return (
    <div className="provider-test" data-tone={test.ok ? 'ok' : 'error'}>
      <p>{test.message}</p>
      {models.length === 0 ? null : (
        <details>
          <summary>{pluralText(models.length, 'model')}</summary>
          <p className="provider-models" data-selectable>
            {models.slice(0, maxShownModels).join(', ')}
            {more > 0 ? `, and ${more} more` : ''}
          </p>
        </details>
      )}
    </div>
  );
}

/** Returns a text that shows whether a provider has the key it needs. */
export function useKeyStatusText({ keyVariable, hasKey, isKeyAllowed }: Provider): string {
  const isKept = useStore(useStores().preferences, ({ vault }) => vault.variables.includes(keyVariable ?? ''));
  if (keyVariable === null) return 'needs no key';
  if (hasKey && !isKeyAllowed) return 'key not allowed for this host';
  if (isKept) return 'key set';
  return hasKey ? 'key set by the environment' : 'no key';
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
    if (problem !== null) notices.getState().add({ tone: 'error', title: `${name} was not removed`, detail: problem });
  };
  const allow = async (): Promise<void> => {
    const problem = await preferences.getState().allowKey(name);
    if (problem !== null) notices.getState().add({ tone: 'error', title: 'The key stays here', detail: problem });
  };
  return (
    <li className="provider" aria-label={name}>
      <div className="provider-row">
        <div className="provider-facts">
          <b>{name}</b>
          <span className="provider-notes">
            {kindNames[kind]} ·{' '}
            <span data-key={keyWords === 'no key' && !isBuiltIn ? 'missing' : undefined}>{keyWords}</span>
          </span>
          <code title={baseUrl}>{baseUrl}</code>
          <LockedBy team={lockedBy} />
        </div>
        {hasKey && !isKeyAllowed ? (
          <Button size="small" aria-label={`Allow the key of ${name} for this host`} onClick={() => void allow()}>
            Allow…
          </Button>
        ) : null}
        <Button
          size="small"
          disabled={test?.isRunning === true}
          aria-label={`Test the connection to ${name}`}
          onClick={() => void preferences.getState().test(name)}
        >
          Test connection
        </Button>
        <Button
          size="small"
          aria-expanded={isEdited}
          aria-label={`Edit ${name}`}
          onClick={() => onEdit(isEdited ? null : name)}
        >
          Edit
        </Button>
        {isBuiltIn || lockedBy !== undefined ? null : (
          <Button size="small" variant="danger" aria-label={`Remove ${name}`} onClick={() => void remove()}>
            Remove
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
          Providers
        </h3>
        {providersLockedBy === undefined ? (
          <Button size="small" aria-expanded={edited === newProvider} onClick={() => setEdited(newProvider)}>
            <Plus aria-hidden size={14} />
            Add a provider
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
