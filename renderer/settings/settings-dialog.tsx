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
import { withParts } from '../ui/with-parts.tsx';
import { BackgroundTab } from './background-tab.tsx';
import { EditorTab } from './editor-tab.tsx';
import { HistoryTab } from './history/history-tab.tsx';
import { LockedBy } from './locked-by.tsx';
import { MessagesTab } from './messages-tab.tsx';
import { Aliases, DefaultModel } from './models/model-names.tsx';
import { ProviderList } from './models/provider-list.tsx';
import { PoliciesTab } from './policies-tab.tsx';
import { PrivateHosts } from './private-hosts.tsx';
import { RemoteTab } from './remote/remote-tab.tsx';
import { SecretsTab } from './secrets-tab.tsx';
import { TeamTab } from './team-tab.tsx';
import { text } from './text.ts';
import { McpTab } from './tools/mcp-tab.tsx';
import { ToolsTab } from './tools/tools-tab.tsx';
import { UpdatesTab } from './updates-tab.tsx';
import './settings-dialog.css';

const words = text.dialog;
const trustWords = text.trust;

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
        {withParts(words.modelsFile, { file: <code className="settings-file">{file}</code> })}
      </p>
    </div>
  );
}

/**
 * Opened by the commands `settings.editor`, `settings.models` and `settings.trust`. `onShortcuts` opens the list of
 * shortcuts.
 */
export function SettingsDialog({ onShortcuts }: { readonly onShortcuts: () => void }) {
  const { preferences, workspace } = useStores();
  const isRemote = useStore(workspace, ({ remote }) => remote !== null);
  const { tab, models, isTrusted, team, error, open, close } = useStore(preferences);
  const waiting = <p className="settings-part">{error ?? words.loading}</p>;
  return (
    <Dialog isOpen={tab !== null} onClose={close} size="wide" title={words.title} description={words.description}>
      <TabSet<PreferencesTab>
        label={words.title}
        className="settings"
        value={tab ?? 'models'}
        onChange={open}
        tabs={[
          {
            value: 'editor',
            text: words.editor,
            content: (
              <EditorTab
                onShortcuts={() => {
                  close();
                  onShortcuts();
                }}
              />
            ),
          },
          ...(isRemote
            ? []
            : [
                {
                  value: 'models' as const,
                  text: words.models,
                  content: models === null ? waiting : <ModelsTab models={models} />,
                },
                { value: 'secrets' as const, text: words.secrets, content: <SecretsTab /> },
                {
                  value: 'trust' as const,
                  text: words.trust,
                  content: isTrusted === null ? waiting : <TrustTab isTrusted={isTrusted} />,
                },
                { value: 'tools' as const, text: words.tools, content: <ToolsTab /> },
                { value: 'servers' as const, text: words.servers, content: <McpTab /> },
                { value: 'policies' as const, text: words.policies, content: <PoliciesTab /> },
                { value: 'team' as const, text: words.team, content: <TeamTab team={team} /> },
                { value: 'history' as const, text: words.history, content: <HistoryTab /> },
              ]),
          { value: 'remote', text: words.remote, content: <RemoteTab /> },
          { value: 'messages', text: words.messages, content: <MessagesTab /> },
          { value: 'background', text: words.background, content: <BackgroundTab /> },
          { value: 'updates', text: words.updates, content: <UpdatesTab /> },
        ]}
      />
    </Dialog>
  );
}

/** Shows whether this workspace is trusted and what that means, with a switch. Main asks before trust is granted. */
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
        <b>{isTrusted ? trustWords.isTrusted : trustWords.isNotTrusted}</b>
      </p>
      <code className="settings-file">{folder}</code>
      <p>{trustWords.meaning}</p>
      <div className="trust-switch">
        <Switch
          checked={isTrusted}
          disabled={lockedBy !== null}
          aria-label={trustWords.trust}
          onCheckedChange={(trusts) => void set(trusts)}
        />
        <span aria-hidden>{trustWords.trust}</span>
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
