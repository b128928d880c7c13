import { useEffect, useRef } from 'react';
import './name-field.css';

interface NameFieldProps {
  readonly label: string;
  readonly value: string;
  /** Number of characters from the start that are selected initially. Defaults to all. */
  readonly selected?: number;
  /** Returns the problem with a name, or null if it is valid. */
  readonly problemOf: (name: string) => string | null;
  /** Called with a valid name after Enter or when the focus leaves. Null to keep the old name. */
  readonly onDone: (name: string | null) => void;
}

/** A field that renames something in place. Enter applies the name, Escape keeps the old one. */
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
