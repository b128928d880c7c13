/**
 * Runs one node of a run again with other models, and shows the runs in a table.
 */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { RunId, RunSummary } from '../../../engine/isomorphic.ts';
import { text as compareText } from '../../compare/text.ts';
import { type PickerOption, usePickerLists } from '../../inspector/field-editors/model-lists.ts';
import { isOver } from '../../stores/runs/live/live-runs.ts';
import type { Stores } from '../../stores/stores.ts';
import { useNodeNames } from '../../stores/use-flow.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useCommandContext } from '../commands/command-context.tsx';
import type { ModelTrial } from '../commands/dialogs.ts';
import { RunForm } from './run-form.tsx';
import { text } from './text.ts';
import './try-models-dialog.css';

const words = compareText.tryModels;

/** Number of runs of a flow among which the new ones are looked for. */
const mostRuns = 200;

/** Resolves once a run is over. */
function whenOver({ liveRuns }: Stores, runId: RunId): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      const run = liveRuns.getState().runs.get(runId);
      if (run !== undefined && !isOver(run.state)) return;
      end();
      resolve();
    };
    const end = liveRuns.subscribe(look);
    look();
  });
}

/** Starts a run with each model, labels it with the model, and shows all of them once they are over. */
async function tryModels(stores: Stores, trial: ModelTrial, models: readonly string[]): Promise<void> {
  const { edits, engine, notices, runPicks, runs, runTable } = stores;
  const { path, runId: base, nodeId } = trial;
  const started: RunId[] = [];
  try {
    for (const model of models) {
      const withModel = [{ do: 'set-node', id: nodeId, path: ['config', 'model'], value: model }] as const;
      const runId = await runs.rerun({ ...trial, text: await edits.textWith(path, withModel) });
      // A notice says why, or the person has refused a permission.
      if (runId === null) break;
      started.push(runId);
      await runTable.getState().mark(runId, { addLabels: [model] });
    }
    await Promise.all(started.map((runId) => whenOver(stores, runId)));
    const all = (await engine.call('listRuns', { sourcePath: path, limit: mostRuns })) as readonly RunSummary[];
    if (started.length > 0) runPicks.getState().pick(all.filter(({ runId }) => [base, ...started].includes(runId)));
  } catch (error) {
    notices.getState().addError(words.failed, error);
  }
}

interface ModelOptionProps {
  readonly option: Pick<PickerOption, 'model' | 'text' | 'detail'>;
  readonly isChosen: boolean;
  readonly onToggle: (model: string) => void;
}

function ModelOption({ option: { model, text: name, detail }, isChosen, onToggle }: ModelOptionProps) {
  return (
    <label className="try-models-option">
      <input type="checkbox" checked={isChosen} onChange={() => onToggle(model)} />
      <b title={model}>{name}</b>
      <span title={detail}>{detail}</span>
    </label>
  );
}

function TryModelsForm({ trial }: { readonly trial: ModelTrial }) {
  const { stores, dialogs } = useCommandContext();
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { groups } = usePickerLists(query);
  const offeredModels = groups.flatMap(({ options }) => options.map(({ model }) => model));
  // What is chosen stays in view, whatever is looked for.
  const hidden = chosen.filter((model) => !offeredModels.includes(model));
  const { models } = stores;
  useEffect(() => {
    void models.getState().refresh();
    void models.getState().lookAround();
  }, [models]);
  const toggle = (model: string): void =>
    setChosen(chosen.includes(model) ? chosen.filter((one) => one !== model) : [...chosen, model]);
  const close = dialogs.getState().close;
  const submit = (): void => {
    if (chosen.length === 0) return;
    close();
    void tryModels(stores, trial, chosen);
  };
  return (
    <RunForm
      submitText={words.run({ count: chosen.length })}
      isSubmitDisabled={chosen.length === 0}
      onSubmit={submit}
      actions={<Button onClick={close}>{text.nodeRun.notNow}</Button>}
    >
      <div className="try-models">
        <input
          className="field-input"
          aria-label={words.search}
          placeholder={words.search}
          spellCheck={false}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
        <div className="try-models-list">
          {hidden.map((model) => (
            <ModelOption key={model} option={{ model, text: model, detail: '' }} isChosen onToggle={toggle} />
          ))}
          {groups.map(({ title, options, empty }) => {
            const offered = options.filter(({ kind }) => kind !== 'setup');
            if (offered.length === 0 && empty === undefined) return null;
            return (
              <fieldset key={title}>
                {title === '' ? null : <legend className="menu-label">{title}</legend>}
                {offered.map((option) => (
                  <ModelOption
                    key={option.model}
                    option={option}
                    isChosen={chosen.includes(option.model)}
                    onToggle={toggle}
                  />
                ))}
                {empty === undefined ? null : <div className="model-empty">{empty}</div>}
              </fieldset>
            );
          })}
        </div>
      </div>
    </RunForm>
  );
}

export function TryModelsDialog() {
  const { dialogs } = useCommandContext();
  const trial = useStore(dialogs, ({ modelTrial }) => modelTrial);
  const names = useNodeNames(trial?.path ?? '');
  if (trial === null) return null;
  const name = names.get(trial.nodeId) ?? trial.nodeId;
  return (
    <Dialog isOpen onClose={() => dialogs.getState().close()} title={words.title({ name })} description={words.about}>
      <TryModelsForm trial={trial} />
    </Dialog>
  );
}
