/**
 * The details of one pack: its origin, agents and readme, and the actions for it.
 */
import { Bot, RefreshCw, Trash2, TriangleAlert, Workflow } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { toErrorRecord } from '../../engine/isomorphic.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { Pack } from '../stores/workspace/packs.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { withParts } from '../ui/with-parts.tsx';
import { agentNameIn, isRemovable, isUpdatable, originSentence } from './pack-words.ts';
import { PackReport } from './packs-panel.tsx';
import { text } from './text.ts';
import './pack-dialog.css';

const MarkdownText = lazy(async () => ({ default: (await import('../ui/markdown-text.tsx')).MarkdownText }));

type Readme = { readonly markdown: string } | { readonly problem: string } | null;

/** Null until the engine has responded. */
function useReadme(packRef: string): Readme {
  const { engine } = useStores();
  const [readme, setReadme] = useState<Readme>(null);
  useEffect(() => {
    let isMeant = true;
    engine.call('readPackReadme', packRef).then(
      (read) => isMeant && setReadme({ markdown: read.text }),
      (thrown: unknown) => isMeant && setReadme({ problem: toErrorRecord(thrown).message }),
    );
    return () => {
      isMeant = false;
    };
  }, [engine, packRef]);
  return readme;
}

/** The readme of the pack. */
function PackReadme({ packRef }: { packRef: string }) {
  const readme = useReadme(packRef);
  if (readme === null) return <p className="pack-folder">{text.pack.loadingReadme}</p>;
  if ('problem' in readme) return <p className="pack-folder">{text.pack.readmeFailed({ reason: readme.problem })}</p>;
  return (
    <section className="pack-readme" aria-label={text.pack.readme}>
      <Suspense fallback={<p className="pack-folder">{text.pack.loadingReadme}</p>}>
        <MarkdownText text={readme.markdown} omitsHtml />
      </Suspense>
    </section>
  );
}

function PackContents({ pack }: { pack: Pack }) {
  const { packs, agents: actions } = useStores();
  const { agents, flows } = pack;
  if (agents.length + flows.length === 0) return null;
  const open = (agent: string): void => {
    packs.getState().show(null);
    void actions.open(agent);
  };
  return (
    <section>
      <h3 className="pack-heading">{text.pack.contents}</h3>
      <ul className="pack-contents">
        {agents.map(({ agent, file }) => (
          <li key={agent}>
            <button type="button" className="pack-agent" title={file} onClick={() => open(agent)}>
              <Bot aria-hidden size={14} />
              {agentNameIn(pack, agent)}
              <code>{agent}</code>
            </button>
          </li>
        ))}
        {flows.map((flow) => (
          <li key={flow} className="pack-flow">
            <Workflow aria-hidden size={14} />
            {flow}
          </li>
        ))}
      </ul>
    </section>
  );
}

function PackProblem({ message }: { message: string }) {
  return (
    <p className="pack-warning" role="alert">
      <TriangleAlert aria-hidden size={14} />
      {message}
    </p>
  );
}

function PackActions({ pack }: { pack: Pack }) {
  const { packs } = useStores();
  const isBusy = useStore(packs, ({ busy }) => busy !== null);
  const [isAsking, setIsAsking] = useState(false);
  if (!isRemovable(pack)) return null;
  if (isAsking) {
    return (
      <footer className="pack-actions">
        <span className="pack-question">{text.pack.removeQuestion({ name: pack.ref })}</span>
        <Button autoFocus onClick={() => setIsAsking(false)}>
          {text.pack.cancel}
        </Button>
        <Button variant="danger" disabled={isBusy} onClick={() => void packs.getState().remove(pack.ref)}>
          {text.pack.removeNow}
        </Button>
      </footer>
    );
  }
  return (
    <footer className="pack-actions">
      <Button variant="danger" disabled={isBusy} onClick={() => setIsAsking(true)}>
        <Trash2 aria-hidden size={14} />
        {text.pack.remove}
      </Button>
      {isUpdatable(pack) ? (
        <Button disabled={isBusy} onClick={() => void packs.getState().update(pack.ref)}>
          <RefreshCw aria-hidden size={14} />
          {text.pack.update}
        </Button>
      ) : null}
    </footer>
  );
}

function PackDetails({ pack }: { pack: Pack }) {
  const { problem, isShadowed, commit, folder, hasReadme, ref } = pack;
  return (
    <>
      <div className="pack-body">
        {problem === undefined ? null : <PackProblem message={problem} />}
        {isShadowed ? <PackProblem message={text.pack.shadowed({ name: ref })} /> : null}
        <PackReport />
        <p className="pack-folder">
          {commit === undefined ? (
            <code>{folder}</code>
          ) : (
            withParts(text.pack.atCommit, {
              folder: <code>{folder}</code>,
              commit: <code>{commit.slice(0, 12)}</code>,
            })
          )}
        </p>
        <PackContents pack={pack} />
        {hasReadme && !isShadowed ? <PackReadme key={`${ref} ${pack.version}`} packRef={ref} /> : null}
      </div>
      <PackActions pack={pack} />
    </>
  );
}

/** Shows the pack that is selected in the list. */
export function PackDialog() {
  const { packs } = useStores();
  const pack = useStore(packs, ({ list, shown }) => list.find(({ folder }) => folder === shown));
  return (
    <Dialog
      isOpen={pack !== undefined}
      onClose={() => packs.getState().show(null)}
      size="wide"
      title={[pack?.ref, pack?.version].filter(Boolean).join(' ')}
      description={pack === undefined ? '' : originSentence(pack)}
    >
      {pack === undefined ? null : <PackDetails key={pack.folder} pack={pack} />}
    </Dialog>
  );
}
