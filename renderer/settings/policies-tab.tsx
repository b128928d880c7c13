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
import { pluralText, shortTimeText } from '../ui/quantity-text.ts';
import './policies-tab.css';

const scopeWords: Readonly<Record<PolicyFile['scope'], readonly [title: string, about: string]>> = {
  team: ['Team', 'applies to all members of the team; nothing else can loosen it'],
  personal: ['Personal', 'applies to all runs that you start, in every workspace on this computer'],
  workspace: ['Workspace', 'applies to all runs in this folder'],
  product: ['Product', 'applies to the flows and agents of this product'],
};

/** The initial text of a new policy, which forbids nothing yet. */
const starter = `# What may happen in this workspace without asking, and how much of it. For example:
# require_approval: [files.write_file]
# blocked_tools: [core.http_get]
# max_tool_calls: 50
# prompt_injection: deny
`;

/** Maximum number of denials to render. The log of a run has the others. */
const mostRefusals = 20;
/** Maximum number of runs to render. */
const mostRuns = 100;

interface NotesProps {
  readonly label: string;
  readonly notes: PolicyFile['problems'];
  /** Opens the policy at a position. Null if it is not a file of the workspace. */
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
              `(line ${line})`
            ) : (
              <button type="button" className="tools-link" onClick={() => show(line, column)}>
                Line {line}
              </button>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function missingText({ scope }: PolicyFile): string {
  return scope === 'personal'
    ? 'Not created yet. Create it to block tools, models or hosts, to be asked before tools are called, or to limit what a run may cost.'
    : 'Not created yet.';
}

function PolicyRow({ file }: { readonly file: PolicyFile }) {
  const stores = useStores();
  const { scope, path, exists, problems, warnings, product } = file;
  const [kind, about] = scopeWords[scope];
  const title = product === undefined ? kind : `${kind} ${product}`;
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
    <li className="policy" aria-label={`${title} policy`}>
      <header className="policy-head">
        <b>{title}</b>
        <span className="settings-note">{about}</span>
        {isOurs ? (
          <Button
            size="small"
            onClick={() => {
              close();
              void showOrMake(stores, shown, starter);
            }}
          >
            <FileText aria-hidden size={13} />
            {exists ? 'Edit' : 'Create'}
          </Button>
        ) : null}
        {scope === 'personal' ? (
          <Button size="small" onClick={() => void openPersonal()}>
            <ExternalLink aria-hidden size={13} />
            {exists ? 'Edit' : 'Create'}
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
          <CircleCheck aria-hidden size={13} /> in effect
        </span>
      ) : null}
      <PolicyNotes
        label={`Problems of the ${title.toLowerCase()} policy`}
        notes={problems}
        show={isOurs ? show : null}
      />
      <PolicyNotes
        label={`Warnings of the ${title.toLowerCase()} policy`}
        notes={warnings}
        show={isOurs ? show : null}
      />
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
      <h3 className="settings-heading">Written by runs</h3>
      <p className="settings-note">
        No later run loads a file that decides what runs may do before you have seen it. Flows, agents and scripts act
        as in a workspace that is not trusted.
      </p>
      <ul className="policy-runs" aria-label="Files that runs have written">
        {files.map((file) => (
          <li key={file.path} className="policy-head">
            <code className="settings-file">{file.path}</code>
            <span className="settings-note">{file.decides ?? 'a flow, an agent or a script'}</span>
            <Button size="small" aria-label={`Review ${file.path}`} onClick={() => open(file)}>
              Review
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
      stores.notices.getState().addError('The run could not be opened', error);
    }
  };
  return (
    <li className="policy-run">
      <button type="button" className="tools-link" onClick={() => void open()}>
        {name}
      </button>{' '}
      <span className="settings-note">
        {shortTimeText(startedAt, Date.now())} · {pluralText(refusals.length, 'refusal')}
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
        <p className="settings-note">and {refusals.length - mostRefusals} more</p>
      ) : null}
    </li>
  );
}

function TriedRuns({ tried }: { readonly tried: readonly TriedRun[] }) {
  const hit = tried.filter(({ refusals }) => refusals.length > 0);
  if (hit.length === 0) {
    return (
      <p className="policy-fine" role="status">
        <CircleCheck aria-hidden size={13} /> Nothing would have been refused.
      </p>
    );
  }
  return (
    <>
      <p role="status">{pluralText(hit.length, 'run')} would have met a refusal.</p>
      <ul className="policy-runs" aria-label="What would have been refused">
        {hit.slice(0, mostRuns).map((run) => (
          <TriedRow key={run.runId} run={run} />
        ))}
      </ul>
      {hit.length > mostRuns ? <p className="settings-note">and {hit.length - mostRuns} more runs</p> : null}
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
      <p>
        A policy says what flows, models and agents may do without asking, and how much. Where several policies apply,
        anything that one of them forbids is forbidden.
      </p>
      {error === null ? null : (
        <p className="settings-problem" role="alert">
          {error}
        </p>
      )}
      <ul className="policies" aria-label="Policies">
        {files?.map((file) => (
          <PolicyRow key={`${file.scope} ${file.path}`} file={file} />
        ))}
      </ul>
      <WrittenFiles files={written} />
      <section className="policy-try">
        <div className="settings-heading-row">
          <h3 className="settings-heading">On past runs</h3>
          <Button size="small" disabled={isTrying} onClick={() => void tryOnRuns(draft)}>
            <History aria-hidden size={13} />
            {isTrying ? 'Looking…' : 'Try on past runs'}
          </Button>
        </div>
        <p className="settings-note">
          {draft === undefined
            ? 'Shows what the policies would have refused. Nothing is run.'
            : `Says what would have been refused with ${policyPath} as it stands in its tab, unsaved. Nothing is run.`}
        </p>
        {tried === null ? null : <TriedRuns tried={tried} />}
      </section>
    </div>
  );
}
