/**
 * The engine that runs tests: in the same workspace, with discarded files and recorded calls.
 */
import { realpathSync } from 'node:fs';
import { EngineError } from '../base/engine-error.ts';
import type { Engine } from '../engine.ts';
import { inMemory } from '../history/store/open-workspace-store.ts';
import type { CaseWorld } from '../host/wiring/case-world.ts';
import type { BudgetDoc } from '../language/triggers/budget-doc.ts';
import type { StartedBy } from '../runtime/kernel/events/start-event.ts';
import { costOf } from '../world/model/price-table.ts';
import { knownProviders } from '../world/model/provider-config.ts';
import { CaseFiles } from './case-files.ts';
import { CasePlayer, type RecordMode } from './case-player.ts';
import { WorkspaceVersion } from './workspace-version.ts';

/** Opens an engine with the options of the one that runs the tests. */
export type OpenTested = (more: {
  readonly caseWorld: CaseWorld;
  readonly storeFile?: string;
  readonly startedBy: StartedBy;
}) => Promise<Engine>;

export interface BenchOptions {
  /** Absolute path. */
  readonly workspace: string;
  readonly open: OpenTested;
  readonly record: RecordMode;
  readonly isKept: boolean;
  readonly texts: Readonly<Record<string, string>>;
  readonly version: string | undefined;
  readonly secrets: () => Promise<readonly string[]>;
  readonly now: () => number;
  readonly onNote: (note: string) => void;
}

/** What model calls have used. */
export interface ModelUse {
  readonly tokens: number;
  /** US dollars, also for replayed calls; undefined if no price is known. */
  readonly costUsd: number | undefined;
}

export interface Bench {
  readonly engine: Engine;
  readonly files: CaseFiles;
  readonly player: CasePlayer;
  /** Starts a case: discards the files of the last one. @param cassette absolute path */
  begin(cassette: string | undefined): Promise<void>;
  /** Returns what model calls have used since `begin`. */
  used(): ModelUse;
  /** US dollars that recording has cost so far. */
  readonly spentUsd: number;
  /** Sets what recording may use from now on. */
  limit(budget: BudgetDoc | undefined): void;
  /** Returns the text of a file of the tested version; undefined if there is none. @param path relative to the workspace */
  readText(path: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Opens the engine. The caller must close it. */
export async function openBench(options: BenchOptions): Promise<Bench> {
  const { workspace, open, record, texts, now } = options;
  const files = new CaseFiles(realpathSync(workspace));
  const version = await WorkspaceVersion.open(workspace, options.version, texts);
  const hidden = record === 'none' ? [] : await options.secrets();
  const spent = { usd: 0, tokens: 0, since: now() };
  let budget: BudgetDoc | undefined;
  const player = new CasePlayer({
    record,
    secrets: () => hidden,
    onOdd: (warning) => options.onNote(warning.message),
    admit: () => refuseOver(budget, { ...spent, seconds: (now() - spent.since) / 1000 }),
  });
  const caseWorld: CaseWorld = {
    ...{ files, player },
    records: () => record !== 'none',
    textOf: (path) => version.textOf(path),
  };
  const engine = await open({
    caseWorld,
    ...(options.isKept ? {} : { storeFile: inMemory }),
    startedBy: { kind: 'test' },
  });
  let used: { tokens: number; costUsd: number | undefined } = { tokens: 0, costUsd: undefined };
  let asked: { readonly provider: string; readonly model: string } | undefined;
  engine.subscribe((events) => {
    for (const { event } of events) {
      if (event.type === 'model:request') asked = event;
      if (event.type !== 'model:response' || event.usage === undefined) continue;
      const { promptTokens, completionTokens } = event.usage;
      const address = knownProviders.get(asked?.provider ?? '')?.baseUrl ?? '';
      const cost = event.costUsd ?? costOf({ address, model: asked?.model ?? '' }, event.usage, now());
      used = {
        tokens: used.tokens + promptTokens + completionTokens,
        costUsd: cost === undefined ? used.costUsd : (used.costUsd ?? 0) + cost,
      };
      if (event.fromCassette === true) continue;
      spent.tokens += promptTokens + completionTokens;
      spent.usd += event.costUsd ?? 0;
    }
  });
  return {
    ...{ engine, files, player },
    async begin(cassette) {
      used = { tokens: 0, costUsd: undefined };
      await files.reset();
      await version.writeTo(files);
      await player.begin(cassette);
    },
    used: () => used,
    get spentUsd() {
      return spent.usd;
    },
    limit(next) {
      budget = next;
      Object.assign(spent, { usd: 0, tokens: 0, since: now() });
    },
    readText: (path) => version.readText(path),
    async close() {
      await engine.close();
      await files.close();
    },
  };
}

function refuseOver(
  budget: BudgetDoc | undefined,
  spent: { readonly usd: number; readonly tokens: number; readonly seconds: number },
): void {
  for (const part of ['usd', 'tokens', 'seconds'] as const) {
    const limit = budget?.[part];
    if (limit === undefined || spent[part] < limit) continue;
    throw new EngineError({
      code: 'test.budget',
      message: `The recording has used its budget (${part}: ${limit}). Raise \`budget.${part}\` in the test file, or record fewer cases.`,
    });
  }
}
