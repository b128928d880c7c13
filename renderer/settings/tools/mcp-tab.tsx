/**
 * The MCP servers of the workspace: state, tools and output of each, and how to add another. Everything that a server
 * sends is shown as text.
 */
import { Plug, RotateCw, ShieldAlert, Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { showOrMake } from '../../stores/show-text.ts';
import { useStores } from '../../stores/stores-context.tsx';
import type { AllowedTool, McpServer } from '../../stores/workspace/servers.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { fullDateTimeText } from '../../ui/quantity-text.ts';
import { StateIcon, type VisualState } from '../../ui/state-icon.tsx';
import { VirtualRows } from '../../ui/virtual-rows.tsx';
import { withParts } from '../../ui/with-parts.tsx';
import { text as areaText } from './text.ts';
import './mcp-tab.css';

const words = areaText.servers;

const states: Readonly<Record<McpServer['state'], readonly [icon: VisualState, label: string]>> = {
  idle: ['idle', words.idle],
  starting: ['running', words.starting],
  running: ['completed', words.running],
  failed: ['failed', words.failed],
  stopped: ['cancelled', words.stopped],
  untrusted: ['interrupted', words.untrusted],
};

const configPath = '.mcp.json';

const starter = `${JSON.stringify({ mcpServers: {} }, null, 2)}\n`;

const example = `{
  "mcpServers": {
    "files": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "."]
    },
    "tickets": {
      "url": "https://tickets.example.com/mcp",
      "headers": { "Authorization": "Bearer \${TICKETS_TOKEN}" }
    }
  }
}`;

/** Row height in pixels. */
const toolHeight = 26;
/** Number of tool rows visible at once. */
const mostInView = 8;

function ToolsOf({ server }: { readonly server: McpServer }) {
  const { tools } = server;
  return (
    <div className="mcp-tools" style={{ height: toolHeight * Math.min(mostInView, tools.length) }}>
      <VirtualRows
        label={words.tools({ name: server.name })}
        count={tools.length}
        rowHeight={toolHeight}
        renderRow={(index) => {
          const tool = tools[index];
          if (tool === undefined) return null;
          return (
            <div className="mcp-tool" title={tool.description}>
              <code>{tool.name}</code>
              <span className="mcp-tool-about">{tool.description}</span>
              {tool.changed ? (
                <b className="mcp-changed">{words.toolChanged}</b>
              ) : (
                <span className="mcp-pinned">{tool.pinned ? words.toolAllowed : words.toolAsks}</span>
              )}
            </div>
          );
        }}
      />
    </div>
  );
}

/** The tools of a server, and its latest output. */
function ServerParts({ server }: { readonly server: McpServer }) {
  const { state, problems, tools, log } = server;
  return (
    <>
      {problems.map((text) => (
        <p key={text} className="settings-problem" data-selectable>
          {text}
        </p>
      ))}
      {tools.length === 0 ? null : (
        <details className="mcp-part">
          <summary>
            {words.toolCount({ count: tools.length })}
            {tools.some(({ changed }) => changed) ? <b className="mcp-changed">{words.someChanged}</b> : null}
          </summary>
          <ToolsOf server={server} />
        </details>
      )}
      {log.length === 0 ? null : (
        <details className="mcp-part" open={state === 'failed'}>
          <summary>{words.log}</summary>
          <pre className="mcp-log" data-selectable>
            {log.join('\n')}
          </pre>
        </details>
      )}
    </>
  );
}

/** Returns the texts of the button that starts a server. */
function startLabels(isAlive: boolean, state: McpServer['state']) {
  if (isAlive) return { label: words.restart, labelOf: words.restartServer };
  return state === 'stopped'
    ? { label: words.start, labelOf: words.startServer }
    : { label: words.try, labelOf: words.tryServer };
}

function ServerRow({ server }: { readonly server: McpServer }) {
  const { servers } = useStores();
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const { name, title, state, transport, target, error, restarts } = server;
  const [icon, label] = states[state];
  const act = async (work: Promise<string | null>): Promise<void> => {
    setIsBusy(true);
    setProblem(await work);
    setIsBusy(false);
  };
  const isAlive = state === 'running' || state === 'starting';
  // Only the file can mend an entry that cannot be read.
  const isReadable = !target.startsWith(`${configPath}:`);
  const start = startLabels(isAlive, state);
  return (
    <li className="mcp-server" data-state={icon} aria-label={title}>
      <header className="mcp-head">
        <b className="mcp-name">{title}</b>
        <span className="mcp-state">
          <StateIcon state={icon} isDecorative />
          {restarts > 0 ? words.restarted({ state: label, count: restarts }) : label}
        </span>
        {state === 'untrusted' || !isReadable ? null : (
          <span className="mcp-buttons">
            <Button
              size="small"
              disabled={isBusy}
              aria-label={start.labelOf({ name: title })}
              onClick={() => void act(servers.getState().restart(name))}
            >
              <RotateCw aria-hidden size={12} />
              {start.label}
            </Button>
            {isAlive ? (
              <Button
                size="small"
                disabled={isBusy}
                aria-label={words.stopServer({ name: title })}
                onClick={() => void act(servers.getState().stop(name))}
              >
                <Square aria-hidden size={12} />
                {words.stop}
              </Button>
            ) : null}
          </span>
        )}
      </header>
      <code className="settings-file" title={target}>
        {transport === 'stdio' ? target : `${transport} ${target}`}
      </code>
      {problem === null && error === undefined ? null : (
        <p className="settings-problem" role="alert" data-selectable>
          {problem ?? error}
        </p>
      )}
      <ServerParts server={server} />
    </li>
  );
}

function AllowedRow({ tool }: { readonly tool: AllowedTool }) {
  const { servers } = useStores();
  const [problem, setProblem] = useState<string | null>(null);
  const name = `${tool.server}.${tool.tool}`;
  return (
    <li className="mcp-allowed">
      <code title={name}>{name}</code>
      <span className="mcp-tool-about">
        {tool.at === undefined ? words.allowedBefore : words.allowedAt({ time: fullDateTimeText(tool.at) })}
      </span>
      <Button
        size="small"
        aria-label={words.revokeTool({ name })}
        onClick={() => void servers.getState().withdraw(tool).then(setProblem)}
      >
        {words.revoke}
      </Button>
      {problem === null ? null : (
        <p className="settings-problem" role="alert">
          {problem}
        </p>
      )}
    </li>
  );
}

/** The tools that run without approval, each with a button to revoke this. */
function AllowedTools({ tools }: { readonly tools: readonly AllowedTool[] }) {
  if (tools.length === 0) return null;
  return (
    <section className="mcp-allowed-tools" aria-labelledby="mcp-allowed">
      <h3 id="mcp-allowed" className="mcp-name">
        {words.allowedTools}
      </h3>
      <ul>
        {tools.map((tool) => (
          <AllowedRow key={`${tool.server}.${tool.tool}`} tool={tool} />
        ))}
      </ul>
    </section>
  );
}

function HowToAdd({ isOpen }: { readonly isOpen: boolean }) {
  const stores = useStores();
  const open = (): void => {
    stores.preferences.getState().close();
    void showOrMake(stores, configPath, starter);
  };
  return (
    <details className="mcp-add" open={isOpen}>
      <summary>{words.add}</summary>
      <p>
        {withParts(words.howToAdd, {
          file: <code>{configPath}</code>,
          secret: <code>${'{NAME}'}</code>,
        })}
      </p>
      <pre className="mcp-log" data-selectable>
        {example}
      </pre>
      <div>
        <Button size="small" onClick={open}>
          {words.openFile({ file: configPath })}
        </Button>
      </div>
    </details>
  );
}

/** Shown if servers cannot start because the workspace is not trusted. Links to the trust setting. */
function Untrusted() {
  const { preferences } = useStores();
  return (
    <p className="mcp-untrusted" role="status">
      <ShieldAlert aria-hidden size={16} />
      <span>{words.needTrust}</span>
      <Button size="small" onClick={() => preferences.getState().open('trust')}>
        {words.trust}
      </Button>
    </p>
  );
}

export function McpTab() {
  const { servers: store, engine } = useStores();
  const { list: servers, allowed, error: serversError, refresh: refreshServers } = useStore(store);
  useEffect(() => {
    void refreshServers();
    return engine.stream('watchMcpServers', () => void refreshServers());
  }, [engine, refreshServers]);
  if (servers === null) return <p className="settings-part">{serversError ?? words.loading}</p>;
  return (
    <div className="settings-part">
      {serversError === null ? null : (
        <p className="settings-problem" role="alert">
          {serversError}
        </p>
      )}
      {servers.some(({ state }) => state === 'untrusted') ? <Untrusted /> : null}
      {servers.length === 0 ? (
        <EmptyState icon={<Plug aria-hidden size={20} />} title={words.none}>
          {words.noneNote}
        </EmptyState>
      ) : (
        <ul className="mcp-servers" aria-label={words.list}>
          {servers.map((server) => (
            <ServerRow key={server.name} server={server} />
          ))}
        </ul>
      )}
      <AllowedTools tools={allowed} />
      <HowToAdd isOpen={servers.length === 0} />
    </div>
  );
}
