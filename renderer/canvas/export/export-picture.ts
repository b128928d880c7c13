/**
 * Pictures of a flow, to a file or to the clipboard.
 */

import { selectShownRun } from '../../stores/runs/shown-run.ts';
import { initialFlowView } from '../../stores/window/selection.ts';
import { fileNameOf } from '../../stores/workspace/workspace.ts';
import type { CanvasDesk } from '../state/canvas-desk.ts';
import { flowPicture } from './flow-picture.ts';
import { flowSvg, type SvgPicture } from './flow-svg.ts';
import { embeddedFonts } from './picture-fonts.ts';
import { readPictureLook } from './picture-look.tsx';
import { pictureScale } from './picture-size.ts';
import { rasterise } from './rasterise.ts';

function draw(desk: CanvasDesk, frame: Element, styles: string): SvgPicture {
  const { path, stores, moment } = desk;
  const run = selectShownRun(stores.liveRuns.getState(), path);
  const { items } = stores.selection.getState().views.get(path) ?? initialFlowView;
  const { hidesNotes } = moment.getState();
  return flowSvg(flowPicture({ ...desk, run, items, hidesNotes }), readPictureLook(frame), styles);
}

interface Taken {
  readonly picture: Blob;
  /** What the person should know of it; may be empty. */
  readonly remark: string;
}

async function takePng(desk: CanvasDesk, frame: Element): Promise<Taken> {
  const drawn = draw(desk, frame, await embeddedFonts(document));
  const scale = pictureScale(drawn);
  const remark = `The flow is large: it was drawn at ${Math.max(1, Math.round(scale * 100))} %. An SVG keeps all of it.`;
  return { picture: await rasterise(drawn, scale), remark: scale < 1 ? remark : '' };
}

async function take(desk: CanvasDesk, frame: Element, format: 'png' | 'svg'): Promise<Taken> {
  return format === 'png' ? takePng(desk, frame) : { picture: new Blob([draw(desk, frame, '').svg]), remark: '' };
}

/** Asks where to, and saves the whole flow as it looks now. What goes wrong becomes a notice. */
export async function savePicture(desk: CanvasDesk, format: 'png' | 'svg'): Promise<void> {
  const { frame, stores, path } = desk;
  const { notices, main } = stores;
  if (frame === null) return;
  try {
    const { picture, remark } = await take(desk, frame, format);
    const data = new Uint8Array(await picture.arrayBuffer());
    const suggestedName = `${fileNameOf(path).replace(/\.flow\.ya?ml$/, '')}.${format}`;
    const { path: saved } = await main.call('image.save', { suggestedName, format, data });
    const detail = `${saved}\n${remark}`.trim();
    if (saved !== null) notices.getState().add({ tone: 'info', title: 'The picture was saved', detail });
  } catch (error) {
    notices.getState().addError('The picture was not saved', error);
  }
}

/** Puts the whole flow on the clipboard as an image. What goes wrong becomes a notice. */
export async function copyPicture(desk: CanvasDesk): Promise<void> {
  const { frame, stores } = desk;
  if (frame === null) return;
  try {
    const { picture: png, remark } = await takePng(desk, frame);
    await navigator.clipboard.write([new ClipboardItem({ [png.type]: png })]);
    const detail = remark === '' ? 'It can be pasted into other programs now.' : remark;
    stores.notices.getState().add({ tone: 'info', title: 'The picture was copied', detail });
  } catch (error) {
    stores.notices.getState().addError('The picture was not copied', error);
  }
}
