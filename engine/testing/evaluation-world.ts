/**
 * A workspace with test files, a web server and a model server, for tests of the runner of tests.
 */

import type { RunTests } from '../evaluation/evaluation-engine.ts';
import type { Engine, EngineOptions } from '../index.ts';
import type { CaseReport, CaseResult, CaseSummary } from '../language/cases/case-result.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import { SecretWorld } from './secret-world.ts';

/** The results of tests, by the name of their case. */
export interface EvaluatedTests {
  readonly summary: CaseSummary;
  readonly results: ReadonlyMap<string, CaseResult>;
  readonly reports: readonly CaseReport[];
}

export class EvaluationTestWorld {
  readonly web: SecretWorld;
  readonly model: ModelServer;

  private constructor(web: SecretWorld, model: ModelServer) {
    [this.web, this.model] = [web, model];
  }

  static async open(): Promise<EvaluationTestWorld> {
    const world = new EvaluationTestWorld(await SecretWorld.open(), await startModelServer('openai-compatible'));
    world.web.folder.write(
      'home/config-user.toml',
      `[options]\nmodel = "here::tiny"\n\n[providers.here]\nkind = "openai-compatible"\nbase_url = "${world.model.baseUrl}"\n`,
    );
    return world;
  }

  /** Writes a file of the workspace. */
  write(path: string, content: string | Uint8Array): void {
    this.web.folder.write(`workspace/${path}`, content);
  }

  /** Absolute path in the workspace. */
  at(path: string): string {
    return this.web.folder.at(`workspace/${path}`);
  }

  engine(env: EngineOptions['env'] = {}, more: Partial<EngineOptions> = {}): Promise<Engine> {
    return this.web.engine(env, { storeFile: ':memory:', ...more });
  }

  /** Opens an engine, and runs tests. */
  async test(
    request: RunTests = {},
    env: EngineOptions['env'] = {},
    more: Partial<EngineOptions> = {},
  ): Promise<EvaluatedTests> {
    return await evaluate(await this.engine(env, more), request);
  }

  async close(): Promise<void> {
    await this.web.close();
    await this.model.close();
  }
}

/** Runs tests, and collects what is reported. */
export async function evaluate(engine: Engine, request: RunTests = {}): Promise<EvaluatedTests> {
  const reports: CaseReport[] = [];
  const stop = engine.watchTests((report) => void reports.push(report));
  try {
    const summary = await engine.runTests(request);
    const results = reports.flatMap((report) => (report.type === 'case' ? [report.result] : []));
    return { summary, reports, results: new Map(results.map((result) => [result.name, result])) };
  } finally {
    stop();
  }
}

/** Returns the messages of the failing checks of a case, or the error that prevented it. */
export function messagesOf(result: CaseResult | undefined): readonly string[] {
  if (result === undefined) return ['no result'];
  const missed = result.checks.flatMap(({ isOk, message, label }) => (isOk ? [] : [message ?? label]));
  return missed.length === 0 && result.error !== undefined ? [result.error.message] : missed;
}
