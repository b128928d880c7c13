/**
 * The inputs of a flow: their default values, which the next run uses, or all of their properties as a table (name, type,
 * default, whether it is required, description, and choices).
 */
import { Check, Pencil, Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import {
  type FlowChange,
  type FlowDoc,
  type InputUse,
  type JsonMap,
  type JsonValue,
  usesOfInput,
} from '../../engine/isomorphic.ts';
import {
  type FlowInputHeader,
  inputRows,
  renamedInput,
  usesText,
  withInputName,
  withNewInput,
  withoutInput,
} from '../stores/flow/flow-inputs.ts';
import { useStores } from '../stores/stores-context.tsx';
import { Button } from '../ui/button.tsx';
import { NewEntry, useEntryKeys } from './field-editors/map-editor.tsx';
import { useFormScope } from './fields/form-scope.tsx';
import { Group } from './fields/setting-rows.tsx';
import { useAhead } from './fields/use-ahead.ts';
import { InputForm, type InputHeaderChange, InputValue } from './flow-input.tsx';
import { text } from './text.ts';
import './flow-inputs.css';

interface FlowInputsProps {
  readonly path: string;
  readonly header: FlowDoc['flow'];
  /** Null if the text is not a valid flow. */
  readonly doc: FlowDoc | null;
}

/**
 * Returns the header's inputs including pending changes, and a function that changes both sections in one undo step.
 */
function useInputHeader({ path, header: { input, inputs } }: FlowInputsProps) {
  const { edits } = useStores();
  const now: FlowInputHeader = {
    ...(input === undefined ? {} : { input }),
    ...(inputs === undefined ? {} : { inputs }),
  };
  const before = useRef(now);
  const [shown, change] = useAhead(now as JsonMap, (next, mergeKey) => {
    const wanted = (next ?? {}) as FlowInputHeader;
    const renamed = renamedInput(before.current, wanted);
    if (renamed !== undefined) return edits.change(path, { do: 'rename-input', ...renamed }, mergeKey);
    const changes = (['input', 'inputs'] as const)
      .filter((key) => JSON.stringify(wanted[key]) !== JSON.stringify(now[key]))
      .map((key): FlowChange => ({ do: 'set-flow', path: [key], value: wanted[key] as JsonValue | undefined }));
    const [first] = changes;
    if (first === undefined) return Promise.resolve(true);
    const whole: FlowChange = changes.length === 1 ? first : { do: 'all', changes, label: text.inputs.change };
    return edits.change(path, whole, mergeKey);
  });
  const header = shown as FlowInputHeader;
  return {
    header,
    change(make: InputHeaderChange, mergeKey?: string): Promise<boolean> {
      before.current = header;
      return change(make(header) as JsonMap, mergeKey);
    },
  };
}

/**
 * Shows what the user still has to change: code that uses the old name of an input, and references to a removed one.
 */
function useLeftUses({ path, doc }: FlowInputsProps) {
  const { notices, openFiles } = useStores();
  const show = (
    title: string,
    uses: readonly InputUse[],
    noteOf: (values: { readonly places: string }) => string,
  ): void => {
    const places = usesText(uses);
    if (places !== '') notices.getState().add({ tone: 'info', title, detail: noteOf({ places }), subject: path });
  };
  const usesOf = (name: string): readonly InputUse[] =>
    doc === null ? [] : usesOfInput(doc as unknown as JsonMap, name);
  return {
    renamed: (name: string, to: string): void => {
      const inCode = usesOf(name).filter((use) => use.in === 'code');
      show(text.inputs.renamedExceptCode({ name, to }), inCode, text.inputs.renamedNote);
    },
    removed: (name: string): void => {
      show(text.inputs.removedButUsed({ name }), usesOf(name), text.inputs.removedNote);
      let isGone = false;
      // An undo restores the input, so the message no longer applies.
      const end = openFiles.subscribe(({ files }) => {
        const header = files.get(path)?.doc?.flow;
        const isThere = header !== undefined && inputRows(header).some((row) => row.name === name);
        if (isThere && isGone) notices.getState().withdraw(path);
        if (!files.has(path) || (isThere && isGone)) end();
        isGone ||= header !== undefined && !isThere;
      });
    },
  };
}

export function FlowInputs(props: FlowInputsProps) {
  const { isDisabled } = useFormScope();
  const { header, change } = useInputHeader(props);
  const leftUses = useLeftUses(props);
  const rows = inputRows(header);
  const names = rows.map(({ name }) => name);
  const keys = useEntryKeys();
  const adder = useRef<HTMLButtonElement>(null);
  const [isTable, setIsTable] = useState(false);
  const [isAdding, setIsAdding] = useState(false);
  const [fresh, setFresh] = useState<string | null>(null);
  // An undo that restores the row must not move the focus.
  useEffect(() => {
    if (fresh !== null) setFresh(null);
  }, [fresh]);
  return (
    <Group title={text.inputs.title} note={rows.length === 0 ? undefined : text.inputs.note}>
      <div className="flow-inputs">
        {rows.length === 0 ? <p className="inspector-quiet">{text.inputs.empty}</p> : null}
        {isTable && rows.length > 0 ? <p className="inspector-quiet">{text.inputs.hint}</p> : null}
        <ul>
          {rows.map((row) =>
            isTable ? (
              <InputForm
                key={keys.of(row.name)}
                row={row}
                taken={names}
                isFresh={fresh === row.name}
                onChange={change}
                onName={(name) => {
                  keys.rename(row.name, name);
                  leftUses.renamed(row.name, name);
                  void change((now) => withInputName(now, row.name, name));
                }}
                onRemove={() => {
                  keys.remove(row.name);
                  leftUses.removed(row.name);
                  adder.current?.focus();
                  void change((now) => withoutInput(now, row.name));
                }}
              />
            ) : (
              <InputValue key={keys.of(row.name)} row={row} isFresh={fresh === row.name} onChange={change} />
            ),
          )}
          {isAdding ? (
            <NewEntry
              label={text.inputs.title}
              taken={names}
              onAdd={(name, isFocused) => {
                setIsAdding(false);
                setFresh(isFocused ? name : null);
                void change((now) => withNewInput(now, name));
              }}
              onCancel={() => setIsAdding(false)}
              returnTo={adder}
            />
          ) : null}
        </ul>
        {isDisabled ? null : (
          <div className="flow-inputs-actions">
            <Button ref={adder} size="small" variant="ghost" onClick={() => setIsAdding(true)}>
              <Plus aria-hidden size={13} />
              {text.inputs.add}
            </Button>
            {rows.length === 0 ? null : (
              <Button size="small" variant="ghost" onClick={() => setIsTable(!isTable)}>
                {isTable ? <Check aria-hidden size={13} /> : <Pencil aria-hidden size={13} />}
                {isTable ? text.inputs.done : text.inputs.edit}
              </Button>
            )}
          </div>
        )}
      </div>
    </Group>
  );
}
