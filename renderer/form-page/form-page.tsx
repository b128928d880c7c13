/**
 * The page of a published flow: its form, then the run that the form has started.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { PageForm } from '../../engine/host/http/page-data.ts';
import type { JsonMap } from '../../engine/language/json/json-value.ts';
import { BrandIcon } from '../ui/brand-icon.tsx';
import { Field } from '../ui/field.tsx';
import type { FormDrafts } from './drafts.ts';
import { FieldsForm } from './fields.tsx';
import { problemsOf, RunView } from './run-view.tsx';
import { type PagePlace, placeOf, RefusedError, readForm, signIn, startRun, upload } from './service.ts';
import { text } from './text.ts';

/** Renders the page. */
export function startPage(root: HTMLElement): void {
  createRoot(root).render(<FormPage />);
}

type LoadedForm =
  | { readonly state: 'loading' | 'locked' }
  | { readonly state: 'ready'; readonly form: PageForm }
  | { readonly state: 'failed'; readonly message: string };

function useForm(name: string): { readonly loaded: LoadedForm; readonly load: () => Promise<void> } {
  const [loaded, setLoaded] = useState<LoadedForm>({ state: 'loading' });
  const load = useCallback(async (): Promise<void> => {
    try {
      const form = await readForm(name);
      document.title = form.title;
      setLoaded({ state: 'ready', form });
    } catch (error) {
      const isLocked = error instanceof RefusedError && error.code === 'http.unauthorized';
      const message = error instanceof RefusedError ? error.message : text.failed;
      setLoaded(isLocked ? { state: 'locked' } : { state: 'failed', message });
    }
  }, [name]);
  useEffect(() => void load(), [load]);
  return { loaded, load };
}

/** What was typed survives a reload of the tab, and a run. */
function keptDrafts(name: string): FormDrafts {
  try {
    return JSON.parse(sessionStorage.getItem(`draft:${name}`) ?? '{}') as FormDrafts;
  } catch {
    return {};
  }
}

interface StartFormProps {
  readonly name: string;
  readonly form: PageForm;
  readonly onStarted: (runId: string) => void;
}

function StartForm({ name, form, onStarted }: StartFormProps) {
  // The same form sent twice, after a lost connection or a second click, starts one run.
  const [key, setKey] = useState(() => crypto.getRandomValues(new Uint32Array(4)).join('-'));
  const start = async (inputs: JsonMap): Promise<FormDrafts> => {
    try {
      onStarted(await startRun(name, inputs, key));
      return {};
    } catch (error) {
      if (error instanceof RefusedError) setKey(crypto.getRandomValues(new Uint32Array(4)).join('-'));
      return problemsOf(error);
    }
  };
  return (
    <>
      <h1 dir="auto">{form.title}</h1>
      {form.description === undefined ? null : (
        <p className="page-about" dir="auto">
          {form.description}
        </p>
      )}
      <FieldsForm
        fields={form.fields}
        files={{ mostBytes: form.mostBytes, mostFiles: form.mostFiles, upload: (file) => upload(name, file) }}
        initial={keptDrafts(name)}
        submitText={text.form.start}
        busyText={text.form.starting}
        onDraft={(drafts) => sessionStorage.setItem(`draft:${name}`, JSON.stringify(drafts))}
        onSubmit={start}
      />
    </>
  );
}

function KeyForm({ name, onEntered }: { readonly name: string; readonly onEntered: () => Promise<void> }) {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const submit = async (): Promise<void> => {
    try {
      await signIn(name, key);
      await onEntered();
    } catch (error) {
      const isWrong = error instanceof RefusedError && error.code === 'http.unauthorized';
      setProblem(isWrong ? text.key.wrong : problemsOf(error)['']);
      input.current?.focus();
    }
  };
  return (
    <form
      className="page-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {new URLSearchParams(location.search).has('expired') ? <p role="status">{text.expired}</p> : null}
      <Field label={text.key.title} about={text.key.about}>
        {(control) => (
          <input
            {...control}
            aria-invalid={problem !== undefined}
            ref={input}
            type="password"
            className="field-input"
            autoComplete="current-password"
            required
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        )}
      </Field>
      <p className="page-problem" role="alert">
        {problem}
      </p>
      <button type="submit" className="button page-button" data-variant="primary">
        {text.key.submit}
      </button>
    </form>
  );
}

function FormPart({ name, onStarted }: Omit<StartFormProps, 'form'>) {
  const { loaded, load } = useForm(name);
  switch (loaded.state) {
    case 'loading':
      return <p role="status">{text.loading}</p>;
    case 'locked':
      return <KeyForm name={name} onEntered={load} />;
    case 'failed':
      return (
        <>
          <p role="alert">{loaded.message}</p>
          <button type="button" className="button page-button" onClick={() => void load()}>
            {text.tryAgain}
          </button>
        </>
      );
    case 'ready':
      return <StartForm name={name} form={loaded.form} onStarted={onStarted} />;
  }
}

/** A form that is not published, or no longer. */
function MissingForm() {
  return (
    <>
      <h1>{text.missing.title}</h1>
      <p className="page-about">{text.missing.about}</p>
    </>
  );
}

/** The whole page. */
export function FormPage() {
  const [place, setPlace] = useState<PagePlace>(() => placeOf(location));
  useEffect(() => {
    const follow = (): void => setPlace(placeOf(location));
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const go = (path: string): void => {
    history.pushState(null, '', path);
    setPlace(placeOf(location));
  };
  const { name, runId } = place;
  const isMissing = document.documentElement.dataset['missing'] !== undefined;
  return (
    <main className="page">
      <p className="page-brand">
        <BrandIcon />
        <span dir="auto">{name}</span>
      </p>
      {isMissing ? (
        <MissingForm />
      ) : runId === undefined ? (
        <FormPart name={name} onStarted={(id) => go(`/f/${name}/runs/${id}`)} />
      ) : (
        <RunView key={runId} place={place} onAgain={() => go(`/f/${name}`)} />
      )}
    </main>
  );
}
