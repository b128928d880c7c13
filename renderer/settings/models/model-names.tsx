/**
 * The default model of agents and nodes, and aliases for models.
 */
import { type FormEvent, useState } from 'react';
import { useStores } from '../../stores/stores-context.tsx';
import type { ModelSettingsState } from '../../stores/window/preferences.ts';
import { Button } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { LockedBy } from '../locked-by.tsx';
import { text } from './text.ts';

const words = text.names;

export function DefaultModel({ models }: { models: ModelSettingsState }) {
  const { preferences } = useStores();
  const [model, setModel] = useState(models.defaultModel ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const wanted = model.trim() === '' ? null : model.trim();
  const lockedBy = models.defaultModelLockedBy;
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setProblem(await preferences.getState().setDefaultModel(wanted));
  };
  return (
    <form className="settings-line" onSubmit={(event) => void save(event)}>
      <Field label={words.defaultModel} note={words.defaultModelNote} problem={problem ?? undefined}>
        {(control) => (
          <TextInput
            {...control}
            placeholder={words.defaultModelHint}
            value={model}
            disabled={lockedBy !== undefined}
            onChange={({ target }) => setModel(target.value)}
          />
        )}
      </Field>
      {lockedBy === undefined ? (
        <Button type="submit" disabled={wanted === models.defaultModel}>
          {words.save}
        </Button>
      ) : (
        <LockedBy team={lockedBy} />
      )}
    </form>
  );
}

function AliasRow({ alias, model }: { alias: string; model: string }) {
  const { preferences, notices } = useStores();
  const remove = async (): Promise<void> => {
    const problem = await preferences.getState().setAlias(alias, null);
    if (problem !== null)
      notices.getState().add({ tone: 'error', title: words.removeFailed({ name: alias }), detail: problem });
  };
  return (
    <li className="alias-row">
      <code title={alias}>{alias}</code>
      <span aria-hidden>→</span>
      <span className="visually-hidden">{words.standsFor}</span>
      <code title={model}>{model}</code>
      <Button
        size="small"
        variant="danger"
        aria-label={words.removeAlias({ name: alias })}
        onClick={() => void remove()}
      >
        {words.remove}
      </Button>
    </li>
  );
}

/** The user's aliases. Adding an existing alias again changes its model. */
export function Aliases({ models }: { models: ModelSettingsState }) {
  const { preferences } = useStores();
  const [alias, setAlias] = useState('');
  const [model, setModel] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (alias.trim() === '' || model.trim() === '') return setProblem(words.incomplete);
    const failure = await preferences.getState().setAlias(alias.trim(), model.trim());
    setProblem(failure);
    if (failure !== null) return;
    setAlias('');
    setModel('');
  };
  return (
    <section aria-labelledby="aliases-heading">
      <h3 id="aliases-heading" className="settings-heading">
        {words.aliases}
      </h3>
      <ul aria-labelledby="aliases-heading">
        {Object.entries(models.aliases).map(([name, target]) => (
          <AliasRow key={name} alias={name} model={target} />
        ))}
      </ul>
      <form className="settings-line" onSubmit={(event) => void add(event)}>
        <Field label={words.alias} problem={problem ?? undefined}>
          {(control) => <TextInput {...control} value={alias} onChange={({ target }) => setAlias(target.value)} />}
        </Field>
        <Field label={words.model}>
          {(control) => <TextInput {...control} value={model} onChange={({ target }) => setModel(target.value)} />}
        </Field>
        <Button type="submit">{Object.hasOwn(models.aliases, alias.trim()) ? words.change : words.add}</Button>
      </form>
    </section>
  );
}
