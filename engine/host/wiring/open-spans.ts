/**
 * Exports runs' spans to other programs while the runs are in progress.
 */
import type { Clock } from '../../base/clock.ts';
import type { RunId } from '../../base/ids.ts';
import { programVersion } from '../../base/program-version.ts';
import type { WriterReads } from '../../history/store/run-store.ts';
import type { LiveSpans } from '../../history/trace/live-spans.ts';
import { otlpSettingsOf } from '../../history/trace/otlp-settings.ts';
import type { RunListener } from '../../runtime/kernel/hub/hub-core.ts';
import type { EngineNotices } from '../executor/notices.ts';
import type { Home } from './home.ts';

/** Sends spans for runs in progress if the environment is configured to do so. Loaded only in that case. */
export async function openSpans(world: {
  readonly env: Home['env'];
  readonly clock: Clock;
  /** The writer's reads, because the engine that exports the spans also executes the runs. */
  readonly store: Pick<WriterReads, 'getRun'>;
  readonly notices: EngineNotices;
  readonly subscribe: (listener: RunListener) => () => void;
}): Promise<LiveSpans | undefined> {
  const settings = otlpSettingsOf(world.env);
  if (settings === undefined) return undefined;
  const { note } = world.notices;
  if ('problem' in settings) {
    note({ code: 'traces.bad-settings', message: settings.problem });
    return undefined;
  }
  const { createLiveSpans } = await import('../../history/trace/live-spans.ts');
  const nameOf = (runId: RunId): string | undefined => world.store.getRun(runId)?.name;
  const spans = createLiveSpans({ settings, clock: world.clock, version: programVersion, nameOf, note });
  world.subscribe(spans.listen);
  return spans;
}
