/**
 * The flow files of the workspace, with what git and the checks say about each.
 */
import { CircleX, FileX, Workflow } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { OpenFlow } from '../stores/open-flows.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { FlowFile } from '../stores/workspace.ts';
import { moveRovingFocus, rovingItem } from '../ui/roving-focus.ts';
import { Tooltip } from '../ui/tooltip.tsx';
import { type FlowFolder, groupByFolder } from './flow-folders.ts';
import './flow-list.css';

const changeMarks = {
  modified: { letter: 'M', text: 'Changed since the last commit' },
  untracked: { letter: 'U', text: 'Not in git yet' },
} as const;

function ChangeMark({ change }: { change: keyof typeof changeMarks }) {
  const { letter, text } = changeMarks[change];
  return (
    <Tooltip text={text}>
      <span className="flow-mark" data-change={change}>
        <span aria-hidden>{letter}</span>
        <span className="visually-hidden">{text}</span>
      </span>
    </Tooltip>
  );
}

function StateMark({ flow }: { flow: OpenFlow | undefined }) {
  if (flow?.isMissing) return <FileX role="img" aria-label="The file was deleted" className="flow-problem" size={13} />;
  const hasErrors = flow?.status === 'unreadable' || flow?.diagnostics.some(({ severity }) => severity === 'error');
  if (!hasErrors) return null;
  return <CircleX role="img" aria-label="Has errors" className="flow-problem" size={13} />;
}

function FlowRow({ file, name, isTabStop }: { file: FlowFile; name: string; isTabStop: boolean }) {
  const { openFlows } = useStores();
  const isActive = useStore(openFlows, ({ activePath }) => activePath === file.path);
  const flow = useStore(openFlows, ({ flows }) => flows.get(file.path));
  return (
    <li>
      <button
        type="button"
        className="flow-row"
        title={file.path}
        aria-current={isActive}
        onClick={() => void openFlows.getState().open(file.path)}
        {...rovingItem(isTabStop)}
      >
        <Workflow aria-hidden className="flow-icon" size={14} />
        <span className="flow-name">{name}</span>
        <StateMark flow={flow} />
        {file.change === null ? null : <ChangeMark change={file.change} />}
      </button>
    </li>
  );
}

function FolderRows({ folder, tabStop }: { folder: FlowFolder; tabStop: string | undefined }) {
  return (
    <li>
      {folder.name === '' ? null : <p className="flow-folder">{folder.name}</p>}
      <ul aria-label={folder.name === '' ? 'Workspace folder' : folder.name}>
        {folder.files.map(({ file, name }) => (
          <FlowRow key={file.path} file={file} name={name} isTabStop={file.path === tabStop} />
        ))}
      </ul>
    </li>
  );
}

/** The list of flow files; choosing one opens it in a tab. */
export function FlowList() {
  const { workspace, openFlows } = useStores();
  const files = useStore(workspace, ({ flows }) => flows);
  const activePath = useStore(openFlows, (state) => state.activePath);
  const folders = useMemo(() => groupByFolder(files), [files]);
  const isActiveListed = files.some(({ path }) => path === activePath);
  const tabStop = (isActiveListed ? activePath : folders[0]?.files[0]?.file.path) ?? undefined;
  return (
    <ul className="flow-list" aria-label="Flow files" onKeyDown={moveRovingFocus}>
      {folders.map((folder) => (
        <FolderRows key={folder.name} folder={folder} tabStop={tabStop} />
      ))}
    </ul>
  );
}
