/**
 * What all actions on runs share.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { EngineClient } from '../../bridge/engine-client.ts';
import type { OpenFiles } from '../text/files.ts';
import type { WindowNotices } from '../window/notices.ts';
import type { Panes } from '../window/panes.ts';
import type { PreferencesState } from '../window/preferences.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { LiveRuns } from './live/live-runs.ts';
import type { RunFollower } from './live/run-follower.ts';
import type { PinStore } from './pins.ts';
import type { BeginRun } from './requests/permission-ask.ts';

/** The state that actions on runs read and change. */
export interface ActionContext {
  readonly engine: EngineClient;
  readonly follower: RunFollower;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly liveRuns: StoreApi<LiveRuns>;
  readonly notices: StoreApi<WindowNotices>;
  readonly panes: StoreApi<Panes>;
  readonly workspace: StoreApi<Workspace>;
  readonly preferences: StoreApi<Pick<PreferencesState, 'open'>>;
  readonly begin: BeginRun;
  readonly pins: StoreApi<PinStore>;
}
