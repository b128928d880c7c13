/**
 * Adds or changes a connection to a remote history. The password exists only in its field, and only until it is saved.
 */
import { type FormEvent, useState } from 'react';
import { toErrorRecord } from '../../../engine/isomorphic.ts';
import { useStores } from '../../stores/stores-context.tsx';
import type { RemoteConnection, RemotePlace } from '../../stores/window/remotes.ts';
import { Button } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Select, type SelectOption } from '../../ui/select.tsx';
import { text as words } from './text.ts';

interface Draft extends Omit<RemotePlace, 'port'> {
  readonly name: string;
  readonly port: string;
}

type DraftProblems = { readonly [Key in keyof Draft]?: string };

function draftOf(connection: RemoteConnection | null): Draft {
  if (connection === null)
    return { name: '', host: '', port: '5432', database: '', user: '', schema: 'millrace', tls: 'verify-full' };
  const { name, place } = connection;
  return { name, ...place, port: String(place.port) };
}

const rules: readonly (readonly [key: keyof Draft, form: RegExp, problem: string])[] = [
  ['name', /^[^\p{Cc}]{1,100}$/u, words.nameInvalid],
  ['host', /^[\w.:-]{1,253}$/, words.hostInvalid],
  ['port', /^[1-9]\d{0,4}$/, words.portInvalid],
  ['database', /^[^\p{Cc}]{1,63}$/u, words.databaseInvalid],
  ['user', /^[^\p{Cc}]{1,63}$/u, words.userInvalid],
  ['schema', /^[a-z_][a-z0-9_]{0,62}$/, words.schemaInvalid],
];

function problemsOf(draft: Draft): DraftProblems {
  const wrong = rules.filter(([key, form]) => !form.test(draft[key]));
  return {
    ...Object.fromEntries(wrong.map(([key, , problem]) => [key, problem])),
    ...(Number(draft.port) > 65_535 ? { port: words.portInvalid } : {}),
  };
}

/** Whether the stored password does not apply to the changed connection. */
function isElsewhere(draft: Draft, connection: RemoteConnection | null): boolean {
  const former = draftOf(connection);
  return (['host', 'port', 'database', 'user', 'tls'] as const).some((key) => draft[key] !== former[key]);
}

const tlsOptions = Object.entries(words.tlsNames).map(([value, name]) => ({
  value,
  text: name,
})) as SelectOption<RemotePlace['tls']>[];

interface FieldsProps {
  readonly draft: Draft;
  readonly problems: DraftProblems;
  readonly onChange: (change: Partial<Draft>) => void;
}

function PlaceFields({ draft, problems, onChange }: FieldsProps) {
  return (
    <>
      {(['name', 'host', 'port', 'database', 'user', 'schema'] as const).map((key) => (
        <Field key={key} label={words[key]} problem={problems[key]}>
          {(control) => (
            <TextInput
              {...control}
              autoFocus={key === 'name'}
              inputMode={key === 'port' ? 'numeric' : 'text'}
              value={draft[key]}
              onChange={({ target }) => onChange({ [key]: target.value })}
            />
          )}
        </Field>
      ))}
      <Field label={words.tls}>
        {(control) => (
          <Select {...control} value={draft.tls} options={tlsOptions} onChange={(tls) => onChange({ tls })} />
        )}
      </Field>
    </>
  );
}

interface RemoteFormProps {
  /** Null for a new connection. */
  readonly connection: RemoteConnection | null;
  /** Why passwords cannot be stored, or null. */
  readonly vaultProblem: string | null;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}

export function RemoteForm({ connection, vaultProblem, onClose, onSaved }: RemoteFormProps) {
  const { main } = useStores();
  const [draft, setDraft] = useState(draftOf(connection));
  const [password, setPassword] = useState('');
  const [hasTried, setHasTried] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const trimmed = { ...draft, name: draft.name.trim(), host: draft.host.trim(), port: draft.port.trim() };
  const problems = problemsOf(trimmed);
  const keptNote = isElsewhere(trimmed, connection) ? words.passwordDropped : words.passwordKept;

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setHasTried(true);
    if (Object.keys(problems).length > 0) return;
    const { name, port, ...place } = trimmed;
    try {
      const { isDone, id } = await main.call('remotes.save', {
        ...(connection === null ? {} : { id: connection.id }),
        ...{ name, place: { ...place, port: Number(port) } },
        ...(password === '' ? {} : { password }),
      });
      setFailure(isDone ? null : words.notAllowed);
      if (isDone) onSaved(id ?? '');
    } catch (error) {
      setFailure(toErrorRecord(error).message);
    }
  };

  return (
    <form
      className="provider-form"
      aria-label={connection === null ? words.newConnection : connection.name}
      onSubmit={(event) => void submit(event)}
    >
      <PlaceFields
        draft={draft}
        problems={hasTried ? problems : {}}
        onChange={(change) => setDraft({ ...draft, ...change })}
      />
      <Field label={words.password} note={connection?.hasPassword === true ? keptNote : words.passwordNote}>
        {(control) => (
          <TextInput
            {...control}
            type="password"
            value={password}
            disabled={vaultProblem !== null}
            onChange={({ target }) => setPassword(target.value)}
          />
        )}
      </Field>
      {vaultProblem === null ? null : <p className="settings-note">{vaultProblem}</p>}
      {failure === null ? null : (
        <p className="settings-problem" role="alert">
          {failure}
        </p>
      )}
      <div className="provider-form-actions">
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button type="submit" variant="primary">
          {words.save}
        </Button>
      </div>
    </form>
  );
}
