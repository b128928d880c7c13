/**
 * The line above an agent's text: the file's path, the stage at the cursor, and which flows run the agent.
 */
import { ChevronDown, ChevronRight, Workflow } from 'lucide-react';
import { Fragment, useDeferredValue, useMemo } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores-context.tsx';
import type { OpenFile } from '../stores/text/file.ts';
import { useAgentUsers, useOpenUser } from '../stores/use-agent-users.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { agentOutline, stageAtLine } from './agent-outline.ts';
import { text } from './text.ts';
import './agent-crumbs.css';

/** The stage at the cursor, with a menu of the others. */
function StageCrumb({ file }: { file: OpenFile }) {
  const { cursors, selection } = useStores();
  const agent = useDeferredValue(file.text);
  const entries = useMemo(() => agentOutline(agent).filter(({ line }) => line !== null), [agent]);
  const line = useStore(cursors, ({ places }) => places.get(file.path)?.line) ?? 1;
  const current = stageAtLine(entries, line);
  const title = current?.stage.title;
  if (entries.length === 0) return null;
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="agent-crumb-button"
          data-current
          aria-label={title === undefined ? text.crumbs.noStage : text.crumbs.stage({ stage: title })}
        >
          {title ?? text.crumbs.stages}
          <ChevronDown aria-hidden size={12} />
        </button>
      }
    >
      {entries.map((entry) => (
        <MenuItem
          key={entry.key}
          text={entry.stage.title}
          hint={text.crumbs.line({ line: entry.line ?? 1 })}
          isChecked={entry.key === current?.key}
          onSelect={() => selection.getState().revealText(file.path, { line: entry.line ?? 1, column: 1 })}
        />
      ))}
    </Menu>
  );
}

function UsersCrumb({ path }: { path: string }) {
  const users = useAgentUsers(path);
  const open = useOpenUser();
  if (users === null) return null;
  if (users.length === 0) return <span className="agent-crumbs-note">{text.crumbs.usedBy({ count: 0 })}</span>;
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className="agent-crumb-button">
          {text.crumbs.usedBy({ count: users.length })}
          <ChevronDown aria-hidden size={12} />
        </button>
      }
    >
      {users.map((user) => (
        <MenuItem
          key={user.path}
          icon={<Workflow aria-hidden size={14} />}
          text={user.path}
          hint={text.crumbs.nodes({ count: user.nodeIds.length })}
          onSelect={() => open(user)}
        />
      ))}
    </Menu>
  );
}

interface AgentCrumbsProps {
  /** The open agent. */
  readonly file: OpenFile;
}

export function AgentCrumbs({ file }: AgentCrumbsProps) {
  const parts = file.path.split('/').filter((part) => part !== '');
  return (
    <nav className="agent-crumbs" aria-label={text.crumbs.label}>
      <ol className="agent-crumbs-path" title={file.path}>
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: nested folders may have the same name
          <Fragment key={index}>
            <li>{part}</li>
            <li aria-hidden>
              <ChevronRight size={12} />
            </li>
          </Fragment>
        ))}
        <li>
          <StageCrumb file={file} />
        </li>
      </ol>
      <UsersCrumb path={file.path} />
    </nav>
  );
}
