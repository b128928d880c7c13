/**
 * Records what people give nodes, so that a replay has the same outputs and names the people: an output instead of
 * running a node, or another input. They are entries of the kind `given` among the calls.
 */
import { z } from 'zod';
import { asEngineError, type EngineError } from '../../base/engine-error.ts';
import { type RunId, taskNameOf } from '../../base/ids.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import { type EventEnvelope, type RunEvent, rootOf } from '../../runtime/kernel/events/run-event.ts';
import type { RunListener } from '../../runtime/kernel/hub/hub-core.ts';
import type { HeldAnswer } from '../../runtime/kernel/hub/run-pause.ts';
import type { CassettePlayer } from './cassette-player.ts';

const kind = 'given';
const recordedRequest = z.object({ flow: z.string(), node: z.string() });
const recordedAnswer = z.object({
  output: z.json().optional(),
  input: z.record(z.string(), z.json()).optional(),
  by: z.string().optional(),
});

/** What finds the nodes and values of events. */
interface CassetteSource {
  /** Returns all events of a root run, in order. */
  readonly readLog: (runId: RunId) => Iterable<EventEnvelope>;
  readonly readValue: (hash: string) => JsonValue | undefined;
  /** Receives the reason why something could not be recorded. The run continues. */
  readonly onFailure: (error: EngineError) => void;
}

interface GivenValue {
  readonly nodeId: string;
  readonly recorded: JsonMap;
}

interface GivenPlace {
  /** Path of the root run's flow. */
  readonly flow: string;
  /** Prefix of the full names of nodes in the event's run. */
  readonly place: string;
}

export class CassetteAnswers {
  readonly #player: CassettePlayer;
  #saved: Promise<unknown> = Promise.resolve();

  constructor(player: CassettePlayer) {
    this.#player = player;
  }

  /** Returns what people gave the nodes of a flow in the recording, by full name. @param path of the flow, as in the history */
  of(path: string): ReadonlyMap<string, HeldAnswer> {
    const { mode, recorded } = this.#player;
    const answers = new Map<string, HeldAnswer>();
    if (mode === 'record') return answers;
    for (const call of recorded) {
      const request = call.kind === kind ? recordedRequest.safeParse(call.request).data : undefined;
      const answer = 'response' in call.outcome ? answerIn(call.outcome.response) : undefined;
      if (request?.flow === path && answer !== undefined) answers.set(request.node, answer);
    }
    return answers;
  }

  /** Records what people give nodes from now on. */
  follow(subscribe: (listener: RunListener) => unknown, source: CassetteSource): void {
    if (this.#player.mode === 'replay') return;
    subscribe((events) => {
      for (const envelope of events) {
        const given = givenIn(envelope.event, source);
        if (given !== undefined) this.#record(given, placeOf(envelope, source), source);
      }
    });
  }

  #record({ nodeId, recorded }: GivenValue, { flow, place }: GivenPlace, { onFailure }: CassetteSource): void {
    const call = this.#player.call<JsonValue>({
      ...{ kind, title: `what a person gave ${nodeId}`, request: { flow, node: place + nodeId } },
      ...{ signal: new AbortController().signal, recordedErrors: new Set() },
      ...{ live: async () => recorded, write: (value) => value, read: (value) => value },
    });
    this.#saved = Promise.all([this.#saved, call.catch((error: unknown) => onFailure(asEngineError(error)))]);
  }

  /** Waits until everything is recorded. */
  async close(): Promise<void> {
    await this.#saved;
  }
}

function answerIn(recorded: JsonValue): HeldAnswer | undefined {
  const { output, input, by } = recordedAnswer.safeParse(recorded).data ?? {};
  if (output !== undefined) return { action: 'skip', value: output, by };
  return input === undefined ? undefined : { action: 'edit', value: input, by };
}

function givenIn(event: RunEvent, { readValue }: CassetteSource): GivenValue | undefined {
  const whole = (value: JsonValue): JsonValue => (isValueHandle(value) ? (readValue(value.$value) ?? value) : value);
  const byOf = ({ by }: { readonly by?: string }): JsonMap => (by === undefined ? {} : { by });
  if (event.type === 'node:reused' && event.given !== undefined)
    return { nodeId: event.nodeId, recorded: { output: whole(event.output), ...byOf(event.given) } };
  if (event.type === 'node:input' && event.edited !== undefined)
    return { nodeId: event.nodeId, recorded: { input: whole(event.input), ...byOf(event.edited) } };
  return undefined;
}

function placeOf(envelope: EventEnvelope, { readLog }: CassetteSource): GivenPlace {
  const root = rootOf(envelope);
  const places = new Map<RunId, string>();
  let flow = '';
  for (const { event, runId, parentRunId } of readLog(root)) {
    if (event.type !== 'run:start') continue;
    if (runId === root) flow = event.sourcePath;
    else places.set(runId, `${places.get(parentRunId ?? root) ?? ''}${taskNameOf(event.parentTaskId ?? '')}/`);
    if (envelope.runId === runId) break;
  }
  return { flow, place: places.get(envelope.runId) ?? '' };
}
