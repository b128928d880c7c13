/**
 * The secrets used by flows: their names, their source and where they may be sent, and a form to add one. No value is
 * ever shown.
 */
import { KeyRound, X } from 'lucide-react';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { useStore } from 'zustand';
import { toErrorRecord } from '../../engine/isomorphic.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { EnvNames, SecretRow } from '../stores/window/secrets.ts';
import { Button } from '../ui/button.tsx';
import { withParts } from '../ui/with-parts.tsx';
import { text as areaText } from './text.ts';
import './secrets-tab.css';

const words = areaText.secrets;

const exampleName = 'API_TOKEN';
const secretExpression = '{{secret.NAME}}';
const secretCall = 'aip.secret("NAME")';

const sources: Readonly<Record<SecretRow['source'], string>> = {
  environment: words.fromEnvironment,
  file: words.fromFile,
  vault: words.fromVault,
};

function Row({ row, onReplace }: { readonly row: SecretRow; readonly onReplace: (name: string) => void }) {
  const { secrets } = useStores();
  const usedBy = useStore(secrets, (state) => state.usedBy);
  const [problem, setProblem] = useState<string | null>(null);
  const { name, source, hosts } = row;
  const flows = usedBy?.get(name) ?? [];
  return (
    <li className="secret-row">
      <div>
        <b>{name}</b>
        <span className="settings-note">{sources[source]}</span>
        {hosts.length === 0 ? <span className="settings-note">{words.noHost}</span> : null}
        {hosts.length === 0 ? null : (
          <span className="settings-note secret-hosts">
            {withParts(words.hosts, {
              hosts: hosts.map((host) => (
                <span key={host} className="secret-host">
                  {host}
                  <button
                    type="button"
                    aria-label={words.forgetHost({ name, host })}
                    onClick={async () => setProblem(await secrets.getState().forgetHost(name, host))}
                  >
                    <X aria-hidden size={11} />
                  </button>
                </span>
              )),
            })}
          </span>
        )}
        {usedBy === null ? null : (
          <span className="settings-note">
            {flows.length === 0 ? words.unused : words.usedBy({ flows: flows.join(', ') })}
          </span>
        )}
        {problem === null ? null : (
          <p className="settings-problem" role="alert">
            {problem}
          </p>
        )}
      </div>
      {source === 'environment' ? null : (
        <>
          <Button size="small" onClick={() => onReplace(name)} aria-label={words.replaceSecret({ name })}>
            {words.replace}
          </Button>
          <Button
            size="small"
            onClick={async () => setProblem(await secrets.getState().remove(name))}
            aria-label={words.removeSecret({ name })}
          >
            {words.remove}
          </Button>
        </>
      )}
    </li>
  );
}

/** A pasted `.env`. Its text is in no field, and only its names are shown. */
interface PastedEnv extends EnvNames {
  readonly text: string;
}

/** Imports a whole `.env`: the names are shown for selection, and the values are sent only to main. */
function EnvPaste() {
  const { secrets } = useStores();
  const rows = useStore(secrets, (state) => state.rows);
  const [pasted, setPasted] = useState<PastedEnv | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const known = new Set(rows?.map(({ name }) => name));
  const take = async (text: string): Promise<void> => {
    try {
      const found = await secrets.getState().readEnv(text);
      setPasted(found.names.length === 0 ? null : { ...found, text });
      setChosen(new Set(found.names));
      setProblem(found.names.length === 0 ? words.pasteEmpty : null);
    } catch (error) {
      setProblem(toErrorRecord(error).message);
    }
  };
  const save = async (): Promise<void> => {
    if (pasted === null) return;
    const failure = await secrets.getState().putEnv(pasted.text, [...chosen]);
    setProblem(failure);
    if (failure === null) setPasted(null);
  };
  return (
    <div className="secret-env">
      <label htmlFor={id}>{words.paste}</label>
      <textarea
        id={id}
        className="field-input"
        rows={1}
        placeholder={words.pasteHint}
        value=""
        onChange={() => undefined}
        onPaste={(event) => {
          event.preventDefault();
          void take(event.clipboardData.getData('text/plain'));
        }}
      />
      {problem === null ? null : (
        <p className="settings-problem" role="alert">
          {problem}
        </p>
      )}
      {pasted === null ? null : (
        <EnvChoice
          pasted={pasted}
          known={known}
          chosen={chosen}
          onChosen={setChosen}
          onSave={() => void save()}
          onCancel={() => setPasted(null)}
        />
      )}
    </div>
  );
}

