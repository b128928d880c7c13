/**
 * Secrets that flows name: which there are, where each comes from and may go, and a form for another one. No value is ever shown.
 */
import { KeyRound } from 'lucide-react';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores-context.tsx';
import type { SecretRow } from '../stores/window/secrets.ts';
import { Button } from '../ui/button.tsx';

const sources: Readonly<Record<SecretRow['source'], string>> = {
  environment: 'from the environment',
  file: 'in .millrace/.env',
  vault: "in the system's vault",
};

function Row({ row, onReplace }: { readonly row: SecretRow; readonly onReplace: (name: string) => void }) {
  const { secrets } = useStores();
  const [problem, setProblem] = useState<string | null>(null);
  const { name, source, hosts } = row;
  return (
    <li className="secret-row">
      <div>
        <b>{name}</b>
        <span className="settings-note">{sources[source]}</span>
        <span className="settings-note">
          {hosts.length === 0 ? 'no host allowed yet' : `goes to ${hosts.join(', ')}`}
        </span>
        {problem === null ? null : (
          <p className="settings-problem" role="alert">
            {problem}
          </p>
        )}
      </div>
      {source === 'environment' ? null : (
        <>
          <Button size="small" onClick={() => onReplace(name)} aria-label={`Replace ${name}`}>
            Replace
          </Button>
          <Button
            size="small"
            onClick={async () => setProblem(await secrets.getState().remove(name))}
            aria-label={`Remove ${name}`}
          >
            Remove
          </Button>
        </>
      )}
    </li>
  );
}

/** The value is in no state but that of its field, and goes to main only. */
function SecretForm({ name, onName }: { readonly name: string; readonly onName: (name: string) => void }) {
  const { secrets } = useStores();
  const [value, setValue] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!/^[A-Z][A-Z0-9_]{0,63}$/.test(name)) {
      setProblem('A name has capital letters, digits and _, such as API_TOKEN.');
      return;
    }
    const failure = await secrets.getState().put(name, value);
    setProblem(failure);
    if (failure !== null) return;
    setValue('');
    const next = secrets.getState().wanted[0] ?? '';
    onName(next);
    // The button goes grey, and with it would the focus go.
    document.getElementById(next === '' ? `${id}-name` : `${id}-value`)?.focus();
  };
  return (
    <form className="secret-form" onSubmit={(event) => void save(event)}>
      <label htmlFor={`${id}-name`}>Name</label>
      <input
        id={`${id}-name`}
        className="field-input"
        autoComplete="off"
        spellCheck={false}
        placeholder="API_TOKEN"
        value={name}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onChange={({ target }) => onName(target.value.trim())}
      />
      <label htmlFor={`${id}-value`}>Value</label>
      <input
        id={`${id}-value`}
        className="field-input"
        type="password"
        autoComplete="off"
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      <Button type="submit" variant="primary" disabled={name === '' || value === ''}>
        Save secret
      </Button>
      {problem === null ? null : (
        <p id={`${id}-problem`} className="settings-problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

export function SecretsTab() {
  const { secrets } = useStores();
  const { rows, wanted, error, refresh } = useStore(secrets);
  const [name, setName] = useState(wanted[0] ?? '');
  useEffect(() => void refresh(), [refresh]);
  return (
    <div className="settings-part">
      <p>
        A flow sends a secret where it says <code>{'{{secret.NAME}}'}</code>, in the address, the headers or the body of
        a request. It is shown nowhere.
      </p>
      {wanted.length === 0 ? null : (
        <p className="secret-wanted" role="status">
          <KeyRound aria-hidden size={16} />
          The flow needs {wanted.join(', ')}.
        </p>
      )}
      <SecretForm name={name} onName={setName} />
      {error === null ? null : (
        <p className="settings-problem" role="alert">
          {error}
        </p>
      )}
      <ul className="secret-list" aria-label="Secrets">
        {rows?.map((row) => (
          <Row key={row.name} row={row} onReplace={setName} />
        ))}
      </ul>
      {rows?.length === 0 ? <p className="settings-note">There are none yet.</p> : null}
    </div>
  );
}
