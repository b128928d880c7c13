/**
 * The connections to remote histories, and their workspaces, each with a button that opens it in this window.
 */

import { Plus } from 'lucide-react';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { toErrorRecord } from '../../../engine/isomorphic.ts';
import { useStores } from '../../stores/stores-context.tsx';
import type { RemoteConnection, RemoteList } from '../../stores/window/remotes.ts';
import { Button } from '../../ui/button.tsx';
import { RemoteForm } from './remote-form.tsx';
import { text as words } from './text.ts';
import './remote-tab.css';

function placeText({ place: { host, port, database, user } }: RemoteConnection): string {
  return `${user}@${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
}

interface WorkspacesProps {
  readonly connected: Connected;
  readonly onOpen: (workspace: string) => void;
}

function Workspaces({ connected, onOpen }: WorkspacesProps) {
  if (connected.state === 'connecting') return <p className="provider-test">{words.connecting}</p>;
  if (connected.state === 'failed')
    return (
      <div className="provider-test" data-tone="error" role="alert">
        <p>{connected.message}</p>
      </div>
    );
  return (
    <>
      <div className="provider-test" data-tone="ok" role="status">
        <p>{words.connected({ count: connected.workspaces.length })}</p>
      </div>
      <ul className="remote-workspaces">
        {connected.workspaces.map((name) => (
          <li key={name}>
            <span>{name}</span>
            <Button size="small" aria-label={words.openNamed({ name })} onClick={() => onOpen(name)}>
              {words.open}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

interface RowProps extends Pick<WorkspacesProps, 'onOpen'> {
  readonly connection: RemoteConnection;
  readonly connected: Connected | undefined;
  readonly onConnect: () => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function Row({ connection, connected, onConnect, onEdit, onRemove, onOpen }: RowProps) {
  const { name, hasPassword } = connection;
  return (
    <>
      <div className="provider-row">
        <div className="provider-facts">
          <b>{name}</b>
          <span className="provider-notes">{hasPassword ? words.passwordSet : words.noPassword}</span>
          <code title={placeText(connection)}>{placeText(connection)}</code>
        </div>
        <Button
          size="small"
          disabled={connected?.state === 'connecting'}
          aria-label={words.connectTo({ name })}
          onClick={onConnect}
        >
          {words.connect}
        </Button>
        <Button size="small" aria-label={words.editNamed({ name })} onClick={onEdit}>
          {words.edit}
        </Button>
        <Button size="small" aria-label={words.removeNamed({ name })} onClick={onRemove}>
          {words.remove}
        </Button>
      </div>
      {connected === undefined ? null : <Workspaces connected={connected} onOpen={onOpen} />}
    </>
  );
}

export function RemoteTab() {
  const { connections, vaultProblem, isLoaded, problem, connected, ...remotes } = useRemotes();
  /** The ID of the edited connection; empty for a new one. Null if no form is open. */
  const [edited, setEdited] = useState<string | null>(null);
  const wasEdited = useRef(false);
  const addId = useId();
  const close = (): void => setEdited(null);
  useEffect(() => {
    // The form had the keyboard focus.
    if (wasEdited.current && edited === null) document.getElementById(addId)?.focus();
    wasEdited.current = edited !== null;
  }, [edited, addId]);
  const saved = async (id: string): Promise<void> => {
    close();
    await remotes.refresh();
    await remotes.connect(id);
  };
  const formOf = (connection: RemoteConnection | null) => (
    <RemoteForm connection={connection} vaultProblem={vaultProblem} onClose={close} onSaved={(id) => void saved(id)} />
  );
  return (
    <div className="settings-part">
      <section aria-label={words.title}>
        <div className="settings-heading-row">
          <h3 className="settings-heading">{words.title}</h3>
          <Button id={addId} size="small" disabled={edited === ''} onClick={() => setEdited('')}>
            <Plus aria-hidden size={14} />
            {words.add}
          </Button>
        </div>
        <p className="settings-note">{words.about}</p>
        {edited === '' ? formOf(null) : null}
        {isLoaded && connections.length === 0 && edited === null ? <p className="remote-none">{words.none}</p> : null}
        <ul className="remote-connections">
          {connections.map((connection) => (
            <li key={connection.id} className="provider" aria-label={connection.name}>
              {edited === connection.id ? (
                formOf(connection)
              ) : (
                <Row
                  connection={connection}
                  connected={connected.get(connection.id)}
                  onConnect={() => void remotes.connect(connection.id)}
                  onEdit={() => setEdited(connection.id)}
                  onRemove={() => void remotes.remove(connection.id)}
                  onOpen={(workspace) => void remotes.open(connection.id, workspace)}
                />
              )}
            </li>
          ))}
        </ul>
      </section>
      {problem === null ? null : (
        <p className="settings-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** The result of connecting to a history. */
export type Connected =
  | { readonly state: 'connecting' }
  | { readonly state: 'connected'; readonly workspaces: readonly string[] }
  | { readonly state: 'failed'; readonly message: string };

const none: RemoteList = { connections: [], vaultProblem: null };

/** Returns the connections, why the last action failed, and the actions. */
function useRemotes() {
  const { main } = useStores();
  const [listed, setListed] = useState<RemoteList | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [connected, setConnected] = useState<ReadonlyMap<string, Connected>>(new Map());
  const tolerant = useCallback(async (act: () => Promise<unknown>): Promise<void> => {
    try {
      await act();
      setProblem(null);
    } catch (error) {
      setProblem(toErrorRecord(error).message);
    }
  }, []);
  const refresh = useCallback(() => tolerant(async () => setListed(await main.call('remotes.list'))), [main, tolerant]);
  useEffect(() => void refresh(), [refresh]);
  return {
    ...(listed ?? none),
    isLoaded: listed !== null,
    problem,
    connected,
    refresh,
    async connect(id: string): Promise<void> {
      const put = (state: Connected): void => setConnected((former) => new Map(former).set(id, state));
      put({ state: 'connecting' });
      await main.call('remotes.listWorkspaces', { id }).then(
        ({ workspaces }) => put({ state: 'connected', workspaces }),
        (error: unknown) => put({ state: 'failed', message: toErrorRecord(error).message }),
      );
    },
    remove: (id: string) =>
      tolerant(async () => {
        await main.call('remotes.remove', { id });
        setListed(await main.call('remotes.list'));
      }),
    open: (id: string, workspace: string) => tolerant(() => main.call('remotes.open', { id, workspace })),
  };
}
