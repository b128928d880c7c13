/**
 * Asks for an agent's inputs.
 */
import { Eye, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { AgentOrder } from '../../stores/agents/agent-actions.ts';
import type { OpenFile } from '../../stores/text/file.ts';
import { flowNameOf } from '../../stores/text/paths.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextArea, TextInput } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { useCommandContext } from '../commands/command-context.tsx';
import type { AgentDraft } from '../commands/dialogs.ts';
import { RunForm } from './run-form.tsx';
import { text } from './text.ts';
import './agent-run-dialog.css';

export const emptyAgentDraft: AgentDraft = { source: 'inputs', inputs: [''], files: '', model: '' };

/** Returns the texts and globs as they were typed, without empty ones. Without inputs the agent runs once. */
export function orderOf({ source, inputs, files, model }: AgentDraft, isPreview: boolean): AgentOrder {
  const texts = source === 'inputs' ? inputs : files.split('\n').map((line) => line.trim());
  const given = texts.filter((one) => one.trim() !== '');
  return {
    ...(source === 'inputs' && given.length > 0 ? { inputs: given } : {}),
    ...(source === 'files' ? { files: given } : {}),
    ...(model.trim() === '' ? {} : { model: model.trim() }),
    isPreview,
  };
}

/** Returns why the draft is not complete, or undefined if it is. */
export function problemOf({ source, files }: AgentDraft): string | undefined {
  return source === 'files' && files.trim() === '' ? text.agentRun.filesMissing : undefined;
}

interface DraftProps {
  readonly draft: AgentDraft;
  readonly onChange: (change: Partial<AgentDraft>) => void;
}

function InputRows({ draft: { inputs }, onChange }: DraftProps) {
  const put = (index: number, input: string): void => onChange({ inputs: inputs.with(index, input) });
  return (
    <>
      {inputs.map((input, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: inputs are identified only by their position
        <div key={index} className="agent-input">
          <Field label={text.agentRun.input({ number: index + 1 })} note={text.agentRun.inputNote}>
            {(control) => (
              <TextArea
                {...control}
                rows={Math.min(8, input.split('\n').length + 1)}
                value={input}
                onChange={(event) => put(index, event.target.value)}
              />
            )}
          </Field>
          {inputs.length === 1 ? null : (
            <IconButton
              label={text.agentRun.removeInput({ number: index + 1 })}
              onClick={() => onChange({ inputs: inputs.toSpliced(index, 1) })}
            >
              <X aria-hidden size={13} />
            </IconButton>
          )}
        </div>
      ))}
      <Button size="small" className="agent-input-add" onClick={() => onChange({ inputs: [...inputs, ''] })}>
        <Plus aria-hidden size={13} />
        {text.agentRun.addInput}
      </Button>
    </>
  );
}

function FileField({ draft, onChange, problem }: DraftProps & { problem: string | undefined }) {
  return (
    <Field label={text.agentRun.files} note={text.agentRun.filesNote} problem={problem}>
      {(control) => (
        <TextArea
          {...control}
          rows={4}
          placeholder={text.agentRun.filesExample}
          value={draft.files}
          onChange={(event) => onChange({ files: event.target.value })}
        />
      )}
    </Field>
  );
}

function OrderForm({ path }: { path: string }) {
  const { stores, dialogs } = useCommandContext();
  const kept = useStore(dialogs, ({ agentDrafts }) => agentDrafts.get(path));
  const [draft, setDraft] = useState<AgentDraft>(kept ?? emptyAgentDraft);
  const [hasTried, setHasTried] = useState(false);
  const problem = problemOf(draft);
  // Saved on every keystroke: the dialog may be closed, or the run rejected, before it starts.
  const change = (part: Partial<AgentDraft>): void => {
    const next = { ...(dialogs.getState().agentDrafts.get(path) ?? draft), ...part };
    dialogs.getState().keepAgentDraft(path, next);
    setDraft(next);
  };
  const start = (isPreview: boolean): void => {
    setHasTried(true);
    if (problem !== undefined) return;
    dialogs.getState().close();
    void stores.agents.start(path, orderOf(draft, isPreview));
  };
  const preview = (
    <Button title={text.agentRun.previewHint} onClick={() => start(true)}>
      <Eye aria-hidden size={14} />
      {text.agentRun.preview}
    </Button>
  );
  return (
    <RunForm submitText={text.agentRun.run} onSubmit={() => start(false)} actions={preview}>
      <div className="run-inputs-fields">
        <Segmented<AgentDraft['source']>
          label={text.agentRun.source}
          value={draft.source}
          options={[
            { value: 'inputs', text: text.agentRun.inputs },
            { value: 'files', text: text.agentRun.files },
          ]}
          onChange={(source) => change({ source })}
        />
        {draft.source === 'inputs' ? (
          <InputRows draft={draft} onChange={change} />
        ) : (
          <FileField draft={draft} onChange={change} problem={hasTried ? problem : undefined} />
        )}
        <Field label={text.agentRun.model} note={text.agentRun.modelNote}>
          {(control) => (
            <TextInput {...control} value={draft.model} onChange={(event) => change({ model: event.target.value })} />
          )}
        </Field>
      </div>
    </RunForm>
  );
}

export function AgentRunDialog({ flow }: { flow: OpenFile }) {
  const { dialogs } = useCommandContext();
  const isOpen = useStore(dialogs, ({ open }) => open === 'agent-run');
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => dialogs.getState().close()}
      title={text.agentRun.title({ name: flowNameOf(flow.path) })}
      description={text.agentRun.about}
    >
      <OrderForm key={flow.path} path={flow.path} />
    </Dialog>
  );
}
