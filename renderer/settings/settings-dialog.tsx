/**
 * The user's settings: the editor, models, and trust in this workspace.
 */
import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores-context.tsx';
import type { ModelSettingsState, PreferencesTab } from '../stores/window/preferences.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Switch } from '../ui/switch.tsx';
import { TabSet } from '../ui/tab-set.tsx';
import { EditorTab } from './editor-tab.tsx';
import { LockedBy } from './locked-by.tsx';
import { McpTab } from './mcp-tab.tsx';
import { MessagesTab } from './messages-tab.tsx';
import { Aliases, DefaultModel } from './model-names.tsx';
import { PoliciesTab } from './policies-tab.tsx';
import { PrivateHosts } from './private-hosts.tsx';
import { ProviderList } from './provider-list.tsx';
import { SecretsTab } from './secrets-tab.tsx';
import { TeamTab } from './team-tab.tsx';
import { ToolsTab } from './tools-tab.tsx';
import { UpdatesTab } from './updates-tab.tsx';
import './settings-dialog.css';

function ModelsTab({ models }: { models: ModelSettingsState }) {
  const { file, problem, providers } = models;
  return (
    <div className="settings-part">
      {problem === undefined ? null : (
        <p className="settings-problem" role="alert">
          {problem}
        </p>
      )}
      {problem !== undefined && providers.length === 0 ? null : (
        <>
          <DefaultModel key={models.defaultModel} models={models} />
          <ProviderList models={models} />
          <Aliases models={models} />
        </>
      )}
      <p className="settings-note">
        These settings stand in <code className="settings-file">{file}</code>, for all workspaces. Keys do not.
      </p>
    </div>
  );
}

/**
 * Opened by the commands `settings.editor`, `settings.models` and `settings.trust`. `onShortcuts` opens the list of
 * shortcuts.
 */
export function SettingsDialog({ onShortcuts }: { readonly onShortcuts: () => void }) {
  const { preferences } = useStores();
  const { tab, models, isTrusted, team, error, open, close } = useStore(preferences);
  const waiting = <p className="settings-part">{error ?? 'Reading the settings…'}</p>;
  return (
    <Dialog
      isOpen={tab !== null}
      onClose={close}
      size="wide"
      title="Settings"
      description="How the editor looks and behaves, models that may be asked, and what agents of this workspace may do."
    >
      <TabSet<PreferencesTab>
        label="Settings"
        className="settings"
        value={tab ?? 'models'}
        onChange={open}
        tabs={[
          {
            value: 'editor',
            text: 'Editor',
            content: (
              <EditorTab
                onShortcuts={() => {
                  close();
                  onShortcuts();
                }}
              />
            ),
          },
          { value: 'models', text: 'Models', content: models === null ? waiting : <ModelsTab models={models} /> },
          { value: 'secrets', text: 'Secrets', content: <SecretsTab /> },
          {
            value: 'trust',
            text: 'Trust',
            content: isTrusted === null ? waiting : <TrustTab isTrusted={isTrusted} />,
          },
          { value: 'tools', text: 'Tools', content: <ToolsTab /> },
          { value: 'servers', text: 'MCP servers', content: <McpTab /> },
          { value: 'policies', text: 'Policies', content: <PoliciesTab /> },
          { value: 'team', text: 'Team', content: <TeamTab team={team} /> },
          { value: 'messages', text: 'Messages', content: <MessagesTab /> },
          { value: 'updates', text: 'Updates', content: <UpdatesTab /> },
        ]}
      />
    </Dialog>
  );
}

/** Whether this workspace is trusted, what that means, and the switch. Main asks before it is switched on. */
function TrustTab({ isTrusted }: { isTrusted: boolean }) {
  const { preferences, workspace } = useStores();
  const lockedBy = useStore(preferences, (state) => state.trustLockedBy);
  const folder = useStore(workspace, (state) => state.folder);
  const [problem, setProblem] = useState<string | null>(null);
  const set = async (trusts: boolean): Promise<void> => {
    setProblem(await preferences.getState().setTrust(trusts));
  };
  const Icon = isTrusted ? ShieldCheck : ShieldAlert;
  return (
    <div className="settings-part">
      <p className="trust-state">
        <Icon aria-hidden size={16} />
        <b>{isTrusted ? 'You trust this workspace.' : 'You do not trust this workspace.'}</b>
      </p>
      <code className="settings-file">{folder}</code>
      <p>
        In a workspace that you trust, scripts of agents may run commands and git, ask web servers, and read and write
        files anywhere. Without trust they can do none of that, only read and write inside of the workspace, and agents
        and models still work.
      </p>
      <div className="trust-switch">
        <Switch
          checked={isTrusted}
          disabled={lockedBy !== null}
          aria-label="Trust this workspace"
          onCheckedChange={(trusts) => void set(trusts)}
        />
        <span aria-hidden>Trust this workspace</span>
      </div>
      <LockedBy team={lockedBy} />
      {problem === null ? null : (
        <p className="settings-problem" role="alert">
          {problem}
        </p>
      )}
      <PrivateHosts />
    </div>
  );
}
