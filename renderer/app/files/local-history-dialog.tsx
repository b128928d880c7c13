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
import './text-dialog.css';

const reasons: Readonly<Record<FileVersion['why'], string>> = {
  opened: 'as it was opened',
  saved: 'saved',
  'changed elsewhere': 'changed by another program',
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
  const { path, text } = flow;
  const { versions, older, problem, choose } = useVersions(path);
  if (problem !== null) return <p className="versions-empty">{problem}</p>;
  if (versions === null) return null;
  if (versions.length === 0) {
    return <p className="versions-empty">Nothing yet. Each time the file is saved its text is kept here.</p>;
  }
  return (
    <>
      <div className="versions">
        <nav className="versions-list" aria-label="Local history">
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
                {reasons[version.why]} · {byteText(version.sizeBytes)}
              </span>
            </button>
          ))}
        </nav>
        <div className="text-dialog-diff">
          {older === null ? (
            <p className="versions-empty">Choose a text to see what has changed since.</p>
          ) : (
            <TextDiff
              key={older.version.id}
              original={older.text}
              modified={text}
              file={flow}
              label={`The older text of ${path}, and what was changed since`}
              isInline
            />
          )}
        </div>
      </div>
      <div className="text-dialog-actions">
        <Button
          variant="primary"
          disabled={older === null || older.text === text || flow.readOnlyReason !== null}
          onClick={() => {
            if (older === null) return;
            edits.replace(path, older.text, `Back to the text of ${fullDateTimeText(older.version.at)}`);
            onDone();
          }}
        >
          Restore this version
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
      title="Local history"
      description={`${flow.path} as it was at each save on this computer.`}
    >
      <Versions flow={flow} onDone={close} />
    </Dialog>
  );
}
