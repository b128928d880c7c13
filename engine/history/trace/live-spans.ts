/**
 * Emits spans for runs in progress. Events are received after they are stored, and failures never affect a run.
 */
import type { Clock } from '../../base/clock.ts';
import type { RunId } from '../../base/ids.ts';
import type { RunListener } from '../../runtime/kernel/hub/hub-core.ts';
import { createRedactor } from '../../world/secrets/redactor.ts';
import { OtlpSender, type ReportExportNotice } from './otlp-sender.ts';
import type { OtlpSettings } from './otlp-settings.ts';
import { SpanLog } from './span-log.ts';

export interface LiveSpansOptions {
  readonly settings: OtlpSettings;
  readonly clock: Clock;
  /** Version of this program. */
  readonly version: string;
  /** Returns the name of a run that started in another process and continues here. May throw. */
  readonly nameOf: (runId: RunId) => string | undefined;
  readonly note: ReportExportNotice;
}

export interface LiveSpans {
  /** Event listener for all runs. Never throws. */
  readonly listen: RunListener;
  /** Sends the remaining spans within a few seconds. */
  close(): Promise<void>;
}

/** Creates the listener, which the caller must close. */
export function createLiveSpans({ settings, clock, version, nameOf, note }: LiveSpansOptions): LiveSpans {
  const redactor = createRedactor(() => [], { isForOthers: true });
  const sender = new OtlpSender({ ...settings, origin: { version }, redactor, clock, note, random: Math.random });
  const spans = new SpanLog({
    nameOf: (runId) => {
      try {
        return nameOf(runId);
      } catch {
        return undefined;
      }
    },
  });
  let isBroken = false;
  return {
    listen(events) {
      if (isBroken) return;
      try {
        for (const event of events) sender.add(spans.add(event));
      } catch (thrown) {
        isBroken = true;
        const why = thrown instanceof Error ? thrown.message : String(thrown);
        note({ code: 'traces.failed', message: `Spans are no longer sent: ${why}. Runs are not affected.` });
      }
    },
    close: () => sender.close(),
  };
}
