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
import { text } from './text.ts';
import './pin-dialog.css';

/** Longer outputs are not shown in a field, because that would take seconds. */
const mostShownBytes = 512 * 1024;

type PinDialogTarget = { readonly path: string; readonly nodeId: string };

function readTyped(typed: string): { readonly value: JsonValue } | { readonly problem: string } {
  const read = readExactJson(typed);
  const repeated = repeatedKeyProblem(typed);
  if (repeated !== undefined) return { problem: repeated };
  if (read.kind === 'value') return read;
  if (read.kind === 'unsafe-number') return { problem: unsafeNumberMessage(text.pin.subject, read.number) };
  if (typed.trim() === '') return { problem: text.pin.empty };
  const found = findJson(typed, 'whole');
  if ('value' in found) return { problem: read.problem };
  return { problem: text.pin.problemAt(found.unreadable) };
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
  const [typed, setTyped] = useState(() => (pinned === undefined ? '' : (textOf(pinned) ?? '')));
  const [problems, setProblems] = useState<readonly string[]>([]);
  const { close } = dialogs.getState();

  const take = async (): Promise<void> => {
    try {
      const latest = await stores.engine.call('latestOutput', { path, nodeId });
      if (latest === undefined) return setProblems([text.pin.noLatest]);
      const next = textOf(latest.output);
      setLong(next === null ? latest.output : undefined);
      setTyped(next ?? '');
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
    const read = long === undefined ? readTyped(typed) : { value: long };
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
          {text.pin.unpin}
        </Button>
      )}
      <Button onClick={() => void take()}>{text.pin.takeLatest}</Button>
    </>
  );
  return (
    <RunForm submitText={text.pin.pin} submitIcon={<Pin aria-hidden size={14} />} onSubmit={submit} actions={actions}>
      <div className="run-inputs-fields">
        <Field
          label={text.pin.output}
          note={text.pin.outputNote}
          problem={problems.length === 0 ? undefined : problems.slice(0, 5).join(' ')}
        >
          {(control) =>
            long === undefined ? (
              <TextArea
                {...control}
                className="pin-text"
                rows={12}
                spellCheck={false}
                value={typed}
                onChange={(event) => {
                  setTyped(event.target.value);
                  setProblems([]);
                }}
              />
            ) : (
              <p className="pin-long">{text.pin.tooLong}</p>
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
      title={text.pin.title({ name: subject === null ? '' : (names.get(subject.nodeId) ?? subject.nodeId) })}
      description={text.pin.about}
    >
      {subject === null ? null : <PinForm {...subject} />}
    </Dialog>
  );
}