interface EnvChoiceProps {
  readonly pasted: PastedEnv;
  readonly known: ReadonlySet<string>;
  readonly chosen: ReadonlySet<string>;
  readonly onChosen: (chosen: ReadonlySet<string>) => void;
  readonly onSave: () => void;
  readonly onCancel: () => void;
}

function EnvChoice({ pasted: { names, others }, known, chosen, onChosen, onSave, onCancel }: EnvChoiceProps) {
  const toggle = (name: string): void => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    onChosen(next);
  };
  return (
    <>
      <ul className="secret-env-names" aria-label={words.pasted}>
        {names.map((name) => (
          <li key={name}>
            <label>
              <input type="checkbox" checked={chosen.has(name)} onChange={() => toggle(name)} />
              {name}
              {known.has(name) ? <span className="settings-note">{words.replaces}</span> : null}
            </label>
          </li>
        ))}
      </ul>
      {others.length === 0 ? null : <p className="settings-note">{words.notImported({ names: others.join(', ') })}</p>}
      <div className="secret-env-actions">
        <Button size="small" onClick={onCancel}>
          {words.cancel}
        </Button>
        <Button size="small" variant="primary" disabled={chosen.size === 0} onClick={onSave}>
          {words.saveChosen({ count: chosen.size })}
        </Button>
      </div>
    </>
  );
}

interface SecretFormProps {
  readonly name: string;
  /** Whether a flow waits for the value, so that its field gets the focus. */
  readonly isWanted: boolean;
  readonly onName: (name: string) => void;
}

/** The value exists only in its field, and is sent only to main. */
function SecretForm({ name, isWanted, onName }: SecretFormProps) {
  const { secrets } = useStores();
  const [value, setValue] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!/^[A-Z][A-Z0-9_]{0,63}$/.test(name)) {
      setProblem(words.invalidName);
      return;
    }
    const failure = await secrets.getState().put(name, value);
    setProblem(failure);
    if (failure !== null) return;
    setValue('');
    const next = secrets.getState().wanted[0] ?? '';
    onName(next);
    // The button becomes disabled and would lose the focus.
    document.getElementById(next === '' ? `${id}-name` : `${id}-value`)?.focus();
  };
  return (
    <form className="secret-form" onSubmit={(event) => void save(event)}>
      <label htmlFor={`${id}-name`}>{words.name}</label>
      <input
        id={`${id}-name`}
        className="field-input"
        autoComplete="off"
        spellCheck={false}
        placeholder={exampleName}
        value={name}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onChange={({ target }) => onName(target.value.trim())}
      />
      <label htmlFor={`${id}-value`}>{words.value}</label>
      <input
        id={`${id}-value`}
        className="field-input"
        type="password"
        autoComplete="off"
        data-first-focus={isWanted || undefined}
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      <Button type="submit" variant="primary" disabled={name === '' || value === ''}>
        {words.save}
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
        {withParts(words.about, {
          expression: <code>{secretExpression}</code>,
          call: <code>{secretCall}</code>,
        })}
      </p>
      {wanted.length === 0 ? null : (
        <p className="secret-wanted" role="status">
          <KeyRound aria-hidden size={16} />
          {words.wanted({ names: wanted.join(', ') })}
        </p>
      )}
      <SecretForm name={name} isWanted={name !== '' && name === wanted[0]} onName={setName} />
      <EnvPaste />
      {error === null ? null : (
        <p className="settings-problem" role="alert">
          {error}
        </p>
      )}
      <ul className="secret-list" aria-label={words.list}>
        {rows?.map((row) => (
          <Row key={row.name} row={row} onReplace={setName} />
        ))}
      </ul>
      {rows?.length === 0 ? <p className="settings-note">{words.none}</p> : null}
    </div>
  );
}
