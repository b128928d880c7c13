/**
 * The engine that runs tests: in the same workspace, with discarded files and recorded calls.
 */
import { realpathSync } from 'node:fs';
import type { Engine } from '../engine.ts';
import { inMemory } from '../history/store/open-workspace-store.ts';
import type { CaseWorld } from '../host/wiring/case-world.ts';
import type { EventEnvelope } from '../runtime/kernel/events/run-event.ts';
import type { StartedBy } from '../runtime/kernel/events/start-event.ts';
import { CaseFiles } from './case-files.ts';
import { type AnswerCall, CasePlayer, type RecordMode } from './case-player.ts';
import type { RunTests } from './evaluation-engine.ts';
import { ModelMeter } from './model-meter.ts';
import { type VersionSource, WorkspaceVersion } from './workspace-version.ts';

/** Opens an engine with the options of the one that runs the tests. */
export type OpenTested = (more: {
  readonly caseWorld: CaseWorld;
  readonly storeFile?: string;
  readonly startedBy: StartedBy;
}) => Promise<Engine>;

export interface BenchOptions {
  /** The workspace, and the history with the runs that can be a version. */
  readonly source: VersionSource;
  readonly open: OpenTested;
  readonly record: RecordMode;
  /** See `RunTests`. */
  readonly request: Pick<RunTests, 'isKept' | 'isProposal' | 'texts' | 'version'>;
  readonly secrets: () => Promise<readonly string[]>;
  readonly now: () => number;
  /** Answers calls while recording, so that nothing is called and runs get no secrets. */
  readonly answering?: AnswerCall;
}

export interface Bench {
  readonly engine: Engine;
  readonly files: CaseFiles;
  readonly player: CasePlayer;
  /** Starts a case: discards the files of the last one. @param cassette path of the recording, relative to the workspace */
  begin(cassette: string | undefined): Promise<void>;
  readonly meter: ModelMeter;
  /** Events of the runs of the case, in order. Reading them from the history would cost more than the run. */
  readonly events: readonly EventEnvelope[];
  /** Returns the text of a file of the tested version; undefined if there is none. @param path relative to the workspace */
  readText(path: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Opens the engine. The caller must close it. */
export async function openBench(options: BenchOptions): Promise<Bench> {
  const { source, open, record, request, now } = options;
  const { workspace } = source;
  const files = new CaseFiles(realpathSync(workspace));
  const version = await WorkspaceVersion.open(source, request);
  const hidden = record === 'none' ? [] : await options.secrets();
  const meter = new ModelMeter(now);
  const player = new CasePlayer({
    ...{ workspace, record },
    secrets: () => hidden,
    answering: options.answering,
    admit: () => meter.refuseOver(),
  });
  const caseWorld: CaseWorld = {
    ...{ files, player },
    records: () => record !== 'none' && options.answering === undefined,
    textOf(path) {
      files.noteRead(path);
      return version.textOf(path);
    },
    unseen: (path) => version.limitOf(path),
  };
  const engine = await open({
    caseWorld,
    ...(request.isKept === true ? {} : { storeFile: inMemory }),
    startedBy: { kind: 'test' },
  });
  const events: EventEnvelope[] = [];
  engine.subscribe((told) => {
    meter.take(told);
    for (const { event } of told) if (event.type === 'run:start') files.noteRead(event.sourcePath);
    events.push(...told);
  });
  return {
    ...{ engine, files, player, meter, events },
    async begin(cassette) {
      meter.begin();
      events.length = 0;
      await files.reset();
      await version.writeTo(files);
      await player.begin(cassette);
    },
    readText(path) {
      files.noteRead(path);
      return version.readText(path);
    },
    async close() {
      await engine.close();
      await files.close();
    },
  };
}
