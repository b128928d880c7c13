/**
 * Markdown that somebody else wrote: headings, lists, tables and code are shown; links are text, pictures their
 * description, and HTML is left out, so that nothing in it can lead anywhere or load anything.
 */
import Markdown, { type Components, type Options } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { isWildMarkdown } from './wild-markdown.ts';
import './markdown-text.css';

/** What reads markdown, or changes what was read. */
export type MarkdownPlugins = NonNullable<Options['remarkPlugins']>;

const noPlugins: MarkdownPlugins = [];

const components: Components = {
  // The dialog's own title stands above.
  h1: ({ children, className }) => <h3 className={className}>{children}</h3>,
  h2: ({ children, className }) => <h4 className={className}>{children}</h4>,
  h3: ({ children, className }) => <h5 className={className}>{children}</h5>,
  h4: ({ children, className }) => <h6 className={className}>{children}</h6>,
  h5: ({ children, className }) => <h6 className={className}>{children}</h6>,
  a: ({ children, href }) => (
    <span className="markdown-link" title={href}>
      {children}
    </span>
  ),
  img: ({ alt }) => (alt ? <span className="markdown-picture">[{alt}]</span> : null),
};

interface MarkdownTextProps {
  readonly text: string;
  /** Beside the usual one; always the same list for the same text. */
  readonly plugins?: MarkdownPlugins;
}

/** Large, hence meant for `lazy`. */
export function MarkdownText({ text, plugins = noPlugins }: MarkdownTextProps) {
  return (
    <div className="markdown-text" data-selectable>
      {isWildMarkdown(text) ? (
        <pre>{text}</pre>
      ) : (
        <Markdown remarkPlugins={[remarkGfm, ...plugins]} components={components} skipHtml>
          {text}
        </Markdown>
      )}
    </div>
  );
}
