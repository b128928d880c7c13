/**
 * The keys with which programs call a published flow.
 */
import { Ban, Plus } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
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
  /** The key that is kept after the question whether to revoke it. Its button gets the focus again. */
  const [kept, setKept] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const end = (id: string, isRevoked: boolean): void => {
    setAsked(null);
    setKept(isRevoked ? null : id);
    if (isRevoked) list.current?.focus();
  };
  const keys = all.filter(({ flows }) => flows.includes(name));
  const active = keys.filter(({ revokedAt }) => revokedAt === undefined).length;
  const note =
    keys.length === 0 ? undefined : text.active({ active: numberText(active), all: numberText(keys.length) });
  return (
    <Group title={text.title} note={note}>
      {keys.length === 0 ? (
        <p className="inspector-quiet">{text.none}</p>
      ) : (
        <ul className="publish-keys" aria-label={text.title} ref={list} tabIndex={-1}>
          {keys.map((key) =>
            key.id === asked ? (
              <RevokeQuestion key={key.id} apiKey={key} onEnd={(isRevoked) => end(key.id, isRevoked)} />
            ) : (
              <KeyRow
                key={key.id}
                apiKey={key}
                now={now}
                hasFocus={key.id === kept}
                onRevoke={() => setAsked(key.id)}
              />
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
  readonly hasFocus: boolean;
  readonly onRevoke: () => void;
}

function KeyRow({ apiKey, now, hasFocus, onRevoke }: KeyRowProps) {
  const { name, prefix, createdAt, revokedAt, lastUsedAt } = apiKey;
  const isRevoked = revokedAt !== undefined;
  const time = revokedAt ?? lastUsedAt;
  const shownTime = time === undefined ? '' : shortTimeText(time, now);
  const used = time === undefined ? text.unused : text.used({ time: shownTime });
  return (
    <li className="publish-key" data-revoked={isRevoked || undefined} data-used={lastUsedAt !== undefined || undefined}>
      <div>
        <p className="publish-key-name" title={name}>
          {name}
        </p>
        <p className="publish-key-use">
          <code>{prefix}…</code>
          <span title={fullDateTimeText(time ?? createdAt)}>
            {isRevoked ? text.revokedAt({ time: shownTime }) : used}
          </span>
        </p>
      </div>
      {isRevoked ? null : (
        <IconButton label={text.revoke({ name })} autoFocus={hasFocus} onClick={onRevoke}>
          <Ban aria-hidden size={14} />
        </IconButton>
      )}
    </li>
  );
}

interface RevokeQuestionProps {
  readonly apiKey: ListedKey;
  readonly onEnd: (isRevoked: boolean) => void;
}

function RevokeQuestion({ apiKey: { id, name }, onEnd }: RevokeQuestionProps) {
  const { publishing } = useStores();
  const revoke = async (): Promise<void> => {
    await publishing.getState().revokeKey(id);
    onEnd(true);
  };
  return (
    <li className="publish-question">
      <span>{text.question({ name })}</span>
      <div className="publish-actions">
        <Button size="small" variant="danger" onClick={() => void revoke()}>
          {text.doRevoke}
        </Button>
        <Button size="small" autoFocus onClick={() => onEnd(false)}>
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
  const [hasEnded, setHasEnded] = useState(false);
  const create = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (name !== null && name.trim() !== '') setCreated(await publishing.getState().createKey(flow, name.trim()));
  };
  const end = (): void => {
    setName(null);
    setCreated(null);
    setHasEnded(true);
  };
  if (created !== null && name !== null) {
    return (
      <div className="publish-new" role="status">
        <span>{text.created}</span>
        <div className="publish-address">
          <code className="publish-secret" data-selectable>
            {created}
          </code>
          <CopyButton label={text.copy} text={() => created} />
        </div>
        <div className="publish-actions">
          <Button size="small" autoFocus onClick={end}>
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
      <Button size="small" variant="ghost" className="publish-add" autoFocus={hasEnded} onClick={() => setName('')}>
        <Plus aria-hidden size={14} />
        {text.add}
      </Button>
      <p className="inspector-quiet">{text.note}</p>
    </div>
  );
}
