/**
 * The fields for the content of a new flow: empty, an example, or steps.
 */
import { Plus, Settings, X } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useStore } from 'zustand';
import type { EngineResult } from '../../bridge/engine-client.ts';
import { typeChoice } from '../../stores/flow/node-types.ts';
import { useStores } from '../../stores/stores-context.tsx';
import type { ModelProblem } from '../../stores/workspace/models.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select, type SelectOption } from '../../ui/select.tsx';
import { useCommand, useCommandContext } from '../commands/command-context.tsx';
import type { FlowBeginning } from '../commands/dialogs.ts';
import type { CreateDraft, DraftStepRow } from './create-draft.ts';
import { text } from './text.ts';

const words = text.content;

interface FlowFieldsProps {
  readonly draft: CreateDraft;
  readonly onChange: (part: Partial<CreateDraft>) => void;
}

type Examples = EngineResult<'listExamples'>;

/** Null while the examples are loading, or a message if they cannot be read. */
function useExamples(): Examples | string | null {
  const { engine } = useStores();
  const [examples, setExamples] = useState<Examples | string | null>(null);
  useEffect(() => {
    engine
      .call('listExamples')
      .then(setExamples, (error: unknown) =>
        setExamples(error instanceof Error ? error.message : words.examplesFailed),
      );
  }, [engine]);
  return examples;
}

function ExampleList({ draft, onChange }: FlowFieldsProps) {
  const examples = useExamples();
  const group = useId();
  if (examples === null) return <p className="create-note">{words.loading}</p>;
  if (typeof examples === 'string') return <p className="create-note">{examples}</p>;
  if (examples.length === 0) return <p className="create-note">{words.noExamples}</p>;
  return (
    <fieldset className="create-examples">
      <legend className="visually-hidden">{words.examples}</legend>
      {examples.map(({ id, title, description }) => (
        <label key={id} className="create-example">
          <input
            type="radio"
            name={group}
            checked={draft.example === id}
            onChange={() => onChange({ example: id, name: title })}
          />
          <span>
            {title}
            <span className="create-example-text">{description}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Keeps types of the same group together. */
function typeOptions(): readonly SelectOption<string>[] {
  return typeChoice('', null).flatMap(({ title, types }) =>
    types.flatMap(({ key, type, title: name }) =>
      key === type ? [{ value: type, text: name, hint: type, group: title ?? undefined }] : [],
    ),
  );
}

function StepRows({ draft, onChange }: FlowFieldsProps) {
  const types = typeOptions();
  const setSteps = (steps: readonly DraftStepRow[]): void => onChange({ steps });
  const add = (): void => {
    const key = Math.max(0, ...draft.steps.map((step) => step.key)) + 1;
    setSteps([...draft.steps, { key, type: 'prompt' }]);
  };
  return (
    <>
      <ol className="create-steps" aria-label={words.stepList}>
        {draft.steps.map((step, index) => (
          <li key={step.key} className="create-step">
            <span className="create-step-number">{index + 1}</span>
            <Select
              aria-label={words.stepType({ number: index + 1 })}
              value={step.type}
              options={types}
              onChange={(type) => setSteps(draft.steps.map((one) => (one === step ? { ...step, type } : one)))}
            />
            <IconButton
              label={words.removeStep({ number: index + 1 })}
              onClick={() => setSteps(draft.steps.filter((one) => one !== step))}
            >
              <X aria-hidden size={14} />
            </IconButton>
          </li>
        ))}
      </ol>
      <Button size="small" className="create-add" onClick={add}>
        <Plus aria-hidden size={14} />
        {words.addStep}
      </Button>
    </>
  );
}

/** Returns why the default model cannot be used; null if it can, or while this is not known. */
export function useModelProblem(): ModelProblem | null {
  const { models } = useStores();
  const problem = useStore(models, ({ problems }) => problems.get(null));
  const isKnown = problem !== undefined;
  useEffect(() => {
    // New settings make the problem unknown again.
    if (!isKnown) void models.getState().check([null]);
  }, [models, isKnown]);
  return problem ?? null;
}

function Description({ draft, onChange }: FlowFieldsProps) {
  const problem = useModelProblem();
  const { dialogs } = useCommandContext();
  const { run } = useCommand('settings.models');
  if (problem !== null)
    return (
      <div className="create-no-model">
        <p>{words.noModel}</p>
        <p className="create-note">{problem.message}</p>
        <Button
          size="small"
          onClick={() => {
            dialogs.getState().close();
            run();
          }}
        >
          <Settings aria-hidden size={14} />
          {words.setUp}
        </Button>
      </div>
    );
  return (
    <Field label={words.description}>
      {(control) => (
        <>
          <TextArea
            {...control}
            rows={5}
            maxLength={20_000}
            placeholder={words.descriptionHint}
            value={draft.description}
            onChange={({ target }) => onChange({ description: target.value })}
          />
          <p className="create-note">{words.descriptionNote}</p>
        </>
      )}
    </Field>
  );
}

export function FlowFields({ draft, onChange }: FlowFieldsProps) {
  return (
    <>
      <Segmented<FlowBeginning>
        label={words.label}
        value={draft.beginning}
        options={[
          { value: 'words', text: words.words },
          { value: 'empty', text: words.empty },
          { value: 'example', text: words.example },
          { value: 'steps', text: words.steps },
        ]}
        onChange={(beginning) => onChange({ beginning })}
      />
      {draft.beginning === 'words' ? <Description draft={draft} onChange={onChange} /> : null}
      {draft.beginning === 'example' ? <ExampleList draft={draft} onChange={onChange} /> : null}
      {draft.beginning === 'steps' ? <StepRows draft={draft} onChange={onChange} /> : null}
    </>
  );
}
