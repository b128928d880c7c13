/**
 * Publishes the flow: its address and form page, the keys of its callers, limits, and the latest calls.
 */
import { ExternalLink, Info, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { addressNameOf, type FlowDoc, type JsonValue } from '../../../engine/isomorphic.ts';
import { callsOf, emptyRunList } from '../../stores/runs/history/run-history.ts';
import { shownRunState } from '../../stores/runs/shown-run.ts';
import { useStores } from '../../stores/stores-context.tsx';
import type { SettledFlow } from '../../stores/use-flow.ts';
import { usualOrigin } from '../../stores/window/background.ts';
import type { ListedAddress } from '../../stores/workspace/publishing.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { numberText } from '../../ui/language.ts';
import { fullDateTimeText, shortTimeText } from '../../ui/quantity-text.ts';
import { StateIcon, visualStateLabels } from '../../ui/state-icon.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useNow } from '../../ui/use-now.ts';
import { Group } from '../fields/setting-rows.tsx';
import { AddressLimits } from './address-limits.tsx';
import { CallerKeys } from './caller-keys.tsx';
import './publish.css';
import { text } from './text.ts';

export function PublishTab({ flow }: { readonly flow: SettledFlow }) {
  const { publishing } = useStores();
  const { path, doc } = flow;
  const flows = useStore(publishing, (state) => state.flows);
  const problem = useStore(publishing, (state) => state.problem);
  useEffect(() => publishing.getState().watch(), [publishing]);
  if (problem !== null) return <p className="inspector-note inspector-body">{problem}</p>;
  // Without the list, a switch would show that the flow is not published.
  if (flows === null) return null;
  const address = flows.find((one) => one.flow === path);
  if (address === undefined) return <NotPublished key={path} path={path} isCurrent={!flow.isOldVersion} />;
  return (
    <div className="inspector-body publish">
      <section className="inspector-group publish-rows">
        <Published address={address} isCurrent={!flow.isOldVersion} />
        <AddressState address={address} />
        <ServiceState />
        <AddressRow address={address} inputs={doc?.flow.inputs} />
        <FormPage address={address} />
      </section>
      <CallerKeys key={path} address={address} />
      <AddressLimits key={`${path} limits`} address={address} />
      <LastCalls path={path} />
    </div>
  );
}

/** The switch of a published flow. It asks first if keys would stop working, because they cannot be restored. */
function Published({
  address: { flow, name },
  isCurrent,
}: {
  readonly address: ListedAddress;
  readonly isCurrent: boolean;
}) {
  const { publishing } = useStores();
  const keys = useStore(publishing, (state) => state.keys);
  const [isAsking, setIsAsking] = useState(false);
  const count = keys.filter(({ flows, revokedAt }) => revokedAt === undefined && flows.includes(name)).length;
  const unpublish = (): void => void publishing.getState().unpublish(flow);
  return (
    <>
      <PublishedSwitch
        about={text.about}
        isOn
        isCurrent={isCurrent}
        onChange={() => (count === 0 ? unpublish() : setIsAsking(true))}
      />
      {isAsking && count > 0 ? (
        <Note icon={<TriangleAlert aria-hidden size={14} />} isWarning>
          <span>{text.unpublish.question({ count })}</span>
          <div className="publish-actions">
            <Button size="small" variant="danger" onClick={unpublish}>
              {text.unpublish.do}
            </Button>
            <Button size="small" autoFocus onClick={() => setIsAsking(false)}>
              {text.unpublish.keep}
            </Button>
          </div>
        </Note>
      ) : null}
    </>
  );
}

interface PublishedSwitchProps {
  readonly about: string;
  readonly isOn: boolean;
  readonly isCurrent: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: () => void;
}

function PublishedSwitch({ about, isOn, isCurrent, isDisabled = false, onChange }: PublishedSwitchProps) {
  return (
    <div className="publish-row">
      <div>
        <b>{text.published}</b>
        <p className="inspector-note">{isCurrent ? about : text.readOnly}</p>
      </div>
      <Switch
        aria-label={text.published}
        checked={isOn}
        disabled={!isCurrent || isDisabled}
        onCheckedChange={onChange}
      />
    </div>
  );
}

function NotPublished({ path, isCurrent }: { readonly path: string; readonly isCurrent: boolean }) {
  const { publishing } = useStores();
  const [name, setName] = useState(() => addressNameOf(path));
  const isValid = /^[a-z0-9-]{1,60}$/.test(name);
  return (
    <div className="inspector-body publish">
      <PublishedSwitch
        about={text.aboutOff}
        isOn={false}
        isCurrent={isCurrent}
        isDisabled={!isValid}
        onChange={() => void publishing.getState().publish({ flow: path, name })}
      />
      <Field label={text.name} problem={isValid ? undefined : text.badName}>
        {(control) => (
          <TextInput
            {...control}
            value={name}
            disabled={!isCurrent}
            onChange={({ target }) => setName(target.value.trim())}
          />
        )}
      </Field>
    </div>
  );
}

/** Why the address refuses calls. Renders nothing if it does not. */
function AddressState({ address: { flow, state, problem } }: { readonly address: ListedAddress }) {
  const { publishing } = useStores();
  if (problem === undefined && state === 'on') return null;
  return (
    <Note icon={<TriangleAlert aria-hidden size={14} />} isWarning>
      <span>{problem ?? text.changed}</span>
      {problem === undefined ? (
        <Button size="small" onClick={() => void publishing.getState().publish({ flow })}>
          {text.confirm}
        </Button>
      ) : null}
    </Note>
  );
}

/** Says that nobody answers calls. Renders nothing if a service does. */
function ServiceState() {
  const { publishing, background } = useStores();
  const service = useStore(publishing, (state) => state.service);
  const known = useStore(background, (state) => state.known);
  if (service !== null) return null;
  const isOn = known?.isOn === true;
  return (
    <Note icon={<Info aria-hidden size={14} />}>
      <span>{isOn ? (known.problem ?? text.starting) : text.notServed}</span>
      {isOn ? null : (
        <Button size="small" onClick={() => void background.getState().set(true)}>
          {text.keepRunning}
        </Button>
      )}
    </Note>
  );
}

interface NoteProps {
  readonly icon: ReactNode;
  readonly isWarning?: boolean;
  readonly children: ReactNode;
}

function Note({ icon, isWarning = false, children }: NoteProps) {
  return (
    <div className="publish-note" data-warning={isWarning || undefined} role="status">
      {icon}
      <div>{children}</div>
    </div>
  );
}

interface AddressRowProps {
  readonly address: ListedAddress;
  readonly inputs: FlowDoc['flow']['inputs'];
}

function AddressRow({ address: { name }, inputs }: AddressRowProps) {
  const origin = useOrigin();
  const path = `/flows/${name}/runs`;
  return (
    <div>
      <h4 className="publish-heading">
        {text.address}
        <span>{useAudience()}</span>
      </h4>
      <div className="publish-address">
        <code data-selectable>{path}</code>
        <CopyButton label={text.copyAddress} text={() => origin + path} />
      </div>
      <div className="publish-links">
        <CopyLink label={text.copyCurl} value={() => curlText(origin + path, inputs)} />
        <CopyLink label={text.copyOpenApi} value={() => `${origin}/flows/${name}/openapi.json`} />
      </div>
    </div>
  );
}

/** Returns the address that callers use, without a path. */
function useOrigin(): string {
  const service = useStore(useStores().publishing, (state) => state.service);
  return service?.publicAddress?.replace(/\/+$/, '') ?? service?.origin ?? usualOrigin;
}

/** Returns who can reach the service. */
function useAudience(): string {
  const service = useStore(useStores().publishing, (state) => state.service);
  if (service === null) return '';
  const { origin, publicAddress } = service;
  return publicAddress ?? text.thisComputer({ host: new URL(origin).host });
}

/** Milliseconds for which a link confirms that it has copied. */
const confirmationMs = 1500;

function CopyLink({ label, value }: { readonly label: string; readonly value: () => string }) {
  const [isDone, setIsDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setIsDone(false), confirmationMs);
    return () => clearTimeout(timer);
  }, [isDone]);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(value());
    setIsDone(true);
  };
  return (
    <button type="button" className="publish-link" onClick={() => void copy()}>
      {isDone ? text.copied : label}
    </button>
  );
}

