import { useState } from 'react';
import { isCatalogueName } from '../../engine/isomorphic.ts';
import { Field, TextInput } from '../ui/field.tsx';
import { text } from './text.ts';

interface RenameRowProps {
  readonly label: string;
  readonly name: string;
  /** Names that are taken. */
  readonly others: readonly string[];
  readonly isDisabled: boolean;
  readonly onRename: (to: string) => Promise<unknown>;
}

/**
 * A field for a name that is referenced elsewhere. Enter and leaving the field rename all references. Escape restores
 * the old name.
 */
export function RenameRow({ label, name, others, isDisabled, onRename }: RenameRowProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const problem = typed === null || typed === name ? undefined : problemOf(typed, others);
  const rename = (): void => {
    if (typed === null || problem !== undefined) return;
    setTyped(null);
    if (typed !== name) void onRename(typed);
  };
  return (
    <Field label={label} problem={problem}>
      {(control) => (
        <TextInput
          {...control}
          disabled={isDisabled}
          value={typed ?? name}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={rename}
          onKeyDown={(event) => {
            if (event.key === 'Enter') rename();
            if (event.key === 'Escape') setTyped(null);
          }}
        />
      )}
    </Field>
  );
}

function problemOf(name: string, others: readonly string[]): string | undefined {
  if (!isCatalogueName(name)) return text.names.invalid;
  return others.includes(name) ? text.names.taken({ name }) : undefined;
}
