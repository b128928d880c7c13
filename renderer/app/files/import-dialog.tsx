/**
 * The dialog that imports a file of another program, and lists the flows of a file with several.
 */
import { FolderOpen } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import type { ImportedFlow, Imports } from '../../stores/workspace/imports.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useCommandContext } from '../commands/command-context.tsx';
import { folderForNew } from '../commands/file-commands.ts';
import './import-dialog.css';
import { text } from './text.ts';

const words = text.import;

const programs = [
  ['n8n', words.exports.n8n],
  ['Rivet', words.exports.rivet],
  ['Flowise', words.exports.flowise],
] as const;

/** Chooses a file with the dialog of the system. */
function ChooseForm() {
  const { imports } = useStores();
  const context = useCommandContext();
  const isBusy = useStore(imports, (state) => state.isBusy);
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const read = async (file: File): Promise<void> => {
    setProblem(null);
    setProblem(await imports.getState().read(file, folderForNew(context)));
  };
  return (
    <div className="import-form">
      <dl className="import-programs" data-selectable>
        {programs.map(([name, about]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      {problem === null ? null : (
        <p className="field-problem" role="alert" data-selectable>
          {problem}
        </p>
      )}
      <footer className="import-actions">
        <span role="status">{isBusy ? words.busy : words.orDrop}</span>
        <input
          ref={input}
          type="file"
          accept=".json,.rivet-project,.rivet-graph,.yaml,.yml"
          hidden
          aria-label={words.file}
          onChange={({ target }) => {
            const file = target.files?.[0];
            if (file !== undefined) void read(file);
            // The same file can be chosen again after a change.
            target.value = '';
          }}
        />
        <Button variant="primary" disabled={isBusy} onClick={() => input.current?.click()}>
          <FolderOpen aria-hidden size={14} />
          {words.choose}
        </Button>
      </footer>
    </div>
  );
}

interface FlowRowProps {
  readonly flow: ImportedFlow;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}

function FlowRow({ flow: { name, file, lines }, isChosen, onToggle }: FlowRowProps) {
  const placeholders = lines.filter(({ status }) => status === 'placeholder').length;
  return (
    <li>
      <label className="import-flow">
        <input type="checkbox" checked={isChosen} onChange={onToggle} />
        <b>{name}</b>
        <span>{words.nodes({ count: lines.length })}</span>
        <code>{file}</code>
        <span>{placeholders === 0 ? '' : words.placeholders({ count: placeholders })}</span>
      </label>
    </li>
  );
}

function FlowsForm({ found }: { readonly found: NonNullable<Imports['found']> }) {
  const { imports } = useStores();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(found.flows.map(({ file }) => file)));
  const toggle = (file: string): void => {
    const next = new Set(chosen);
    if (!next.delete(file)) next.add(file);
    setChosen(next);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (chosen.size > 0) void imports.getState().open(chosen);
  };
  return (
    <form className="import-form" onSubmit={submit}>
      <ul className="import-flows" aria-label={words.flows}>
        {found.flows.map((flow) => (
          <FlowRow key={flow.file} flow={flow} isChosen={chosen.has(flow.file)} onToggle={() => toggle(flow.file)} />
        ))}
      </ul>
      <footer className="import-actions">
        <span>{words.callEachOther}</span>
        <Button onClick={() => imports.getState().close()}>{words.cancel}</Button>
        <Button type="submit" variant="primary" disabled={chosen.size === 0}>
          {words.open({ count: chosen.size })}
        </Button>
      </footer>
    </form>
  );
}

export function ImportDialog() {
  const { imports } = useStores();
  const { isOpen, isBusy, found } = useStore(imports);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => isBusy || imports.getState().close()}
      title={words.title}
      description={
        found === null ? words.description : words.several({ name: found.source, count: found.flows.length })
      }
    >
      {found === null ? <ChooseForm /> : <FlowsForm key={found.source} found={found} />}
    </Dialog>
  );
}
