/**
 * Saves a run as a test: shows the proposed name, file and checks, and what the recording contains.
 */
import type { FormEvent } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores-context.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import './save-case-dialog.css';
import { text } from './text.ts';

const words = text.save;

export function SaveCaseDialog() {
  const { savedCase } = useStores();
  const run = useStore(savedCase, (state) => state.run);
  if (run === null) return null;
  return (
    <Dialog
      isOpen
      size="wide"
      onClose={() => savedCase.getState().close()}
      title={run.number === null ? words.title : words.titleOf({ number: run.number })}
      description={words.description}
    >
      <SaveForm />
    </Dialog>
  );
}

function SaveForm() {
  const { savedCase } = useStores();
  const { proposal, name, file, isSaving, problem, setName, setFile } = useStore(savedCase);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void savedCase.getState().save();
  };
  const isComplete = name.trim() !== '' && /\.test\.ya?ml$/.test(file);
  return (
    <form className="save-case" onSubmit={submit}>
      <div className="save-case-fields">
        <Field label={words.name}>
          {(control) => (
            <TextInput
              {...control}
              value={name}
              disabled={proposal === null}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <Field label={words.file} note={file === proposal?.file && proposal.isExisting ? words.added : words.fileNote}>
          {(control) => (
            <TextInput
              {...control}
              value={file}
              disabled={proposal === null}
              onChange={({ target }) => setFile(target.value)}
            />
          )}
        </Field>
      </div>
      <Checks />
      {problem === null ? null : (
        <p className="save-case-problem" role="alert">
          {problem}
        </p>
      )}
      <footer className="save-case-actions">
        <span className="save-case-note">{proposal === null ? null : words.recording(proposal)}</span>
        <Button onClick={() => savedCase.getState().close()}>{words.cancel}</Button>
        <Button type="submit" variant="primary" disabled={proposal === null || isSaving || !isComplete}>
          {isSaving ? words.saving : words.save}
        </Button>
      </footer>
    </form>
  );
}

/** The proposed checks, and calls that have to be recorded later. */
function Checks() {
  const { savedCase } = useStores();
  const { proposal, problem, chosen, toggle } = useStore(savedCase);
  if (proposal === null) return problem === null ? <p className="save-case-note">{words.reading}</p> : null;
  return (
    <>
      {/* Not a fieldset: its content does not shrink with it, so a long list would cover the buttons. */}
      <section className="save-case-group" aria-labelledby="save-case-checks">
        <h3 id="save-case-checks">{words.checks}</h3>
        <div className="save-case-checks">
          {proposal.checks.map(({ id, label }) => (
            <label key={id} className="save-case-check">
              <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
              <span title={label}>{label}</span>
            </label>
          ))}
        </div>
      </section>
      {proposal.missing.length === 0 ? null : (
        <div className="save-case-missing">
          <p>{words.missing({ count: proposal.missing.length })}</p>
          <ul>
            {proposal.missing.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
