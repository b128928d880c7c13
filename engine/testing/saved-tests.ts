/**
 * Runs that are saved as tests: a workspace with a web server and a model provider, which count their calls.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { RunId } from '../base/ids.ts';
import type { SavedTest, SaveTest } from '../evaluation/saved-test.ts';
import type { Engine } from '../index.ts';
import type { CaseResult } from '../language/cases/case-result.ts';
import type { JsonMap } from '../language/json/json-value.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import { SecretWorld } from './secret-world.ts';

const modelKey = 'a-model-key-for-tests-1';

/** A workspace with runs that are saved as tests. */
export class SavedTests {
  readonly world: SecretWorld;
  readonly models: ModelServer;
  readonly engine: Engine;

  private constructor(world: SecretWorld, models: ModelServer, engine: Engine) {
    [this.world, this.models, this.engine] = [world, models, engine];
  }

  static async open(env: Readonly<Record<string, string>> = {}): Promise<SavedTests> {
    const [world, models] = await Promise.all([SecretWorld.open(), startModelServer('openai-compatible')]);
    const provider = `kind = "openai-compatible"\nbase_url = "${models.baseUrl}"\napi_key_env = "TEST_KEY"\n`;
    world.folder.write('home/config-user.toml', `[providers.p]\n${provider}`);
    return new SavedTests(world, models, await world.engine({ ...process.env, TEST_KEY: modelKey, ...env }));
  }

  /** Number of requests that have reached the servers. */
  get calls(): number {
    return this.world.heard.length + this.models.received.length;
  }

  write(path: string, text: string): void {
    this.world.folder.write(`workspace/${path}`, text);
  }

  read(path: string): string {
    return readFileSync(this.world.folder.at(`workspace/${path}`), 'utf8');
  }

  /** Writes a flow, and runs it until it ends or waits. */
  async run(text: string, inputs: JsonMap = {}, path = 'a.flow.yaml'): Promise<RunId> {
    this.write(path, text);
    const { runId } = await this.engine.startRun({ path, text, inputs });
    await this.engine.whenEnded(runId);
    return runId;
  }

  /** Answers the open request of a run, and waits for the run. */
  async answer(runId: RunId, answer: Omit<Parameters<Engine['resumeRun']>[0], 'runId'>): Promise<void> {
    await this.engine.resumeRun({ runId, ...answer });
    await this.engine.whenEnded(runId);
  }

  /** Saves the run, checks that the test passes, and that nothing was called for either. */
  async save(runId: RunId, more: Omit<SaveTest, 'runId'> = {}): Promise<SavedTest> {
    const before = this.calls;
    const saved = await this.engine.saveTest({ runId, ...more });
    const results = await this.test(saved.file);
    expect(results.flatMap(({ error, checks }) => [error ?? [], checks.filter(({ isOk }) => !isOk)].flat())).toEqual(
      [],
    );
    expect(this.calls).toBe(before);
    return saved;
  }

  /** Runs a test file. */
  async test(file: string): Promise<readonly CaseResult[]> {
    const results: CaseResult[] = [];
    const stop = this.engine.watchTests((report) => {
      if (report.type === 'case') results.push(report.result);
    });
    await this.engine.runTests({ files: [file] });
    stop();
    expect(results.length).toBeGreaterThan(0);
    return results;
  }

  async close(): Promise<void> {
    await this.world.close();
    await this.models.close();
  }
}
