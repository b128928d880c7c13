import { lazy, Suspense, useEffect, useState } from 'react';
import { toErrorRecord } from '../../engine/isomorphic.ts';
import { useStores } from '../stores/stores-context.tsx';

const MarkdownText = lazy(async () => ({ default: (await import('../ui/markdown-text.tsx')).MarkdownText }));

type Readme = { readonly text: string } | { readonly problem: string } | null;

/** Null until the engine has answered. */
function useReadme(packRef: string): Readme {
  const { engine } = useStores();
  const [readme, setReadme] = useState<Readme>(null);
  useEffect(() => {
    let isMeant = true;
    engine.call('pack.readme', { ref: packRef }).then(
      ({ text }) => isMeant && setReadme({ text }),
      (thrown: unknown) => isMeant && setReadme({ problem: toErrorRecord(thrown).message }),
    );
    return () => {
      isMeant = false;
    };
  }, [engine, packRef]);
  return readme;
}

/** What the pack says of itself. */
export function PackReadme({ packRef }: { packRef: string }) {
  const readme = useReadme(packRef);
  if (readme === null) return <p className="pack-folder">Reading its readme…</p>;
  if ('problem' in readme) return <p className="pack-folder">Its readme could not be read: {readme.problem}</p>;
  return (
    <section className="pack-readme" aria-label="Readme">
      <Suspense fallback={<p className="pack-folder">Reading its readme…</p>}>
        <MarkdownText text={readme.text} />
      </Suspense>
    </section>
  );
}
