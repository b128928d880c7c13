/**
 * Runs flows and agents for clients of `millrace mcp`, and reports their progress.
 */
import { isDeepStrictEqual } from 'node:util';
import { sleep } from '../../base/clock.ts';
import { onAbort } from '../../base/on-abort.ts';
import type { Engine } from '../../index.ts';
import { type EventEnvelope, endedTask, type JsonMap, type JsonValue, type RunId, rootOf } from '../../isomorphic.ts';
import type { CliContext } from '../cli-context.ts';
import { stateOfRun } from './mcp-answers.ts';
import { letsClientAnswer } from './mcp-questions.ts';
import type { McpAnswer, McpCall } from './mcp-tool.ts';

/**
 * Default wait in seconds, because clients give up after a minute or more. A longer run continues and can be read
 * later.
 */
export const usualWaitSeconds = 50;
/** Minimum time between two reports of progress, in milliseconds. */
const reportEveryMs = 1_000;

/** A flow with its inputs, or an agent with the items that it processes. */
export interface McpTarget {
  /** Relative to the workspace. */
  readonly path: string;
  readonly inputs: Readonly<Record<string, JsonValue>>;
  readonly items?: readonly JsonValue[];
}

interface RunWaiting {
  readonly seconds: number;
  readonly context: CliContext;
  readonly call: McpCall;
}

/** Starts a run, and waits for its end. If the client cancels the call, the run is also canceled. */
export async function runForClient(engine: Engine, target: McpTarget, waiting: RunWaiting): Promise<McpAnswer> {
  const { signal, client } = waiting.call;
  const startedBy = { kind: 'mcp', ...(client === undefined ? {} : { name: client }) } as const;
  const reports = new ProgressReports(engine, waiting);
  try {
    const { runId, text } = await start(engine, target, startedBy);
    reports.follow(runId);
    const stopListening = onAbort(signal, () => engine.cancelRun(runId));
    if (signal.aborted) engine.cancelRun(runId);
    try {
      return await answerAfter(engine, { runId, text }, waiting);
    } finally {
      stopListening();
    }
  } finally {
    reports.close();
  }
}

async function start(
  engine: Engine,
  { path, inputs, items }: McpTarget,
  startedBy: { readonly kind: 'mcp'; readonly name?: string },
): Promise<{ readonly runId: RunId; readonly text?: string }> {
  if (!path.endsWith('.aip')) {
    const { text } = await engine.readFlow(path);
    return { runId: (await engine.startRun({ path, text, inputs, startedBy })).runId, text };
  }
  const accepted = await engine.startAgent({
    agent: path,
    ...(items === undefined ? {} : { inputs: items }),
    startedBy,
  });
  if ('runId' in accepted) return { runId: accepted.runId };
  await engine.cancelWork(accepted.work.workId);
  const { EngineError } = await import('../../isomorphic.ts');
  throw new EngineError({
    code: 'pack.not-installed',
    message: `${path} needs a pack that is not installed. Only a person can install it: millrace install ${String(accepted.work.data['packRef'])}`,
  });
}

/**
 * Waits for the end of a run, at most for some time, and returns its state.
 * @param run with the text of its flow if the client has started it
 */
export async function answerAfter(
  engine: Engine,
  { runId, text }: { readonly runId: RunId; readonly text?: string | undefined },
  { seconds, context, call }: RunWaiting,
): Promise<McpAnswer> {
  const patience = new AbortController();
  const stopListening = onAbort(call.signal, () => patience.abort());
  try {
    await Promise.race([
      engine.whenEnded(runId),
      sleep(context.clock, seconds * 1_000, patience.signal).catch(() => undefined),
    ]);
    const value = await stateOfRun(engine, runId);
    const { status } = value;
    if (status === 'suspended' && text !== undefined && letsClientAnswer(text)) return { value, asks: { runId, text } };
    return { value, ...(status === 'failed' || status === 'cancelled' ? { isError: true } : {}) };
  } finally {
    stopListening();
    patience.abort();
  }
}

/** Reports the nodes that have ended, at most once a second, so that the client sees that the run is alive. */
class ProgressReports {
  readonly #call: McpCall;
  readonly #context: CliContext;
  readonly #stop: () => void;
  #runId: RunId | undefined;
  #early: EventEnvelope[] = [];
  #count = 0;
  #sent: JsonMap | undefined;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #endTimer: (() => void) | undefined;

  constructor(engine: Engine, { call, context }: RunWaiting) {
    this.#call = call;
    this.#context = context;
    this.#stop = call.report === undefined ? () => undefined : engine.subscribe((events) => this.#take(events));
  }

  follow(runId: RunId): void {
    this.#runId = runId;
    const early = this.#early;
    this.#early = [];
    if (this.#call.report !== undefined) this.#take(early);
  }

  close(): void {
    this.#stop();
    this.#endTimer?.();
  }

  #take(events: readonly EventEnvelope[]): void {
    if (this.#runId === undefined) {
      this.#early.push(...events);
      return;
    }
    const ended = events.filter((one) => rootOf(one) === this.#runId && endedTask(one.event) !== undefined);
    if (ended.length === 0 && this.#sent !== undefined) return;
    this.#count += ended.length;
    const { now } = this.#context.clock;
    const waitMs = this.#reportedAt + reportEveryMs - now();
    if (waitMs <= 0) this.#report();
    else this.#endTimer ??= this.#context.clock.setTimer(() => this.#report(), waitMs);
  }

  #report(): void {
    this.#endTimer = undefined;
    this.#reportedAt = this.#context.clock.now();
    const message = this.#count === 1 ? '1 step has ended' : `${this.#count} steps have ended`;
    const next = { progress: this.#count, message };
    if (isDeepStrictEqual(next, this.#sent)) return;
    this.#sent = next;
    this.#call.report?.(next);
  }
}
