/**
 * A request of a node and the form for the answer. The whole request is shown as text, because its content is not
 * trusted.
 */
import { Check, Send, X } from 'lucide-react';
import { type FormEvent, type RefObject, useContext, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import {
  type Ask,
  type AskRequest,
  type ConsentScope,
  isValueHandle,
  permissionOf,
  type RunId,
} from '../../../engine/isomorphic.ts';
import {
  type AnswerDraft,
  type AnswerPayload,
  draftKey,
  emptyAnswer,
  fieldsOfRequest,
  isSecretField,
  readApproval,
  readForm,
} from '../../stores/runs/requests/ask-answers.ts';
import { useReadValue, useStores } from '../../stores/stores-context.tsx';
import { Button } from '../../ui/button.tsx';
import { AnswersClosed, ClosedAnswer } from '../../ui/decision-form.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { InputFields, submitByKey } from '../fields/input-fields.tsx';
import { EarlierProposalMessages, isOfTool, Proposal } from './ask-proposal.tsx';
import { PermissionForm } from './permission-form.tsx';
import { text } from './text.ts';
import '../ask-form.css';

/**
 * Returns the request with all parts, including large ones that are stored separately. Null until they have been read.
 */
function useWholeRequest(request: AskRequest): AskRequest | null {
  const readValue = useReadValue();
  const isWhole = !Object.values(request).some((part) => isValueHandle(part));
  const [read, setRead] = useState<{ readonly of: AskRequest; readonly whole: AskRequest } | null>(null);
  useEffect(() => {
    if (isWhole) return undefined;
    let isGone = false;
    const parts = Object.entries(request).map(async ([key, part]) => [
      key,
      isValueHandle(part) ? await readValue(part.$value) : part,
    ]);
    Promise.all(parts)
      .then((entries) => {
        if (!isGone) setRead({ of: request, whole: Object.fromEntries(entries) as AskRequest });
      })
      .catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [request, isWhole, readValue]);
  if (isWhole) return request;
  return read?.of === request ? read.whole : null;
}

/** The draft of an answer. It survives a crash of the program, except for fields with secrets. */
function useAnswerDraft(key: string, request: AskRequest) {
  const { answerDrafts } = useStores();
  const kept = useStore(answerDrafts, ({ drafts }) => drafts.get(key)) ?? emptyAnswer;
  const [secrets, setSecrets] = useState<AnswerDraft['fields']>({});
  return {
    draft: { ...kept, fields: { ...kept.fields, ...secrets } },
    change({ fields, comment }: AnswerDraft) {
      const entries = Object.entries(fields);
      const own = Object.fromEntries(entries.filter(([field]) => isSecretField(request, field)));
      const others = Object.fromEntries(entries.filter(([field]) => !isSecretField(request, field)));
      setSecrets(own);
      answerDrafts.getState().keep(key, { fields: others, comment });
    },
    drop: () => answerDrafts.getState().keep(key, null),
  };
}

/** Focuses the form if the user followed a link to it. */
function useLedFocus(nodeId: string, form: RefObject<HTMLFormElement | null>): void {
  const { answerDrafts } = useStores();
  const led = useStore(answerDrafts, (state) => state.led);
  const isMeant = led !== null && (led === nodeId || led.endsWith(`/${nodeId}`));
  useEffect(() => {
    if (!isMeant) return;
    answerDrafts.getState().lead(null);
    form.current?.querySelector<HTMLElement>('input,textarea,[role="combobox"]')?.focus();
  }, [isMeant, answerDrafts, form]);
}

interface AnswerButtonsProps {
  readonly request: AskRequest;
  readonly isDisabled: boolean;
  readonly onReject: () => void;
}

/** The form's submit button approves. Rejecting requires the other button. */
function AnswerButtons({ request, isDisabled, onReject }: AnswerButtonsProps) {
  if (request.kind === 'input') {
    return (
      <>
        {request.mayDecline === true ? (
          <Button disabled={isDisabled} onClick={onReject}>
            <X aria-hidden size={13} />
            {text.request.decline}
          </Button>
        ) : null}
        <Button type="submit" variant="primary" disabled={isDisabled}>
          <Send aria-hidden size={13} />
          {text.request.send}
        </Button>
      </>
    );
  }
  const { recommended } = request;
  return (
    <>
      <Button disabled={isDisabled} onClick={onReject}>
        <X aria-hidden size={13} />
        {recommended === 'reject' ? text.request.rejectRecommended : text.request.reject}
      </Button>
      <Button type="submit" variant="primary" disabled={isDisabled}>
        <Check aria-hidden size={13} />
        {recommended === 'approve' ? text.request.approveRecommended : text.request.approve}
      </Button>
    </>
  );
}

interface ScopeChoiceProps {
  readonly request: AskRequest;
  readonly scope: ConsentScope;
  readonly onChange: (scope: ConsentScope) => void;
}

/** The scope of an approval. Not shown if it is always for one call. */
function ScopeChoice({ request, scope, onChange }: ScopeChoiceProps) {
  if (request.kind !== 'approval' || request.scopes === undefined) return null;
  const options = request.scopes.map((value) => ({ value, text: text.request[value] }));
  return (
    <div className="ask-scope">
      <Segmented label={text.request.scope} value={scope} options={options} onChange={onChange} />
      {scope === 'workspace' ? <p className="inspector-note">{text.request.workspaceNote}</p> : null}
    </div>
  );
}

interface AskFormProps {
  readonly runId: RunId;
  /** Full name of the node, as used in answers. */
  readonly nodeId: string;
  readonly ask: Ask;
}

function Form({ runId, nodeId, ask, request }: AskFormProps & { readonly request: AskRequest }) {
  const { runs } = useStores();
  const { draft, change, drop } = useAnswerDraft(draftKey(runId, nodeId, ask), request);
  const [problems, setProblems] = useState<AnswerPayload['problems']>({});
  const [isSending, setIsSending] = useState(false);
  const [scope, setScope] = useState<ConsentScope>('once');
  const form = useRef<HTMLFormElement>(null);
  const fields = fieldsOfRequest(request);
  useLedFocus(nodeId, form);

  const send = async ({ payload, problems: found }: AnswerPayload): Promise<void> => {
    setProblems(found);
    if (payload === null) {
      // The first invalid field, once it is marked.
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    setIsSending(true);
    const isTaken = await runs.answer(runId, { payload, comment: '', nodeId, key: ask.key });
    setIsSending(false);
    if (isTaken) drop();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isSending) return;
    void send(
      request.kind === 'approval'
        ? readApproval(request, { approved: true, scope }, draft)
        : readForm(request, fields, draft),
    );
  };

  return (
    <form ref={form} className="ask-form" data-own-keys="Mod+Enter" onSubmit={submit} onKeyDown={submitByKey}>
      <InputFields
        fields={fields}
        drafts={draft.fields}
        problems={problems}
        onChange={(next) => change({ ...draft, fields: next })}
      />
      {problems[''] === undefined ? null : <p className="field-problem">{problems['']}</p>}
      <Field label={text.request.comment} note={text.request.optional} problem={problems['comment']}>
        {(control) => (
          <TextArea
            {...control}
            rows={2}
            value={draft.comment}
            onChange={(event) => change({ ...draft, comment: event.target.value })}
          />
        )}
      </Field>
      <ScopeChoice request={request} scope={scope} onChange={setScope} />
      <div className="ask-buttons">
        <AnswerButtons
          request={request}
          isDisabled={isSending}
          onReject={() =>
            void send(
              request.kind === 'approval'
                ? readApproval(request, { approved: false }, draft)
                : { payload: { declined: true }, problems: {} },
            )
          }
        />
      </div>
    </form>
  );
}

/** A permission is granted in a system dialog, everything else in a form. */
function AnswerForm(props: AskFormProps & { readonly request: AskRequest }) {
  const { runId, nodeId, request } = props;
  const needs = permissionOf(request);
  if (needs !== undefined) return <PermissionForm runId={runId} nodeId={nodeId} needs={needs} />;
  return <Form {...props} />;
}

/** One request of a node, with the form for the answer. */
export function AskForm(props: AskFormProps) {
  const { ask } = props;
  const request = useWholeRequest(ask.request);
  const isClosed = useContext(AnswersClosed);
  return (
    <section className="ask" aria-label={ask.request.title.slice(0, 200)}>
      {request === null ? (
        <p className="inspector-note">{text.request.loading}</p>
      ) : (
        <>
          <Proposal request={request} askedAt={ask.askedAt} />
          {isOfTool(request) ? <EarlierProposalMessages runId={props.runId} nodeId={props.nodeId} /> : null}
          {isClosed ? <ClosedAnswer /> : <AnswerForm key={ask.requestHash} {...props} request={request} />}
        </>
      )}
    </section>
  );
}
