/**
 * The button that runs the active file, with a menu of other ways to run it. The Cancel button is part of the run view.
 */
import { ChevronDown, FlaskConical, ListTree, Play, RotateCw, StepForward, TextCursorInput } from 'lucide-react';
import { useStore } from 'zustand';
import { isUnfinished } from '../../stores/runs/live/live-runs.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { useRunNowPart } from '../../stores/use-flow.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { CommandButton, useCommand } from '../commands/command-context.tsx';

import { text } from './text.ts';
import './run-button.css';

function RunMenu() {
  const withInputs = useCommand('run.startWithInputs');
  const redo = useCommand('run.redo');
  const fromHere = useCommand('run.fromHere');
  const plan = useCommand('run.planFromHere');
  const save = useCommand('tests.saveRun');
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className="run-menu-button" aria-label={text.runButton.more}>
          <ChevronDown aria-hidden size={14} />
        </button>
      }
    >
      <MenuItem
        icon={<TextCursorInput aria-hidden size={14} />}
        text={withInputs.title}
        hint={withInputs.keys}
        isDisabled={!withInputs.isAvailable}
        onSelect={withInputs.run}
      />
      <MenuItem
        icon={<RotateCw aria-hidden size={14} />}
        text={redo.title}
        hint={redo.keys}
        isDisabled={!redo.isAvailable}
        onSelect={redo.run}
      />
      <MenuItem
        icon={<StepForward aria-hidden size={14} />}
        text={fromHere.title}
        hint={fromHere.keys}
        isDisabled={!fromHere.isAvailable}
        onSelect={fromHere.run}
      />
      <MenuItem
        icon={<ListTree aria-hidden size={14} />}
        text={plan.title}
        isDisabled={!plan.isAvailable}
        onSelect={plan.run}
      />
      <MenuItem
        icon={<FlaskConical aria-hidden size={14} />}
        text={save.title}
        isDisabled={!save.isAvailable}
        onSelect={save.run}
      />
    </Menu>
  );
}

/** A window that shows a remote history starts no runs. */
export function RunButton({ path }: { path: string }) {
  const isRemote = useStore(useStores().workspace, ({ remote }) => remote !== null);
  return isRemote ? null : <LocalRunButton path={path} />;
}

function LocalRunButton({ path }: { path: string }) {
  const isRunning = useRunNowPart(path, ({ state }) => isUnfinished(state)) ?? false;
  const runId = useRunNowPart(path, (run) => run.runId);
  const { isAvailable } = useCommand('run.toggle');
  const hasJustEnded = useStore(useStores().recentSwitches, ({ runs }) => runId !== undefined && runs.has(runId));
  const isDisabled = isRunning || hasJustEnded || !isAvailable;
  return (
    <div className="run-button" data-disabled={isDisabled}>
      <CommandButton
        command="run.toggle"
        text={text.runButton.run}
        variant="primary"
        icon={<Play aria-hidden size={12} />}
        isDisabled={isDisabled}
      />
      <RunMenu />
    </div>
  );
}
