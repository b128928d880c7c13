import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react';
import './field.css';

interface FieldProps {
  readonly label: string;
  /** Stands quietly at the right of the label. */
  readonly note?: string;
  /** What is wrong with the value; undefined = nothing. */
  readonly problem?: string | undefined;
  /** Draws the control; gives it the id, and the description when there is a problem. */
  readonly children: (control: ControlProps) => ReactNode;
}

export interface ControlProps {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
}

/** A labelled control with the problem of its value below. */
export function Field({ label, note, problem, children }: FieldProps) {
  const id = useId();
  const problemId = `${id}-problem`;
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
        {note === undefined ? null : <span className="field-note">{note}</span>}
      </label>
      {children({
        id,
        'aria-invalid': problem !== undefined,
        'aria-describedby': problem === undefined ? undefined : problemId,
      })}
      {problem === undefined ? null : (
        <p id={problemId} className="field-problem">
          {problem}
        </p>
      )}
    </div>
  );
}

export function TextInput(props: InputHTMLAttributes<HTMLInputElement>) {
  return <input {...props} className="field-input" spellCheck={false} autoComplete="off" />;
}

export function TextArea(props: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return <textarea {...props} className="field-input field-area" spellCheck={false} autoComplete="off" />;
}
