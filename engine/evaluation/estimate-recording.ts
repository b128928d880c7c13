/**
 * Estimates what recording would cost, from earlier runs of the tested flows.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonMap, type JsonMap, type JsonValue } from '../language/json/json-value.ts';
import type { RecordingEstimate, RunTests } from './evaluation-engine.ts';
import { besideTest, type ReadyFile } from './list-cases.ts';
import { currentTexts, type EvaluationWorld, readCaseFiles } from './run-tests.ts';

/** Estimates the cases whose calls would be made: with `missing`, those without a recording file. */
export async function estimateRecording(request: RunTests, world: EvaluationWorld): Promise<RecordingEstimate> {
  const files = await readCaseFiles(request, world);
  let cases = 0;
  let usd: { low: number; high: number } | undefined;
  for (const file of files) {
    const calling = file.cases.filter(
      (one) => request.record === 'all' || !isRecorded(file, one, world.engine.workspace),
    );
    cases += calling.length;
    const [first] = calling;
    if (first === undefined || file.target?.kind !== 'flow') continue;
    const text = await currentTexts(world.engine.workspace, request.texts)(file.target.path);
    if (text === undefined) continue;
    const input = 'input' in first.doc ? (first.doc.input as JsonValue | undefined) : undefined;
    const inputs: JsonMap = isJsonMap(input) ? input : {};
    const estimate = await world.engine.estimate({ path: file.target.path, text, inputs }).catch(() => undefined);
    if (estimate === undefined || estimate.runCount === 0) continue;
    const times = calling.length;
    usd = { low: (usd?.low ?? 0) + times * estimate.usd.low, high: (usd?.high ?? 0) + times * estimate.usd.high };
  }
  return { cases, ...(usd === undefined ? {} : { usd }) };
}

function isRecorded({ path, doc }: ReadyFile, { doc: one }: ReadyFile['cases'][number], workspace: string): boolean {
  const named = ('cassette' in one ? one.cassette : undefined) ?? doc?.cassette;
  return named !== undefined && existsSync(join(workspace, besideTest(path, named)));
}
