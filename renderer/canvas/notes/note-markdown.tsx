import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { isWildMarkdown } from '../../ui/wild-markdown.ts';

const plugins = [remarkGfm];

/** Links and images would load content from outside the program. */
const components: Components = {
  a: ({ children }) => <u>{children}</u>,
  img: ({ alt }) => <em>{alt}</em>,
};

/** Renders the text of a note. */
export function NoteMarkdown({ text }: { readonly text: string }) {
  if (isWildMarkdown(text)) return <pre>{text}</pre>;
  return (
    <Markdown remarkPlugins={plugins} components={components} skipHtml>
      {text}
    </Markdown>
  );
}
