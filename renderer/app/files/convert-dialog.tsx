/**
 * Asks for the name of the flow into which a list of steps is converted. The flow is written to a file beside the
 * steps, which do not change.
 */
import { type FormEvent, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { composeFlow, convertSteps, type StepFlowDoc, toErrorRecord } from '../../../engine/isomorphic.ts';
import { flowNameOf, folderOf, pathIn } from '../../stores/text/paths.ts';
import { fileStem, nameProblem } from '../../stores/workspace/file-names.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { withParts } from '../../ui/with-parts.tsx';
import { activeFile } from '../commands/active-file.ts';
import { useCommandContext } from '../commands/command-context.tsx';
import { openPath } from '../commands/open-file.ts';
import './create-dialog.css';
import { text } from './text.ts';

const words = text.convert;

export function ConvertDialog() {
  const context = useCommandContext();
  const { dialogs } = context;
  const isOpen = useStore(dialogs, ({ open }) => open === 'convert');
  // The file at the time the dialog opens.
  const file = useMemo(() => (isOpen ? activeFile(context) : undefined), [isOpen, context]);
  const steps = file?.doc?.steps;
  return (
    <Dialog
      isOpen={isOpen && steps !== undefined}
      onClose={() => dialogs.getState().close()}
      title={words.title}
      description={words.description}
    >
      {file === undefined || steps === undefined ? null : <ConvertForm path={file.path} steps={steps} />}
    </Dialog>
  );
}

interface ConvertFormProps {
  readonly path: string;
  readonly steps: StepFlowDoc;
}

function ConvertForm({ path, steps }: ConvertFormProps) {
  const { stores, dialogs } = useCommandContext();
  const tree = useStore(stores.fileTree);
  const [name, setName] = useState(() => words.proposedName({ name: flowNameOf(path) }));
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { doc, lost } = useMemo(() => convertSteps(steps), [steps]);
  const stem = fileStem(name);
  const target = pathIn(folderOf(path), `${stem}.flow.yaml`);
  const isTaken = tree.folders.get(folderOf(path))?.entries.some((entry) => entry.path === target) === true;
  const plain = stem === '' ? text.names.needsLetter : nameProblem(stem);
  const problem = plain ?? (isTaken ? text.names.exists({ path: target }) : null);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (problem !== null || isBusy) return;
    setBusy(true);
    try {
      await stores.engine.call('createFile', { path: target, kind: 'file', text: composeFlow(doc) });
      dialogs.getState().close();
      stores.fileTree.getState().reveal(target);
      void stores.fileTree.getState().refresh([target]);
      await openPath(stores, target);
    } catch (error) {
      setRefusal(toErrorRecord(error).message);
      setBusy(false);
    }
  };
  return (
    <form className="create-form" onSubmit={(event) => void submit(event)}>
      <div className="create-fields">
        <Field label={words.name} problem={problem ?? refusal ?? undefined}>
          {(control) => (
            <TextInput
              {...control}
              data-first-focus
              value={name}
              onFocus={({ target: field }) => field.select()}
              onChange={({ target: field }) => {
                setRefusal(null);
                setName(field.value);
              }}
            />
          )}
        </Field>
        <p className="create-path">{withParts(words.creates, { path: <code>{target}</code> })}</p>
        <p className="create-note">{words.lostHeading}</p>
        <ul className="create-note convert-lost" aria-label={words.lost}>
          {lost.map(({ step, message }) => (
            <li key={`${step} ${message}`}>
              {step === undefined ? null : <b>{step}: </b>}
              {message}
            </li>
          ))}
        </ul>
      </div>
      <footer className="create-actions">
        <Button onClick={() => dialogs.getState().close()}>{words.cancel}</Button>
        <Button type="submit" variant="primary" disabled={problem !== null || isBusy}>
          {words.convert}
        </Button>
      </footer>
    </form>
  );
}
