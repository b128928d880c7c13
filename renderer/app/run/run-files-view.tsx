/**
 * The files that a run has changed, compared with the present. The user selects those to put back.
 */
import { FileCheck, Undo2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { RunId } from '../../../engine/isomorphic.ts';
import type { EngineResult } from '../../bridge/engine-client.ts';
import { ChangeMark } from '../../card/change-mark.tsx';
import { useStores } from '../../stores/stores-context.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { byteText, fullDateTimeText } from '../../ui/quantity-text.ts';
import { moveRovingFocus, rovingItem } from '../../ui/roving-focus.ts';
import { ChangedFileDiff, type ListedFile, PutBackDialog } from './put-back-dialog.tsx';
import './run-files-view.css';
import { text } from './text.ts';

const words = text.runFiles;

interface RunFilesViewProps {
  readonly runId: RunId;
  readonly changes: EngineResult<'changedFiles'>;
  /** Compares with the present again. */
  readonly reload: () => void;
}

const marks = { created: 'added', changed: 'changed', deleted: 'removed' } as const;

function stateText({ state, isLost }: ListedFile): string {
  return [state === 'as-left' ? '' : words.states[state], isLost === true ? words.noCopy : '']
    .filter((part) => part !== '')
    .join(', ');
}

function sizeText({ kind, bytesBefore, bytesAfter }: ListedFile): string {
  if (kind === 'folder') return words.folder;
  const sizes = [bytesBefore, bytesAfter].filter((bytes) => bytes !== undefined).map(byteText);
  return sizes.join(' → ');
}

/** Whether putting it back would change something. */
function isOpen({ state, isLost }: ListedFile): boolean {
  return state !== 'put-back' && isLost !== true;
}

export function RunFilesView({ runId, changes, reload }: RunFilesViewProps) {
  const { files } = changes;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [shownPath, setShownPath] = useState<string>();
  const [asked, setAsked] = useState<PutBackRequest>();
  const open = files.filter(isOpen);
  const chosen = open.filter(({ path }) => !left.has(path));
  const shown = files.find(({ path }) => path === shownPath) ?? files[0];
  const takeBack = useTakeBack(changes, setAsked);
  const toggle = (path: string): void => {
    const next = new Set(left);
    if (!next.delete(path)) next.add(path);
    setLeft(next);
  };
  const close = (): void => {
    setAsked(undefined);
    reload();
  };
  return (
    <div className="run-files">
      {files.length === 0 ? (
        <EmptyState icon={<FileCheck aria-hidden size={20} />} title={changes.isExpired ? words.expired : words.none}>
          {changes.isExpired ? words.expiredWhy : words.noneWhy}
        </EmptyState>
      ) : (
        <div className="run-files-main">
          <FileList
            files={files}
            shown={shown}
            isChosen={(path) => !left.has(path)}
            {...{ toggle, show: setShownPath }}
          />
          {shown === undefined ? null : (
            <ChangedFileDiff key={`${shown.path} ${shown.now}`} runId={runId} file={shown} isBackward={false} />
          )}
        </div>
      )}
      <footer className="run-files-bar">
        <Unlisted runId={runId} outside={changes.outside} />
        {takeBack}
        {files.length === 0 ? null : (
          <Button
            size="small"
            variant="primary"
            disabled={chosen.length === 0}
            onClick={() => setAsked({ runId, files: chosen })}
          >
            {words.putBack({ count: chosen.length })}
          </Button>
        )}
      </footer>
      {asked === undefined ? null : <PutBackDialog {...asked} onClose={close} />}
    </div>
  );
}

interface PutBackRequest {
  readonly runId: RunId;
  readonly files: readonly ListedFile[];
}

/** Returns a button that undoes the latest undo; null if there is none. */
function useTakeBack({ undos }: EngineResult<'changedFiles'>, ask: (request: PutBackRequest) => void) {
  const { engine, notices } = useStores();
  const latest = undos.at(-1);
  if (latest === undefined) return null;
  const takeBack = async (): Promise<void> => {
    try {
      const { files } = await engine.call('changedFiles', latest.id);
      ask({ runId: latest.id, files: files.filter(isOpen) });
    } catch (error) {
      notices.getState().addError(words.failed, error);
    }
  };
  return (
    <Button size="small" variant="ghost" title={fullDateTimeText(latest.at)} onClick={() => void takeBack()}>
      <Undo2 aria-hidden size={14} />
      {words.takeBack}
    </Button>
  );
}

interface FileListProps {
  readonly files: readonly ListedFile[];
  readonly shown: ListedFile | undefined;
  readonly isChosen: (path: string) => boolean;
  readonly toggle: (path: string) => void;
  readonly show: (path: string) => void;
}

/** Maximum number of rows to render. */
const mostRows = 2_000;

function FileList({ files, shown, isChosen, toggle, show }: FileListProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // The dock opens for this list from a menu or a command.
    if (document.activeElement === document.body) list.current?.querySelector<HTMLElement>('[data-roving]')?.focus();
  }, []);
  return (
    <ul ref={list} className="run-files-list" aria-label={words.list} onKeyDown={moveRovingFocus}>
      {files.slice(0, mostRows).map((file) => (
        <li key={file.path} className="run-file" aria-current={file === shown} title={file.path}>
          <input
            type="checkbox"
            aria-label={words.select({ path: file.path })}
            checked={isOpen(file) && isChosen(file.path)}
            disabled={!isOpen(file)}
            onChange={() => toggle(file.path)}
          />
          <button
            type="button"
            className="run-file-name"
            {...rovingItem(file === shown)}
            onClick={() => show(file.path)}
            onFocus={() => show(file.path)}
          >
            <ChangeMark kind={marks[file.change]} />
            <span className="run-file-path">
              {file.path}
              {file.movedFrom === undefined ? null : <span> {words.movedFrom({ path: file.movedFrom })}</span>}
            </span>
            <span className="run-file-note">{stateText(file)}</span>
            <span className="run-file-note">{sizeText(file)}</span>
          </button>
        </li>
      ))}
      {files.length > mostRows ? <li className="run-file">{words.more({ count: files.length - mostRows })}</li> : null}
    </ul>
  );
}

/** What the run may have changed elsewhere. It is read only when the list is shown, because that takes all events. */
function Unlisted({ runId, outside }: { readonly runId: RunId; readonly outside: readonly string[] }) {
  const { engine } = useStores();
  const [unlisted, setUnlisted] = useState<EngineResult<'unlistedEffects'>>([]);
  useEffect(() => {
    engine.call('unlistedEffects', runId).then(setUnlisted, () => undefined);
  }, [engine, runId]);
  const counts = (kind: 'command' | 'web' | 'tool'): number =>
    unlisted.filter((one) => one.kind === kind).reduce((sum, { count }) => sum + count, 0);
  const parts = [
    words.commands({ count: counts('command') }),
    words.requests({ count: counts('web') }),
    words.tools({ count: counts('tool') }),
    words.outside({ count: outside.length }),
  ].filter((part) => part !== '');
  const details = [...unlisted.map(({ target }) => target), ...outside].slice(0, 50).join('\n');
  return (
    <p className="run-files-unlisted" title={details}>
      {parts.length === 0 ? null : words.unlisted({ list: parts.join(', ') })}
    </p>
  );
}
