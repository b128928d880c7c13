/**
 * The settings of the whole flow, in folded sections: name and description, outputs, and how it runs.
 */
import {
  autonomyLevels,
  type BudgetDoc,
  type BudgetPart,
  budgetParts,
  type ChangePath,
  type FlowDoc,
  type JsonValue,
} from '../../engine/isomorphic.ts';
import { text as runText } from '../stores/runs/text.ts';
import { numberText } from '../ui/language.ts';
import { AheadField } from './fields/ahead-field.tsx';
import { FieldRow } from './fields/field-row.tsx';
import { plainField, unknownField } from './fields/form-fields.ts';
import type { ChangeValue } from './fields/form-scope.tsx';
import { Section } from './fields/setting-rows.tsx';
import { text } from './text.ts';

const budgetWords = runText.budget;

const mebibyte = 1024 * 1024;
const usualOutputBytes = 64 * mebibyte;

const nameField = plainField('name', 'text', { label: text.flow.name, isRequired: true });
const aboutField = plainField('description', 'long-text', { label: text.flow.description });
const givenField = plainField('outputs', 'map', {
  label: text.flow.outputs,
  description: text.flow.outputsNote,
  member: unknownField([], true),
});
const parallelField = plainField('maxParallel', 'number', {
  label: text.flow.parallel,
  description: text.flow.parallelNote,
  default: 1,
  limits: { min: 1, isInteger: true },
});
const outputField = plainField('maxOutputBytes', 'number', {
  label: text.flow.maxOutput,
  description: text.flow.maxOutputNote,
  default: usualOutputBytes,
  limits: { min: 1, max: 256 * mebibyte, isInteger: true },
});
const autonomyField = plainField('autonomy', 'enum', {
  label: text.flow.autonomy,
  description: text.flow.autonomyNote,
  options: autonomyLevels,
});
const levelField = plainField('autonomy', 'enum', {
  label: text.flow.level,
  description: text.flow.levelNote,
  options: autonomyLevels,
  default: 'semi_auto',
});
const failFastField = plainField('failFast', 'boolean', {
  label: text.flow.failFast,
  default: true,
});

const budgetFields = {
  usd: plainField('usd', 'number', { label: budgetWords.usdField, limits: { min: 0 } }),
  tokens: plainField('tokens', 'number', { label: budgetWords.tokensField, limits: { min: 1, isInteger: true } }),
  seconds: plainField('seconds', 'number', { label: budgetWords.secondsField, limits: { min: 0 } }),
} satisfies Readonly<Record<BudgetPart, unknown>>;

interface FlowSettingsProps {
  readonly header: FlowDoc['flow'];
  /** Whether the flow is a list of steps, which has fewer settings. */
  readonly isSteps: boolean;
  readonly changeAt: (...path: ChangePath) => ChangeValue;
}

export function FlowSettings({ header, isSteps, changeAt }: FlowSettingsProps) {
  const outputs = Object.keys(header.outputs ?? {});
  return (
    <>
      <Section id="flow-name" title={text.flow.identity} startsFolded>
        <div className="form-fields">
          <AheadField field={nameField} value={header.name} onChange={changeAt('name')} />
          <AheadField field={aboutField} value={header.description} onChange={changeAt('description')} />
        </div>
      </Section>
      {isSteps ? null : (
        <Section
          id="flow-outputs"
          title={text.flow.outputs}
          note={outputs.length === 0 ? undefined : outputs.join(', ')}
          startsFolded
        >
          <AheadField field={givenField} value={header.outputs} onChange={changeAt('outputs')} />
        </Section>
      )}
      {isSteps ? null : <Budget budget={header.policy?.budget} onChange={changeAt('policy', 'budget')} />}
      <Advanced policy={header.policy} isSteps={isSteps} changeAt={changeAt} />
    </>
  );
}

interface BudgetProps {
  readonly budget: BudgetDoc | undefined;
  /** Called with the whole budget, or undefined without any limit. */
  readonly onChange: ChangeValue;
}

/** What a run may use before it pauses and asks. */
function Budget({ budget = {}, onChange }: BudgetProps) {
  const count = Object.keys(budget).length;
  const note = count === 0 ? undefined : text.policy.setCount({ count, total: budgetParts.length });
  return (
    <Section id="flow-budget" title={budgetWords.ofRun} note={note} startsFolded>
      <p className="inspector-quiet">{budgetWords.note}</p>
      <div className="form-three">
        {budgetParts.map((part) => (
          <FieldRow
            key={part}
            field={budgetFields[part]}
            value={budget[part]}
            onChange={(next, mergeKey) => {
              const { [part]: _, ...others } = budget;
              const changed = next === undefined ? others : { ...others, [part]: next };
              return onChange(Object.keys(changed).length === 0 ? undefined : changed, mergeKey);
            }}
          />
        ))}
      </div>
    </Section>
  );
}

/** Returns how many of the folded settings differ from their defaults. */
export function advancedNote(changed: number, total: number): string {
  return changed === 0 ? text.flow.allDefault({ count: total }) : text.flow.changedCount({ count: changed, total });
}

interface AdvancedProps extends Omit<FlowSettingsProps, 'header'> {
  readonly policy: FlowDoc['flow']['policy'];
}

/** What nodes may do, and limits. */
function Advanced({ policy, isSteps, changeAt }: AdvancedProps) {
  const { autonomy, failFast, maxParallel, maxOutputBytes } = policy ?? {};
  const settings: readonly (JsonValue | undefined)[] = isSteps
    ? [autonomy]
    : [autonomy, failFast, maxParallel, maxOutputBytes];
  const changed = settings.filter((value) => value !== undefined).length;
  const note = advancedNote(changed, settings.length);
  const change = (key: string): ChangeValue => changeAt('policy', key);
  return (
    <Section id="advanced" title={text.flow.advanced} note={note} startsFolded>
      <div className="form-fields">
        <AheadField field={isSteps ? levelField : autonomyField} value={autonomy} onChange={change('autonomy')} />
        {isSteps ? null : (
          <>
            <AheadField field={failFastField} value={failFast} onChange={change('failFast')} />
            <AheadField field={parallelField} value={maxParallel} onChange={change('maxParallel')} />
            <div>
              <AheadField field={outputField} value={maxOutputBytes} onChange={change('maxOutputBytes')} />
              <p className="inspector-quiet">
                {text.flow.maxOutputSize({
                  size: numberText(Math.round((maxOutputBytes ?? usualOutputBytes) / (mebibyte / 10)) / 10),
                })}
              </p>
            </div>
          </>
        )}
      </div>
    </Section>
  );
}
