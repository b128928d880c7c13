/**
 * Types of the connections to remote histories, which main stores.
 */
import type { MainResult } from '../../bridge/main-client.ts';

export type { RemotePlace } from '../../bridge/main-client.ts';

export type RemoteList = MainResult<'remotes.list'>;
export type RemoteConnection = RemoteList['connections'][number];
