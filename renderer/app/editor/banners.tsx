import { useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import { isNew } from '../../stores/text/file.ts';
import type { SettledFlow } from '../../stores/use-flow.ts';
import { fileNameOf, sentRunOf } from '../../stores/workspace/workspace.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { clockText, fullDateTimeText } from '../../ui/quantity-text.ts';
import { CommandButton, useCommandContext } from '../commands/command-context.tsx';
import { hasConflict, resolveConflicts } from '../commands/review-commands.ts';
import { text } from './text.ts';

const words = text.banners;

/** The file changed on disk while it had unsaved edits, so the user must decide. */
function ConflictBanner({ flow }: { flow: SettledFlow }) {
  const { edits } = useStores();
  const context = useCommandContext();
  const { path, conflict } = flow;
  if (conflict === null || flow.openConflicts > 0) return null;
  return (
    <Banner
      tone="warning"
      actions={
        <>
          {conflict.diskText === null ? null : (
            <Button size="small" onClick={() => void resolveConflicts(context, path)}>
              {flow.kind === 'flow' ? words.merge : words.compare}
            </Button>
          )}
          <Button size="small" onClick={() => edits.settle(path, 'mine')}>
            {words.keepMine}
          </Button>
          {conflict.diskText === null ? null : (
            <Button size="small" onClick={() => edits.settle(path, 'theirs')}>
              {words.useDisk}
            </Button>
          )}
        </>
      }
    >
      {conflict.diskText === null ? words.conflictDeleted : words.conflictChanged}
    </Banner>
  );
}

/** Git has left conflicts in the text. */
function MarkersBanner({ flow }: { flow: SettledFlow }) {
  if (flow.conflict !== null || !hasConflict(flow)) return null;
  return (
    <Banner
      tone="warning"
      actions={<CommandButton command="review.resolve" text={words.resolve} variant="primary" icon={null} />}
    >
      {words.markers}
    </Banner>
  );
}

/** Shown when unsaved edits of the last session were restored. */
function RestoredBanner({ flow }: { flow: SettledFlow }) {
  if (flow.restoredFrom === null || !flow.isDirty || flow.conflict !== null) return null;
  return (
    <Banner
      tone="info"
      actions={
        <>
          <CommandButton command="file.save" text={words.save} icon={null} />
          <CommandButton command="file.revert" text={words.discard} icon={null} />
        </>
      }
    >
      {words.restored({ date: fullDateTimeText(flow.restoredFrom) })}
    </Banner>
  );
}

/** Shown for a text that is in no file: because the file was deleted, or because it is new. */
function MissingBanner({ flow }: { flow: SettledFlow }) {
  const { path, isMissing, conflict, restoredFrom } = flow;
  if (!isMissing || conflict !== null) return null;
  if (!isNew(flow)) {
    return (
      <Banner tone="warning" actions={<CommandButton command="file.save" text={words.saveAgain} icon={null} />}>
        {words.missing({ path })}
      </Banner>
    );
  }
  if (restoredFrom !== null) return null;
  return (
    <Banner tone="info" actions={<CommandButton command="file.save" text={words.save} icon={null} />}>
      {words.unwritten({ path })}
    </Banner>
  );
}

/**
 * Banners that apply to the whole active file. None of them depends on typing, because the text would then jump under
 * the cursor.
 */
export function FlowBanners({ flow }: { flow: SettledFlow }) {
  const isSent = useStore(useStores().workspace, (state) => sentRunOf(state) !== null);
  return (
    <>
      <MissingBanner flow={flow} />
      <ConflictBanner flow={flow} />
      <MarkersBanner flow={flow} />
      <RestoredBanner flow={flow} />
      {flow.readError !== null && !flow.isMissing ? (
        <Banner tone="warning">{words.readFailed({ message: flow.readError.message })}</Banner>
      ) : null}
      {flow.readOnlyReason !== null && !flow.isOldVersion && !isSent ? (
        <Banner tone="info">{flow.readOnlyReason}</Banner>
      ) : null}
    </>
  );
}

/** The engine is running but does not respond: a run may be blocking it, or the system may have suspended it. */
function SilentEngineBanner({ since }: { since: number }) {
  const { main, notices } = useStores();
  const [keepsWaiting, setKeepsWaiting] = useState(false);
  if (keepsWaiting) return null;
  const replace = (): void =>
    void main
      .call('engine.replaceSilent')
      .catch((error: unknown) => notices.getState().addError(words.endFailed, error));
  return (
    <Banner
      tone="warning"
      actions={
        <>
          <Button size="small" onClick={replace}>
            {words.endAndResume}
          </Button>
          <Button size="small" onClick={() => setKeepsWaiting(true)}>
            {words.keepWaiting}
          </Button>
        </>
      }
    >
      {words.engineSilent({ time: clockText(since) })}
    </Banner>
  );
}

/** Says that the window shows a sent run. */
function SentRunBanner({ file }: { readonly file: string }) {
  return (
    <Banner
      tone="info"
      actions={
        <>
          <CommandButton command="run.replay" text={words.replaySent} icon={null} />
          <Button size="small" onClick={() => window.close()}>
            {words.closeSent}
          </Button>
        </>
      }
    >
      {words.sentRun({ name: fileNameOf(file) })}
    </Banner>
  );
}

/** Banners for problems with the engine and notices about the workspace. */
export function WorkspaceBanners() {
  const { workspace, main, notices: messages } = useStores();
  const engine = useStore(workspace, (state) => state.engine);
  const notices = useStore(workspace, (state) => state.notices);
  const sentRun = useStore(workspace, sentRunOf);
  const tryAgain = (): void =>
    void main.call('engine.connect').catch((error: unknown) => messages.getState().addError(words.startFailed, error));
  return (
    <>
      {sentRun === null ? null : <SentRunBanner file={sentRun} />}
      {engine.state === 'restarting' ? (
        <Banner tone="warning">
          {engine.message === '' ? words.engineRestarting : words.engineRestartingBecause({ message: engine.message })}
        </Banner>
      ) : null}
      {engine.state === 'silent' ? <SilentEngineBanner since={engine.since ?? 0} /> : null}
      {engine.state === 'failed' ? (
        <Banner
          tone="error"
          actions={
            <Button size="small" onClick={tryAgain}>
              {words.tryAgain}
            </Button>
          }
        >
          {engine.message === '' ? words.engineFailed : engine.message}
        </Banner>
      ) : null}
      {notices.map(({ code, message }) => (
        <Banner key={code} tone="warning">
          {message}
        </Banner>
      ))}
    </>
  );
}
