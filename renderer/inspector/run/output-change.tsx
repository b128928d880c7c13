/**
 * Compares the output of a node in this run with the one in the previous run, word by word.
 */
import { useEffect, useState } from 'react';
import { isJsonMap, isValueHandle, type JsonValue, jsonEquals, type RunId } from '../../../engine/isomorphic.ts';
import { formerRun } from '../../stores/runs/former-runs.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { useNodePart, useShownRunPart } from '../../stores/use-flow.ts';
import { useEarlierRun, useRunNumber } from '../../stores/use-run.ts';
import { clockText } from '../../ui/quantity-text.ts';
import { withParts } from '../../ui/with-parts.tsx';
import { text } from './text.ts';
import { type ChangeTitles, changeText, type FieldChange, ValueChange } from './value-change.tsx';

/** A part of two outputs that differs. */
/** Returns the differences, field by field for maps. */
function changesOf(before: JsonValue, now: JsonValue): readonly FieldChange[] {
  if (!isJsonMap(before) || !isJsonMap(now)) {
    return jsonEquals(before, now) ? [] : [{ field: '', before: changeText(before), now: changeText(now) }];
  }
  return [...new Set([...Object.keys(now), ...Object.keys(before)])].flatMap((field) => {
    const [a, b] = [before[field], now[field]];
    if (a !== undefined && b !== undefined && jsonEquals(a, b)) return [];
    return [{ field, before: changeText(a), now: changeText(b) }];
  });
}

/** Returns the run that the shown one is compared with. */
function useFormerRunId(path: string): RunId | null {
  return (
    useShownRunPart(
      path,
      ({ state, before, comparison }) => comparison?.request.a ?? state.rerunOf ?? state.redoOf ?? before,
    ) ?? null
  );
}

/** Returns both outputs in full. Null until both are loaded, or if one cannot be loaded. */
function useOutputs(path: string, nodeId: string): readonly [JsonValue, JsonValue] | null {
  const { engine } = useStores();
  const formerId = useFormerRunId(path);
  const output = useNodePart(path, nodeId, ({ state }, place) => state.nodes.get(place)?.output);
  const place = useNodePart(path, nodeId, (_, shown) => shown) ?? nodeId;
  const isReused = useNodePart(path, nodeId, ({ state }, at) => state.nodes.get(at)?.status === 'reused') ?? false;
  const [read, setRead] = useState<{ key: unknown; outputs: readonly [JsonValue, JsonValue] } | null>(null);
  useEffect(() => {
    if (formerId === null || output === undefined || isReused) return;
    let isMeant = true;
    const whole = async (value: JsonValue): Promise<JsonValue> =>
      isValueHandle(value) ? ((await engine.call('readValue', value.$value)) as JsonValue) : value;
    const compare = async (): Promise<void> => {
      const former = (await formerRun(engine, formerId))?.nodes.get(place)?.output;
      if (former === undefined) return;
      const outputs = await Promise.all([whole(former), whole(output)]);
      if (isMeant) setRead({ key: output, outputs });
    };
    // Without the value there is nothing to compare. Opening the output shows the error.
    compare().catch(() => undefined);
    return () => {
      isMeant = false;
    };
  }, [engine, formerId, output, isReused, place]);
  return read !== null && read.key === output && output !== undefined && !isReused ? read.outputs : null;
}

const titlesOfPrevious: ChangeTitles = {
  before: text.comparison.before,
  now: text.comparison.now,
  label: text.comparison.withPrevious,
};

/**
 * Shows how the output of a node differs from that of the previous run. Renders nothing without another output to
 * compare with.
 */
export function OutputChange({ path, nodeId }: { path: string; nodeId: string }) {
  const formerId = useFormerRunId(path);
  const outputs = useOutputs(path, nodeId);
  const chosen = useChosenTitles(path);
  if (formerId === null || outputs === null) return null;
  const changes = changesOf(...outputs);
  const titles = chosen ?? titlesOfPrevious;
  // The selected run may also be the later one.
  const difference = chosen === null ? text.comparison.changed : text.comparison.different;
  return (
    <section className="output-change" aria-label={titles.label}>
      <h3 className="inspector-heading">
        {withParts(changes.length === 0 ? text.comparison.same : difference, {
          run: <FormerRunLink path={path} runId={formerId} />,
        })}
      </h3>
      {changes.map((change) => (
        <ValueChange key={change.field} change={change} titles={titles} />
      ))}
    </section>
  );
}

/** Returns titles with the numbers of both runs if the user selected which one to compare with. Null for the previous run. */
function useChosenTitles(path: string): ChangeTitles | null {
  const chosen = useShownRunPart(path, ({ comparison }) => comparison?.request.a) ?? null;
  const shown = useShownRunPart(path, ({ runId }) => runId) ?? null;
  const [before, now] = [useRunNumber(chosen), useRunNumber(shown)];
  if (chosen === null) return null;
  const { comparison } = text;
  return {
    before: before === null ? comparison.otherRun : comparison.runTitle({ number: before }),
    now: now === null ? comparison.thisRun : comparison.runTitle({ number: now }),
    label: before === null ? comparison.withOther : comparison.withNumber({ number: before }),
  };
}

function FormerRunLink({ path, runId }: { path: string; runId: RunId }) {
  const { startedAt, open } = useEarlierRun(path, runId);
  const number = useRunNumber(runId);
  const { previousRun, runAt, runNumber } = text.comparison;
  const byTime = startedAt === null ? previousRun : runAt({ time: clockText(startedAt) });
  return (
    <button type="button" className="inspector-line-link" onClick={open}>
      {number === null ? byTime : runNumber({ number })}
    </button>
  );
}
