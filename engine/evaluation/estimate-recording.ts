/**
 * Estimates what recording would cost, from earlier runs of the tested flows.
 */
import { isJsonMap, type JsonMap, type JsonValue } from '../language/json/json-value.ts';
import type { RecordingEstimate, RunTests } from './evaluation-engine.ts';
import type { ReadyCase, ReadyFile } from './list-cases.ts';
import { currentTexts, type EvaluationWorld, readCaseFiles } from './run-tests.ts';

/** Adds up the costs of all cases. */
export async function estimateRecording(request: RunTests, world: EvaluationWorld): Promise<RecordingEstimate> {
  let cases = 0;
  const all: { readonly low: number; readonly high: number }[] = [];
  for (const file of await readCaseFiles(request, world)) {
    const [first] = file.cases;
    cases += file.cases.length;
    const usd = first === undefined ? undefined : await costOfOne(file, first, { request, world });
    if (usd !== undefined) all.push({ low: usd.low * file.cases.length, high: usd.high * file.cases.length });
  }
  const sum = (part: 'low' | 'high'): number => all.reduce((total, one) => total + one[part], 0);
  return { cases, ...(all.length === 0 ? {} : { usd: { low: sum('low'), high: sum('high') } }) };
}

/** Returns the cost of a case of a flow, if earlier runs say something about it. */
async function costOfOne(
  { target }: ReadyFile,
  { doc }: ReadyCase,
  { request, world: { engine } }: { readonly request: RunTests; readonly world: EvaluationWorld },
): Promise<RecordingEstimate['usd']> {
  if (target?.kind !== 'flow') return undefined;
  const { path } = target;
  const text = await currentTexts(engine.workspace, request.texts)(path);
  if (text === undefined) return undefined;
  const input = 'input' in doc ? (doc.input as JsonValue | undefined) : undefined;
  const inputs: JsonMap = isJsonMap(input) ? input : {};
  const estimate = await engine.estimate({ path, text, inputs }).catch(() => undefined);
  return estimate === undefined || estimate.runCount === 0 ? undefined : estimate.usd;
}
