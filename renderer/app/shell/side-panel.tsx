import { Plus } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { useStore } from 'zustand';
import { PacksPanel } from '../../packs/packs-panel.tsx';
import { SideBreakpoints } from '../../run-view/breakpoints/breakpoint-list.tsx';
import { RunHistoryList } from '../../run-view/run-history-list.tsx';
import { WaitingListView } from '../../run-view/waiting-list-view.tsx';
import { showText } from '../../stores/show-text.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { narrowWindow, useMediaQuery } from '../../ui/use-media-query.ts';
import { SearchPanel } from '../../workspace-view/search-panel.tsx';
import { WorkspaceTree } from '../../workspace-view/workspace-tree.tsx';
import { CommandButton, CommandIconButton, useCommandContext } from '../commands/command-context.tsx';
import { focusOpened, openPath } from '../commands/open-file.ts';

import { AgentOutlineSection } from '../editor/agent-panes.tsx';
import { OutlinePanel } from '../nodes/outline-panel.tsx';
import { text } from './text.ts';

const PickBar = lazy(() => import('../../compare/pick-bar.tsx').then((loaded) => ({ default: loaded.PickBar })));

const TestsPanel = lazy(() =>
  import('../../case-view/tests-panel.tsx').then((loaded) => ({ default: loaded.TestsPanel })),
);

/** The file tree of the workspace, with the outline of the active flow or agent below it. */
function FilesPanel({ activePath }: { activePath: string | null }) {
  const { stores, dialogs } = useCommandContext();
  return (
    <>
      <WorkspaceTree
        onOpen={(path) => {
          const from = document.activeElement;
          void openPath(stores, path).then(() => focusOpened(from));
        }}
        onNew={(folder) => dialogs.getState().askNew({ kind: 'flow', folder, beginning: 'empty' })}
      />
      {activePath === null ? null : (
        <>
          <OutlinePanel key={activePath} path={activePath} />
          <AgentOutlineSection path={activePath} />
        </>
      )}
    </>
  );
}

function Searching() {
  const stores = useStores();
  const isNarrow = useMediaQuery(narrowWindow);
  return (
    <SearchPanel
      onOpen={(path, match) => {
        void showText(stores, path, match);
        // In a narrow window the panel covers the file that was opened.
        if (isNarrow) stores.panes.getState().setOpen('side', false);
      }}
    />
  );
}

/** The tests of the workspace. */
function Tests({ activePath }: { activePath: string | null }) {
  const stores = useStores();
  const isNarrow = useMediaQuery(narrowWindow);
  return (
    <Suspense>
      <TestsPanel
        activePath={activePath}
        onText={(path, line) => void showText(stores, path, { line, column: 1 })}
        onOpened={() => {
          // In a narrow window the panel covers the test that was opened.
          if (isNarrow) stores.panes.getState().setOpen('side', false);
        }}
        actions={<CommandIconButton command="tests.saveRun" icon={<Plus aria-hidden size={14} />} />}
        firstAction={<CommandButton command="tests.saveRun" icon={<Plus aria-hidden size={14} />} />}
      />
    </Suspense>
  );
}

function Headed({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h2 id="side-heading" className="side-heading">
        {title}
      </h2>
      <div className="side-content">{children}</div>
    </>
  );
}

/** The side panel: files with the outline of the active one, search, runs, tests, inbox, or packs. */
export function SidePanel() {
  const { stores } = useCommandContext();
  const { panes, openFiles } = stores;
  const view = useStore(panes, ({ sideView }) => sideView);
  const activePath = useStore(openFiles, (state) => state.activePath);
  return (
    <aside className="side-panel" data-view={view} aria-labelledby="side-heading">
      {view === 'flows' ? <FilesPanel activePath={activePath} /> : null}
      {view === 'runs' ? (
        <Headed title={text.sidePanel.runs}>
          <RunHistoryList
            path={activePath}
            picks={
              <Suspense>
                <PickBar />
              </Suspense>
            }
          />
        </Headed>
      ) : null}
      {view === 'runs' && activePath !== null ? <SideBreakpoints path={activePath} /> : null}
      {view === 'search' ? <Searching /> : null}
      {view === 'tests' ? <Tests activePath={activePath} /> : null}
      {view === 'waiting' ? (
        <Headed title={text.sidePanel.waiting}>
          <WaitingListView />
        </Headed>
      ) : null}
      {view === 'packs' ? (
        <Headed title={text.sidePanel.packs}>
          <PacksPanel />
        </Headed>
      ) : null}
    </aside>
  );
}
