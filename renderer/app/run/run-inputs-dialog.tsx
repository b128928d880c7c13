/**
 * Asks for a run's inputs. Enter starts it; in a multiline field, Ctrl+Enter does.
 */
import { useId, useState } from 'react';
import { useStore } from 'zustand';
import type { AutonomyLevel } from '../../../engine/isomorphic.ts';
import { fieldsOf } from '../../stores/runs/run-inputs.ts';
import { autonomyLevelLabels, lowerLevels } from '../../stores/runs/what-if.ts';
import type { SettledFlow } from '../../stores/use-flow.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, type SelectOption } from '../../ui/select.tsx';
import { useCommandContext } from '../commands/command-context.tsx';
import { RunForm, useDraftedInputs } from './run-form.tsx';
import { text } from './text.ts';
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
  const { declaredNone, declared: declaredAs, levels } = text.runInputs;
  const asDeclared = declared === undefined ? declaredNone : declaredAs({ level: autonomyLevelLabels[declared] });
  const options: readonly SelectOption<Dial>[] = [
    { value: 'declared', text: asDeclared },
    ...lower.map((level) => ({ value: level, text: autonomyLevelLabels[level], hint: levels[level] })),
  ];
  return (
    <div className="run-inputs-autonomy">
      <label htmlFor={id}>{text.runInputs.autonomy}</label>
      <Select id={id} options={options} value={value} onChange={onChange} />
    </div>
  );
}

function InputsForm({ flow }: { flow: SettledFlow }) {
  const { stores, dialogs } = useCommandContext();
  const part = useStore(dialogs, (state) => state.part);
  const { inputFields, reset, takeInputs } = useDraftedInputs(fieldsOf(flow.doc?.flow ?? {}), flow.path);
  const [level, setLevel] = useState<Dial>('declared');
  const declared = flow.doc?.flow.policy?.autonomy;

  const start = (): void => {
    const inputs = takeInputs();
    if (inputs === null) return;
    void stores.runs.start(flow.path, inputs, {
      ...(part === null ? {} : { part }),
      ...(level === 'declared' ? {} : { autonomy: level }),
    });
  };

  return (
    <RunForm
      submitText={text.runInputs.run}
      onSubmit={start}
      actions={<Button onClick={reset}>{text.runInputs.reset}</Button>}
    >
      {inputFields}
      <AutonomyDial declared={declared} value={level} onChange={setLevel} />
    </RunForm>
  );
}

export function RunInputsDialog({ flow }: { flow: SettledFlow }) {
  const { dialogs } = useCommandContext();
  const isOpen = useStore(dialogs, ({ open }) => open === 'run-inputs');
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => dialogs.getState().close()}
      title={text.runInputs.title({ name: flow.doc?.flow.name ?? flow.path })}
      description={text.runInputs.about}
    >
      <InputsForm flow={flow} />
    </Dialog>
  );
}
