/**
 * The retry settings of a step that fails with a retryable error. Steps specify their pauses in seconds.
 */
import type { StepRetry } from '../../engine/isomorphic.ts';
import { FieldRow } from './fields/field-row.tsx';
import { plainField } from './fields/form-fields.ts';
import type { ChangeValue } from './fields/form-scope.tsx';
import { useAhead } from './fields/use-ahead.ts';
import { text } from './text.ts';

const attempts = plainField('max_attempts', 'number', {
  label: text.stepRetry.attempts,
  description: text.stepRetry.attemptsNote,
  default: 1,
  limits: { min: 1, max: 10, isInteger: true },
});
const pause = plainField('backoff_seconds', 'number', {
  label: text.stepRetry.pause,
  description: text.stepRetry.pauseNote,
  default: 0,
  limits: { min: 0, max: 60 },
});
const codes = plainField('retry_on_codes', 'list', {
  label: text.stepRetry.codes,
  description: text.stepRetry.codesNote,
  member: plainField('code', 'text'),
});

interface StepRetryFormProps {
  /** Undefined if the step has a single attempt. */
  readonly retry: StepRetry | undefined;
  /** Returns the setter of a key of the retry settings. */
  readonly changeOf: (key: keyof StepRetry) => ChangeValue;
}

export function StepRetryForm({ retry, changeOf }: StepRetryFormProps) {
  const [maxAttempts, setAttempts] = useAhead(retry?.max_attempts, changeOf('max_attempts'));
  const [seconds, setSeconds] = useAhead(retry?.backoff_seconds, changeOf('backoff_seconds'));
  const [only, setOnly] = useAhead(retry?.retry_on_codes, changeOf('retry_on_codes'));
  return (
    <div className="form-fields">
      <div className="form-two">
        <FieldRow field={attempts} value={maxAttempts} onChange={setAttempts} />
        <FieldRow field={pause} value={seconds} onChange={setSeconds} />
      </div>
      <FieldRow
        field={codes}
        value={only}
        onChange={(next, mergeKey) => setOnly(Array.isArray(next) && next.length === 0 ? undefined : next, mergeKey)}
      />
    </div>
  );
}

/** Summarizes the settings in a few words. */
export function retryNote(retry: StepRetry | undefined): string {
  if (retry === undefined || retry.max_attempts === 1) return text.stepRetry.once;
  const { max_attempts: count, backoff_seconds: seconds } = retry;
  return seconds === 0 ? text.stepRetry.upTo({ count }) : text.stepRetry.upToApart({ count, seconds });
}
