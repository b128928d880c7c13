/**
 * Shows, next to an agent's text, what the agent would send to the model for one of its inputs. Updates with the text
 * while it is visible.
 */
import { Eye, Play, RefreshCw, ShieldQuestion } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useStore } from 'zustand';
import { type AgentPreview, initialPreview, inputsOf, type PreviewView } from '../stores/agents/agent-previews.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { OpenFile } from '../stores/text/file.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { numberText } from '../ui/language.ts';
import { durationText } from '../ui/quantity-text.ts';
import { withParts } from '../ui/with-parts.tsx';
import { PreviewInput } from './preview-input.tsx';
import { PreviewMessage } from './preview-message.tsx';
import { dataRows, failurePlace, previewEndText, promptText } from './preview-words.ts';
import { text } from './text.ts';
import { estimateTokens } from './token-estimate.ts';
import './prompt-preview.css';

/** Milliseconds without a change after which the preview is updated. */
const pauseMs = 500;

function DataPart({ preview, file }: { preview: AgentPreview; file: OpenFile }) {
  const rows = dataRows(preview.data);
  if (rows.length === 0) return null;
  const unused = new Set(
    file.diagnostics.flatMap(({ code, subject = '' }) => (code === 'agent.unused-data' ? [subject] : [])),
  );
  return (
    <section className="preview-part" aria-label={text.preview.dataReturned}>
      <header className="preview-part-head">
        <h3>{text.preview.dataReturned}</h3>
        <span>{durationText(preview.dataMs)}</span>
      </header>
      <dl className="preview-data">
        {rows.map(([name, words]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {words}
              {unused.has(name) ? <span className="preview-unused"> {text.preview.notUsed}</span> : null}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Effects that a run would have before its model call. */
function EffectsPart({ effects }: Pick<AgentPreview, 'effects'>) {
  if (effects.length === 0) return null;
  return (
    <section className="preview-part" aria-label={text.preview.notDone}>
      <header className="preview-part-head">
        <h3>{text.preview.notDone}</h3>
        <span>{numberText(effects.length)}</span>
      </header>
      <dl className="preview-data">
        {effects.map(({ effect, target }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same request may occur twice
          <div key={index}>
            <dt>{effect}</dt>
            <dd>{target}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function FailurePart({
  error,
  onReveal,
}: {
  error: NonNullable<AgentPreview['error']>;
  onReveal: (line: number) => void;
}) {
  const { line, message } = error;
  const where = failurePlace(error);
  return (
    <section className="preview-part preview-failure" role="alert">
      <header className="preview-part-head">
        <h3>{text.failure.title}</h3>
        {line === undefined ? (
          <span>{where}</span>
        ) : (
          <button type="button" className="preview-line" onClick={() => onReveal(line)}>
            {where}
          </button>
        )}
      </header>
      <p className="preview-text">{message}</p>
    </section>
  );
}

function Messages({ preview, file }: { preview: AgentPreview; file: OpenFile }) {
  const words = previewEndText(preview);
  return (
    <>
      {words === undefined ? null : <p className="preview-note">{words}</p>}
      {preview.messages.map((message, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages are identified only by their position
        <PreviewMessage key={index} message={message} />
      ))}
      <DataPart preview={preview} file={file} />
      <EffectsPart effects={preview.effects} />
    </>
  );
}

interface PreviewBodyProps {
  readonly file: OpenFile;
  readonly view: PreviewView;
  readonly onRender: (() => void) | null;
}

function PreviewBody({ file, view, onRender }: PreviewBodyProps) {
  const { selection } = useStores();
  const { preview, former, error } = view;
  if (view.isHeld && preview === null && error === null && !view.isWorking) {
    return <PreviewHeld onRender={onRender} isBeside={false} />;
  }
  const onReveal = (line: number): void => selection.getState().revealText(file.path, { line, column: 1 });
  const failure = error ?? preview?.error;
  if (failure !== undefined) {
    // The output of Data from a preview with failed prompts is more useful than an earlier preview.
    const kept = preview?.end === 'failed' && preview.data !== null ? preview : former;
    return (
      <>
        <FailurePart error={failure} onReveal={onReveal} />
        <div className="preview-former">{kept === null ? null : <Messages preview={kept} file={file} />}</div>
      </>
    );
  }
  if (preview === null) return <p className="preview-note">{view.isWorking ? text.preview.rendering : ''}</p>;
  return <Messages preview={preview} file={file} />;
}

function PreviewFoot({ file, view }: { file: OpenFile; view: PreviewView }) {
  const { agents } = useStores();
  const { preview } = view;
  if (preview === null || view.error !== null || preview.end === 'failed') return null;
  const tokens = preview.messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  const run = (): void => {
    // An agent without an input runs without the field.
    const inputs = preview.input === null ? {} : { inputs: [preview.input] };
    void agents.start(file.path, { ...inputs, isPreview: false });
  };
  const { model } = preview;
  const modelWords = model === undefined ? text.preview.noModel : model.resolved;
  return (
    <footer className="preview-foot">
      <span className="preview-sum" title={modelWords}>
        {withParts(text.preview.total({ count: tokens }), { count: <b>{numberText(tokens)}</b>, model: modelWords })}
      </span>
      <CopyButton label={text.preview.copy} text={() => promptText(preview)} />
      <Button size="small" variant="primary" onClick={run}>
        <Play aria-hidden size={12} />
        {text.preview.run}
      </Button>
    </footer>
  );
}

/**
 * Updates the preview shortly after a change of the text, the input or workspace trust, and immediately when it is
 * first shown.
 */
function useFollowing(
  { path, text: agent, status }: OpenFile,
  { source, index }: PreviewView,
  refresh: () => void,
): void {
  const { preferences } = useStores();
  const isTrusted = useStore(preferences, (state) => state.isTrusted);
  const isFirst = useRef(true);
  const ask = useEffectEvent(refresh);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of any of them requires another preview
  useEffect(() => {
    const timer = setTimeout(ask, isFirst.current ? 0 : pauseMs);
    isFirst.current = false;
    return () => clearTimeout(timer);
  }, [path, agent, status, source, index, isTrusted]);
}

interface PromptPreviewProps {
  /** The open agent. */
  readonly file: OpenFile;
}

export function PromptPreview({ file }: PromptPreviewProps) {
  const { path } = file;
  const { agentPreviews } = useStores();
  const view = useStore(agentPreviews, ({ views }) => views.get(path) ?? initialPreview);
  const follow = (): void => void agentPreviews.getState().refresh(path, 'automatic');
  const render = (): void => void agentPreviews.getState().refresh(path, 'asked');
  useFollowing(file, view, follow);
  const given = inputsOf(view.source);
  const onRender = 'problem' in given ? null : render;
  return (
    <div className="prompt-preview" aria-busy={view.isWorking}>
      <header className="preview-head">
        <Eye aria-hidden size={16} />
        <h2>{text.preview.title}</h2>
        <span className="preview-pill" title={text.preview.dryRunNote}>
          {text.preview.dryRun}
        </span>
        <IconButton label={text.preview.refresh} onClick={render} disabled={'problem' in given}>
          <RefreshCw aria-hidden size={14} className={view.isWorking ? 'preview-turning' : ''} />
        </IconButton>
      </header>
      <PreviewInput path={path} view={view} problem={'problem' in given ? given.problem : undefined} />
      {view.isHeld && view.preview !== null && !view.isWorking ? <PreviewHeld onRender={onRender} isBeside /> : null}
      <div className="preview-scroll">
        <PreviewBody file={file} view={view} onRender={onRender} />
      </div>
      <PreviewFoot file={file} view={view} />
    </div>
  );
}

interface PreviewHeldProps {
  /** Null if there is no input for a preview; the input field shows the reason. */
  readonly onRender: (() => void) | null;
  /** Whether an earlier preview is shown, of another text or input. */
  readonly isBeside: boolean;
}

/** Shown while previews are not updated automatically because the workspace is not trusted. */
function PreviewHeld({ onRender, isBeside }: PreviewHeldProps) {
  const { preferences } = useStores();
  if (isBeside) {
    return (
      <div className="preview-held">
        <span>{text.preview.changed}</span>
        <Button size="small" onClick={onRender ?? undefined} disabled={onRender === null}>
          {text.preview.render}
        </Button>
      </div>
    );
  }
  return (
    <EmptyState
      icon={<ShieldQuestion aria-hidden size={20} />}
      title={text.preview.paused}
      actions={
        <>
          <Button variant="primary" onClick={onRender ?? undefined} disabled={onRender === null}>
            {text.preview.render}
          </Button>
          <Button variant="ghost" onClick={() => preferences.getState().open('trust')}>
            {text.preview.trustSettings}
          </Button>
        </>
      }
    >
      {text.preview.pausedNote}
    </EmptyState>
  );
}
