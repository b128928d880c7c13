import { useEffect, useRef } from 'react';
import './name-field.css';

interface NameFieldProps {
  readonly label: string;
  readonly value: string;
  /** How much of the name is selected at first, from its begin; all of it when absent. */
  readonly selected?: number;
  /** What is wrong with a name; null = nothing. */
  readonly problemOf: (name: string) => string | null;
  /** A name without problems, after Enter or when the focus goes; null = it stays as it is. */
  readonly onDone: (name: string | null) => void;
}

/** Names something in place. Enter takes the name, Escape leaves it as it was. */
export function NameField({ label, value, selected, problemOf, onDone }: NameFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(0, selected ?? value.length);
  }, [value, selected]);
  const finish = (isWanted: boolean): void => {
    if (isDone.current) return;
    const name = field.current?.value.trim() ?? '';
    const isFine = name !== '' && name !== value && problemOf(name) === null;
    isDone.current = true;
    onDone(isWanted && isFine ? name : null);
  };
  const check = (): boolean => {
    const input = field.current;
    const name = input?.value.trim() ?? '';
    const problem = name === value ? null : problemOf(name);
    input?.setCustomValidity(problem ?? '');
    return problem === null;
  };
  return (
    <input
      ref={field}
      className="name-field"
      aria-label={label}
      defaultValue={value}
      spellCheck={false}
      autoComplete="off"
      onChange={check}
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') finish(false);
        if (event.key !== 'Enter') return;
        if (check()) finish(true);
        else field.current?.reportValidity();
      }}
    />
  );
}
