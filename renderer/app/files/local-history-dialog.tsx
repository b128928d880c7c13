/**
 * Shows saved earlier versions of the active file, to compare with the text on screen or to restore.
 */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { toErrorRecord } from '../../../engine/isomorphic.ts';
import type { FileVersion } from '../../bridge/main-client.ts';
import { useStores } from '../../stores/stores-context.tsx';
import type { OpenFile } from '../../stores/text/file.ts';
import { TextDiff } from '../../text-view/text-diff.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { byteText, fullDateTimeText } from '../../ui/quantity-text.ts';
import { useCommandContext } from '../commands/command-context.tsx';
import '../../ui/text-dialog.css';
import { text } from './text.ts';

const words = text.history;

const reasons: Readonly<Record<FileVersion['why'], string>> = {
  opened: words.opened,
  saved: words.saved,
  'changed elsewhere': words.changedElsewhere,
};

interface OlderText {
  readonly version: FileVersion;
  readonly text: string;
}

/** Returns the versions of a file and the text of the selected one. */
function useVersions(path: string) {
  const { main } = useStores();
  const [versions, setVersions] = useState<readonly FileVersion[] | null>(null);
  const [older, setOlder] = useState<OlderText | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const fail = (error: unknown): void => setProblem(toErrorRecord(error).message);
  const choose = (version: FileVersion): void => {
    main.call('versions.read', { path, id: version.id }).then(({ text }) => setOlder({ version, text }), fail);
  };
  useEffect(() => {
    main.call('versions.list', { path }).then(
      ({ versions: found }) => setVersions(found),
      (error: unknown) => setProblem(toErrorRecord(error).message),
    );
  }, [main, path]);
  return { versions, older, problem, choose };
}

function Versions({ flow, onDone }: { flow: OpenFile; onDone: () => void }) {
  const { edits } = useStores();
  const { path, text: current } = flow;
  const { versions, older, problem, choose } = useVersions(path);
  if (problem !== null) return <p className="versions-empty">{problem}</p>;
  if (versions === null) return null;
  if (versions.length === 0) {
    return <p className="versions-empty">{words.empty}</p>;
  }
  return (
    <>
      <div className="versions">
        <nav className="versions-list" aria-label={words.versions}>
          {versions.map((version) => (
            <button
              key={version.id}
              type="button"
              className="version"
              aria-current={older?.version.id === version.id}
              onClick={() => choose(version)}
            >
              {fullDateTimeText(version.at)}
              <span className="version-why">
                {words.version({ reason: reasons[version.why], size: byteText(version.sizeBytes) })}
              </span>
            </button>
          ))}
        </nav>
        <div className="text-dialog-diff">
          {older === null ? (
            <p className="versions-empty">{words.choose}</p>
          ) : (
            <TextDiff
              key={older.version.id}
              original={older.text}
              modified={current}
              file={flow}
              label={words.diff({ path })}
              isInline
            />
          )}
        </div>
      </div>
      <div className="text-dialog-actions">
        <Button
          variant="primary"
          disabled={older === null || older.text === current || flow.readOnlyReason !== null}
          onClick={() => {
            if (older === null) return;
            edits.replace(path, older.text, words.undo({ date: fullDateTimeText(older.version.at) }));
            onDone();
          }}
        >
          {words.restore}
        </Button>
      </div>
    </>
  );
}

export function LocalHistoryDialog({ flow }: { flow: OpenFile }) {
  const { dialogs } = useCommandContext();
  const isOpen = useStore(dialogs, ({ open }) => open === 'history');
  const close = (): void => dialogs.getState().close();
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      size="wide"
      title={words.title}
      description={words.description({ path: flow.path })}
    >
      <Versions flow={flow} onDone={close} />
    </Dialog>
  );
}
