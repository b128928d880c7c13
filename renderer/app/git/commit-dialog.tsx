/**
 * Commits changed flows and agents with Git. Unsaved edits of the selected files are saved first.
 */
import { Shield } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { EngineError, toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineResult } from '../../bridge/engine-client.ts';
import type { Stores } from '../../stores/stores.ts';
import { isWorkspaceFile } from '../../stores/text/paths.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { useCommandContext } from '../commands/command-context.tsx';
import './commit-dialog.css';
import { text } from './text.ts';

const words = text.commit;

type Committable = EngineResult<'listCommittable'>;

interface CommitRow {
  readonly path: string;
  readonly note: string;
}

/** Returns the changed files, and those that would be changed if their unsaved edits were saved. */
function rowsOf({ openFiles }: Stores, { files }: Committable): readonly CommitRow[] {
  const open = openFiles.getState().files;
  const rows = files.map(({ path, change }): CommitRow => {
    if (open.get(path)?.isDirty === true) return { path, note: words.unsaved };
    return { path, note: change === 'untracked' ? words.untracked : '' };
  });
  const listed = new Set(rows.map(({ path }) => path));
  const others = [...open.values()].filter(
    (file) => file.isDirty && file.kind !== 'file' && isWorkspaceFile(file) && !listed.has(file.path),
  );
  return [...others.map(({ path }) => ({ path, note: words.unsaved })), ...rows];
}

/** Saves the files and commits them. @throws EngineError if a file cannot be saved, or Git refuses the commit */
async function commit(stores: Stores, paths: readonly string[], message: string): Promise<string> {
  const { edits, engine, git, openFiles } = stores;
  for (const path of paths) {
    if (openFiles.getState().files.get(path)?.isDirty === true && !(await edits.save(path)))
      throw new EngineError({ code: 'git.not-saved', message: words.notSaved({ path }) });
  }
  const { commit: hash } = await engine.call('commitFiles', { paths: [...paths], message });
  void git.getState().refresh();
  return hash;
}

export function CommitDialog() {
  const { dialogs, stores } = useCommandContext();
  const [found, setFound] = useState<Committable | null>(null);
  useEffect(() => {
    let isGone = false;
    stores.engine.call('listCommittable').then(
      (listed) => isGone || setFound(listed),
      (error: unknown) => {
        if (isGone) return;
        dialogs.getState().close();
        stores.notices.getState().addError(words.failed, error);
      },
    );
    return () => {
      isGone = true;
    };
  }, [stores, dialogs]);
  if (found === null) return null;
  return (
    <Dialog
      isOpen
      onClose={() => dialogs.getState().close()}
      title={words.title}
      description={found.branch === null ? words.detached : words.description({ branch: found.branch })}
    >
      <CommitForm found={found} />
    </Dialog>
  );
}

function CommitForm({ found }: { readonly found: Committable }) {
  const { dialogs, stores } = useCommandContext();
  const [rows] = useState(() => rowsOf(stores, found));
  const activePath = useStore(stores.openFiles, (state) => state.activePath);
  const [selected, setSelected] = useState<ReadonlySet<string>>(
    () => new Set(rows.flatMap(({ path }) => (path === activePath ? [path] : []))),
  );
  const [message, setMessage] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isReady = selected.size > 0 && message.trim() !== '' && !isBusy;
  const submit = async (): Promise<void> => {
    if (!isReady) return;
    setBusy(true);
    setProblem(null);
    try {
      const hash = await commit(stores, [...selected], message);
      dialogs.getState().close();
      const detail = words.doneHelp({ commit: hash.slice(0, 8), subject: message.trim().split('\n')[0] ?? '' });
      stores.notices.getState().add({ tone: 'info', title: words.done({ count: selected.size }), detail });
    } catch (error) {
      setProblem(toErrorRecord(error).message);
      setBusy(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void submit();
  };
  return (
    <form
      className="commit"
      data-own-keys="Mod+Enter"
      onKeyDown={onKeyDown}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field label={words.message}>
        {(control) => (
          <TextArea
            {...control}
            data-first-focus
            rows={4}
            value={message}
            placeholder={words.placeholder}
            onChange={({ target }) => setMessage(target.value)}
          />
        )}
      </Field>
      <FileChoice rows={rows} selected={selected} onChange={setSelected} />
      {found.runsPrograms ? null : (
        <p className="commit-note">
          <Shield aria-hidden size={14} />
          <span>{words.untrusted}</span>
        </p>
      )}
      {problem === null ? null : (
        <pre className="commit-problem" role="alert" data-selectable>
          {problem}
        </pre>
      )}
      <footer className="commit-actions">
        <Button onClick={() => dialogs.getState().close()}>{words.cancel}</Button>
        <Button type="submit" variant="primary" disabled={!isReady}>
          {isBusy ? words.committing : words.commit({ count: selected.size })}
        </Button>
      </footer>
    </form>
  );
}

interface FileChoiceProps {
  readonly rows: readonly CommitRow[];
  readonly selected: ReadonlySet<string>;
  readonly onChange: (selected: ReadonlySet<string>) => void;
}

function FileChoice({ rows, selected, onChange }: FileChoiceProps) {
  if (rows.length === 0) return <p className="commit-note">{words.empty}</p>;
  const toggle = (path: string): void => {
    const next = new Set(selected);
    if (!next.delete(path)) next.add(path);
    onChange(next);
  };
  const isAll = selected.size === rows.length;
  return (
    <fieldset className="commit-files">
      <legend>
        {words.files}
        <Button
          size="small"
          variant="ghost"
          onClick={() => onChange(new Set(isAll ? [] : rows.map(({ path }) => path)))}
        >
          {isAll ? words.none : words.all}
        </Button>
      </legend>
      <ul>
        {rows.map(({ path, note }) => (
          <li key={path}>
            <label className="commit-file">
              <input type="checkbox" checked={selected.has(path)} onChange={() => toggle(path)} />
              <span className="commit-path" title={path}>
                {path}
              </span>
              <span className="commit-file-note">{note}</span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
