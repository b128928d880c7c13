/**
 * Sends a run to other people: lists its private values, and writes a file without them.
 */
import { type FormEvent, useState } from 'react';
import { useStore } from 'zustand';
import type { PrivateEntry } from '../../stores/runs/history/send-runs.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { byteText } from '../../ui/quantity-text.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { Switch } from '../../ui/switch.tsx';
import './send-dialog.css';
import { text } from './text.ts';

const words = text.send;

export function SendDialog() {
  const { sending } = useStores();
  const run = useStore(sending, (state) => state.run);
  if (run === null) return null;
  return (
    <Dialog
      isOpen
      size="wide"
      onClose={() => sending.getState().close()}
      title={words.title({ number: run.number })}
      description={words.description}
    >
      <SendForm />
    </Dialog>
  );
}

function SendForm() {
  const { sending } = useStores();
  const { found, kept, isReading, isPage, isSaving, problem } = useStore(sending);
  const left = found?.values.filter(({ id }) => kept.has(id)).length ?? 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void sending.getState().save();
  };
  return (
    <form className="send-run" onSubmit={submit}>
      <div className="send-run-format">
        <Segmented
          label={words.format}
          value={isPage ? 'page' : 'file'}
          options={[
            { value: 'file', text: words.file },
            { value: 'page', text: words.page },
          ]}
          onChange={(value) => sending.getState().setPage(value === 'page')}
        />
        <span className="send-run-note">{isPage ? words.aboutPage : words.aboutFile}</span>
      </div>
      <OwnWords />
      <PrivateList values={found?.values ?? null} isReading={isReading} />
      {problem === null ? null : (
        <p className="send-run-problem" role="alert">
          {problem}
        </p>
      )}
      <footer className="send-run-actions">
        <span className="send-run-note">
          {left > 0 ? words.left({ count: left }) : words.check}
          {found === null || isPage ? null : ` · ${byteText(found.bytes)}`}
        </span>
        <Button onClick={() => sending.getState().close()}>{words.cancel}</Button>
        <Button type="submit" variant="primary" disabled={found === null || isReading || isSaving}>
          {isSaving ? words.saving : words.save}
        </Button>
      </footer>
    </form>
  );
}

/** The list is read again when the field is left, and with Enter. */
function OwnWords() {
  const { sending } = useStores();
  const [typed, setTyped] = useState('');
  const apply = (): void =>
    sending.getState().setWords(
      typed
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== ''),
    );
  return (
    <Field label={words.own} note={words.ownNote}>
      {(control) => (
        <TextInput
          {...control}
          value={typed}
          placeholder={words.ownPlaceholder}
          onChange={({ target }) => setTyped(target.value)}
          onBlur={apply}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            apply();
          }}
        />
      )}
    </Field>
  );
}

interface PrivateListProps {
  /** Null until they are read. */
  readonly values: readonly PrivateEntry[] | null;
  readonly isReading: boolean;
}

function PrivateList({ values, isReading }: PrivateListProps) {
  const { sending } = useStores();
  const kept = useStore(sending, (state) => state.kept);
  if (values === null) return <p className="send-run-note">{isReading ? words.reading : null}</p>;
  if (values.length === 0) return <p className="send-run-note">{words.nothing}</p>;
  return (
    <section className="send-run-values" aria-busy={isReading}>
      <h3>{words.replaced({ count: values.filter(({ id }) => !kept.has(id)).length, total: values.length })}</h3>
      <ul aria-label={words.list}>
        {values.map((value) => (
          <li key={value.id} data-kept={kept.has(value.id)}>
            <Switch
              aria-label={words.replace({ kind: words.kinds[value.kind], sample: value.sample })}
              checked={!kept.has(value.id)}
              onCheckedChange={() => sending.getState().toggle(value.id)}
            />
            <span className="send-run-kind">{words.kinds[value.kind]}</span>
            <span className="send-run-where">
              <code title={value.sample}>{value.sample}</code>
              <span className="send-run-note">{placesOf(value)}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function placesOf({ count, places, placeCount }: PrivateEntry): string {
  const names = places.map(({ part, name }) =>
    part === 'node' || part === 'called' ? (name ?? '') : words.parts[part],
  );
  const more = placeCount > places.length ? [words.more({ count: placeCount - places.length })] : [];
  return `${words.times({ count })} · ${[...names, ...more].join(', ')}`;
}
