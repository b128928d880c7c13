import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react';
import './field.css';

interface FieldProps {
  readonly label: string;
  /** Muted text to the right of the label. */
  readonly note?: string;
  /** Description below the label. */
  readonly about?: string | undefined;
  /** What is wrong with the value. Undefined if it is valid. */
  readonly problem?: string | undefined;
  /** Renders the control with the given ID, and with a description if there is a problem. */
  readonly children: (control: ControlProps) => ReactNode;
}

export interface ControlProps {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
}

/** A labeled control with its description above, and the problem of its value below. */
export function Field({ label, note, about, problem, children }: FieldProps) {
  const id = useId();
  const aboutId = `${id}-about`;
  const problemId = `${id}-problem`;
  const describedBy = [...(about === undefined ? [] : [aboutId]), ...(problem === undefined ? [] : [problemId])];
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
        {note === undefined ? null : <span className="field-note">{note}</span>}
      </label>
      {about === undefined ? null : (
        <p id={aboutId} className="field-about">
          {about}
        </p>
      )}
      {children({
        id,
        'aria-invalid': problem !== undefined,
        'aria-describedby': describedBy.length === 0 ? undefined : describedBy.join(' '),
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
