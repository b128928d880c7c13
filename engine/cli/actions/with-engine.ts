/**
 * Opens an engine for a command and closes it when the command is done.
 */
import path from 'node:path';
import type { RunHistoryReader } from '../../index.ts';
import { createEngine, type Engine, type EngineOptions, inMemory } from '../../index.ts';
import { type CliContext, type GlobalOptions, isShared, resolveWorkspace, type SharedOptions } from '../cli-context.ts';

/** Settings of a command's engine. */
interface EngineFlags {
  /** Absolute path. */
  readonly workspace: string;
  /** History file, or `inMemory`. */
  readonly store: string | undefined;
  /** URL of a shared history to which the runs are copied. */
  readonly history?: string | undefined;
  readonly cassette?: EngineOptions['cassette'];
  /** Whether to trust the workspace for this call only. */
  readonly trust?: true | undefined;
  /** Whether to resume runs that are answered while no process owns them. */
  readonly resumesAnswered?: true | undefined;
}

/**
 * Calls `use` with the engine of a workspace and closes it afterwards. Prints the engine's notices to stderr before and
 * after the call.
 * @throws errors of `use`, or EngineError from `createEngine`
 */
export async function withEngine<T>(
  { terminal, folder, builtInPacks, settings }: CliContext,
  { workspace, store, history, cassette, trust, resumesAnswered }: EngineFlags,
  use: (engine: Engine) => Promise<T>,
): Promise<T> {
  const storeFile = store === undefined ? {} : { storeFile: store === inMemory ? store : path.resolve(folder, store) };
  const engine = await createEngine({
    workspace,
    startedBy: { kind: 'cli' },
    ...storeFile,
    ...(history === undefined ? {} : { sharedHistory: { url: history } }),
    ...(cassette === undefined ? {} : { cassette }),
    ...(trust === undefined ? {} : { isTrusted: trust }),
    ...(resumesAnswered === undefined ? {} : { resumesAnswered }),
    ...(builtInPacks === undefined ? {} : { builtInPacks }),
    ...(process.stdin.isTTY ? { asksPermission: true } : {}),
    ...settings,
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
    // Closing can also fail, for example when sending the last spans.
    showNotices(countBefore);
  }
}

/**
 * Calls `use` with a reader of the history: the shared one, if the options name one, otherwise the workspace's own.
 * @throws errors of `use`, EngineError from `createEngine`, or those of a shared history
 */
export async function withHistory(
  context: CliContext,
  options: GlobalOptions & SharedOptions,
  use: (reads: RunHistoryReader) => void | Promise<void>,
): Promise<void> {
  if (isShared(options)) {
    const { withShared } = await import('./with-shared.ts');
    await withShared(context, options, async ({ reads }) => use(reads));
    return;
  }
  const workspace = resolveWorkspace(context, options);
  await withEngine(context, { workspace, store: options.store }, async (engine) => use(engine));
}
