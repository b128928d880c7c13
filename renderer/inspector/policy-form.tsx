/**
 * The settings for a node that fails or takes too long.
 */
import type { JsonValue, NodePolicy } from '../../engine/isomorphic.ts';
import { Field } from '../ui/field.tsx';
import { Select, type SelectOption } from '../ui/select.tsx';
import { FieldRow } from './fields/field-row.tsx';
import { plainField } from './fields/form-fields.ts';
import { type ChangeValue, useFormScope } from './fields/form-scope.tsx';
import { text } from './text.ts';

export const attempts = plainField('maxAttempts', 'number', {
  label: text.policy.attempts,
  description: text.policy.attemptsNote,
  default: 1,
  limits: { min: 1, isInteger: true },
});
export const pause = plainField('backoffMs', 'duration', {
  label: text.policy.pause,
  description: text.policy.pauseNote,
  default: 0,
  limits: { min: 0, isInteger: true },
});
export const timeLimit = plainField('timeoutMs', 'duration', {
  label: text.policy.timeout,
  description: text.policy.timeoutNote,
  default: text.policy.noTimeout,
  limits: { min: 0, isInteger: true },
});

export const afterFailure: readonly SelectOption<'' | 'true' | 'false'>[] = [
  { value: '', text: text.policy.asFlow },
  { value: 'true', text: text.policy.continues },
  { value: 'false', text: text.policy.fails },
];

/** Returns the policy without undefined properties, or undefined if none are left. */
function tidy(policy: { readonly [Key in keyof NodePolicy]: NodePolicy[Key] | undefined }): NodePolicy | undefined {
  const entries = Object.entries(policy).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** A pause alone means one attempt. Without attempts and pause, the node is not retried. */
function retryOf(maxAttempts: number | undefined, backoffMs: number | undefined): NodePolicy['retry'] {
  if (maxAttempts === undefined && backoffMs === undefined) return undefined;
  return { maxAttempts: maxAttempts ?? 1, ...(backoffMs === undefined ? {} : { backoffMs }) };
}

/** Returns the number of settings in a policy. */
export function policyNote({ retry, timeoutMs, continueOnError }: NodePolicy = {}): string {
  const settings = [retry?.maxAttempts, retry?.backoffMs, timeoutMs, continueOnError];
  const count = settings.filter((value) => value !== undefined).length;
  return text.policy.setCount({ count, total: settings.length });
}

const asNumber = (value: JsonValue | undefined): number | undefined => (typeof value === 'number' ? value : undefined);

interface PolicyFormProps {
  readonly policy: NodePolicy;
  /** Called with the whole policy. */
  readonly onChange: ChangeValue;
}

export function PolicyForm({ policy, onChange }: PolicyFormProps) {
  const { isDisabled } = useFormScope();
  const { retry, timeoutMs, continueOnError } = policy;
  const put = (change: Partial<{ [Key in keyof NodePolicy]: NodePolicy[Key] | undefined }>, mergeKey?: string) =>
    onChange(tidy({ ...policy, ...change }) as JsonValue | undefined, mergeKey);
  return (
    <div className="form-fields">
      <div className="form-three">
        <FieldRow
          field={attempts}
          value={retry?.maxAttempts}
          onChange={(next, key) => put({ retry: retryOf(asNumber(next), asNumber(next) && retry?.backoffMs) }, key)}
        />
        <FieldRow
          field={pause}
          value={retry?.backoffMs}
          onChange={(next, key) => put({ retry: retryOf(retry?.maxAttempts, asNumber(next)) }, key)}
        />
        <FieldRow
          field={timeLimit}
          value={timeoutMs}
          onChange={(next, key) => put({ timeoutMs: asNumber(next) }, key)}
        />
      </div>
      <Field label={text.policy.continueOnError}>
        {(control) => (
          <Select
            {...control}
            disabled={isDisabled}
            value={continueOnError === undefined ? '' : String(continueOnError)}
            options={afterFailure}
            onChange={(chosen) => void put({ continueOnError: chosen === '' ? undefined : chosen === 'true' })}
          />
        )}
      </Field>
    </div>
  );
}
