import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { isWildMarkdown } from '../../ui/wild-markdown.ts';

const plugins = [remarkGfm];

/** Links and pictures would lead out of the program. */
const components: Components = {
  a: ({ children }) => <u>{children}</u>,
  img: ({ alt }) => <em>{alt}</em>,
};

/** The text of a note, shown. */
export function NoteMarkdown({ text }: { readonly text: string }) {
  if (isWildMarkdown(text)) return <pre>{text}</pre>;
  return (
    <Markdown remarkPlugins={plugins} components={components} skipHtml>
      {text}
    </Markdown>
  );
}
