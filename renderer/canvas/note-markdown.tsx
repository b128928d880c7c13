import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';

const plugins = [remarkGfm];

/** Links and pictures would lead out of the program. */
const components: Components = {
  a: ({ children }) => <u>{children}</u>,
  img: ({ alt }) => <em>{alt}</em>,
};

/** The text of a note, shown. */
export function NoteMarkdown({ text }: { readonly text: string }) {
  return (
    <Markdown remarkPlugins={plugins} components={components} skipHtml>
      {text}
    </Markdown>
  );
}
