/**
 * Spans of runs while they go on. It is told what is stored already, and whatever becomes of it, no run hears of it.
 */
import type { Clock } from '../base/clock.ts';
import type { RunId } from '../base/ids.ts';
import type { RunListener } from '../kernel/hub.ts';
import { createRedactor } from '../secrets/redactor.ts';
import { type Note, OtlpSender } from './otlp-sender.ts';
import type { OtlpSettings } from './otlp-settings.ts';
import { SpanLog } from './span-log.ts';

export interface LiveSpansOptions {
  readonly settings: OtlpSettings;
  readonly clock: Clock;
  /** Of this program. */
  readonly version: string;
  /** What a run is called that goes on here and began elsewhere. May throw. */
  readonly nameOf: (runId: RunId) => string | undefined;
  readonly note: Note;
}

export interface LiveSpans {
  /** To be told of the events of all runs. Never throws. */
  readonly listen: RunListener;
  /** Sends what is left, for a few seconds at most. */
  close(): Promise<void>;
}

/** Makes the listener; whoever makes it closes it. */
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
