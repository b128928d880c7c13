/**
 * Exports pictures of a flow to a file or to the clipboard.
 */

import { triggerFooter } from '../../card/trigger/trigger-words.ts';
import { selectShownRun } from '../../stores/runs/shown-run.ts';
import { initialFlowView } from '../../stores/window/selection.ts';
import { withListedTriggers } from '../../stores/workspace/triggers.ts';
import { fileNameOf } from '../../stores/workspace/workspace.ts';
import type { CanvasEditor } from '../state/canvas-editor.ts';
import { text } from '../text.ts';
import { flowPicture } from './flow-picture.ts';
import { flowSvg, type SvgPicture } from './flow-svg.ts';
import { readPictureStyle } from './picture-style.tsx';

function draw(editor: CanvasEditor, frame: Element, styles: string): SvgPicture {
  const { path, stores, interaction } = editor;
  const run = selectShownRun(stores.liveRuns.getState(), path);
  const { items } = stores.selection.getState().views.get(path) ?? initialFlowView;
  const { hidesNotes } = interaction.getState();
  const factsOf = triggerFacts(editor);
  const doc = withListedTriggers(editor.doc, path, stores.triggers.getState().entries);
  return flowSvg(flowPicture({ ...editor, doc, run, items, hidesNotes, factsOf }), readPictureStyle(frame), styles);
}

/** Returns what the cards of triggers show besides the file. */
function triggerFacts({ path, stores }: CanvasEditor): Parameters<typeof flowPicture>[0]['factsOf'] {
  const { entries, firings } = stores.triggers.getState();
  const runs = stores.runHistory.getState().lists.get(path)?.runs;
  const numberOf = (runId: string): number | undefined => runs?.find((run) => run.runId === runId)?.number;
  const own = firings.get(path) ?? [];
  return (doc) => {
    const entry = entries.find(({ flow, trigger }) => flow === path && trigger === doc.id);
    const past = own.filter(({ trigger }) => trigger === doc.id);
    const footer = triggerFooter({ doc, entry, firings: past, now: Date.now(), numberOf });
    return { isOn: entry !== undefined && entry.state !== 'off', footer };
  };
}

interface ExportedPicture {
  readonly picture: Blob;
  /** A note for the user. May be empty. */
  readonly remark: string;
}

async function takePng(editor: CanvasEditor, frame: Element): Promise<ExportedPicture> {
  const drawn = draw(editor, frame, await embeddedFonts(document));
  const scale = pictureScale(drawn);
  const remark = text.picture.scaled({ percent: Math.max(1, Math.round(scale * 100)) });
  return { picture: await rasterise(drawn, scale), remark: scale < 1 ? remark : '' };
}

async function take(editor: CanvasEditor, frame: Element, format: 'png' | 'svg'): Promise<ExportedPicture> {
  return format === 'png' ? takePng(editor, frame) : { picture: new Blob([draw(editor, frame, '').svg]), remark: '' };
}

/** Asks where to save, and saves the whole flow as it looks now. Errors are shown as a notice. */
export async function savePicture(editor: CanvasEditor, format: 'png' | 'svg'): Promise<void> {
  const { frame, stores, path } = editor;
  const { notices, main } = stores;
  if (frame === null) return;
  try {
    const { picture, remark } = await take(editor, frame, format);
    const data = new Uint8Array(await picture.arrayBuffer());
    const suggestedName = `${fileNameOf(path).replace(/\.flow\.ya?ml$/, '')}.${format}`;
    const { path: saved } = await main.call('image.save', { suggestedName, format, data });
    const detail = `${saved}\n${remark}`.trim();
    if (saved !== null) notices.getState().add({ tone: 'info', title: text.picture.saved, detail });
  } catch (error) {
    notices.getState().addError(text.picture.saveFailed, error);
  }
}

/** Copies the whole flow to the clipboard as an image. Errors are shown as a notice. */
export async function copyPicture(editor: CanvasEditor): Promise<void> {
  const { frame, stores } = editor;
  if (frame === null) return;
  try {
    const { picture: png, remark } = await takePng(editor, frame);
    await navigator.clipboard.write([new ClipboardItem({ [png.type]: png })]);
    const detail = remark === '' ? text.picture.copiedDetail : remark;
    stores.notices.getState().add({ tone: 'info', title: text.picture.copied, detail });
  } catch (error) {
    stores.notices.getState().addError(text.picture.copyFailed, error);
  }
}

/**
 * Converts the picture to PNG, with this many output pixels per canvas pixel at 100 %.
 * @throws Error if it is too large for the page
 */
async function rasterise({ svg, width, height }: SvgPicture, scale: number): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.floor(width * scale);
  canvas.height = Math.floor(height * scale);
  const image = new Image(width, height);
  // The content security policy allows images in data URLs but not in blob URLs.
  image.src = await dataUrl(new Blob([svg], { type: 'image/svg+xml' }));
  await image.decode();
  const context = canvas.getContext('2d');
  context?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (png === null || context === null) throw new Error(text.picture.tooLarge);
  return png;
}

/** A picture is rendered separately from the page and cannot access its fonts, so they are embedded. */

/** Returns the bundled font families in use on the page, as `@font-face` rules that contain the fonts. */
async function embeddedFonts(page: Document): Promise<string> {
  const loaded = new Set([...page.fonts].filter(({ status }) => status === 'loaded').map(keyOf));
  const rules = [...page.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter(isFontFace);
  const used = rules.filter(({ style }) =>
    loaded.has(
      keyOf({
        family: style.getPropertyValue('font-family'),
        style: style.getPropertyValue('font-style'),
        unicodeRange: style.getPropertyValue('unicode-range'),
      }),
    ),
  );
  return (await Promise.all(used.map(embed))).join('');
}

function isFontFace(rule: CSSRule): rule is CSSFontFaceRule {
  return rule instanceof CSSFontFaceRule;
}

function keyOf({ family, style, unicodeRange }: Pick<FontFace, 'family' | 'style' | 'unicodeRange'>): string {
  return [family.replaceAll(/["']/g, ''), style, unicodeRange.replaceAll(/\s/g, '').toUpperCase()].join('|');
}

async function embed(rule: CSSFontFaceRule): Promise<string> {
  const source = /url\("?([^")]+)"?\)/.exec(rule.style.getPropertyValue('src'))?.[1];
  if (source === undefined) return '';
  const answer = await fetch(new URL(source, rule.parentStyleSheet?.href ?? document.baseURI));
  const data = await dataUrl(await answer.blob());
  const kept = ['font-family', 'font-style', 'font-weight', 'unicode-range'].map(
    (name) => `${name}:${rule.style.getPropertyValue(name)};`,
  );
  return `@font-face{${kept.join('')}src:url(${data})}`;
}

/** Returns a data URL with the content of a file. */
function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** Maximum size in pixels: canvas elements cannot be larger, and larger pictures take many seconds to render. */
const longestSide = 16_000;
const mostPixels = 48_000_000;
/** Scale for high-density screens. */
const usualScale = 2;

/** Returns the number of output pixels per canvas pixel at 100 %: two, or fewer for a large flow. */
export function pictureScale({ width, height }: { readonly width: number; readonly height: number }): number {
  return Math.min(usualScale, longestSide / Math.max(width, height), Math.sqrt(mostPixels / (width * height)));
}
