/**
 * Updates of the program: whether and where to check for them, and the current step.
 */
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores-context.tsx';
import type { UpdateStep, Updates } from '../stores/window/updates.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { byteText } from '../ui/quantity-text.ts';
import { Segmented } from '../ui/segmented.tsx';
import { Switch } from '../ui/switch.tsx';
import { LockedBy } from './locked-by.tsx';

type Channel = Updates['channel'];
type OfferedRelease = Extract<UpdateStep, { name: 'found' }>['release'];

export function UpdatesTab() {
  const { updates } = useStores();
  const { known, problem, refresh } = useStore(updates);
  useEffect(() => void refresh(), [refresh]);
  return (
    <div className="settings-part">
      {known === null ? <p>Asking the program…</p> : <Known known={known} />}
      {problem === null ? null : (
        <p className="settings-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function Known({ known }: { readonly known: Updates }) {
  const { version, never, step, checkedAt } = known;
  return (
    <>
      <p>
        This is <b>Millrace {version}</b>.{' '}
        {checkedAt === null || never !== null ? '' : `Looked for a newer one: ${new Date(checkedAt).toLocaleString()}.`}
      </p>
      {never === null ? (
        <>
          <section className="updates-step" aria-label="Newer version" aria-live="polite">
            <Step step={step} />
          </section>
          <Choices known={known} />
        </>
      ) : (
        <p className="settings-note">{never}</p>
      )}
    </>
  );
}

function Choices({ known: { isAutomatic, channel, lockedBy } }: { readonly known: Updates }) {
  const { updates } = useStores();
  const { set } = useStore(updates);
  return (
    <div className="settings-group">
      <div className="settings-row">
        <div>
          <b aria-hidden>Look for newer versions</b>
          <p className="settings-note">At a start, at most once a day. Nothing is downloaded before you ask for it.</p>
        </div>
        <Switch
          checked={isAutomatic}
          aria-label="Look for newer versions"
          onCheckedChange={(isOn) => void set({ isAutomatic: isOn })}
        />
      </div>
      <div className="settings-row">
        <div>
          <b>Channel</b>
          <p className="settings-note">Beta has what is to be tried before all get it.</p>
          <LockedBy team={lockedBy} />
        </div>
        {lockedBy === null ? (
          <Segmented<Channel>
            label="Channel"
            value={channel}
            onChange={(next) => void set({ channel: next })}
            options={[
              { value: 'stable', text: 'Stable' },
              { value: 'beta', text: 'Beta' },
            ]}
          />
        ) : (
          <span>{channel}</span>
        )}
      </div>
    </div>
  );
}

function Step({ step }: { readonly step: UpdateStep }) {
  switch (step.name) {
    case 'checking':
      return <p>Looking for a newer version…</p>;
    case 'found':
      return <Found release={step.release} manual={step.manual} />;
    case 'downloading':
      return <Downloading release={step.release} received={step.received} />;
    case 'ready':
      return <Ready release={step.release} wayBack={step.wayBack} />;
    case 'installing':
      return <p>Installing {step.release.version}. The system may ask for your password.</p>;
    case 'by-hand':
      return <ByHand why={step.why} command={step.command} />;
    case 'installed':
      return (
        <>
          <p>{step.release.version} is installed. It is there at the next start.</p>
          <Act step="install" text="Restart" isMain />
        </>
      );
    default:
      return <NothingNew step={step} />;
  }
}

function NothingNew({ step }: { readonly step: Extract<UpdateStep, { name: 'idle' | 'newest' | 'failed' }> }) {
  return (
    <>
      {step.name === 'newest' ? <p>There is nothing newer. {step.note}</p> : null}
      {step.name === 'failed' ? (
        <p className="settings-problem" role="alert">
          {step.message} Nothing was changed.
        </p>
      ) : null}
      <Act step="check" text="Check now" />
    </>
  );
}

function Found({ release, manual }: { readonly release: OfferedRelease; readonly manual: string | null }) {
  return (
    <>
      <p>
        <b>Millrace {release.version}</b> of {new Date(release.date).toLocaleDateString()} is there (
        {byteText(release.size)}).
        {release.hasFailed ? ' It did not start well here before.' : ''}
      </p>
      <p className="settings-note">
        What is new:{' '}
        <code className="settings-file" data-selectable>
          {release.notes}
        </code>
      </p>
      {manual === null ? <Act step="download" text="Download" isMain /> : <p>{manual}</p>}
      <Act step="check" text="Check now" />
    </>
  );
}

function Downloading({ release, received }: { readonly release: OfferedRelease; readonly received: number }) {
  const isWhole = received >= release.size;
  return (
    <>
      <p>
        {isWhole
          ? 'Checking it, and keeping the package of this version to go back to…'
          : `Downloading ${release.version}: ${byteText(received)} of ${byteText(release.size)}`}
      </p>
      <progress
        className="updates-progress"
        aria-label={`Download of ${release.version}`}
        value={received}
        max={release.size}
      />
      <Act step="cancel" text="Cancel" />
    </>
  );
}

function Ready({ release, wayBack }: { readonly release: OfferedRelease; readonly wayBack: string | null }) {
  return (
    <>
      <p>
        <b>Millrace {release.version}</b> is downloaded and checked.
      </p>
      <p className="settings-note">
        {wayBack === null
          ? 'The package of this version is not kept: to go back, get it as you got it first.'
          : `The package of ${wayBack} is kept, and offered should the new version not start twice.`}
      </p>
      <Act step="install" text="Install and restart" isMain />
    </>
  );
}

function ByHand({ why, command }: { readonly why: string; readonly command: string }) {
  return (
    <>
      <p>{why} This command installs what was downloaded; then start the program again:</p>
      <p className="settings-line">
        <code className="settings-file" data-selectable>
          {command}
        </code>
        <CopyButton text={() => command} label="Copy the command" />
      </p>
      <Act step="install" text="Try again" />
    </>
  );
}

interface ActProps {
  readonly step: 'check' | 'download' | 'cancel' | 'install';
  readonly text: string;
  readonly isMain?: boolean;
}

function Act({ step, text, isMain = false }: ActProps) {
  const { updates } = useStores();
  return (
    <Button variant={isMain ? 'primary' : 'normal'} onClick={() => void updates.getState().begin(step)}>
      {text}
    </Button>
  );
}