function FormPage({ address: { flow, name, page } }: { readonly address: ListedAddress }) {
  const { publishing } = useStores();
  const origin = useOrigin();
  const { publish, openForm } = publishing.getState();
  const path = `/f/${name}`;
  const { isOn, showsProgress, needsKey } = page;
  return (
    <div className="publish-rows">
      <SettingRow
        label={text.form}
        isOn={isOn}
        onChange={(next) => publish({ flow, page: { isOn: next } })}
        isHeading
      />
      {isOn ? (
        <>
          <div className="publish-address">
            <code data-selectable>{path}</code>
            <CopyButton label={text.copyForm} text={() => origin + path} />
            <IconButton label={text.openForm} onClick={() => void openForm(flow)}>
              <ExternalLink aria-hidden size={14} />
            </IconButton>
          </div>
          <SettingRow
            label={text.showsProgress}
            isOn={showsProgress}
            onChange={(next) => publish({ flow, page: { showsProgress: next } })}
          />
          <SettingRow
            label={text.needsKey}
            isOn={needsKey}
            onChange={(next) => publish({ flow, page: { needsKey: next } })}
          />
        </>
      ) : null}
    </div>
  );
}

interface SettingRowProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => Promise<void>;
  readonly isHeading?: boolean;
}

function SettingRow({ label, isOn, onChange, isHeading = false }: SettingRowProps) {
  return (
    <div className="publish-row">
      {isHeading ? <h4>{label}</h4> : <span>{label}</span>}
      <Switch aria-label={label} checked={isOn} onCheckedChange={(next) => void onChange(next)} />
    </div>
  );
}

