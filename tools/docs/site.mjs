/**
 * Builds the site of the documentation into `out/docs/`. It needs no network and works from any address, because all
 * URLs in it are relative.
 */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import Eleventy from '@11ty/eleventy';
import { packageFile, root, siteFolder } from '../paths.mjs';
import { rootPages } from './contents.mjs';
import { renderPage, styles } from './layout.mjs';
import { createMarkdown, pageOf, resolveLink } from './markdown.mjs';
import { fillSections, readPages } from './pages.mjs';
import { buildIndex } from './search-index.mjs';
import { fonts, readSiteTokens } from './styles.mjs';

/**
 * Files of the site that its pages load, by name: scripts and styles.
 * @type {Readonly<Record<string, string>>}
 */
const pageFiles = {
  ...Object.fromEntries(
    [...styles, 'site.mjs', 'search-options.mjs'].map((name) => [name, path.join(import.meta.dirname, 'page', name)]),
  ),
  'icon.svg': path.join(root, 'resources', 'icons', 'millrace.svg'),
  'minisearch.mjs': packageFile('minisearch/dist/es/index.js'),
  ...Object.fromEntries(Object.entries(fonts).map(([name, file]) => [name, packageFile(file)])),
};

/** @typedef {import('./pages.mjs').Page} Page */
/** @typedef {{ page: { inputPath: string } }} InputData */

/**
 * @param {string} inputPath path of a template, such as `./docs/cli.md`
 * @returns {string} its file, relative to the repository
 */
function sourceOf(inputPath) {
  const file = path.posix.normalize(inputPath);
  const name = file.replace(/^docs\//, '');
  return rootPages.includes(name) ? name : file;
}

/** @param {InputData} data */
function permalinkOf({ page }) {
  return pageOf(sourceOf(page.inputPath));
}

/**
 * @param {readonly Page[]} pages
 * @param {readonly import('./pages.mjs').FilledSection[]} sections
 */
function createSite(pages, sections) {
  const md = createMarkdown();
  const pageBySource = new Map(pages.map((page) => [page.source, page]));
  return new Eleventy('docs', path.relative(root, siteFolder), {
    quietMode: true,
    config: async (config) => {
      config.setUseGitIgnore(false);
      config.setTemplateFormats(['md']);
      config.setLibrary('md', {
        render: (text, { page }) => md.render(text, { source: sourceOf(page.inputPath) }),
      });
      // Braces in the pages are bindings of flows, not instructions of a template language.
      config.addGlobalData('templateEngineOverride', 'md');
      config.addGlobalData('permalink', () => permalinkOf);
      for (const name of rootPages) config.addTemplate(name, await readFile(path.join(root, name), 'utf8'));
      config.addTransform('layout', function (content) {
        const page = pageBySource.get(sourceOf(this.page.inputPath));
        return page === undefined ? content : renderPage({ ...page, sections, content });
      });
    },
  });
}

/** @param {readonly Page[]} pages */
async function copyImages(pages) {
  for (const { source, images } of pages) {
    for (const image of images) {
      const target = resolveLink(source, image);
      if (target === undefined || !target.file.startsWith('docs/')) continue;
      const copy = path.join(siteFolder, target.file.slice('docs/'.length));
      await mkdir(path.dirname(copy), { recursive: true });
      await copyFile(path.join(root, target.file), copy);
    }
  }
}

/** @param {readonly import('./pages.mjs').FilledSection[]} sections */
async function writePageFiles(sections) {
  const folder = path.join(siteFolder, 'site');
  await mkdir(folder, { recursive: true });
  for (const [name, file] of Object.entries(pageFiles)) await copyFile(file, path.join(folder, name));
  await writeFile(path.join(folder, 'tokens.css'), await readSiteTokens(root));
  await writeFile(path.join(folder, 'search.json'), JSON.stringify(buildIndex(sections)));
}

/** Builds the site. */
export async function buildSite() {
  await rm(siteFolder, { recursive: true, force: true });
  const pages = await readPages(root);
  const sections = fillSections(pages);
  process.chdir(root);
  await createSite(pages, sections).write();
  await copyImages(pages);
  await writePageFiles(sections);
}
