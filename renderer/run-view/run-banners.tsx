/**
 * What must be said about the shown run before anything else: that it is of another text, was cut off, or why it failed.
 */
import type { ReactNode } from 'react';
import type { ErrorRecord } from '../../engine/isomorphic.ts';
import type { LiveRun } from '../stores/runs/live-runs.ts';
import { isUnfinished } from '../stores/runs/live-runs.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { WaitingPanel } from './waiting-panel.tsx';

interface RunBannersProps {
  readonly flow: SettledFlow;
  readonly run: LiveRun;
  /** A way to mend an error, if there is one. */
  readonly errorHelp: (error: ErrorRecord) => ReactNode;
}

export function RunBanners({ flow, run, errorHelp }: RunBannersProps) {
  const { liveRuns, selection } = useStores();
  const { status, error } = run.state;
  const failedNode = error?.nodeId;
  const failedName = flow.doc?.nodes.find(({ id }) => id === failedNode)?.name ?? failedNode;
  return (
    <>
      {flow.isOldVersion ? (
        <Banner
          tone="warning"
          actions={
            <Button size="small" onClick={() => liveRuns.getState().hide(flow.path)}>
              Show the file
            </Button>
          }
        >
          {isUnfinished(run.state)
            ? 'The file has changed since this run began. You see the version that runs.'
            : 'This run used an older version of the file. You see that version.'}
        </Banner>
      ) : null}
      {status === 'interrupted' ? (
        <Banner tone="warning">
          The engine stopped in the middle of this run. Resume goes on where it stood: what was done is kept and not
          done again.
        </Banner>
      ) : null}
      <WaitingPanel flow={flow} run={run} />
      {status === 'failed' && error !== undefined ? (
        <Banner
          tone="error"
          actions={
            <>
              {errorHelp(error)}
              {failedNode === undefined || flow.kind === 'agent' ? null : (
                <Button size="small" onClick={() => selection.getState().selectPlace(flow.path, failedNode)}>
                  Show the node
                </Button>
              )}
            </>
          }
        >
          {failedName === undefined ? '' : `${failedName}: `}
          {error.message}
        </Banner>
      ) : null}
    </>
  );
}
