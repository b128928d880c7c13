import { useStore } from 'zustand';
import { PacksPanel } from '../packs/packs-panel.tsx';
import { RunHistoryList } from '../run-view/run-history-list.tsx';
import { useStores } from '../stores/stores-context.tsx';
import { AgentList } from '../workspace-view/agent-list.tsx';
import { FlowList } from '../workspace-view/flow-list.tsx';
import './side-panel.css';

function FlowsPanel() {
  const { workspace } = useStores();
  const status = useStore(workspace, ({ flowsStatus }) => flowsStatus);
  const error = useStore(workspace, ({ flowsError }) => flowsError);
  const count = useStore(workspace, ({ flows }) => flows.length);
  if (status === 'failed') return <p className="side-note">The flows could not be listed: {error?.message}</p>;
  if (status === 'loading') return <p className="side-note">Looking for flows…</p>;
  if (count === 0) return <p className="side-note">No flow files in this folder yet.</p>;
  return <FlowList />;
}

const headings = { flows: 'FLOWS', runs: 'RUNS', packs: 'PACKS' } as const;

/** The flows of the workspace, the history of runs, or the packs. */
export function SidePanel() {
  const { panes, openFlows } = useStores();
  const view = useStore(panes, ({ sideView }) => sideView);
  const activePath = useStore(openFlows, (state) => state.activePath);
  return (
    <aside className="side-panel" aria-labelledby="side-heading">
      <h2 id="side-heading" className="side-heading">
        {headings[view]}
      </h2>
      <div className="side-content">
        {view === 'flows' ? (
          <>
            <FlowsPanel />
            <AgentList />
          </>
        ) : null}
        {view === 'runs' ? <RunHistoryList path={activePath} /> : null}
        {view === 'packs' ? <PacksPanel /> : null}
      </div>
    </aside>
  );
}
