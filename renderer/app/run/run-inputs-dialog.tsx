/**
 * Asks for the inputs of a run. Enter starts it; in a multiline field, Ctrl+Enter does.
 */
import { Play } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { useStore } from 'zustand';
import type { AutonomyLevel } from '../../../engine/isomorphic.ts';
import { InputFields, submitByKey } from '../../inspector/fields/input-fields.tsx';
import { fieldsOf, type InputDrafts, readInputs } from '../../stores/runs/run-inputs.ts';
import { autonomyLevelLabels, lowerLevels } from '../../stores/runs/what-if.ts';
import type { SettledFlow } from '../../stores/use-flow.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, type SelectOption } from '../../ui/select.tsx';
import { useCommandContext } from '../commands/command-context.tsx';
import './run-inputs-dialog.css';

/** A level for this run, or the level that the file declares. */
type Dial = AutonomyLevel | 'declared';

interface AutonomyDialProps {
  readonly declared: AutonomyLevel | undefined;
  readonly value: Dial;
  readonly onChange: (value: Dial) => void;
}

/** Lowers the autonomy level of a run. Not shown if no level is lower than the declared one. */
function AutonomyDial({ declared, value, onChange }: AutonomyDialProps) {
  const id = useId();
  const lower = lowerLevels(declared);
  if (lower.length === 0) return null;
  const asDeclared = declared === undefined ? 'As declared: no level' : `As declared: ${autonomyLevelLabels[declared]}`;
  const options: readonly SelectOption<Dial>[] = [
    { value: 'declared', text: asDeclared },
    ...lower.map((level) => ({ value: level, text: autonomyLevelLabels[level], hint: levelHints[level] })),
  ];
  return (
    <div className="run-inputs-autonomy">
      <label htmlFor={id}>Autonomy</label>
      <Select id={id} options={options} value={value} onChange={onChange} />
    </div>
  );
}

const levelHints: Readonly<Record<AutonomyLevel, string>> = {
  suggest_only: 'nothing acts',
  semi_auto: 'asks before it acts',
  full_auto: 'acts without asking',
};

function InputsForm({ flow }: { flow: SettledFlow }) {
  const { stores, dialogs } = useCommandContext();
  const fields = fieldsOf(flow.doc?.flow ?? {});
  const part = useStore(dialogs, (state) => state.part);
  const kept = useStore(dialogs, ({ drafts }) => drafts.get(flow.path));
  const [drafts, setDrafts] = useState<InputDrafts>(kept ?? {});
  const [hasTried, setHasTried] = useState(false);
  const [level, setLevel] = useState<Dial>('declared');
  const declared = flow.doc?.flow.policy?.autonomy;
  const { inputs, problems } = readInputs(fields, drafts);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setHasTried(true);
    if (inputs === null) return;
    dialogs.getState().keepDrafts(flow.path, drafts);
    dialogs.getState().close();
    void stores.runs.start(flow.path, inputs, {
      ...(part === null ? {} : { part }),
      ...(level === 'declared' ? {} : { autonomy: level }),
    });
  };

  return (
    <form className="run-inputs" onSubmit={submit} onKeyDown={submitByKey}>
      <InputFields fields={fields} drafts={drafts} problems={hasTried ? problems : {}} onChange={setDrafts} />
      <AutonomyDial declared={declared} value={level} onChange={setLevel} />
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
