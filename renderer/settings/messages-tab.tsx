/**
 * Notifications sent outside Millrace when a request is open: by a program or to a server of the user's choice.
 */
import { type FormEvent, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores-context.tsx';
import type { DeliverySetting, DeliveryState } from '../stores/window/delivery.ts';
import { Button } from '../ui/button.tsx';
import { Field, TextArea, TextInput } from '../ui/field.tsx';
import { fullDateTimeText } from '../ui/quantity-text.ts';
import { Segmented } from '../ui/segmented.tsx';
import { text as areaText } from './text.ts';
import './messages-tab.css';

const words = areaText.messages;

type Via = DeliverySetting['via'];

/** The typed values. Lists have one item per line. */
interface DeliveryDraft {
  readonly via: Via;
  readonly program: string;
  readonly args: string;
  readonly url: string;
  readonly headers: string;
  readonly body: string;
}

const empty: Omit<DeliveryDraft, 'via'> = { program: '', args: '', url: '', headers: '', body: '' };

function draftOf(setting: DeliverySetting): DeliveryDraft {
  if (setting.via === 'command') {
    return { ...empty, via: 'command', program: setting.program, args: setting.args.join('\n') };
  }
  if (setting.via === 'nothing') return { ...empty, via: 'nothing' };
  const headers = Object.entries(setting.headers).map(([name, value]) => `${name}: ${value}`);
  return { ...empty, via: 'request', url: setting.url, headers: headers.join('\n'), body: setting.body };
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

type DeliveryDraftProblems = Readonly<Partial<Record<keyof DeliveryDraft, string>>>;

type Read = { readonly setting: DeliverySetting } | { readonly problems: DeliveryDraftProblems };

function readDraft({ via, program, args, url, headers, body }: DeliveryDraft): Read {
  if (via === 'nothing') return { setting: { via } };
  if (via === 'command') {
    if (program.trim() === '') return { problems: { program: words.programMissing } };
    return { setting: { via, program: program.trim(), args: linesOf(args) } };
  }
  if (!/^https?:\/\/\S+$/i.test(url.trim())) {
    return { problems: { url: words.urlInvalid } };
  }
  const pairs = linesOf(headers).map((line) => /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/.exec(line.trim()));
  if (pairs.includes(null)) return { problems: { headers: words.headersInvalid } };
  const all = pairs.map((pair): [string, string] => [pair?.[1] ?? '', pair?.[2] ?? '']);
  return { setting: { via, url: url.trim(), headers: Object.fromEntries(all), body } };
}

export function MessagesTab() {
  const { delivery } = useStores();
  const { known, problem, refresh } = useStore(delivery);
  useEffect(() => void refresh(), [refresh]);
  return (
    <div className="settings-part">
      <p>{words.about}</p>
      {known === null ? null : <MessagesForm key={JSON.stringify(known.setting)} known={known} />}
      {problem === null ? null : (
        <p className="settings-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function MessagesForm({ known }: { readonly known: DeliveryState }) {
  const { delivery } = useStores();
  const { set, test } = useStore(delivery);
  const [draft, setDraft] = useState(() => draftOf(known.setting));
  const [problems, setProblems] = useState<DeliveryDraftProblems>({});
  const [done, setDone] = useState('');
  const isKept = JSON.stringify(draft) === JSON.stringify(draftOf(known.setting));

  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const read = readDraft(draft);
    setProblems('problems' in read ? read.problems : {});
    if ('setting' in read && !(await set(read.setting))) setDone(words.unchanged);
  };
  const sendTest = async (): Promise<void> => {
    setDone(words.sending);
    setDone((await test()) ? words.sent : '');
  };
  const change = (some: Partial<DeliveryDraft>): void => {
    setDone('');
    setDraft({ ...draft, ...some });
  };

  return (
    <form className="messages-form" aria-label={words.form} onSubmit={(event) => void save(event)}>
      <div className="settings-row">
        <b aria-hidden>{words.via}</b>
        <Segmented<Via>
          label={words.via}
          value={draft.via}
          onChange={(via) => change({ via })}
          options={[
            { value: 'nothing', text: words.nothing },
            { value: 'command', text: words.command },
            { value: 'request', text: words.request },
          ]}
        />
      </div>
      {draft.via === 'command' ? <CommandFields {...{ draft, problems, change }} /> : null}
      {draft.via === 'request' ? <RequestFields {...{ draft, problems, change }} /> : null}
      {known.problem === null ? null : (
        <p className="settings-problem">
          {words.notSent({ time: fullDateTimeText(known.problem.at), problem: known.problem.message })}
        </p>
      )}
      <div className="settings-line">
        <Button type="submit" variant="primary" disabled={isKept}>
          {words.save}
        </Button>
        <Button disabled={!isKept || draft.via === 'nothing'} onClick={() => void sendTest()}>
          {words.test}
        </Button>
        <span role="status">{done}</span>
      </div>
    </form>
  );
}

interface DeliveryFieldsProps {
  readonly draft: DeliveryDraft;
  readonly problems: DeliveryDraftProblems;
  readonly change: (some: Partial<DeliveryDraft>) => void;
}

function CommandFields({ draft, problems, change }: DeliveryFieldsProps) {
  return (
    <>
      <Field label={words.program} about={words.programAbout} problem={problems.program}>
        {(control) => (
          <TextInput {...control} value={draft.program} onChange={({ target }) => change({ program: target.value })} />
        )}
      </Field>
      <Field label={words.args} note={words.argsNote} about={words.argsAbout}>
        {(control) => (
          <TextArea
            {...control}
            rows={4}
            value={draft.args}
            onChange={({ target }) => change({ args: target.value })}
          />
        )}
      </Field>
    </>
  );
}

function RequestFields({ draft, problems, change }: DeliveryFieldsProps) {
  return (
    <>
      <Field label={words.url} note={words.urlNote} problem={problems.url}>
        {(control) => (
          <TextInput {...control} value={draft.url} onChange={({ target }) => change({ url: target.value })} />
        )}
      </Field>
      <Field label={words.headers} note={words.headersNote} about={words.headersAbout} problem={problems.headers}>
        {(control) => (
          <TextArea
            {...control}
            rows={2}
            value={draft.headers}
            onChange={({ target }) => change({ headers: target.value })}
          />
        )}
      </Field>
      <Field label={words.body} note={words.bodyNote} about={words.bodyAbout}>
        {(control) => (
          <TextArea
            {...control}
            rows={4}
            value={draft.body}
            onChange={({ target }) => change({ body: target.value })}
          />
        )}
      </Field>
    </>
  );
}
