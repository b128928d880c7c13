/**
 * Updates of the program: whether and where to check for them, and the current step.
 */
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores-context.tsx';
import type { UpdateStep, Updates } from '../stores/window/updates.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { byteText, dateText, fullDateTimeText } from '../ui/quantity-text.ts';
import { Segmented } from '../ui/segmented.tsx';
import { Switch } from '../ui/switch.tsx';
import { withParts } from '../ui/with-parts.tsx';
import { LockedBy } from './locked-by.tsx';
import { text as areaText } from './text.ts';

const words = areaText.updates;

type Channel = Updates['channel'];
type OfferedRelease = Extract<UpdateStep, { name: 'found' }>['release'];

export function UpdatesTab() {
  const { updates } = useStores();
  const { known, problem, refresh } = useStore(updates);
  useEffect(() => void refresh(), [refresh]);
  return (
    <div className="settings-part">
      {known === null ? <p>{words.loading}</p> : <Known known={known} />}
      {problem === null ? null : (
        <p className="settings-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function Product({ version }: { readonly version: string }) {
  return <b>{words.product({ version })}</b>;
}

function Known({ known }: { readonly known: Updates }) {
  const { version, never, step, checkedAt } = known;
  return (
    <>
      <p>
        {withParts(words.current, { product: <Product version={version} /> })}{' '}
        {checkedAt === null || never !== null ? '' : words.checkedAt({ time: fullDateTimeText(checkedAt) })}
      </p>
      {never === null ? (
        <>
          <section className="updates-step" aria-label={words.step} aria-live="polite">
            <Step step={step} />
          </section>
          <Choices known={known} />
        </>
      ) : (
        <p className="settings-note updates-never">{never}</p>
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
          <b aria-hidden>{words.automatic}</b>
          <p className="settings-note">{words.automaticNote}</p>
        </div>
        <Switch
          checked={isAutomatic}
          aria-label={words.automatic}
          onCheckedChange={(isOn) => void set({ isAutomatic: isOn })}
        />
      </div>
      <div className="settings-row">
        <div>
          <b>{words.channel}</b>
          <p className="settings-note">{words.channelNote}</p>
          <LockedBy team={lockedBy} />
        </div>
        {lockedBy === null ? (
          <Segmented<Channel>
            label={words.channel}
            value={channel}
            onChange={(next) => void set({ channel: next })}
            options={[
              { value: 'stable', text: words.stable },
              { value: 'beta', text: words.beta },
            ]}
          />
        ) : (
          <span>{words[channel]}</span>
        )}
      </div>
    </div>
  );
}

function Step({ step }: { readonly step: UpdateStep }) {
  switch (step.name) {
    case 'checking':
      return <p>{words.checking}</p>;
    case 'found':
      return <Found release={step.release} manual={step.manual} />;
    case 'downloading':
      return <Downloading release={step.release} received={step.received} />;
    case 'ready':
      return <Ready release={step.release} wayBack={step.wayBack} />;
    case 'installing':
      return <p>{words.installing({ version: step.release.version })}</p>;
    case 'by-hand':
      return <ByHand why={step.why} command={step.command} />;
    case 'installed':
      return (
        <>
          <p>{words.installed({ version: step.release.version })}</p>
          <Act step="install" text={words.restart} isMain />
        </>
      );
    default:
      return <NothingNew step={step} />;
  }
}

function NothingNew({ step }: { readonly step: Extract<UpdateStep, { name: 'idle' | 'newest' | 'failed' }> }) {
  return (
    <>
      {step.name === 'newest' ? (
        <p>
          {words.newest} {step.note}
        </p>
      ) : null}
      {step.name === 'failed' ? (
        <p className="settings-problem" role="alert">
          {step.message} {words.unchanged}
        </p>
      ) : null}
      <Act step="check" text={words.check} />
    </>
  );
}

function Found({ release, manual }: { readonly release: OfferedRelease; readonly manual: string | null }) {
  return (
    <>
      <p>
        {withParts(words.found, {
          product: <Product version={release.version} />,
          date: dateText(Date.parse(release.date)),
          size: byteText(release.size),
        })}{' '}
        {release.hasFailed ? words.hasFailed : ''}
      </p>
      <p className="settings-note">
        {withParts(words.notes, {
          notes: (
            <code className="settings-file" data-selectable>
              {release.notes}
            </code>
          ),
        })}
      </p>
      {manual === null ? <Act step="download" text={words.download} isMain /> : <p>{manual}</p>}
      <Act step="check" text={words.check} />
    </>
  );
}

function Downloading({ release, received }: { readonly release: OfferedRelease; readonly received: number }) {
  const isWhole = received >= release.size;
  return (
    <>
      <p>
        {isWhole
          ? words.verifying
          : words.downloading({
              version: release.version,
              received: byteText(received),
              size: byteText(release.size),
            })}
      </p>
      <progress
        className="updates-progress"
        aria-label={words.downloadOf({ version: release.version })}
        value={received}
        max={release.size}
      />
      <Act step="cancel" text={words.cancel} />
    </>
  );
}

function Ready({ release, wayBack }: { readonly release: OfferedRelease; readonly wayBack: string | null }) {
  return (
    <>
      <p>{withParts(words.ready, { product: <Product version={release.version} /> })}</p>
      <p className="settings-note">{wayBack === null ? words.noWayBack : words.wayBack({ version: wayBack })}</p>
      <Act step="install" text={words.install} isMain />
    </>
  );
}

function ByHand({ why, command }: { readonly why: string; readonly command: string }) {
  return (
    <>
      <p>
        {why} {words.byHand}
      </p>
      <p className="settings-line">
        <code className="settings-file" data-selectable>
          {command}
        </code>
        <CopyButton text={() => command} label={words.copyCommand} />
      </p>
      <Act step="install" text={words.tryAgain} />
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
