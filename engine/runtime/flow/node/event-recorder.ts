/**
 * Records a node's events as JSON, so that they can be emitted later.
 */
import type { RunId } from '../../../base/ids.ts';
import type { RunEvent } from '../../kernel/events/run-event.ts';
import type { Hub } from '../../kernel/hub/hub.ts';
import type { EventSink, HubScope } from '../../kernel/hub/hub-hooks.ts';

/** How a view was derived from the recorded view. */
type ViewPath = readonly ({ readonly context: Partial<HubScope> } | { readonly child: RunId })[];

/** The events and values recorded for a view. Hosts store these, so the keys must not change. */
export type RecordedEvent =
  | { readonly way: ViewPath; readonly event: RunEvent }
  | { readonly way: ViewPath; readonly definition: string };

/** Receives what the views of a recorder emit. */
interface Recording {
  readonly recorded: RecordedEvent[];
  /** Called with each event after it is recorded. */
  readonly onEmit?: (event: RunEvent) => void;
  /** See `Hub.whenStored`. */
  readonly whenStored?: () => Promise<void> | undefined;
}

/** A recorder for `Hub.with`. Recorders of derived views add to the same list. */
export class EventRecorder implements EventSink {
  readonly #recording: Recording;
  readonly #path: ViewPath;

  constructor(recording: Recording = { recorded: [] }, path: ViewPath = []) {
    this.#recording = recording;
    this.#path = path;
  }

  get recorded(): readonly RecordedEvent[] {
    return this.#recording.recorded;
  }

  emit(event: RunEvent): void {
    const { recorded, onEmit } = this.#recording;
    const last = recorded.at(-1);
    const joined = last?.way === this.#path && 'event' in last ? joinedText(last.event, event) : undefined;
    if (joined === undefined) recorded.push({ way: this.#path, event });
    else recorded[recorded.length - 1] = { way: this.#path, event: joined };
    onEmit?.(event);
  }

  /** Does nothing, because the host stores the recording together with the step's result. */
  flush(): void {}

  whenStored(): Promise<void> | undefined {
    return this.#recording.whenStored?.();
  }

  keepDefinition(definition: string): void {
    this.#recording.recorded.push({ way: this.#path, definition });
  }

  scoped(context: Partial<HubScope>): EventRecorder {
    return new EventRecorder(this.#recording, [...this.#path, { context }]);
  }

  child(runId: RunId): EventRecorder {
    return new EventRecorder(this.#recording, [...this.#path, { child: runId }]);
  }
}

/** Joins consecutive pieces of text, as the hub does. */
function joinedText(former: RunEvent, event: RunEvent): RunEvent | undefined {
  if (event.type !== 'agent:text' && event.type !== 'agent:thinking') return undefined;
  return former.type === event.type ? { type: event.type, content: former.content + event.content } : undefined;
}

/** Emits everything on the hub for which it was recorded. */
export function emitRecorded(recorded: readonly RecordedEvent[], hub: Hub): void {
  for (const one of recorded) {
    const own = one.way.reduce((at, step) => ('child' in step ? at.child(step.child) : at.scoped(step.context)), hub);
    if ('event' in one) own.emit(one.event);
    else own.keepDefinition?.(one.definition);
  }
}