const tickMs = 60_000;

function LastCalls({ path }: { readonly path: string }) {
  const { runHistory, runs } = useStores();
  const key = callsOf(path);
  useEffect(() => runHistory.getState().watch(key), [runHistory, key]);
  const { runs: calls, status: reading, error } = useStore(runHistory, ({ lists }) => lists.get(key)) ?? emptyRunList;
  const now = useNow(true, tickMs);
  return (
    <Group title={text.calls.title}>
      {reading === 'failed' ? <p className="inspector-quiet">{error}</p> : null}
      {reading === 'ready' && calls.length === 0 ? <p className="inspector-quiet">{text.calls.none}</p> : null}
      <ul className="publish-calls">
        {calls.map(({ runId, number, startedAt, startedBy, ...run }) => (
          <li key={runId}>
            <StateIcon state={shownRunState(run)} />
            <button type="button" className="publish-call" onClick={() => void runs.openRun(path, runId)}>
              {startedBy?.name ?? visualStateLabels[shownRunState(run)]},{' '}
              {text.calls.run({ number: numberText(number) })}
            </button>
            <time title={fullDateTimeText(startedAt)}>{shortTimeText(startedAt, now)}</time>
          </li>
        ))}
      </ul>
    </Group>
  );
}

/** Returns a command that starts a run, with the inputs that a caller has to provide. */
export function curlText(url: string, inputs: FlowDoc['flow']['inputs'] = {}): string {
  const required = Object.entries(inputs).filter(([, input]) => input.required === true);
  const shown = required.length === 0 ? Object.entries(inputs) : required;
  const body = Object.fromEntries(shown.map(([name, input]) => [name, exampleOf(input)]));
  const quoted = JSON.stringify(body).replaceAll("'", "'\\''");
  return [
    `curl '${url}'`,
    // The shell replaces the variable only in double quotes.
    `-H "${headerLine('Authorization', 'Bearer', '$MILLRACE_KEY')}"`,
    `-H '${headerLine('Content-Type', 'application/json')}'`,
    `-d '${quoted}'`,
  ].join(' \\\n  ');
}

function headerLine(name: string, ...value: readonly string[]): string {
  return `${name}: ${value.join(' ')}`;
}

const examples = { string: '', number: 0, integer: 0, boolean: false, array: [], object: {} } as const;

type DeclaredInput = NonNullable<FlowDoc['flow']['inputs']>[string];

function exampleOf({ type, default: usual, enum: [first] = [] }: DeclaredInput): JsonValue {
  return usual ?? first ?? examples[type];
}
