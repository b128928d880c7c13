/**
 * The engine of a command: opened for it, and closed when it is done. With its stored events of a run.
 */
import path from 'node:path';
import { createEngine, type Engine, type EngineOptions, type ReadsLater, type RunReads } from '../../index.ts';
import type { EventEnvelope, RunId } from '../../isomorphic.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';

/** Where a command's engine works. */
interface EngineFlags {
  /** Absolute. */
  readonly workspace: string;
  readonly store: string | undefined;
  readonly cassette?: EngineOptions['cassette'];
  /** The person trusts the workspace for this one call. */
  readonly trust?: true | undefined;
}

/**
 * Calls `use` with the engine of a workspace and closes it afterwards. What the engine has to say goes to stderr, before
 * and after.
 * @throws what `use` throws, or EngineError of `createEngine`
 */
export async function withEngine<T>(
  { terminal, folder, builtInPacks }: CliContext,
  { workspace, store, cassette, trust }: EngineFlags,
  use: (engine: Engine) => Promise<T>,
): Promise<T> {
  const storeFile = store === undefined ? {} : { storeFile: path.resolve(folder, store) };
  const engine = await createEngine({
    workspace,
    ...storeFile,
    ...(cassette === undefined ? {} : { cassette }),
    ...(trust === undefined ? {} : { isTrusted: trust }),
    ...(builtInPacks === undefined ? {} : { builtInPacks }),
    ...(process.stdin.isTTY ? { asksPermission: true } : {}),
  });
  const showNotices = (from: number): void => {
    for (const { message } of engine.notices.slice(from)) terminal.err(`note: ${message}`);
  };
  try {
    const countBefore = engine.notices.length;
    showNotices(0);
    const result = await use(engine);
    showNotices(countBefore);
    return result;
  } finally {
    const countBefore = engine.notices.length;
    await engine.close();
    // Also an end may fail, such as that of what spans are sent to.
    showNotices(countBefore);
  }
}

/**
 * Calls `use` with the engine, for commands that only read its history.
 * @throws what `use` throws, or EngineError of `createEngine`
 */
export async function withHistory(
  context: CliContext,
  options: GlobalOptions,
  use: (engine: Engine) => void | Promise<void>,
): Promise<void> {
  const workspace = resolveWorkspace(context, options);
  await withEngine(context, { workspace, store: options.store }, async (engine) => use(engine));
}

const eventsAtOnce = 1000;

/** The same as a list. @throws EngineError `run.not-found` */
export async function allStoredEvents(...asked: Parameters<typeof storedEvents>): Promise<readonly EventEnvelope[]> {
  const all: EventEnvelope[] = [];
  for await (const event of storedEvents(...asked)) all.push(event);
  return all;
}

/**
 * All events of a run, in order, read as they are asked for.
 * @throws EngineError `run.not-found`
 */
export async function* storedEvents(
  reads: Pick<ReadsLater<RunReads>, 'getRun' | 'readEvents'>,
  runId: RunId,
): AsyncGenerator<EventEnvelope, void> {
  await reads.getRun(runId);
  for (let afterSeq = -1; ; ) {
    const events = await reads.readEvents(runId, afterSeq, eventsAtOnce);
    yield* events;
    const last = events.at(-1);
    if (last === undefined) return;
    afterSeq = last.seq;
  }
}
