/**
 * Whether the program keeps running without a window, and what its service does.
 */
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores-context.tsx';
import type { BackgroundStore } from '../stores/window/background.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { fullDateTimeText } from '../ui/quantity-text.ts';
import { Switch } from '../ui/switch.tsx';
import { text } from './text.ts';

const words = text.background;

type Known = NonNullable<BackgroundStore['known']>;

export function BackgroundTab() {
  const { background } = useStores();
  const { known, problem, refresh, set } = useStore(background);
  useEffect(() => void refresh(), [refresh]);
  if (known === null) return <p className="settings-part">{problem ?? words.loading}</p>;
  return (
    <div className="settings-part">
      <div className="settings-group">
        <div className="settings-row">
          <div>
            <b aria-hidden>{words.keep}</b>
            <p className="settings-note">{words.keepNote}</p>
          </div>
          <Switch checked={known.isOn} aria-label={words.keep} onCheckedChange={(isOn) => void set(isOn)} />
        </div>
        <Session />
        {known.service === 'off' ? null : <Service known={known} service={known.service} />}
      </div>
      {known.workspaces.length === 0 ? null : <Workspaces known={known} />}
      {problem === null ? null : (
        <p className="settings-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** Not shown until it is known whether there is systemd. */
function Session() {
  const { background } = useStores();
  const { session, refreshSession, setSession } = useStore(background);
  useEffect(() => void refreshSession(), [refreshSession]);
  if (session === null) return null;
  return (
    <div className="settings-row">
      <div>
        <b aria-hidden>{words.session}</b>
        <p className="settings-note">
          {session.state === 'unavailable' ? session.reason : words.sessionNote({ folder: session.workspace })}
        </p>
      </div>
      {session.state === 'unavailable' ? null : (
        <Switch
          checked={session.state === 'on'}
          aria-label={words.session}
          onCheckedChange={(isOn) => void setSession(isOn)}
        />
      )}
    </div>
  );
}

function Service({ known, service }: { readonly known: Known; readonly service: Exclude<Known['service'], 'off'> }) {
  return (
    <>
      <div className="settings-row">
        <div>
          <b>{words.service}</b>
          {known.problem === null ? null : (
            <p className="settings-problem" role="status">
              {words.reported} {known.problem}
            </p>
          )}
        </div>
        <span>{words[service]}</span>
      </div>
      {service === 'idle' ? null : (
        <div className="settings-row">
          <b>{words.address}</b>
          {known.address === null ? <span>{words.noAddress}</span> : <Address address={known.address} />}
        </div>
      )}
    </>
  );
}

function Address({ address }: { readonly address: string }) {
  return (
    <span className="settings-line">
      <code className="settings-file" data-selectable>
        {address}
      </code>
      <CopyButton text={() => address} label={words.copyAddress} />
    </span>
  );
}

function Workspaces({ known }: { readonly known: Known }) {
  return (
    <section className="settings-group" aria-label={words.workspaces}>
      <b>{words.workspaces}</b>
      {known.workspaces.map(({ folder, on, changed, published, running, next }) => {
        const parts = [
          ...(on === 0 && published > 0 ? [] : [words.on({ count: on })]),
          ...(changed === 0 ? [] : [words.changed({ count: changed })]),
          ...(published === 0 ? [] : [words.published({ count: published })]),
          ...(running === 0 ? [] : [words.active({ count: running })]),
          ...(next === null ? [] : [words.next({ trigger: next.trigger, time: fullDateTimeText(next.at) })]),
        ];
        return (
          <div key={folder}>
            <code className="settings-file">{folder}</code>
            <p className="settings-note">{parts.join(' · ')}</p>
          </div>
        );
      })}
    </section>
  );
}
