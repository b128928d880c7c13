/**
 * The form of the dialogs that ask for inputs before they start a run or pin an output. Ctrl+Enter submits it from any
 * field.
 */
import { Play } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useStore } from 'zustand';
import { InputFields, submitByKey } from '../../inspector/fields/input-fields.tsx';
import { type InputDrafts, type InputField, readInputs } from '../../stores/runs/run-inputs.ts';
import { Button } from '../../ui/button.tsx';
import { useCommandContext } from '../commands/command-context.tsx';
import './run-form.css';

interface RunFormProps {
  /** Text of the button that submits the form. */
  readonly submitText: string;
  /** Icon of that button; by default the one of a run. */
  readonly submitIcon?: ReactNode;
  readonly isSubmitDisabled?: boolean;
  /** Whether the button receives the focus when the dialog opens, because there are no fields. */
  readonly isSubmitFocused?: boolean;
  readonly onSubmit: () => void;
  /** Buttons before the one that submits the form. */
  readonly actions?: ReactNode;
  /** The fields. */
  readonly children: ReactNode;
}

export function RunForm({
  submitText,
  submitIcon = <Play aria-hidden size={14} />,
  isSubmitDisabled = false,
  isSubmitFocused = false,
  onSubmit,
  actions,
  children,
}: RunFormProps) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className="run-inputs" onSubmit={submit} onKeyDown={submitByKey}>
      {children}
      <footer className="run-inputs-actions">
        {actions}
        <Button
          type="submit"
          variant="primary"
          disabled={isSubmitDisabled}
          {...(isSubmitFocused ? { 'data-first-focus': true } : {})}
        >
          {submitIcon}
          {submitText}
        </Button>
      </footer>
    </form>
  );
}

interface DraftedInputs {
  /** The fields for the inputs, or null if there are none. */
  readonly inputFields: ReactNode;
  /** Empties all fields, so that they have their defaults. */
  readonly reset: () => void;
  /** Saves the drafts, closes the dialog and returns the inputs. Shows the problems and returns null if there are any. */
  readonly takeInputs: () => ReturnType<typeof readInputs>['inputs'];
}

/**
 * Returns fields whose drafts are kept when the dialog closes.
 * @param draftKey identifies what the drafts are for
 */
export function useDraftedInputs(fields: readonly InputField[], draftKey: string): DraftedInputs {
  const { dialogs } = useCommandContext();
  const kept = useStore(dialogs, (state) => state.drafts.get(draftKey));
  const [drafts, setDrafts] = useState<InputDrafts>(kept ?? {});
  const [hasTried, setHasTried] = useState(false);
  const { inputs, problems } = readInputs(fields, drafts);
  return {
    inputFields:
      fields.length === 0 ? null : (
        <InputFields fields={fields} drafts={drafts} problems={hasTried ? problems : {}} onChange={setDrafts} />
      ),
    reset: () => setDrafts({}),
    takeInputs() {
      setHasTried(true);
      if (inputs === null) return null;
      const { keepDrafts, close } = dialogs.getState();
      keepDrafts(draftKey, drafts);
      close();
      return inputs;
    },
  };
}
