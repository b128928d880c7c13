import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { indexFile, sections } from './contents.mjs';
import { resolveLink } from './markdown.mjs';
import { readPage, readPages } from './pages.mjs';

const root = path.resolve(import.meta.dirname, '../..');

describe('the documentation', async () => {
  const pages = [...(await readPages(root)), await readPage(root, 'README.md')];
  const bySource = new Map(pages.map((page) => [page.source, page]));

  test('every link leads to a file of the repository, and every anchor to a heading', () => {
    const broken = pages.flatMap(({ source, links, images }) =>
      [...links, ...images]
        .filter((href) => {
          const target = resolveLink(source, href);
          if (target === undefined) return false;
          if (!existsSync(path.join(root, target.file))) return true;
          const page = bySource.get(target.file);
          const isHeading = page?.headings.some(({ slug }) => slug === target.anchor);
          return target.anchor !== '' && isHeading !== true;
        })
        .map((href) => `${source}: ${href}`),
    );
    expect(broken).toEqual([]);
  });

  test('every page has one title, which is its first heading', () => {
    const odd = pages.filter(({ headings }) => headings.filter(({ level }) => level === 1).length !== 1);
    expect(odd.map(({ source }) => source)).toEqual([]);
    expect(pages.filter(({ headings }) => headings[0]?.level !== 1).map(({ source }) => source)).toEqual([]);
  });

  test('the index links to every page, except those of single node types', () => {
    const index = bySource.get(indexFile);
    const linked = new Set(index?.links.map((href) => resolveLink(indexFile, href)?.file));
    const folders = sections.map(({ folder }) => path.posix.join('docs', folder));
    const missing = pages.filter(
      ({ source }) =>
        folders.includes(path.posix.dirname(source)) &&
        source !== indexFile &&
        (!source.startsWith('docs/nodes/') || source === 'docs/nodes/index.md') &&
        !linked.has(source),
    );
    expect(missing.map(({ source }) => source)).toEqual([]);
  });

  test('every page in the order of a section exists', () => {
    const missing = sections.flatMap(({ folder, order }) =>
      order.map((name) => path.posix.join('docs', folder, `${name}.md`)).filter((file) => !bySource.has(file)),
    );
    expect(missing).toEqual([]);
  });
});
