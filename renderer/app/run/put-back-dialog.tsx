/**
 * Asks whether to put files back as they were before a run, and again for each file that has changed since.
 */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { type RunId, toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineResult } from '../../bridge/engine-client.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { kindOfPath } from '../../stores/text/paths.ts';
import { TextDiff } from '../../text-view/text-diff.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { narrowWindow, useMediaQuery } from '../../ui/use-media-query.ts';
import '../../ui/text-dialog.css';
import { text } from './text.ts';

const words = text.runFiles;

export type ListedFile = EngineResult<'changedFiles'>['files'][number];

interface PutBackDialogProps {
  readonly runId: RunId;
  readonly files: readonly ListedFile[];
  readonly onClose: () => void;
}

/** Returns the paths of those files that are open with unsaved text. */
function useUnsaved(files: readonly ListedFile[]): readonly string[] {
  const { openFiles } = useStores();
  const open = useStore(openFiles, (state) => state.files);
  return files.map(({ path }) => path).filter((path) => open.get(path)?.isDirty === true);
}

export function PutBackDialog({ runId, files, onClose }: PutBackDialogProps) {
  const { engine, notices } = useStores();
  const since = files.filter(({ state }) => state === 'changed-since');
  const [answers, setAnswers] = useState<readonly boolean[]>();
  const putBack = async (agreed: readonly boolean[]): Promise<void> => {
    onClose();
    const left = new Set(since.filter((_, index) => agreed[index] !== true));
    const wanted = files
      .filter((file) => !left.has(file))
      .map(({ path, now, state }) => (state === 'changed-since' ? { path, over: now } : { path }));
    if (wanted.length === 0) return;
    try {
      const { files: done } = await engine.call('undoFiles', { runId, files: wanted });
      notices.getState().add(noticeOf(done));
    } catch (error) {
      notices.getState().addError(words.failed, error);
    } finally {
      onClose();
    }
  };
  const answer = (isAgreed: boolean): void => {
    const next = [...(answers ?? []), isAgreed];
    setAnswers(next);
    if (next.length === since.length) void putBack(next);
  };
  const begin = (): void => {
    setAnswers([]);
    if (since.length === 0) void putBack([]);
  };
  const file = answers === undefined ? undefined : since[answers.length];
  return file === undefined ? (
    <Confirmation files={files} countSince={since.length} onClose={onClose} onAgree={begin} />
  ) : (
    <Dialog
      isOpen
      onClose={onClose}
      size="wide"
      title={words.sinceTitle({ path: file.path })}
      description={words.sinceAbout({ number: (answers?.length ?? 0) + 1, count: since.length })}
    >
      <div className="text-dialog">
        <div className="text-dialog-diff">
          <ChangedFileDiff key={file.path} runId={runId} file={file} isBackward />
        </div>
        <div className="text-dialog-actions">
          <Button onClick={() => answer(false)}>{words.leave}</Button>
          <Button variant="danger" onClick={() => answer(true)}>
            {words.replace}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

interface ConfirmationProps {
  readonly files: readonly ListedFile[];
  /** Number of files that have changed since the run. */
  readonly countSince: number;
  readonly onClose: () => void;
  readonly onAgree: () => void;
}

function Confirmation({ files, countSince, onClose, onAgree }: ConfirmationProps) {
  const unsaved = useUnsaved(files);
  const count = files.length;
  return (
    <Dialog isOpen onClose={onClose} title={words.title({ count })} description={words.about}>
      <div className="put-back">
        {countSince === 0 ? null : <p>{words.askedSince({ count: countSince })}</p>}
        {unsaved.length === 0 ? null : <p>{words.unsaved({ paths: unsaved.join(', ') })}</p>}
        <div className="text-dialog-actions">
          <Button onClick={onClose}>{words.keep}</Button>
          <Button variant="primary" data-first-focus onClick={onAgree}>
            {words.agree}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function noticeOf(files: EngineResult<'undoFiles'>['files']) {
  const done = files.filter(({ outcome }) => outcome === 'restored' || outcome === 'removed').length;
  const problems = files.flatMap(({ path, outcome, message }) => {
    if (outcome === 'changed-since') return [words.changedAgain({ path })];
    return outcome === 'failed' ? [message ?? path] : [];
  });
  const title = words.done({ count: done });
  return problems.length === 0
    ? ({ tone: 'info', title, detail: words.doneHint } as const)
    : ({ tone: 'error', title, detail: problems.slice(0, 5).join(' ') } as const);
}

interface ChangedFileDiffProps {
  readonly runId: RunId;
  readonly file: ListedFile;
  /** Shows what putting back would change, instead of what has changed since the run's start. */
  readonly isBackward: boolean;
}

/** Compares a file before the run with the present. */
export function ChangedFileDiff({ runId, file: { path, kind }, isBackward }: ChangedFileDiffProps) {
  const { engine } = useStores();
  const isNarrow = useMediaQuery(narrowWindow);
  const [texts, setTexts] = useState<EngineResult<'readChangedFile'>>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let isShown = true;
    engine.call('readChangedFile', { runId, path }).then(
      (read) => isShown && setTexts(read),
      (error: unknown) => isShown && setProblem(toErrorRecord(error).message),
    );
    return () => {
      isShown = false;
    };
  }, [engine, runId, path]);
  if (problem !== undefined) return <p className="versions-empty">{problem}</p>;
  if (texts === undefined) return <div className="run-file-diff" />;
  if (!texts.isText || kind !== 'file') return <p className="versions-empty">{words.notText}</p>;
  const [before, now] = [texts.before ?? '', texts.now ?? ''];
  return (
    <div className="run-file-diff">
      <TextDiff
        original={isBackward ? now : before}
        modified={isBackward ? before : now}
        file={{ path, kind: kindOfPath(path) }}
        label={isBackward ? words.diffBack({ path }) : words.diff({ path })}
        isInline={!isBackward || isNarrow}
      />
    </div>
  );
}
