import {
  ChevronDown,
  FolderOpen,
  Keyboard,
  MonitorCog,
  Moon,
  PanelBottom,
  PanelLeft,
  PanelRight,
  PanelsTopLeft,
  Search,
  Sparkles,
  Sun,
} from 'lucide-react';
import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import { fileNameOf, type Workspace } from '../../stores/workspace/workspace.ts';
import { BrandIcon } from '../../ui/brand-icon.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/menu.tsx';
import { CommandIconButton, useCommand } from '../commands/command-context.tsx';

import { text } from './text.ts';
import './title-bar.css';

/** Opens a folder in this window. Main reports a folder that no longer exists. */
function useOpenFolder(): (folder: string) => void {
  const { main, notices } = useStores();
  return (folder) =>
    void main
      .call('workspace.open', { path: folder })
      .catch((error: unknown) => notices.getState().addError(text.titleBar.openFolderFailed, error));
}

function nameOf(folder: string | null, remote: Workspace['remote']): string {
  if (remote !== null && 'sentRun' in remote) return text.titleBar.sentRun({ name: fileNameOf(remote.sentRun) });
  if (remote !== null) return text.titleBar.remote({ name: remote.workspace });
  return folder === null ? text.titleBar.noFolder : fileNameOf(folder);
}

function placeOf(folder: string | null, remote: Workspace['remote']): string | undefined {
  if (remote === null) return folder ?? undefined;
  return 'sentRun' in remote ? remote.sentRun : text.titleBar.remotePlace(remote);
}

function WorkspaceMenu() {
  const { workspace } = useStores();
  const folder = useStore(workspace, (state) => state.folder);
  const remote = useStore(workspace, (state) => state.remote);
  const recent = useStore(workspace, (state) => state.recentFolders).filter((path) => path !== folder);
  const openFolder = useOpenFolder();
  const choose = useCommand('workspace.open');
  const newWindow = useCommand('window.new');
  return (
    <Menu
      trigger={
        <button type="button" className="workspace-button" title={placeOf(folder, remote)}>
          <span className="workspace-name">{nameOf(folder, remote)}</span>
          <ChevronDown aria-hidden size={14} />
        </button>
      }
    >
      <MenuItem
        icon={<FolderOpen aria-hidden size={14} />}
        text={choose.title}
        hint={choose.keys}
        onSelect={choose.run}
      />
      <MenuItem
        icon={<PanelsTopLeft aria-hidden size={14} />}
        text={newWindow.title}
        hint={newWindow.keys}
        onSelect={newWindow.run}
      />
      {recent.length === 0 ? null : (
        <>
          <MenuSeparator />
          <MenuLabel text={text.titleBar.recent} />
          {recent.map((path) => (
            <MenuItem key={path} text={fileNameOf(path)} hint={path} onSelect={() => openFolder(path)} />
          ))}
        </>
      )}
    </Menu>
  );
}

function ThemeMenu() {
  const theme = useStore(useStores().settings, (state) => state.theme);
  const system = useCommand('theme.system');
  const light = useCommand('theme.light');
  const dark = useCommand('theme.dark');
  const Icon = theme === 'system' ? MonitorCog : theme === 'dark' ? Moon : Sun;
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label={text.titleBar.theme}>
          <Icon aria-hidden size={16} />
        </IconButton>
      }
    >
      <MenuItem
        icon={<MonitorCog aria-hidden size={14} />}
        text={text.titleBar.themeSystem}
        isChecked={theme === 'system'}
        onSelect={system.run}
      />
      <MenuItem
        icon={<Sun aria-hidden size={14} />}
        text={text.titleBar.themeLight}
        isChecked={theme === 'light'}
        onSelect={light.run}
      />
      <MenuItem
        icon={<Moon aria-hidden size={14} />}
        text={text.titleBar.themeDark}
        isChecked={theme === 'dark'}
        onSelect={dark.run}
      />
    </Menu>
  );
}

/** Opens or closes the panel of the assistant. */
function AssistantButton() {
  const { assistant } = useStores();
  const isOpen = useStore(assistant, (state) => state.isOpen);
  const { title, keys, isAvailable, run } = useCommand('assistant.ask');
  return (
    <IconButton
      label={title}
      hint={keys}
      disabled={!isAvailable}
      aria-pressed={isOpen && isAvailable}
      onClick={isOpen ? () => assistant.getState().setOpen(false) : run}
    >
      <Sparkles aria-hidden size={16} />
    </IconButton>
  );
}

function PaneButtons() {
  const isOpen = useStore(useStores().panes, (state) => state.isOpen);
  return (
    <>
      <CommandIconButton command="view.toggleSide" isPressed={isOpen.side} icon={<PanelLeft aria-hidden size={16} />} />
      <CommandIconButton
        command="view.toggleDock"
        isPressed={isOpen.dock}
        icon={<PanelBottom aria-hidden size={16} />}
      />
      <CommandIconButton
        command="view.toggleInspector"
        isPressed={isOpen.inspector}
        icon={<PanelRight aria-hidden size={16} />}
      />
    </>
  );
}

function GoBox() {
  const { keys, run } = useCommand('go.anything');
  return (
    <button type="button" className="go-box" onClick={run}>
      <Search aria-hidden size={14} />
      <span>{text.titleBar.go}</span>
      {keys === undefined ? null : <Kbd keys={keys} />}
    </button>
  );
}

/** Application name, workspace, and controls for the whole window. */
export function TitleBar() {
  const hasFolder = useStore(useStores().workspace, ({ folder }) => folder !== null);
  return (
    <header className="title-bar">
      <h1 className="brand">
        <BrandIcon />
        {text.titleBar.app}
      </h1>
      <WorkspaceMenu />
      <span className="title-bar-gap" />
      {hasFolder ? <GoBox /> : null}
      <span className="title-bar-gap" />
      {hasFolder ? <AssistantButton /> : null}
      {hasFolder ? <PaneButtons /> : null}
      <ThemeMenu />
      <CommandIconButton command="help.shortcuts" icon={<Keyboard aria-hidden size={16} />} />
    </header>
  );
}
