/**
 * The settings of a trigger: what it waits for, what happens to its runs, and the inputs that it passes.
 */
import { useMemo } from 'react';
import {
  eventFieldsOf,
  eventRoot,
  type JsonMap,
  type JsonValue,
  missedOf,
  overlapOf,
  type TriggerDoc,
  type TriggerKind,
  triggerFindings,
  triggerKindOf,
} from '../../../engine/isomorphic.ts';
import { inputRows } from '../../stores/flow/flow-inputs.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { AheadField } from '../fields/ahead-field.tsx';
import { plainField } from '../fields/form-fields.ts';
import { type FormScope, FormScopeContext, useFormScope } from '../fields/form-scope.tsx';
import { Group, Section } from '../fields/setting-rows.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { text } from './text.ts';
import {
  type ChangeTrigger,
  CheckedText,
  Choice,
  OptionalNumber,
  type ProblemAt,
  type TriggerFormProps,
  type TriggerPartProps,
} from './trigger-controls.tsx';
import { AfterForm, FilesForm, WebhookForm } from './trigger-kinds.tsx';
import './triggers.css';

export function TriggerForm({ path, trigger, flow }: TriggerFormProps) {
  const { edits, selection } = useStores();
  const { id } = trigger;
  const kind = triggerKindOf(trigger);
  const others = (flow.flow.triggers ?? []).filter((one) => one !== trigger);
  const change: ChangeTrigger = (at, value, mergeKey) =>
    edits.change(path, { do: 'set-trigger', id, path: at, value: value as JsonValue | undefined }, mergeKey);
  const findings = useMemo(
    () => triggerFindings([trigger], { header: flow.flow, nodeTypes: new Set(flow.nodes.map(({ type }) => type)) }),
    [trigger, flow],
  );
  const problemAt: ProblemAt = (...at) => {
    const place = JSON.stringify(at);
    const found = findings.filter(({ path: [, ...rest], field }) => JSON.stringify(field ?? rest) === place);
    return found.map(({ message }) => message).join(' ') || undefined;
  };
  const rename = async (to: string): Promise<boolean> => {
    const isDone = await change(['id'], to);
    if (isDone) selection.getState().choose(path, { triggers: [to] }, null);
    return isDone;
  };
  const part = { path, trigger, flow, change, problemAt };
  return (
    <>
      <div className="form-fields">
        <Choice<TriggerKind | ''>
          label={text.starts}
          value={kind ?? ''}
          options={kinds.map((value) => ({ value, text: text.kinds[value] }))}
          problem={problemAt()}
          onChange={(next) => change([], withKind(trigger, next === '' ? 'schedule' : next))}
        />
        {trigger.schedule === undefined ? null : (
          <ScheduleForm
            schedule={trigger.schedule}
            problemAt={(key) => problemAt('schedule', key)}
            onChange={(schedule, mergeKey) => change(['schedule'], schedule, mergeKey)}
          />
        )}
        {trigger.files === undefined ? null : <FilesForm {...part} files={trigger.files} />}
        {trigger.webhook === undefined ? null : <WebhookForm {...part} webhook={trigger.webhook} />}
        {trigger.after === undefined ? null : <AfterForm {...part} after={trigger.after} />}
        <RunRules {...part} />
      </div>
      <TriggerInputs {...part} />
      <Section id="trigger-more" title={text.more} startsFolded>
        <div className="form-fields">
          <MoreLimits {...part} />
          <CheckedText
            key={id}
            label={text.id}
            value={id}
            isLate
            problemOf={(next) => {
              if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(next)) return text.badId;
              return others.some((one) => one.id === next) ? text.takenId({ name: next }) : undefined;
            }}
            onChange={rename}
          />
        </div>
      </Section>
    </>
  );
}

const kinds = ['schedule', 'files', 'webhook', 'after'] as const satisfies readonly TriggerKind[];

/** Returns the trigger with another kind. Its other settings stay. */
function withKind(trigger: TriggerDoc, kind: TriggerKind): JsonMap {
  const { schedule, files, webhook, after, ...rest } = trigger;
  const { timeZone: timezone } = new Intl.DateTimeFormat().resolvedOptions();
  const initial: Readonly<Record<TriggerKind, JsonMap>> = {
    schedule: { cron: '0 9 * * 1-5', timezone },
    files: { glob: 'inbox/*', on: ['created'], debounce: '2s' },
    webhook: { path: trigger.id.replaceAll('_', '-') },
    after: { flow: 'other.flow.yaml' },
  };
  const value = { schedule, files, webhook, after }[kind] ?? initial[kind];
  return { id: trigger.id, [kind]: value as JsonMap, ...(rest as unknown as JsonMap) };
}

const overlaps = ['skip', 'queue', 'cancelPrevious', 'parallel'] as const;
const misses = ['once', 'all', 'skip'] as const;

