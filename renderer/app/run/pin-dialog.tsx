/**
 * Edits the pinned output of a node, taken from the latest run or typed as JSON.
 */
import { Pin, PinOff } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import {
  findJson,
  findNonJson,
  type JsonValue,
  readExactJson,
  repeatedKeyProblem,
  toErrorRecord,
  unsafeNumberMessage,
} from '../../../engine/isomorphic.ts';
import { outputProblems } from '../../stores/runs/pins.ts';
import { useNodeNames, useSettledFlow } from '../../stores/use-flow.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { useCommandContext } from '../commands/command-context.tsx';
import { RunForm } from './run-form.tsx';
import './pin-dialog.css';

/** Longer outputs are not shown in a field, because that would take seconds. */
const mostShownBytes = 512 * 1024;

type PinDialogTarget = { readonly path: string; readonly nodeId: string };

function readTyped(text: string): { readonly value: JsonValue } | { readonly problem: string } {
  const read = readExactJson(text);
  const repeated = repeatedKeyProblem(text);
  if (repeated !== undefined) return { problem: repeated };
  if (read.kind === 'value') return read;
  if (read.kind === 'unsafe-number') return { problem: unsafeNumberMessage('The output', read.number) };
  if (text.trim() === '') return { problem: 'Type the output as JSON, for example { "text": "…" }.' };
  const found = findJson(text, 'whole');
  if ('value' in found) return { problem: read.problem };
  const { line, column, problem } = found.unreadable;
  return { problem: `Line ${line}, column ${column}: ${problem}` };
}

/** Returns null for an output that is too long to be edited here. */
function textOf(output: JsonValue): string | null {
  return findNonJson(output, mostShownBytes) === undefined ? JSON.stringify(output, null, 2) : null;
}

function PinForm({ path, nodeId }: PinDialogTarget) {
  const { stores, dialogs } = useCommandContext();
  const pinned = useStore(stores.pins, ({ files }) => files.get(path)?.[nodeId]);
  const flow = useSettledFlow(path);
  const [long, setLong] = useState<JsonValue | undefined>(() =>
    pinned !== undefined && textOf(pinned) === null ? pinned : undefined,
  );
  const [text, setText] = useState(() => (pinned === undefined ? '' : (textOf(pinned) ?? '')));
  const [problems, setProblems] = useState<readonly string[]>([]);
  const { close } = dialogs.getState();

  const take = async (): Promise<void> => {
    try {
      const latest = await stores.engine.call('latestOutput', { path, nodeId });
      if (latest === undefined)
        return setProblems(['None of the latest runs has an output of it. Run it, or type one.']);
      const next = textOf(latest.output);
      setLong(next === null ? latest.output : undefined);
      setText(next ?? '');
      setProblems([]);
    } catch (error) {
      setProblems([toErrorRecord(error).message]);
    }
  };
  const submit = (): void => {
    const found = keep();
    setProblems(found);
    if (found.length === 0) close();
  };
  /** Saves the pin. Returns the problems that prevent it. */
  const keep = (): readonly string[] => {
    const read = long === undefined ? readTyped(text) : { value: long };
    if ('problem' in read) return [read.problem];
    const unfit = flow === undefined ? [] : outputProblems(flow, nodeId, read.value);
    if (unfit.length > 0) return unfit;
    const problem = stores.pins.getState().pin(path, nodeId, read.value);
    return problem === null ? [] : [problem];
  };

  const actions = (
    <>
      {pinned === undefined ? null : (
        <Button
          onClick={() => {
            stores.pins.getState().unpin(path, nodeId);
            close();
          }}
        >
          <PinOff aria-hidden size={14} />
          Unpin
        </Button>
      )}
      <Button onClick={() => void take()}>Take the latest output</Button>
    </>
  );
  return (
    <RunForm submitText="Pin" submitIcon={<Pin aria-hidden size={14} />} onSubmit={submit} actions={actions}>
      <div className="run-inputs-fields">
        <Field label="Output" note="JSON" problem={problems.length === 0 ? undefined : problems.slice(0, 5).join(' ')}>
          {(control) =>
            long === undefined ? (
              <TextArea
                {...control}
                className="pin-text"
                rows={12}
                spellCheck={false}
                value={text}
                onChange={(event) => {
                  setText(event.target.value);
                  setProblems([]);
                }}
              />
            ) : (
              <p className="pin-long">It is too long to be edited here, and is kept as it is.</p>
            )
          }
        </Field>
      </div>
    </RunForm>
  );
}

export function PinDialog() {
  const { dialogs } = useCommandContext();
  const subject = useStore(dialogs, ({ open, pinning }) => (open === 'pin' ? pinning : null));
  const names = useNodeNames(subject?.path ?? '');
  return (
    <Dialog
      isOpen={subject !== null}
      onClose={() => dialogs.getState().close()}
      title={`Pin the output of ${subject === null ? '' : (names.get(subject.nodeId) ?? subject.nodeId)}`}
      description="In runs from this window the node gives this and does not run. The file stays as it is."
    >
      {subject === null ? null : <PinForm {...subject} />}
    </Dialog>
  );
}
