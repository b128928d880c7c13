/**
 * Notifications sent outside the program when a request is open: by a program or to a server of the user's choice.
 */
import { type FormEvent, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores-context.tsx';
import type { DeliverySetting, DeliveryState } from '../stores/window/delivery.ts';
import { Button } from '../ui/button.tsx';
import { Field, TextArea, TextInput } from '../ui/field.tsx';
import { fullDateTimeText } from '../ui/quantity-text.ts';
import { Segmented } from '../ui/segmented.tsx';
import './messages-tab.css';

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
    if (program.trim() === '') return { problems: { program: 'Write the program, such as /usr/bin/notify-send.' } };
    return { setting: { via, program: program.trim(), args: linesOf(args) } };
  }
  if (!/^https?:\/\/\S+$/i.test(url.trim())) {
    return { problems: { url: 'Write an address with http:// or https://, such as https://ntfy.sh/my-topic.' } };
  }
  const pairs = linesOf(headers).map((line) => /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/.exec(line.trim()));
  if (pairs.includes(null)) return { problems: { headers: 'Write a header a line, such as Title: {{title}}.' } };
  const all = pairs.map((pair): [string, string] => [pair?.[1] ?? '', pair?.[2] ?? '']);
  return { setting: { via, url: url.trim(), headers: Object.fromEntries(all), body } };
}

export function MessagesTab() {
  const { delivery } = useStores();
  const { known, problem, refresh } = useStore(delivery);
  useEffect(() => void refresh(), [refresh]);
  return (
    <div className="settings-part">
      <p>
        When something waits for you, the program can tell you elsewhere, too: on your phone, in a chat, by mail. Each
        request is told once, for as long as Millrace is open. Nothing is ever answered by such a message: its link only
        opens the program at the run.
      </p>
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
    if ('setting' in read && !(await set(read.setting))) setDone('Nothing was changed.');
  };
  const sendTest = async (): Promise<void> => {
    setDone('Sending…');
    setDone((await test()) ? 'The test has gone out.' : '');
  };
  const change = (some: Partial<DeliveryDraft>): void => {
    setDone('');
    setDraft({ ...draft, ...some });
  };

  return (
    <form className="messages-form" aria-label="Messages" onSubmit={(event) => void save(event)}>
      <div className="settings-row">
        <b aria-hidden>Tell me by</b>
        <Segmented<Via>
          label="Tell me by"
          value={draft.via}
          onChange={(via) => change({ via })}
          options={[
            { value: 'nothing', text: 'Nothing else' },
            { value: 'command', text: 'A program' },
            { value: 'request', text: 'A web request' },
          ]}
        />
      </div>
      {draft.via === 'command' ? <CommandFields {...{ draft, problems, change }} /> : null}
      {draft.via === 'request' ? <RequestFields {...{ draft, problems, change }} /> : null}
      {known.problem === null ? null : (
        <p className="settings-problem">
          The last message did not go out ({fullDateTimeText(known.problem.at)}): {known.problem.message}
        </p>
      )}
      <div className="settings-line">
        <Button type="submit" variant="primary" disabled={isKept}>
          Save
        </Button>
        <Button disabled={!isKept || draft.via === 'nothing'} onClick={() => void sendTest()}>
          Send a test
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
      <Field label="Program" about="Its full path, or a name that your system finds." problem={problems.program}>
        {(control) => (
          <TextInput {...control} value={draft.program} onChange={({ target }) => change({ program: target.value })} />
        )}
      </Field>
      <Field
        label="Arguments"
        note="one a line"
        about="No shell reads them. {{title}}, {{text}}, {{workspace}}, {{flow}}, {{run}}, {{node}}, {{link}} and {{deadline}} are filled in. The message is in the environment, too (MILLRACE_TITLE and so on), and as JSON in the standard input."
      >
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
      <Field label="Address" note="gets a POST" problem={problems.url}>
        {(control) => (
          <TextInput {...control} value={draft.url} onChange={({ target }) => change({ url: target.value })} />
        )}
      </Field>
      <Field
        label="Headers"
        note="one a line, may stay empty"
        about="Write a key as {{secret.NAME}}, of Settings > Secrets or of the environment."
        problem={problems.headers}
      >
        {(control) => (
          <TextArea
            {...control}
            rows={2}
            value={draft.headers}
            onChange={({ target }) => change({ headers: target.value })}
          />
        )}
      </Field>
      <Field
        label="Body"
        note="may stay empty"
        about="Empty sends the whole message as JSON. In JSON, as in plain text, {{title}}, {{text}}, {{workspace}}, {{flow}}, {{run}}, {{node}}, {{link}} and {{deadline}} are filled in."
      >
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
