/**
 * What triggers wait for: changes of files, requests, and runs of other flows.
 */
import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import { usualOrigin } from '../../stores/window/background.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/field.tsx';
import { AheadField } from '../fields/ahead-field.tsx';
import { plainField } from '../fields/form-fields.ts';
import { text } from './text.ts';
import { CheckedText, Choice, OptionalNumber, Toggles, type TriggerPartProps } from './trigger-controls.tsx';

type TriggerKindProps<Kind extends 'files' | 'webhook' | 'after'> = TriggerPartProps & {
  readonly [Key in Kind]: NonNullable<TriggerPartProps['trigger'][Key]>;
};

const globField = plainField('glob', 'glob', { label: text.glob, isRequired: true });
const batchField = plainField('batch', 'boolean', { label: text.batch, default: false });
const changeKinds = ['created', 'changed', 'deleted'] as const;

/** As in the file. */
const mostSeconds = 366 * 86_400;

const unitSeconds = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** Returns the seconds of a valid duration of the file. */
function secondsOf(duration: string): number {
  const unit = duration.slice(-1) as keyof typeof unitSeconds;
  return Number(duration.slice(0, -1)) * unitSeconds[unit];
}

export function FilesForm({ files, change, problemAt }: TriggerKindProps<'files'>) {
  const { glob, on = ['created', 'changed'], debounce, batch } = files;
  const problem = problemAt('files', 'glob');
  return (
    <>
      <AheadField
        field={globField}
        value={glob}
        problems={problem === undefined ? [] : [{ path: ['glob'], severity: 'error', message: problem }]}
        onChange={(next, mergeKey) =>
          // An empty pattern would make the whole flow invalid.
          next === undefined || next === '' ? Promise.resolve(false) : change(['files', 'glob'], next, mergeKey)
        }
      />
      <Toggles
        label={text.changes}
        value={on}
        options={changeKinds.map((value) => ({ value, text: text.changeKinds[value] }))}
        onChange={(next) => change(['files', 'on'], [...next])}
      />
      <OptionalNumber
        label={text.quiet}
        note={text.quietNote}
        value={debounce === undefined ? undefined : secondsOf(debounce)}
        placeholder="1"
        max={mostSeconds}
        problem={text.badCount}
        onChange={(next, mergeKey) =>
          change(['files', 'debounce'], next === undefined ? undefined : `${String(next)}s`, mergeKey)
        }
      />
      <AheadField
        field={batchField}
        value={batch}
        onChange={(next, mergeKey) => change(['files', 'batch'], next === true ? true : undefined, mergeKey)}
      />
    </>
  );
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const answers = ['accepted', 'result', 'respond'] as const;
const protections = ['none', 'secret', 'github', 'stripe', 'slack'] as const;

/** As in the schema of the file. */
const webhookPath = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

export function WebhookForm({ webhook, change, problemAt }: TriggerKindProps<'webhook'>) {
  const { method = 'POST', path, secret, signature, answer = 'accepted' } = webhook;
  const protection = signature?.style ?? (secret === undefined ? 'none' : 'secret');
  const { background } = useStores();
  const origin = useStore(background, ({ known }) => known?.address);
  const bound = signature?.secret ?? secret ?? '';
  const address = `/hooks/${path}`;
  const protect = (next: (typeof protections)[number], binding: string, mergeKey?: string): Promise<boolean> => {
    const { secret: _secret, signature: _signature, ...rest } = webhook;
    const by =
      next === 'none' ? {} : next === 'secret' ? { secret: binding } : { signature: { style: next, secret: binding } };
    return change(['webhook'], { ...rest, ...by }, mergeKey);
  };
  return (
    <>
      <div className="trigger-webhook">
        <Choice
          label={text.method}
          value={method}
          options={methods.map((value) => ({ value, text: value }))}
          onChange={(next) => change(['webhook', 'method'], next === 'POST' ? undefined : next)}
        />
        <CheckedText
          label={text.path}
          value={path}
          problem={problemAt('webhook', 'path')}
          problemOf={(next) => (webhookPath.test(next) && next.length <= 200 ? undefined : text.badPath)}
          onChange={(next, mergeKey) => change(['webhook', 'path'], next, mergeKey)}
        />
      </div>
      <Field label={text.address} note={text.addressNote}>
        {({ id }) => (
          <div className="trigger-address" id={id}>
            <code data-selectable>{address}</code>
            <CopyButton label={text.copyAddress} text={() => (origin ?? usualOrigin) + address} />
          </div>
        )}
      </Field>
      <div className="form-two">
        <Choice
          label={text.protection}
          value={protection}
          options={protections.map((value) => ({ value, text: text.protections[value] }))}
          onChange={(next) => protect(next, bound === '' ? '{{secret.WEBHOOK}}' : bound)}
        />
        {protection === 'none' ? null : (
          <CheckedText
            label={text.secret}
            value={/^\{\{\s*secret\.(\w+)\s*\}\}$/.exec(bound)?.[1] ?? bound}
            problem={problemAt('webhook', 'secret') ?? problemAt('webhook', 'signature', 'secret')}
            problemOf={(next) => (/^[A-Z][A-Z0-9_]{0,63}$/.test(next) ? undefined : text.badSecret)}
            onChange={(next, mergeKey) => protect(protection, `{{secret.${next}}}`, mergeKey)}
          />
        )}
      </div>
      {problemAt('webhook') === undefined ? null : <p className="inspector-quiet">{problemAt('webhook')}</p>}
      <Choice
        label={text.answer}
        value={answer}
        problem={problemAt('webhook', 'answer')}
        options={answers.map((value) => ({ value, text: text.answers[value] }))}
        onChange={(next) => change(['webhook', 'answer'], next === 'accepted' ? undefined : next)}
      />
    </>
  );
}

const statuses = ['completed', 'failed', 'cancelled'] as const;

export function AfterForm({ after, change, path, problemAt }: TriggerKindProps<'after'>) {
  const flows = useStore(useStores().workspace, (state) => state.flows);
  const { flow, status = ['completed'] } = after;
  const options = flows.filter((one) => one.path !== path).map((one) => ({ value: one.path, text: one.path }));
  return (
    <>
      <Choice
        label={text.after}
        value={flow}
        options={options}
        placeholder={flow === '' ? text.chooseFlow : flow}
        problem={problemAt('after', 'flow')}
        onChange={(next) => change(['after', 'flow'], next)}
      />
      <Toggles
        label={text.ended}
        value={status}
        options={statuses.map((value) => ({ value, text: text.statuses[value] }))}
        onChange={(next) => change(['after', 'status'], next.join() === 'completed' ? undefined : [...next])}
      />
    </>
  );
}
