/**
 * Asks for the inputs of a run; Enter runs, in a text of several lines Ctrl+Enter.
 */
import { Play } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useStore } from 'zustand';
import { InputFields, submitByKey } from '../../inspector/input-fields.tsx';
import { fieldsOf, type InputDrafts, readInputs } from '../../stores/runs/run-inputs.ts';
import type { SettledFlow } from '../../stores/use-flow.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useCommandContext } from '../commands/command-context.tsx';
import './run-inputs-dialog.css';

function InputsForm({ flow }: { flow: SettledFlow }) {
  const { stores, dialogs } = useCommandContext();
  const fields = fieldsOf(flow.doc?.flow ?? {});
  const part = useStore(dialogs, (state) => state.part);
  const kept = useStore(dialogs, ({ drafts }) => drafts.get(flow.path));
  const [drafts, setDrafts] = useState<InputDrafts>(kept ?? {});
  const [hasTried, setHasTried] = useState(false);
  const { inputs, problems } = readInputs(fields, drafts);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setHasTried(true);
    if (inputs === null) return;
    dialogs.getState().keepDrafts(flow.path, drafts);
    dialogs.getState().close();
    void stores.runs.start(flow.path, inputs, part === null ? undefined : { part });
  };

  return (
    <form className="run-inputs" onSubmit={submit} onKeyDown={submitByKey}>
      <InputFields fields={fields} drafts={drafts} problems={hasTried ? problems : {}} onChange={setDrafts} />
      <footer className="run-inputs-actions">
        <Button onClick={() => setDrafts({})}>Restore defaults</Button>
        <Button type="submit" variant="primary">
          <Play aria-hidden size={14} />
          Run
        </Button>
      </footer>
    </form>
  );
}

export function RunInputsDialog({ flow }: { flow: SettledFlow }) {
  const { dialogs } = useCommandContext();
  const isOpen = useStore(dialogs, ({ open }) => open === 'run-inputs');
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => dialogs.getState().close()}
      title={`Run ${flow.doc?.flow.name ?? flow.path}`}
      description="These values go into this run only; the file stays as it is."
    >
      <InputsForm flow={flow} />
    </Dialog>
  );
}