/** What happens to runs that overlap, were missed, or cost too much. */
function RunRules({ trigger, change, problemAt }: TriggerPartProps) {
  const { limit, budget, schedule, after } = trigger;
  const overlap = overlapOf(trigger);
  const isParallel = typeof overlap === 'object';
  const usual: TriggerDoc = { id: trigger.id, ...(schedule && { schedule }) };
  return (
    <>
      <div className="form-two">
        <Choice
          label={text.overlap}
          value={isParallel ? 'parallel' : overlap}
          options={overlaps.map((value) => ({ value, text: text.overlaps[value] }))}
          onChange={(next) =>
            change(['overlap'], next === overlapOf(usual) ? undefined : next === 'parallel' ? { parallel: 2 } : next)
          }
        />
        {schedule !== undefined || after !== undefined ? (
          <Choice
            label={text.missed}
            value={missedOf(trigger)}
            options={misses.map((value) => ({ value, text: text.misses[value] }))}
            onChange={(next) => change(['missed'], next === missedOf(usual) ? undefined : next)}
          />
        ) : null}
        {isParallel ? (
          <OptionalNumber
            label={text.parallel}
            value={overlap.parallel}
            max={1_000}
            problem={text.badCount}
            onChange={(next, mergeKey) => change(['overlap'], { parallel: next ?? 2 }, mergeKey)}
          />
        ) : null}
      </div>
      <div className="form-two">
        <OptionalNumber
          label={text.limit}
          note={text.limitNote}
          value={limit}
          placeholder={text.none}
          problem={text.badCount}
          onChange={(next, mergeKey) => change(['limit'], next, mergeKey)}
        />
        <OptionalNumber
          label={text.usd}
          note={text.usdNote}
          value={budget?.usd}
          placeholder={text.none}
          isInteger={false}
          problem={text.badNumber}
          onChange={(next, mergeKey) => change(['budget'], withLimit(budget, 'usd', next), mergeKey)}
        />
      </div>
      {problemAt('budget') === undefined ? null : <p className="field-problem">{problemAt('budget')}</p>}
    </>
  );
}

/** Returns a budget with another limit. An empty budget is absent. */
function withLimit(
  budget: TriggerDoc['budget'],
  key: 'usd' | 'tokens' | 'seconds',
  value: JsonValue | undefined,
): JsonMap | undefined {
  const { [key]: _former, ...others } = { ...budget } as Record<string, JsonValue>;
  const next = value === undefined ? others : { ...others, [key]: value };
  return Object.keys(next).length === 0 ? undefined : next;
}

function MoreLimits({ trigger: { budget, priority }, change }: TriggerPartProps) {
  return (
    <div className="form-three">
      {(['tokens', 'seconds'] as const).map((key) => (
        <OptionalNumber
          key={key}
          label={text[key]}
          value={budget?.[key]}
          placeholder={text.none}
          isInteger={key === 'tokens'}
          problem={key === 'tokens' ? text.badCount : text.badNumber}
          onChange={(next, mergeKey) => change(['budget'], withLimit(budget, key, next), mergeKey)}
        />
      ))}
      <OptionalNumber
        label={text.priority}
        value={priority}
        placeholder="0"
        min={-1_000}
        max={1_000}
        problem={text.badPriority}
        onChange={(next, mergeKey) => change(['priority'], next === 0 ? undefined : next, mergeKey)}
      />
    </div>
  );
}

/** A row for each input of the flow. Their bindings read the event. */
function TriggerInputs({ trigger, flow, change, problemAt }: TriggerPartProps) {
  const outer = useFormScope();
  const kind = triggerKindOf(trigger) ?? 'schedule';
  const isBatch = trigger.files?.batch === true;
  const scope = useMemo(
    (): FormScope => ({
      ...outer,
      candidates: () =>
        eventFieldsOf(kind, isBatch).map((name) => ({ path: `${eventRoot}.${name}`, detail: '', description: '' })),
      lastValue: () => undefined,
    }),
    [outer, kind, isBatch],
  );
  const rows = inputRows(flow.flow);
  const given = trigger.inputs ?? {};
  const set = (name: string, value: JsonValue | undefined, mergeKey: string | undefined): Promise<boolean> => {
    const isLast = value === undefined && Object.keys(given).every((key) => key === name);
    return change(isLast ? ['inputs'] : ['inputs', name], value, mergeKey);
  };
  return (
    <Group title={text.inputs} note={rows.length === 0 ? undefined : text.inputsNote}>
      {rows.length === 0 ? <p className="inspector-quiet">{text.noInputs}</p> : null}
      {trigger.webhook !== undefined && trigger.inputs === undefined && rows.length > 0 ? (
        <p className="inspector-quiet trigger-inputs-note">{text.inputsFromBody}</p>
      ) : null}
      <FormScopeContext value={scope}>
        <div className="form-fields">
          {rows.map(({ name, description }) => {
            const field = plainField(name, 'json', { label: name, description, mayBind: true });
            const problem = problemAt('inputs', name);
            return (
              <AheadField
                key={name}
                field={field}
                value={Object.hasOwn(given, name) ? given[name] : undefined}
                problems={
                  problem === undefined ? [] : [{ path: ['inputs', name], severity: 'error', message: problem }]
                }
                onChange={(value, mergeKey) => set(name, value, mergeKey)}
              />
            );
          })}
        </div>
      </FormScopeContext>
    </Group>
  );
}
