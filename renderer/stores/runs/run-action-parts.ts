/**
 * What actions on runs work with.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { EngineClient } from '../../bridge/engine-client.ts';
import type { OpenFlows } from '../text/files.ts';
import type { Notices } from '../window/notices.ts';
import type { Panes } from '../window/panes.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { LiveRuns } from './live-runs.ts';
import type { RunFollower } from './run-follower.ts';

export interface RunActionParts {
  readonly engine: EngineClient;
  readonly follower: RunFollower;
  readonly openFlows: StoreApi<OpenFlows>;
  readonly liveRuns: StoreApi<LiveRuns>;
  readonly notices: StoreApi<Notices>;
  readonly panes: StoreApi<Panes>;
  readonly workspace: StoreApi<Workspace>;
}
