/**
 * The active policies with their origin and problems, and what they would have denied in past runs.
 */
import { CircleCheck, ExternalLink, FileText, History, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { asRunId } from '../../engine/isomorphic.ts';
import { showOrMake, showText, workspacePlace } from '../stores/show-text.ts';
import { useStores } from '../stores/stores-context.tsx';
import {
  type PolicyFile,
  policyPath,
  policyPathOf,
  type TriedRun,
  type WrittenFile,
} from '../stores/workspace/policies.ts';
import { Button } from '../ui/button.tsx';
import { shortTimeText } from '../ui/quantity-text.ts';
import { text } from './text.ts';
import './policies-tab.css';

const words = text.policies;

interface PolicyWords {
  readonly title: string;
  /** The name of the row for screen readers. */
  readonly label: string;
  readonly about: string;
}

function policyWords({ scope, product: name = '' }: PolicyFile): PolicyWords {
  switch (scope) {
    case 'team':
      return { title: words.team, label: words.teamPolicy, about: words.teamNote };
    case 'personal':
      return { title: words.personal, label: words.personalPolicy, about: words.personalNote };
    case 'workspace':
      return { title: words.workspace, label: words.workspacePolicy, about: words.workspaceNote };
    case 'product':
      return { title: words.product({ name }), label: words.productPolicy({ name }), about: words.productNote };
  }
}

/** Maximum number of denials to render. The log of a run has the others. */
const mostRefusals = 20;
/** Maximum number of runs to render. */
const mostRuns = 100;

interface NotesProps {
  readonly label: string;
  readonly notes: PolicyFile['problems'];
  /** Opens the policy at a position. Null if it is not a workspace file. */
  readonly show: ((line: number, column: number) => void) | null;
}

function PolicyNotes({ label, notes, show }: NotesProps) {
  if (notes.length === 0) return null;
  return (
    <ul className="policy-problems" aria-label={label}>
      {notes.map(({ line, column, message }) => (
        <li key={`${line}:${column} ${message}`} className="settings-problem" data-selectable>
          <TriangleAlert aria-hidden size={13} />
          <span>
            {message}{' '}
            {show === null ? (
              words.lineNote({ line })
            ) : (
              <button type="button" className="tools-link" onClick={() => show(line, column)}>
                {words.line({ line })}
              </button>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function missingText({ scope }: PolicyFile): string {
  return scope === 'personal' ? words.missingPersonal : words.missing;
}

function PolicyRow({ file }: { readonly file: PolicyFile }) {
  const stores = useStores();
  const { scope, path, exists, problems, warnings, product } = file;
  const { title, label, about } = policyWords(file);
  const shown = policyPathOf(product);
  const close = (): void => stores.preferences.getState().close();
  const show = (line: number, column: number): void => {
    close();
    void showText(stores, shown, { line, column });
  };
  const isOurs = scope === 'workspace' || scope === 'product';
  const [opened, setOpened] = useState<string | null>(null);
  const openPersonal = async (): Promise<void> => setOpened(await stores.policies.getState().editPersonal());
  return (
    <li className="policy" aria-label={label}>
      <header className="policy-head">
        <b>{title}</b>
        <span className="settings-note">{about}</span>
        {isOurs ? (
          <Button
            size="small"
            onClick={() => {
              close();
              void showOrMake(stores, shown, words.starter);
            }}
          >
            <FileText aria-hidden size={13} />
            {exists ? words.edit : words.create}
          </Button>
        ) : null}
        {scope === 'personal' ? (
          <Button size="small" onClick={() => void openPersonal()}>
            <ExternalLink aria-hidden size={13} />
            {exists ? words.edit : words.create}
          </Button>
        ) : null}
      </header>
      <code className="settings-file">{path}</code>
      {exists ? null : <span className="settings-note">{missingText(file)}</span>}
      {opened === null ? null : (
        <span className="settings-note" role="status">
          {opened}
        </span>
      )}
      {exists && problems.length === 0 ? (
        <span className="policy-fine">
          <CircleCheck aria-hidden size={13} /> {words.inEffect}
        </span>
      ) : null}
      <PolicyNotes label={words.problems} notes={problems} show={isOurs ? show : null} />
      <PolicyNotes label={words.warnings} notes={warnings} show={isOurs ? show : null} />
    </li>
  );
}

function WrittenFiles({ files }: { readonly files: readonly WrittenFile[] }) {
  const stores = useStores();
  if (files.length === 0) return null;
  const open = (file: WrittenFile): void => {
    stores.preferences.getState().close();
    stores.policies.getState().review(file);
  };
  return (
    <section className="policy-try">
      <h3 className="settings-heading">{words.written}</h3>
      <p className="settings-note">{words.writtenNote}</p>
      <ul className="policy-runs" aria-label={words.writtenFiles}>
        {files.map((file) => (
          <li key={file.path} className="policy-head">
            <code className="settings-file">{file.path}</code>
            <span className="settings-note">{file.decides ?? words.writtenOther}</span>
            <Button size="small" aria-label={words.reviewFile({ file: file.path })} onClick={() => open(file)}>
              {words.review}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function TriedRow({ run }: { readonly run: TriedRun }) {
  const stores = useStores();
  const close = (): void => stores.preferences.getState().close();
  const { runId, name, startedAt, refusals } = run;
  const open = async (): Promise<void> => {
    close();
    try {
      const { sourcePath, kind } = await stores.engine.call('getRun', asRunId(runId));
      await stores.runs.openRun(sourcePath, asRunId(runId), kind);
    } catch (error) {
      stores.notices.getState().addError(words.openFailed, error);
    }
  };
  return (
    <li className="policy-run">
      <button type="button" className="tools-link" onClick={() => void open()}>
        {name}
      </button>{' '}
      <span className="settings-note">
        {shortTimeText(startedAt, Date.now())} · {words.refusals({ count: refusals.length })}
      </span>
      <ul>
        {refusals.slice(0, mostRefusals).map(({ seq, rule, place, effect, target, reason }) => {
          const found = workspacePlace(place);
          return (
            <li key={seq} className="policy-refusal" data-selectable>
              {effect} <code>{target}</code>
              {reason === '' ? '' : `: ${reason}`}{' '}
              {found === null ? (
                <span className="settings-note">{place === '' ? rule : place}</span>
              ) : (
                <button
                  type="button"
                  className="tools-link"
                  title={rule}
                  onClick={() => {
                    close();
                    void showText(stores, found.path, { line: found.line, column: 1 });
                  }}
                >
                  {place}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {refusals.length > mostRefusals ? (
        <p className="settings-note">{words.more({ count: refusals.length - mostRefusals })}</p>
      ) : null}
    </li>
  );
}

function TriedRuns({ tried }: { readonly tried: readonly TriedRun[] }) {
  const hit = tried.filter(({ refusals }) => refusals.length > 0);
  if (hit.length === 0) {
    return (
      <p className="policy-fine" role="status">
        <CircleCheck aria-hidden size={13} /> {words.nothingRefused}
      </p>
    );
  }
  return (
    <>
      <p role="status">{words.runsRefused({ count: hit.length })}</p>
      <ul className="policy-runs" aria-label={words.refused}>
        {hit.slice(0, mostRuns).map((run) => (
          <TriedRow key={run.runId} run={run} />
        ))}
      </ul>
      {hit.length > mostRuns ? (
        <p className="settings-note">{words.moreRuns({ count: hit.length - mostRuns })}</p>
      ) : null}
    </>
  );
}

export function PoliciesTab() {
  const { policies, openFiles } = useStores();
  const { files, written, error, tried, isTrying, refresh, tryOnRuns } = useStore(policies);
  const draft = useStore(openFiles, (state) => {
    const file = state.files.get(policyPath);
    return file?.isDirty === true ? file.text : undefined;
  });
  useEffect(() => void refresh(), [refresh]);
  return (
    <div className="settings-part">
      <p>{words.about}</p>
      {error === null ? null : (
        <p className="settings-problem" role="alert">
          {error}
        </p>
      )}
      <ul className="policies" aria-label={words.list}>
        {files?.map((file) => (
          <PolicyRow key={`${file.scope} ${file.path}`} file={file} />
        ))}
      </ul>
      <WrittenFiles files={written} />
      <section className="policy-try">
        <div className="settings-heading-row">
          <h3 className="settings-heading">{words.pastRuns}</h3>
          <Button size="small" disabled={isTrying} onClick={() => void tryOnRuns(draft)}>
            <History aria-hidden size={13} />
            {isTrying ? words.trying : words.try}
          </Button>
        </div>
        <p className="settings-note">
          {draft === undefined ? words.tryNote : words.tryDraftNote({ file: policyPath })}
        </p>
        {tried === null ? null : <TriedRuns tried={tried} />}
      </section>
    </div>
  );
}
