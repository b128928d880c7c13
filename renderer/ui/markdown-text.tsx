/**
 * Renders untrusted markdown: headings, lists, tables and code are shown; links become text, images become their
 * description, and HTML is shown as text or omitted, so that nothing can be opened or loaded.
 */
import { type ReactNode, useMemo } from 'react';
import Markdown, { type Components, type Options } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { isWildMarkdown } from './wild-markdown.ts';
import './markdown-text.css';

/** Plugins that parse markdown or transform the result. */
export type MarkdownPlugins = NonNullable<Options['remarkPlugins']>;

interface MarkdownReader {
  data(): { micromarkExtensions?: unknown[] };
}

/** Parses tags as text. */
function tagsAsText(this: MarkdownReader): void {
  const data = this.data();
  data.micromarkExtensions ??= [];
  data.micromarkExtensions.push({ disable: { null: ['htmlFlow', 'htmlText'] } });
}

const withTags = [remarkGfm, tagsAsText] as MarkdownPlugins;
const withoutTags: MarkdownPlugins = [remarkGfm];

const noPlugins: MarkdownPlugins = [];

const components: Components = {
  // The dialog already has a title above.
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

function codeWith(codeLink: (code: string) => ReactNode): NonNullable<Components['code']> {
  return ({ children, className }) =>
    (typeof children === 'string' ? codeLink(children) : null) ?? <code className={className}>{children}</code>;
}

interface MarkdownTextProps {
  readonly text: string;
  /** In addition to the default plugin. Must be stable for the same text. */
  readonly plugins?: MarkdownPlugins;
  /** Omits HTML, which decorates many files. Elsewhere it may be all that a text says, such as `List<String>`. */
  readonly omitsHtml?: boolean;
  /** Replaces code in a line, or returns null to keep it. Must be stable. */
  readonly codeLink?: (code: string) => ReactNode;
}

/** Large, so it must be used with `lazy`. */
export function MarkdownText({ text, plugins = noPlugins, omitsHtml = false, codeLink }: MarkdownTextProps) {
  const parts = useMemo(
    () => (codeLink === undefined ? components : { ...components, code: codeWith(codeLink) }),
    [codeLink],
  );
  return (
    <div className="markdown-text" data-selectable>
      {isWildMarkdown(text) ? (
        <pre>{text}</pre>
      ) : (
        <Markdown remarkPlugins={[...(omitsHtml ? withoutTags : withTags), ...plugins]} components={parts} skipHtml>
          {text}
        </Markdown>
      )}
    </div>
  );
}
