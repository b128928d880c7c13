/**
 * Everything that can appear on top of the window: dialogs, which open themselves, and messages.
 */
import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import { InstallDialog } from '../packs/install-dialog.tsx';
import { PackDialog } from '../packs/pack-dialog.tsx';
import { ModelSetupDialog } from '../settings/model-setup-dialog.tsx';
import { SettingsDialog } from '../settings/settings-dialog.tsx';
import { useStores } from '../stores/stores-context.tsx';
import { ToastList } from '../ui/toast-list.tsx';
import { useCommand, useCommandContext } from './commands/command-context.tsx';
import { ShortcutsDialog } from './commands/shortcuts-dialog.tsx';
import { ConvertDialog } from './files/convert-dialog.tsx';
import { CreateDialog } from './files/create-dialog.tsx';
import { CloseDialog, FileDialogs } from './files/file-dialogs.tsx';
import { FileDrop } from './files/file-drop.tsx';
import { ImportDialog } from './files/import-dialog.tsx';
import { GalleryDialog } from './gallery/gallery-dialog.tsx';
import { AddNodeDialog } from './nodes/add-node-dialog.tsx';
import { ConnectDialog, DisconnectDialog } from './nodes/connect-dialog.tsx';
import { ExtractDialog } from './nodes/extract-dialog.tsx';
import { MoveDialog } from './nodes/move-dialog.tsx';
import { PasteRequestDialog } from './nodes/paste-request-dialog.tsx';
import { QuickOpen } from './quick-pick/quick-open.tsx';
import { AgentWorkDialog } from './run/agent-work-dialog.tsx';
import { NodeRunDialog } from './run/node-run-dialog.tsx';
import { PermissionsDialog } from './run/permissions-dialog.tsx';
import { PinDialog } from './run/pin-dialog.tsx';
import { RerunDialog } from './run/rerun-dialog.tsx';

// Most windows never open them.
const CompareVersionDialog = lazy(() =>
  import('./git/compare-version-dialog.tsx').then((loaded) => ({ default: loaded.CompareVersionDialog })),
);

const DatasetColumnDialog = lazy(() =>
  import('./git/dataset-column-dialog.tsx').then((loaded) => ({ default: loaded.DatasetColumnDialog })),
);

const CommitDialog = lazy(() => import('./git/commit-dialog.tsx').then((loaded) => ({ default: loaded.CommitDialog })));

const TryModelsDialog = lazy(() =>
  import('./run/try-models-dialog.tsx').then((loaded) => ({ default: loaded.TryModelsDialog })),
);

const SendDialog = lazy(() =>
  import('../run-view/table/send-dialog.tsx').then((loaded) => ({ default: loaded.SendDialog })),
);

const SaveCaseDialog = lazy(() =>
  import('../case-view/save-case-dialog.tsx').then((loaded) => ({ default: loaded.SaveCaseDialog })),
);

function RareDialogs() {
  const { dialogs } = useCommandContext();
  const open = useStore(dialogs, (state) => state.open);
  const isSending = useStore(useStores().sending, ({ run }) => run !== null);
  const isSavingCase = useStore(useStores().savedCase, ({ run }) => run !== null);
  return (
    <Suspense>
      {open === 'compare-version' ? <CompareVersionDialog /> : null}
      {open === 'dataset-column' ? <DatasetColumnDialog /> : null}
      {open === 'commit' ? <CommitDialog /> : null}
      {open === 'try-models' ? <TryModelsDialog /> : null}
      {isSending ? <SendDialog /> : null}
      {isSavingCase ? <SaveCaseDialog /> : null}
    </Suspense>
  );
}

/** Renders all dialogs. Those of a workspace are rendered only while a folder is open. */
export function Dialogs({ hasFolder }: { hasFolder: boolean }) {
  const { notices, imports } = useStores();
  const isImporting = useStore(imports, ({ isOpen }) => isOpen);
  const shortcuts = useCommand('help.shortcuts');
  const messages = useStore(notices, ({ list }) => list);
  return (
    <>
      {hasFolder ? (
        <>
          <PackDialog />
          <InstallDialog />
          <ModelSetupDialog />
          <SettingsDialog onShortcuts={shortcuts.run} />
          <GalleryDialog />
          {isImporting ? <ImportDialog /> : null}
        </>
      ) : null}
      <ShortcutsDialog />
      <QuickOpen />
      <CloseDialog />
      <CreateDialog />
      <ConvertDialog />
      <FileDialogs />
      <AddNodeDialog />
      <ConnectDialog />
      <MoveDialog />
      <ExtractDialog />
      <PasteRequestDialog />
      <DisconnectDialog />
      <RerunDialog />
      <PermissionsDialog />
      <NodeRunDialog />
      <PinDialog />
      <RareDialogs />
      <AgentWorkDialog />
      <FileDrop />
      <ToastList toasts={messages} onDismiss={(id) => notices.getState().dismiss(id)} />
    </>
  );
}
