/**
 * The choices of a value, as removable chips with a field to add one.
 */
import { X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { isJsonList, type JsonMap, type JsonValue } from '../../../engine/isomorphic.ts';
import { TextInput } from '../../ui/field.tsx';
import { type ChangeValue, useFormScope } from '../fields/form-scope.tsx';
import { newChoice, withChoices } from './schema-shape.ts';
import { text } from './text.ts';

interface SchemaChoicesProps {
  readonly schema: JsonMap;
  readonly onSchema: ChangeValue;
  /** Whether the list may be empty, which allows any value. */
  readonly mayBeEmpty?: boolean;
}

export function SchemaChoices({ schema, onSchema, mayBeEmpty = false }: SchemaChoicesProps) {
  const { isDisabled } = useFormScope();
  const [typed, setTyped] = useState('');
  const part = useRef<HTMLDivElement>(null);
  const problemId = useId();
  const list = schema['enum'];
  const choices: readonly JsonValue[] = isJsonList(list) ? list : [];
  const isWrong = choices.length === 0 && !mayBeEmpty;
  const add = (): void => {
    const choice = newChoice(schema, typed);
    if (typed !== '') setTyped('');
    if (choice !== undefined) void onSchema(withChoices(schema, [...choices, choice]));
  };
  return (
    <div ref={part} className="schema-choices">
      {choices.map((choice, index) => {
        const name = typeof choice === 'string' ? choice : JSON.stringify(choice);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an invalid list may contain a choice twice
          <span key={`${index} ${name}`} className="schema-choice" title={name}>
            <span>{name === '' ? text.choices.empty : name}</span>
            {isDisabled ? null : (
              <button
                type="button"
                aria-label={text.choices.remove({ choice: name })}
                onClick={() => {
                  part.current?.querySelector('input')?.focus();
                  void onSchema(withChoices(schema, choices.toSpliced(index, 1)));
                }}
              >
                <X aria-hidden size={11} />
              </button>
            )}
          </span>
        );
      })}
      {isDisabled ? null : (
        <TextInput
          aria-label={text.choices.add}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? problemId : undefined}
          placeholder={text.choices.add}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onBlur={add}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
      )}
      {isWrong ? (
        <p id={problemId} className="field-problem">
          {text.choices.none}
        </p>
      ) : null}
    </div>
  );
}
