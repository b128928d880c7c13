/**
 * Asks how to handle the secrets in a pasted command before it becomes a node. Their values are never shown.
 */
import { type FormEvent, useEffect, useId, useState } from 'react';
import { useStore } from 'zustand';
import { type CurlSecret, isSecretName, withSecretNames } from '../../../engine/isomorphic.ts';
import type { PastedRequests } from '../../stores/curl/pasted-requests.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextInput } from '../../ui/field.tsx';
import './paste-request-dialog.css';
import { text } from './text.ts';

const words = text.pasteRequest;

export function PasteRequestDialog() {
  const { pastedRequests } = useStores();
  const { pending, close } = useStore(pastedRequests);
  return (
    <Dialog isOpen={pending !== null} onClose={close} title={words.title} description={words.description}>
      {pending === null ? null : <RequestForm request={pending} onClose={close} />}
    </Dialog>
  );
}

interface RequestFormProps {
  readonly request: NonNullable<PastedRequests['pending']>;
  readonly onClose: () => void;
}

/** The user's entries for a secret. */
interface SecretFieldDraft {
  readonly name: string;
  /** The value, if the command does not contain it. */
  readonly value: string;
}

function RequestForm({ request: { input, secrets, notes, add }, onClose }: RequestFormProps) {
  const { secrets: store } = useStores();
  // Loads the names of existing secrets.
  useEffect(() => void store.getState().refresh(), [store]);
  const [typed, setTyped] = useState<readonly SecretFieldDraft[]>(secrets.map(({ name }) => ({ name, value: '' })));
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const id = useId();
  const finish = async (isKept: boolean): Promise<void> => {
    const wrong = nameProblem(typed);
    setProblem(wrong);
    if (wrong !== null) return;
    setIsBusy(true);
    const failure = isKept ? await keep(secrets, typed) : null;
    const names = new Map(secrets.map(({ name }, index) => [name, typed[index]?.name ?? name]));
    if (failure === null && (await add(withSecretNames(input, names)))) return onClose();
    setIsBusy(false);
    setProblem(failure ?? words.addFailed);
  };
  /** @returns why a secret was not saved; null if all were */
  async function keep(all: readonly CurlSecret[], names: readonly SecretFieldDraft[]): Promise<string | null> {
    for (const [index, { value: own }] of all.entries()) {
      const { name = '', value = '' } = names[index] ?? {};
      const known = own ?? value;
      const failure = known === '' ? null : await store.getState().put(name, known);
      if (failure !== null) return words.secretFailed({ name, reason: failure });
    }
    return null;
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void finish(true);
  };
  return (
    <form className="paste-request" onSubmit={submit}>
      {secrets.map((secret, index) => (
        <SecretFields
          key={secret.name}
          secret={secret}
          typed={typed[index] ?? { name: '', value: '' }}
          onType={(next) => setTyped(typed.with(index, next))}
        />
      ))}
      {notes.length === 0 ? null : (
        <ul className="paste-request-notes" aria-label={words.notConverted}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {problem === null ? null : (
        <p id={`${id}-problem`} className="field-problem" role="alert">
          {problem}
        </p>
      )}
      <div className="paste-request-actions">
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button disabled={isBusy} onClick={() => void finish(false)}>
          {words.addWithoutValues}
        </Button>
        <Button type="submit" variant="primary" disabled={isBusy}>
          {words.keepAndAdd}
        </Button>
      </div>
    </form>
  );
}

function nameProblem(typed: readonly SecretFieldDraft[]): string | null {
  const names = typed.map(({ name }) => name);
  if (!names.every(isSecretName)) return words.nameInvalid;
  return new Set(names).size === names.length ? null : words.nameRepeated;
}

interface SecretFieldsProps {
  readonly secret: CurlSecret;
  readonly typed: SecretFieldDraft;
  readonly onType: (typed: SecretFieldDraft) => void;
}

function SecretFields({ secret: { name, value, place }, typed, onType }: SecretFieldsProps) {
  const { secrets } = useStores();
  const isKnown = useStore(secrets, ({ rows }) => rows?.some((row) => row.name === typed.name) === true);
  const id = useId();
  const about = isKnown ? words.replaces : '';
  return (
    <div className="paste-request-secret">
      <label htmlFor={id}>{words.secretFrom({ place })}</label>
      <TextInput
        id={id}
        value={typed.name}
        aria-describedby={about === '' ? undefined : `${id}-about`}
        onChange={({ target }) => onType({ ...typed, name: target.value.trim() })}
      />
      {value === null ? (
        <TextInput
          type="password"
          aria-label={words.valueOf({ name })}
          placeholder={words.valuePlaceholder}
          value={typed.value}
          onChange={({ target }) => onType({ ...typed, value: target.value })}
        />
      ) : null}
      {about === '' ? null : <p id={`${id}-about`}>{about}</p>}
    </div>
  );
}
