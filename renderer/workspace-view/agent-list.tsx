/**
 * The agent files of the workspace.
 */
import { Bot, CircleX } from 'lucide-react';
import { useStore } from 'zustand';
import { flowNameOf } from '../stores/flow-name.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { AgentFile } from '../stores/workspace.ts';
import { moveRovingFocus, rovingItem } from '../ui/roving-focus.ts';
import './flow-list.css';

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function AgentRow({ file: { agent }, isTabStop }: { file: AgentFile; isTabStop: boolean }) {
  const { agents, openFlows } = useStores();
  const isActive = useStore(openFlows, ({ activePath }) => activePath === agent);
  const hasErrors = useStore(openFlows, ({ flows }) => {
    const open = flows.get(agent);
    return open?.status === 'unreadable' || open?.diagnostics.some(({ severity }) => severity === 'error');
  });
  return (
    <li>
      <button
        type="button"
        className="flow-row"
        title={agent}
        aria-current={isActive}
        onClick={() => void agents.open(agent)}
        {...rovingItem(isTabStop)}
      >
        <Bot aria-hidden className="flow-icon" size={14} />
        <span className="flow-name">
          {folderOf(agent) === '' ? null : <span className="flow-row-folder">{folderOf(agent)}</span>}
          {flowNameOf(agent)}
        </span>
        {hasErrors ? <CircleX role="img" aria-label="Has errors" className="flow-problem" size={13} /> : null}
      </button>
    </li>
  );
}

/** The list of agent files; choosing one opens it in a tab. Nothing while there are none. */
export function AgentList() {
  const { workspace, openFlows } = useStores();
  const files = useStore(workspace, ({ agents }) => agents);
  const activePath = useStore(openFlows, (state) => state.activePath);
  if (files.length === 0) return null;
  const tabStop = files.some(({ agent }) => agent === activePath) ? activePath : files[0]?.agent;
  return (
    <section aria-labelledby="agents-heading">
      <h3 id="agents-heading" className="agent-list-heading">
        AGENTS
      </h3>
      <ul className="flow-list" aria-label="Agent files" onKeyDown={moveRovingFocus}>
        {files.map((file) => (
          <AgentRow key={file.agent} file={file} isTabStop={file.agent === tabStop} />
        ))}
      </ul>
    </section>
  );
}
