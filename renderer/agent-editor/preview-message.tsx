/**
 * One message of a preview, as the model would get it.
 */
import { Code } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { AgentPreview } from '../stores/agents/agent-previews.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { roleNames } from './preview-words.ts';
import { promptPlugins } from './prompt-marks.ts';
import { estimateTokens } from './token-estimate.ts';
import './preview-message.css';

type Message = AgentPreview['messages'][number];

const MarkdownText = lazy(async () => ({ default: (await import('../ui/markdown-text.tsx')).MarkdownText }));

/** Characters of a message that are shown before it is unfolded. */
const longMessage = 4_000;

/** As markdown, with what was filled in marked. */
function Rendered({ text, filled = [] }: { text: string; filled?: Message['filled'] }) {
  const plugins = useMemo(() => promptPlugins(text, filled), [text, filled]);
  return (
    <Suspense fallback={<p className="preview-text">{text}</p>}>
      <div className="preview-markdown">
        <MarkdownText text={text} plugins={plugins} />
      </div>
    </Suspense>
  );
}

export function PreviewMessage({ message }: { message: Message }) {
  const [isWhole, setIsWhole] = useState(false);
  const [isRaw, setIsRaw] = useState(false);
  const { role, content, isCached, attachments, filled } = message;
  const text = content.trimEnd();
  const isCut = !isWhole && text.length > longMessage;
  const shown = isCut ? text.slice(0, longMessage) : text;
  return (
    <section className="preview-part" aria-label={roleNames[role]}>
      <header className="preview-part-head">
        <h3>{roleNames[role]}</h3>
        <span>{`${isCached ? 'cached, ' : ''}${estimateTokens(text).toLocaleString('en')} tokens`}</span>
        <IconButton label="As plain text" aria-pressed={isRaw} onClick={() => setIsRaw(!isRaw)}>
          <Code aria-hidden size={12} />
        </IconButton>
      </header>
      {isRaw ? (
        <pre className="preview-text preview-raw">{shown}</pre>
      ) : (
        <Rendered text={shown} {...(filled === undefined ? {} : { filled })} />
      )}
      {isCut ? (
        <Button size="small" variant="ghost" onClick={() => setIsWhole(true)}>
          {`Show ${(text.length - longMessage).toLocaleString('en')} more characters`}
        </Button>
      ) : null}
      {attachments.length === 0 ? null : <p className="preview-quiet">{`With ${attachments.join(', ')}`}</p>}
    </section>
  );
}
