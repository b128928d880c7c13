/**
 * Checks the text that a window shows in the pseudo-language: whether it is translatable, and whether it fits.
 */
import type { Page } from '@playwright/test';

/** Elements whose text is not in the tables of the window. */
const contents = [
  // Content of files, and what users wrote.
  '.monaco-editor, code, pre, textarea, .pack-readme, .flow-type-says, .slot-field-about, .select-text, .message',
  '.conversation .ask, .agent-stage-title',
  // Texts of node types: sentences on cards, descriptions, and titles of fields.
  '.node-card-sentence, .node-card-words, .loop-card > .node-card-state, .flow-node-sentence',
  '.inspector-quiet, .form-label, .form-adders, [id$="-about"]',
  // Messages of the engine and of the main process.
  '.problem-message, .node-card-state, .updates-never',
  // Names and descriptions of tools.
  '.tools-row-about, .tools-title, .tools-description',
  // Conditions and values of nodes.
  'dd, .card-output, .timeline-note, .run-log-text',
].join();

/** Returns visible texts and labels of two or more words without accents of the pseudo-language. */
function findHardCoded(contents: string): string[] {
  const isHardCoded = (text: string): boolean =>
    /\p{L}{2,}[.:;!?’)]*\s+[“‘(]?\p{L}{2,}/u.test(text) && !/[áéíöüÁÉÍÖÜ~]/.test(text);
  const found: string[] = [];
  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest(contents) !== null || !element.checkVisibility({ visibilityProperty: true })) continue;
    const labels = ['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? '');
    const texts = [...element.childNodes].map(({ nodeType, nodeValue }) => (nodeType === 3 ? (nodeValue ?? '') : ''));
    for (const text of [...labels, ...texts].filter(isHardCoded)) {
      found.push(`"${text.trim().slice(0, 80)}" in ${element.localName}.${element.getAttribute('class') ?? ''}`);
    }
  }
  return found;
}

/** Returns texts that are cut off without an ellipsis, and boxes that scroll sideways. */
function findCut(): string[] {
  const drawings =
    '.react-flow__viewport, .react-flow__minimap, .monaco-editor, .flow-tabs-list, svg, pre, textarea, input';
  const isCut = (element: Element): boolean => {
    const { display, overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(element);
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
    // Text for screen readers only is one pixel wide.
    if (display === 'inline' || clientWidth < 2) return false;
    const isScroller = overflowX === 'auto' || overflowX === 'scroll';
    if (isScroller) return scrollWidth > clientWidth;
    const hasText = [...element.childNodes].some(({ nodeType, textContent }) => nodeType === 3 && textContent?.trim());
    const isClipped = overflowY === 'hidden' || overflowY === 'clip';
    const isWide = scrollWidth > clientWidth + 1 && textOverflow !== 'ellipsis';
    const isTall = scrollHeight > clientHeight + 2 && webkitLineClamp === 'none' && isClipped;
    return hasText && (isWide || isTall);
  };
  return [document.documentElement, ...document.body.querySelectorAll('*')]
    .filter((element) => element.closest(drawings) === null && element.checkVisibility({ visibilityProperty: true }))
    .filter(isCut)
    .map(
      ({ localName, className, textContent }) => `${localName}.${className} "${textContent?.slice(0, 60)}" is cut off`,
    );
}

/** Returns controls and texts that are partly outside of the window or of an ancestor that clips them. */
function findStickingOut(): string[] {
  const controls =
    'button, label, h1, h2, h3, h4, p, [role="tab"], [role="menuitem"], [role="option"], [role="dialog"]';
  const drawings = '.react-flow__viewport, .react-flow__minimap, .monaco-editor, .flow-tabs-list, .visually-hidden';
  const clipOf = (element: Element): Element | undefined => {
    const { left, right } = element.getBoundingClientRect();
    for (let box = element.parentElement; box !== null; box = box.parentElement) {
      if (box !== document.body && getComputedStyle(box).overflowX === 'visible') continue;
      const outer = box.getBoundingClientRect();
      if (left < outer.left - 1 || right > outer.right + 1) return box;
    }
    return undefined;
  };
  return [...document.body.querySelectorAll(controls)]
    .filter((element) => element.closest(drawings) === null && element.checkVisibility({ visibilityProperty: true }))
    .flatMap((element) => {
      const clip = clipOf(element);
      const name = `${element.localName}.${element.className} "${element.textContent?.slice(0, 60)}"`;
      return clip === undefined ? [] : [`${name} sticks out of ${clip.localName}.${clip.className}`];
    });
}

/** Returns texts of a surface that do not fit, in a window of any language. */
export async function findMisfits(page: Page): Promise<string[]> {
  return [...(await page.evaluate(findCut)), ...(await page.evaluate(findStickingOut))];
}

/** Returns texts of a surface that cannot be translated. */
export async function findHardCodedText(page: Page): Promise<string[]> {
  return page.evaluate(findHardCoded, contents);
}
