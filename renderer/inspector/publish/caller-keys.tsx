/**
 * The keys with which programs call a published flow.
 */
import { Ban, Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import type { ListedAddress, ListedKey } from '../../stores/workspace/publishing.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { numberText } from '../../ui/language.ts';
import { fullDateTimeText, shortTimeText } from '../../ui/quantity-text.ts';
import { useNow } from '../../ui/use-now.ts';
import { Group } from '../fields/setting-rows.tsx';
import { text as words } from './text.ts';

const text = words.keys;
const tickMs = 60_000;

export function CallerKeys({ address: { flow, name } }: { readonly address: ListedAddress }) {
  const all = useStore(useStores().publishing, (state) => state.keys);
  const now = useNow(true, tickMs);
  const [asked, setAsked] = useState<string | null>(null);
  const keys = all.filter(({ flows }) => flows.includes(name));
  const active = keys.filter(({ revokedAt }) => revokedAt === undefined).length;
  const note =
    keys.length === 0 ? undefined : text.active({ active: numberText(active), all: numberText(keys.length) });
  return (
    <Group title={text.title} note={note}>
      {keys.length === 0 ? (
        <p className="inspector-quiet">{text.none}</p>
      ) : (
        <ul className="publish-keys" aria-label={text.title}>
          {keys.map((key) =>
            key.id === asked ? (
              <RevokeQuestion key={key.id} apiKey={key} onEnd={() => setAsked(null)} />
            ) : (
              <KeyRow key={key.id} apiKey={key} now={now} onRevoke={() => setAsked(key.id)} />
            ),
          )}
        </ul>
      )}
      <NewKey flow={flow} />
    </Group>
  );
}

interface KeyRowProps {
  readonly apiKey: ListedKey;
  readonly now: number;
  readonly onRevoke: () => void;
}

function KeyRow({ apiKey: { name, prefix, createdAt, revokedAt, lastUsedAt }, now, onRevoke }: KeyRowProps) {
  const isRevoked = revokedAt !== undefined;
  const time = revokedAt ?? lastUsedAt;
  const shownTime = time === undefined ? '' : shortTimeText(time, now);
  const used = time === undefined ? text.unused : text.used({ time: shownTime });
  return (
    <li className="publish-key" data-revoked={isRevoked || undefined} data-used={lastUsedAt !== undefined || undefined}>
      <span className="publish-key-name" title={name}>
        {name}
      </span>
      <code>{prefix}…</code>
      <span className="publish-key-use" title={fullDateTimeText(time ?? createdAt)}>
        {isRevoked ? text.revokedAt({ time: shownTime }) : used}
      </span>
      {isRevoked ? null : (
        <IconButton label={text.revoke({ name })} onClick={onRevoke}>
          <Ban aria-hidden size={14} />
        </IconButton>
      )}
    </li>
  );
}

interface RevokeQuestionProps {
  readonly apiKey: ListedKey;
  readonly onEnd: () => void;
}

function RevokeQuestion({ apiKey: { id, name }, onEnd }: RevokeQuestionProps) {
  const { publishing } = useStores();
  return (
    <li className="publish-question">
      <span>{text.question({ name })}</span>
      <div className="publish-actions">
        <Button size="small" variant="danger" onClick={() => void publishing.getState().revokeKey(id).then(onEnd)}>
          {text.doRevoke}
        </Button>
        <Button size="small" onClick={onEnd}>
          {text.keep}
        </Button>
      </div>
    </li>
  );
}

/** The text of a new key is only here, and is gone with the view. */
function NewKey({ flow }: { readonly flow: string }) {
  const { publishing } = useStores();
  const [name, setName] = useState<string | null>(null);
  const [created, setCreated] = useState<string | null>(null);
  const create = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (name !== null && name.trim() !== '') setCreated(await publishing.getState().createKey(flow, name.trim()));
  };
  const end = (): void => {
    setName(null);
    setCreated(null);
  };
  if (created !== null && name !== null) {
    return (
      <div className="publish-new" role="status">
        <span>{text.created({ name: name.trim() })}</span>
        <div className="publish-address">
          <code data-selectable>{created}</code>
          <CopyButton label={text.copy} text={() => created} />
        </div>
        <div className="publish-actions">
          <Button size="small" onClick={end}>
            {text.done}
          </Button>
        </div>
      </div>
    );
  }
  if (name !== null) {
    return (
      <form className="publish-new" onSubmit={(event) => void create(event)}>
        <Field label={text.name}>
          {(control) => (
            <TextInput
              {...control}
              autoFocus
              maxLength={100}
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <div className="publish-actions">
          <Button size="small" type="submit" disabled={name.trim() === ''}>
            {text.create}
          </Button>
          <Button size="small" onClick={end}>
            {text.keep}
          </Button>
        </div>
      </form>
    );
  }
  return (
    <div className="publish-new">
      <Button size="small" variant="ghost" className="publish-add" onClick={() => setName('')}>
        <Plus aria-hidden size={14} />
        {text.add}
      </Button>
      <p className="inspector-quiet">{text.note}</p>
    </div>
  );
}
