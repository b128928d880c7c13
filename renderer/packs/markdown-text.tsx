/**
 * Markdown that somebody else wrote: headings, lists, tables and code are shown; links are text, pictures their
 * description, and HTML is left out, so that nothing in it can lead anywhere or load anything.
 */
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { isWildMarkdown } from '../ui/wild-markdown.ts';
import './markdown-text.css';

const plugins = [remarkGfm];

const components: Components = {
  // The dialog's own title stands above.
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
  a: ({ children, href }) => (
    <span className="markdown-link" title={href}>
      {children}
    </span>
  ),
  img: ({ alt }) => (alt ? <span className="markdown-picture">[{alt}]</span> : null),
};

/** Loaded when the first readme is opened. */
export function MarkdownText({ text }: { text: string }) {
  return (
    <div className="markdown-text" data-selectable>
      {isWildMarkdown(text) ? (
        <pre>{text}</pre>
      ) : (
        <Markdown remarkPlugins={plugins} components={components} skipHtml>
          {text}
        </Markdown>
      )}
    </div>
  );
}
